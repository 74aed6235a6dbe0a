//! The reference master over real sockets, on the loopback interface: every game's servers register
//! and are listed, and the command works as its page says.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{IpAddr, SocketAddr, TcpStream, UdpSocket};
use std::process::{Command, Stdio};

use crate::{golden, needs, process};
use fragshark::protocols::gamespy::answer;
use masters::families::services;
use masters::{Config, Defect, RunningMaster, Service, Settings, tables};
use process::{PATIENCE, Process, until};
use socket2::{Domain, Socket, Type};

const MARK: &[u8] = b"\xff\xff\xff\xff";
/// The published key of Unreal Tournament.
const UT: &[u8] = b"Z5Nfb0";

/// A server or client with its own port.
struct End(UdpSocket);

impl End {
    fn open(master: SocketAddr) -> Self {
        let ip: IpAddr = if master.is_ipv4() { [127, 0, 0, 1].into() } else { master.ip() };
        let socket = UdpSocket::bind((ip, 0)).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        Self(socket)
    }

    fn port(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }

    fn tell(&self, to: SocketAddr, message: &[u8]) {
        self.0.send_to(message, to).unwrap();
    }

    fn recv(&self) -> (Vec<u8>, SocketAddr) {
        let mut buffer = vec![0; 65_536];
        let (length, from) = self.0.recv_from(&mut buffer).unwrap();
        (buffer[..length].to_vec(), from)
    }

    /// The master's response, from the addressed port.
    fn ask(&self, master: SocketAddr, message: &[u8]) -> Vec<u8> {
        self.tell(master, message);
        let (bytes, from) = self.recv();
        assert_eq!(from, master);
        bytes
    }
}

fn service(name: &str) -> &'static Service {
    masters::families::service(name).unwrap()
}

fn marked(text: &str) -> Vec<u8> {
    [MARK, text.as_bytes()].concat()
}

/// The text after a prefix.
fn behind(bytes: &[u8], beginning: &[u8]) -> Vec<u8> {
    let rest = bytes.strip_prefix(beginning);
    rest.unwrap_or_else(|| panic!("{}", bytes.escape_ascii())).to_vec()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// How a game's server registers.
type Register = fn(&End, SocketAddr);

fn of_quake3(server: &End, master: SocketAddr) {
    let asked = server.ask(master, &marked("heartbeat QuakeArena-1\n"));
    let challenge = behind(&asked, b"\xff\xff\xff\xffgetinfo ");
    let info = r"\protocol\68\clients\1\sv_maxclients\8\gamename\Quake3Arena";
    server.tell(master, &marked(&format!("infoResponse\n\\challenge\\{}{info}", text(&challenge))));
}

fn of_elite_force(server: &End, master: SocketAddr) {
    let beat = format!(r"\heartbeat\{}\gamename\STEF1\", server.port());
    assert_eq!(server.ask(master, &marked(&beat)), marked("getchallenge"));
    let challenge = behind(&server.recv().0, b"\xff\xff\xff\xffgetstatus ");
    let info = r"\protocol\24\clients\1\sv_maxclients\8";
    let info = format!("infoResponse \"\\challenge\\{}{info}\"", text(&challenge));
    server.tell(master, &marked(&info));
}

fn of_quake2(server: &End, master: SocketAddr) {
    server.tell(master, &marked("heartbeat\n\\mapname\\q2dm1\n"));
}

fn of_quakeworld(server: &End, master: SocketAddr) {
    server.tell(master, b"a\n1\n0\n");
}

fn of_doom3(server: &End, master: SocketAddr) {
    let asked = server.ask(master, b"\xff\xffheartbeat\0");
    let challenge = behind(&asked, b"\xff\xffgetInfo\0");
    let info = b"\x29\0\x01\0si_maxPlayers\x004\0\0\0\x20\0\0\0\0";
    server.tell(master, &[b"\xff\xffinfoResponse\0", &challenge[..], info].concat());
}

fn of_half_life(server: &End, master: SocketAddr) {
    let challenge = behind(&server.ask(master, b"q"), b"\xff\xff\xff\xffs\n");
    let challenge = u32::from_le_bytes(challenge.try_into().unwrap());
    server.tell(master, format!("0\n\\challenge\\{challenge}\\players\\1\\max\\8\n").as_bytes());
}

fn of_gamespy(server: &End, master: SocketAddr) {
    let beat = format!(r"\heartbeat\{}\gamename\ut", server.port());
    // The heartbeat may come from another port; the query goes to the port that it names.
    End::open(master).tell(master, beat.as_bytes());
    let challenge = behind(&server.recv().0, br"\basic\\secure\");
    let reply = format!(r"\gamename\ut\validate\{}\final\\queryid\1.1", answer(UT, &challenge));
    server.tell(master, reply.as_bytes());
}

/// Service, registration of its server, list request, and the bytes around a list of one.
type Listed = (&'static str, Register, &'static [u8], &'static [u8], &'static [u8]);

static GAMES: &[Listed] = &[
    (
        "quake3",
        of_quake3,
        b"\xff\xff\xff\xffgetservers 68 empty full demo\n",
        b"\xff\xff\xff\xffgetserversResponse\\",
        b"\\EOT\0\0\0",
    ),
    (
        "elite-force",
        of_elite_force,
        b"\xff\xff\xff\xffgetservers 24 empty full",
        b"\xff\xff\xff\xffgetserversResponse \\",
        b"\\EOT",
    ),
    ("quake2", of_quake2, b"query\n\0", b"\xff\xff\xff\xffservers ", b""),
    ("heretic2", of_quake2, b"query\n\0", b"\xff\xff\xff\xffservers ", b""),
    ("quakeworld", of_quakeworld, b"c\n\0", b"\xff\xff\xff\xffd\n", b""),
    ("hexenworld", of_quakeworld, b"c\n\0", b"\xff\xff\xff\xff\xffd\n", b""),
    ("doom3", of_doom3, b"\xff\xffgetServers\0\x29\0\x01\0\0\0", b"\xff\xffservers\0", b""),
    ("half-life", of_half_life, b"e\0\0\0", b"\xff\xff\xff\xfff\n", b"\0\0\0\0\0\0"),
    (
        "source",
        of_half_life,
        b"1\xff0.0.0.0:0\0\\empty\\1\0",
        b"\xff\xff\xff\xfff\n",
        b"\0\0\0\0\0\0",
    ),
];

#[test]
fn every_games_servers_register_and_are_listed() {
    let running = RunningMaster::start(Config::new(services()).anywhere()).unwrap();
    for (name, register, request, head, end) in GAMES {
        let master = running.address(service(name)).unwrap();
        let (server, client) = (End::open(master), End::open(master));
        register(&server, master);
        let port = match *name {
            "doom3" => server.port().to_le_bytes().to_vec(),
            _ => server.port().to_be_bytes().to_vec(),
        };
        let mut record = [&[127, 0, 0, 1][..], &port].concat();
        if *name == "elite-force" {
            record = record.iter().flat_map(|b| format!("{b:02x}").into_bytes()).collect();
        }
        let expected = [head, &record[..], end].concat();
        // The answer to a challenge gets no response: repeat the request until it was handled.
        until(name, || (client.ask(master, request) == expected).then_some(()));
    }
}

#[test]
fn lists_hold_servers_of_both_families() {
    let running = RunningMaster::start(Config::new(services()).anywhere()).unwrap();
    let quake3 = running.addresses().iter().filter(|a| a.service == service("quake3"));
    let addresses: Vec<_> = quake3.map(|a| a.address).collect();
    if addresses.len() < 2 {
        needs::not_run("tests/master.rs", "ipv6", "there is no address ::1");
        return;
    }
    for master in &addresses {
        of_quake3(&End::open(*master), *master);
    }
    let request = marked("getserversExt Quake3Arena 68 empty full ipv4 ipv6");
    for master in addresses {
        let client = End::open(master);
        let list =
            || behind(&client.ask(master, &request), b"\xff\xff\xff\xffgetserversExtResponse");
        until("both", || (list().len() == 7 + 19 + 7).then_some(()));
    }
}

#[test]
fn gamespys_list_comes_over_tcp_to_who_holds_a_key() {
    let running = RunningMaster::start(Config::new(services()).anywhere()).unwrap();
    let master = running.address(service("gamespy")).unwrap();
    let server = End::open(master);
    of_gamespy(&server, master);
    let list = running.address(service("gamespy-list")).unwrap();
    let ask = |right: bool, request: &str| {
        let mut stream = TcpStream::connect(list).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        let mut opened = [0; 21];
        stream.read_exact(&mut opened).unwrap();
        let challenge = behind(&opened, br"\basic\\secure\");
        let proof = if right { answer(UT, &challenge) } else { "wrong".to_owned() };
        let says = format!(r"\gamename\ut\location\0\validate\{proof}\final\{request}");
        for byte in says.bytes() {
            // A master that has read enough may have closed.
            if stream.write_all(&[byte]).is_err() {
                break;
            }
        }
        let mut output = Vec::new();
        let _ = stream.read_to_end(&mut output);
        output
    };
    let plain = format!(r"\ip\127.0.0.1:{}\final\", server.port()).into_bytes();
    let request = r"\list\\gamename\ut\final\";
    until("the list", || (ask(true, request) == plain).then_some(()));
    let record = [&[127, 0, 0, 1][..], &server.port().to_be_bytes(), br"\final\"].concat();
    assert_eq!(ask(true, r"\list\cmp\gamename\ut\final\"), record);
    assert_eq!(ask(false, request), b"");
    // Another connection is accepted nevertheless.
    assert_eq!(ask(true, request), plain);
}

#[test]
fn a_recording_of_unreals_servers_and_clients_is_replayed() {
    let only = [service("ut2004")];
    let running = RunningMaster::start(Config::new(only.into_iter()).anywhere()).unwrap();
    let target = running.address(only[0]).unwrap().to_string();
    let mut replay = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    replay.args(["replay", "captures/ut2004/master.pcapng", "--max-gap", "300ms", "--target"]);
    let output = replay.arg(target).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    let listed = "unreal2/list-request       sent 1 time: 1 answered as recorded";
    assert!(text.contains(listed), "{text}");
}

/// A connection from one of the loopback addresses, and whether the master has sent its greeting.
fn connect(from: [u8; 4], list: SocketAddr) -> (TcpStream, bool) {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from((from, 0)).into()).unwrap();
    socket.connect(&list.into()).unwrap();
    let mut stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let greeted = stream.read_exact(&mut [0; 21]).is_ok();
    (stream, greeted)
}

#[test]
fn one_address_cannot_hold_all_connections() {
    for (settings, held) in [
        ("connections=8,connections-per-address=100", 4),
        ("connections=8,connections-per-address=3", 3),
        ("connections=1", 1),
    ] {
        let mut of = Settings::default();
        of.set_all(settings).unwrap();
        let running =
            RunningMaster::start(Config { settings: of, ..Config::new(services()).anywhere() });
        let running = running.unwrap();
        let list = running.address(service("gamespy-list")).unwrap();
        let first: Vec<_> = (0..12).map(|_| connect([127, 0, 0, 1], list)).collect();
        assert_eq!(first.iter().filter(|(_, greeted)| *greeted).count(), held, "{settings}");
        let other = connect([127, 0, 0, 2], list).1;
        assert_eq!(other, settings != "connections=1", "{settings}");
        // A closed connection makes room.
        drop(first);
        until("room", || connect([127, 0, 0, 1], list).1.then_some(()));
    }
}

#[test]
fn two_families_share_a_port() {
    let both = [service("quake2"), service("gamespy")];
    let running = until("a free port", || {
        let port = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let services = both.map(|service| (service, port)).to_vec();
        RunningMaster::start(Config {
            services,
            listen_if_there: Vec::new(),
            ..Config::new(masters::families::services())
        })
        .ok()
    });
    let [first, second] = running.addresses() else { panic!("{:?}", running.addresses()) };
    assert_eq!(first.address, second.address);
    let (server, client) = (End::open(first.address), End::open(first.address));
    of_quake2(&server, first.address);
    of_gamespy(&server, first.address);
    assert_eq!(
        client.ask(first.address, b"query\n\0").len(),
        b"\xff\xff\xff\xffservers ".len() + 6
    );
}

#[test]
fn a_defect_may_answer_from_another_port() {
    let defects = [Defect::OtherPort].into_iter().collect();
    let running =
        RunningMaster::start(Config { defects, ..Config::new(services()).anywhere() }).unwrap();
    let master = running.address(service("quake3")).unwrap();
    let client = End::open(master);
    client.tell(master, &marked("getservers 68"));
    let (bytes, from) = client.recv();
    assert!(bytes.starts_with(b"\xff\xff\xff\xffgetserversResponse") && from != master, "{from}");
}

/// The command, and the lines that it printed.
fn start(arguments: &[&str]) -> (Process, Vec<String>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    command.arg("master").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = Process::start(&mut command);
    let mut lines = BufReader::new(process.0.stdout.take().unwrap()).lines();
    let first = lines.next().map(|line| vec![line.unwrap()]);
    (process, first.unwrap_or_default())
}

/// The exit status of the command, and its standard error.
fn ended(mut process: Process) -> (Option<i32>, String) {
    let status = until("the master to end", || process.ended());
    let mut stderr = String::new();
    process.0.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    (status.code(), stderr)
}

fn address(lines: &[String]) -> SocketAddr {
    lines[0].rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn the_command_runs_until_it_is_stopped_and_records() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("master.pcapng");
    let name = file.display().to_string();
    let arguments = [
        "--listen",
        "127.0.0.1",
        "--only",
        "quake3",
        "--port",
        "quake3=0",
        "-v",
        "--record",
        &name,
    ];
    let (process, lines) = start(&arguments);
    let master = address(&lines);
    assert_eq!(lines[0], format!("quake3 udp {master}"));
    let (server, client) = (End::open(master), End::open(master));
    of_quake3(&server, master);
    until("the list", || (client.ask(master, &marked("getservers 68")).len() > 29).then_some(()));
    let kill = Command::new("kill").arg(process.0.id().to_string()).status().unwrap();
    assert!(kill.success());
    let (status, stderr) = ended(process);
    assert_eq!(
        (status, stderr),
        (Some(0), format!("quake3 127.0.0.1:{}: listed\n", server.port()))
    );
    let decoded = Command::new(env!("CARGO_BIN_EXE_fragshark")).arg("decode").arg(&file).output();
    let decoded = String::from_utf8(decoded.unwrap().stdout).unwrap();
    for word in ["heartbeat", "getinfo", "infoResponse", "getservers", "getserversResponse"] {
        assert!(decoded.contains(word), "{word}: {decoded}");
    }
}

#[test]
fn a_game_policy_is_kept() {
    let only = ["--listen", "127.0.0.1", "--only", "quake3", "--port", "quake3=0", "-v"];
    let policy =
        ["--game-policy", "accept", "Nexuiz", "Quake3Arena", "--game-policy", "accept", "x"];
    let (process, lines) = start(&[&only[..], &policy].concat());
    let master = address(&lines);
    let server = End::open(master);
    server.tell(master, &marked("heartbeat EnemyTerritory-1\n"));
    // The first datagram is the response to the second.
    of_quake3(&server, master);
    let client = End::open(master);
    until("the list", || (client.ask(master, &marked("getservers 68")).len() > 29).then_some(()));
    let kill = Command::new("kill").arg(process.0.id().to_string()).status().unwrap();
    assert!(kill.success());
    let server = format!("quake3 127.0.0.1:{}", server.port());
    let output = format!("{server}: refused: the game policy rejects the game\n{server}: listed\n");
    assert_eq!(ended(process), (Some(0), output));
}

#[test]
fn a_defect_may_crash_the_command() {
    let only = ["--listen", "127.0.0.1", "--only", "quake3", "--port", "quake3=0"];
    let (process, lines) = start(&[&only[..], &["--defect", "crashes-on-long-key"]].concat());
    let key = "k".repeat(65);
    let server = End::open(address(&lines));
    server.tell(address(&lines), &marked(&format!("infoResponse\n\\{key}\\1")));
    let (status, stderr) = ended(process);
    assert_eq!((status, stderr.as_str()), (Some(2), "fragshark: the master crashed\n"));
}

#[test]
fn what_cannot_be_is_refused() {
    let taken = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let socket = UdpSocket::bind(taken).unwrap();
    let port = format!("quake3={}", socket.local_addr().unwrap().port());
    for (arguments, stderr) in [
        (&["--only", "quake"][..], "unknown service; the services are quake3, motd,"),
        (&["--set", "timeout=1s"], "no setting is called timeout; there are server-timeout,"),
        (&["--set", "server-timeout=1"], "server-timeout cannot be 1"),
        (&["--port", "quake3"], "expected SERVICE=PORT"),
        (&["--port", "quake3=70000"], "expected a port number up to 65535"),
        (&["--only", "doom3", "--port", "quake3=0"], "--port names quake3, which --only"),
        (&["--game-policy", "allow", "x"], "a game policy begins with accept or reject"),
        (&["--game-policy", "accept", "reject"], "game policies either all accept or all reject"),
        (&["--game-policy", "accept", "accept"], "a game policy names games behind accept"),
        (&["--set", "game-policy=accept"], "game-policy cannot be accept"),
        (&["--defect", "none"], "unknown defect; the defects are no-end-mark,"),
        (
            &["--only", "quake3", "--port", &port, "--listen", "127.0.0.1"],
            "cannot listen on 127.0.0.1",
        ),
        (&["--record", "/nowhere/master.pcapng"], "cannot write /nowhere/master.pcapng"),
        (&["--listen", "192.0.2.1", "--only", "quake3"], "cannot listen on 192.0.2.1:27950"),
    ] {
        let (process, lines) = start(arguments);
        assert!(lines.is_empty(), "{arguments:?}: {lines:?}");
        let (status, complaint) = ended(process);
        assert_eq!(status, Some(2), "{arguments:?}: {complaint}");
        assert!(complaint.contains(stderr), "{arguments:?}: {complaint}");
    }
}

/// `UPDATE=1` writes the tables again.
#[test]
fn the_page_has_every_service_and_setting() {
    let tables = tables(services()).into_iter().filter(|(name, _)| *name != "defects");
    golden::check_parts("docs/master.md", tables);
}
