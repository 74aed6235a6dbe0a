//! OpenArena's server, its master, and a player: on the loopback interface only.
#![allow(dead_code, reason = "each test program uses the part that it needs")]

use std::fs::File;
use std::io::Write as _;
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use fragshark::codec::{Addrs, Coded, Info, Scratch};
use fragshark::protocol::{Carrier, Direction, Role};
use fragshark::protocols::quake3::{
    Connect, GetChallenge, GetInfo, GetServersResponse, PROTOCOL, Quake3, UserInfo,
};

use crate::process::{PATIENCE, Process, until};

/// The configured name of the server, with colours.
pub const HOSTNAME: &str = "^1Loop^7back";
/// A map that loads fast.
pub const MAP: &str = "aggressor";
/// The bots that play on it from the start.
pub const BOTS: [&str; 2] = ["Sarge", "^2Gr^7unt"];
/// OpenArena's protocol number.
const NUMBER: i64 = 71;

/// The longest message that the game sends outside a connection.
const LONGEST: usize = 16_384;
/// What follows a command word: the second spelling of "nothing or a blank".
const BLANK: u8 = 1;

/// A simulated master: challenges senders of heartbeats, and lists the one server that answered.
pub struct Master {
    pub address: SocketAddr,
    events: Receiver<(SocketAddr, String)>,
}

impl Master {
    /// Answers on its own port until the test ends.
    pub fn open() -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        let address = socket.local_addr().unwrap();
        let (say, events) = channel();
        thread::spawn(move || {
            let (mut scratch, mut list) = (Scratch::default(), Vec::new());
            let mut buffer = [0; LONGEST];
            loop {
                let (length, from) = socket.recv_from(&mut buffer).unwrap();
                let to_master = Direction { from: None, to: Some(Role::Master) };
                let Some(entry) = fragshark::protocols::recognise(
                    &PROTOCOL,
                    Carrier::Datagram,
                    &buffer[..length],
                    to_master,
                ) else {
                    continue;
                };
                let decoded = Quake3::decode(entry, &buffer[..length], &mut scratch).unwrap();
                let mut reply = Vec::new();
                match decoded.message {
                    Quake3::Heartbeat(_) => {
                        list.clear();
                        Addrs::push(GetServersResponse::FORM, from, &mut list);
                        let challenge = b"A_ch4Lleng3".as_slice();
                        let ask = GetInfo { blank: BLANK, challenge, ..GetInfo::default() };
                        Quake3::GetInfo(ask).encode(&mut reply).unwrap();
                    }
                    Quake3::GetServers(_) => {
                        let servers = Addrs::new(&list);
                        let list = GetServersResponse { servers, ..GetServersResponse::default() };
                        Quake3::GetServersResponse(list).encode(&mut reply).unwrap();
                    }
                    _ => {}
                }
                if !reply.is_empty() {
                    socket.send_to(&reply, from).unwrap();
                }
                let _ = say.send((from, entry.spec.name.to_owned()));
            }
        });
        Self { address, events }
    }

    /// Waits for a message of this name, and returns its sender.
    pub fn wait_for(&self, name: &str) -> SocketAddr {
        until(name, || {
            let (from, events) = self.events.recv_timeout(PATIENCE).unwrap();
            (events == name).then_some(from)
        })
    }
}

/// A dedicated server that sends heartbeats to its master only.
pub struct Arena {
    process: Process,
}

impl Arena {
    /// Starts it; it keeps its files in `folder`.
    pub fn start(program: &Path, folder: &Path, master: SocketAddr) -> Self {
        Self::run(Command::new(program), folder, master)
    }

    /// The same for a command that starts the program, perhaps in a namespace.
    pub fn run(command: Command, folder: &Path, master: SocketAddr) -> Self {
        Self::run_with(command, folder, &[master])
    }

    /// The same with several masters, up to five.
    pub fn run_with(mut command: Command, folder: &Path, masters: &[SocketAddr]) -> Self {
        // Free a moment ago; if it is taken by now, the server takes one of the next nine.
        let port = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder_name = folder.display().to_string();
        // The public masters are off.
        let masters =
            masters.iter().map(ToString::to_string).chain(std::iter::repeat_n(String::new(), 5));
        for (n, master) in (1..=5).zip(masters) {
            command.args(["+set", &format!("sv_master{n}"), &master]);
        }
        for (name, value) in [
            ("dedicated", "2"),
            // IPv4 alone, bound to the loopback address.
            ("net_enabled", "1"),
            ("net_ip", "127.0.0.1"),
            ("net_port", &port.to_string()),
            ("fs_homepath", &folder_name),
            ("sv_pure", "0"),
            ("sv_hostname", HOSTNAME),
        ] {
            command.args(["+set", name, value]);
        }
        command.args(["+map", MAP, "+addbot", "sarge"]);
        command.args(["+addbot", "grunt", "4", "free", "0", BOTS[1]]);
        let log = File::create(folder.join("server.log")).unwrap();
        command.stdin(Stdio::piped()).stdout(log.try_clone().unwrap()).stderr(log);
        command.current_dir(folder).env("HOME", folder);
        Self { process: Process::start(&mut command) }
    }

    /// Shuts it down, which it reports to its master, and waits until it has ended.
    pub fn quit(mut self) {
        self.process.0.stdin.as_mut().unwrap().write_all(b"quit\n").unwrap();
        until("the server to quit", || self.process.ended());
    }
}

/// Connects like a client: gets a challenge, is refused for another version of the protocol, and is
/// accepted. That the server accepts it shows that it has decoded what our encoder wrote.
pub fn join(server: SocketAddr) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(server).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut scratch = Scratch::default();
    let mut buffer = [0; LONGEST];
    let mut ask = |message: Quake3<'_>, reply: &mut dyn FnMut(Quake3<'_>)| {
        let mut bytes = Vec::new();
        message.encode(&mut bytes).unwrap();
        socket.send(&bytes).unwrap();
        let length = socket.recv(&mut buffer).unwrap();
        let entry = fragshark::protocols::recognise(
            &PROTOCOL,
            Carrier::Datagram,
            &buffer[..length],
            Direction::default(),
        )
        .unwrap();
        reply(Quake3::decode(entry, &buffer[..length], &mut scratch).unwrap().message);
    };

    let own = b"40959".as_slice();
    let get = GetChallenge {
        blank: BLANK,
        client_challenge: own,
        named: BLANK,
        gamename: b"Quake3Arena",
        ..GetChallenge::default()
    };
    let mut challenge = String::new();
    ask(Quake3::GetChallenge(get), &mut |reply| {
        let Quake3::ChallengeResponse(given) = reply else { panic!("{reply:?}") };
        assert_eq!((given.client_challenge, given.protocol.get()), (own, NUMBER));
        challenge = String::from_utf8(given.challenge.to_vec()).unwrap();
    });
    let userinfo = |protocol: i64| {
        format!(
            r"\challenge\{challenge}\qport\4711\protocol\{protocol}\name\Fin\rate\25000\snaps\20\model\sarge\headmodel\sarge\handicap\100\color1\4\color2\5\cl_guid\0123456789ABCDEF0123456789ABCDEF"
        )
    };
    let mut connect = |text: &str, reply: &mut dyn FnMut(Quake3<'_>)| {
        let coded = Coded::new(UserInfo { info: Info::new(text.as_bytes()) });
        ask(Quake3::Connect(Connect { coded, ..Connect::default() }), reply);
    };
    connect(&userinfo(NUMBER - 1), &mut |reply| {
        let Quake3::Print(refusal) = reply else { panic!("{reply:?}") };
        let text = String::from_utf8_lossy(refusal.text).into_owned();
        assert!(text.contains("protocol"), "{text}");
    });
    connect(&userinfo(NUMBER), &mut |reply| {
        let Quake3::ConnectResponse(admitted) = reply else { panic!("{reply:?}") };
        assert_eq!(admitted.challenge, challenge.as_bytes());
    });
}
