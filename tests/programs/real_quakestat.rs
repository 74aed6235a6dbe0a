//! quakestat, which queries servers and masters of every supported family, on loopback: against a
//! socket that sends the documents' responses and those of today, and against simulated servers.
//!
//! Each request has to decode to its last byte, and `tests/data/quakestat.txt` holds its name;
//! `UPDATE=1` writes that again. Of what simulated servers answer, it has to read name and map.

use fragshark::protocols::registry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::net::{SocketAddr, UdpSocket};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::bench::side_by_side;
use crate::simulated::{MAP, NAME, game_named, queried};
use crate::{corpus, golden, needs};
use corpus::{Documented, documented, today};
use fragshark::analysis::Pipeline;
use fragshark::capture::Input;
use fragshark::capture::write::{FrameRecord, PcapWriter};
use fragshark::net::compose::{LINK_RAW, datagram};
use fragshark::protocol::{Carrier, Direction, Reading};

const TEST: &str = "tests/programs/real_quakestat.rs";
/// Most of the time of quakestat is waiting.
const AT_ONCE: usize = 16;

/// Options of quakestat, their default ports, and the game whose responses it gets: a documented one,
/// or one of today. After a comma comes the game that a master is asked for. Half-Life's list with a
/// last address is no answer for it: it asks on, with a broken address, without end.
const ASKED: &[(&str, u16, &str)] = &[
    ("-qws", 27500, "quakeworld"),
    ("-qwm", 27000, "quakeworld"),
    ("-hws", 26950, "hexenworld"),
    ("-hwm", 26900, "hexenworld"),
    ("-q2s", 27910, "quake2"),
    ("-q2m", 27900, "quake2"),
    ("-hrs", 28910, "heretic2"),
    ("-kps", 31510, "kingpin"),
    ("-sfs", 28910, "soldier-of-fortune"),
    ("-sns", 22450, "sin"),
    ("-alienarenas", 27910, "alien-arena"),
    ("-alienarenam", 27900, "quake2"),
    ("-q3s", 27960, "quake3"),
    ("-q3m,68,ffa", 27950, "quake3"),
    ("-rws", 27960, "rtcw"),
    ("-rwm", 27950, "rtcw"),
    ("-woets", 27960, "enemy-territory"),
    ("-woetm", 27950, "enemy-territory"),
    ("-sof2s", 20100, "soldier-of-fortune-2"),
    ("-sof2m", 20110, "soldier-of-fortune-2"),
    ("-sof2m1.0", 20110, "soldier-of-fortune-2"),
    ("-jk2s", 28070, "jedi-outcast"),
    ("-jk2m", 28060, "jedi-outcast"),
    ("-jk3s", 29070, "jedi-academy"),
    ("-jk3m", 29060, "jedi-academy"),
    ("-cods", 28960, "call-of-duty"),
    ("-codm", 20510, "call-of-duty"),
    ("-cod2s", 28960, "call-of-duty-2"),
    ("-cod2m", 20710, "call-of-duty-2"),
    ("-cod4s", 28960, "call-of-duty-4"),
    ("-cod4m", 20810, "call-of-duty-4"),
    ("-mhs", 12203, "mohaa"),
    ("-maqs", 12203, "mohaa"),
    ("-mas", 12300, "mohaa"),
    ("-efs", 27960, "elite-force"),
    ("-efm", 27953, "elite-force"),
    ("-nexuizs", 26000, "darkplaces"),
    ("-nexuizm", 27950, "darkplaces"),
    ("-xonotics", 26000, "darkplaces"),
    ("-xonoticm", 27950, "darkplaces"),
    ("-warsows", 44400, "warsow"),
    ("-warsowm", 27950, "darkplaces"),
    ("-openarenas", 27960, "openarena"),
    ("-openarenam", 27950, "openarena"),
    ("-smokingunss", 27960, "smokin-guns"),
    ("-smokingunsm", 27950, "smokin-guns"),
    ("-iourts", 27960, "urban-terror"),
    ("-iourtm", 27900, "urban-terror"),
    ("-wops", 27960, "world-of-padman"),
    ("-wopm", 27955, "world-of-padman"),
    ("-tremulouss", 30720, "tremulous"),
    ("-tremulousm", 30710, "tremulous"),
    ("-tremulousgpps", 30720, "tremulous"),
    ("-tremulousgppm", 30700, "tremulous"),
    ("-unvanquisheds", 27960, "unvanquished"),
    ("-unvanquishedm", 27950, "unvanquished"),
    ("-quetoos", 1998, "quake2"),
    ("-dm3s", 27666, "doom3"),
    ("-dm3m", 27650, "doom3"),
    ("-q4s", 28004, "quake4"),
    ("-q4m", 27650, "quake4"),
    ("-preys", 27719, "doom3"),
    ("-etqws", 27733, "etqw"),
    ("-hlm", 27010, "no game"),
    ("-hls", 27015, "half-life"),
    ("-hlqs", 27015, "half-life"),
    ("-gps", 7778, "unreal-tournament"),
    ("-sgs", 27888, "gamespy"),
    ("-a2s", 27015, "source"),
    ("-stma2s", 27011, "no game"),
    ("-qs", 26000, "netquake"),
    ("-h2s", 26900, "hexen2"),
    // It asks for three replies in one request, and again until it has all.
    ("-ut2s", 7758, "no game"),
    ("-ut2004s", 7778, "no game"),
    ("-eye", 22126, "mta-san-andreas"),
    ("-tbs", 28001, "tribes"),
    ("-tbm", 28000, "tribes"),
    ("-t2s", 28000, "tribes2"),
    ("-tees", 8303, "teeworlds"),
    ("-teem", 8300, "teeworlds"),
    ("-d3s", 2092, "descent3"),
    ("-d3p", 2092, "descent3"),
    ("-d3g", 20142, "descent3"),
    ("-gs2", 23000, "gamespy2"),
    ("-gs3", 29900, "gamespy3"),
    ("-gs4", 29900, "gamespy3"),
    ("-ut3s", 6500, "gamespy3"),
];

#[test]
fn what_quakestat_asks_decodes_whole() {
    let Some([quakestat]) = needs::programs(TEST, ["quakestat"]) else {
        return;
    };
    let known: Vec<_> = documented().into_iter().chain(today()).collect();
    let all = Mutex::new(BTreeMap::new());
    let numbered: Vec<_> = ASKED.iter().enumerate().collect();
    side_by_side(&numbered, AT_ONCE, |(n, asked)| {
        let datagrams = ask(&quakestat, asked, &known);
        all.lock().unwrap().insert(*n, datagrams);
    });
    let (mut table, mut wrong) = (String::new(), Vec::new());
    for (n, datagrams) in all.into_inner().unwrap() {
        let (option, port, _) = ASKED[n];
        let names = names(option, port, &datagrams, &mut wrong).join(", ");
        writeln!(table, "{option} {port}: {names}").unwrap();
    }
    golden::check("tests/data/quakestat.txt", table);
    assert_eq!(wrong, [""; 0]);
}

/// Options of quakestat for servers, and the game of the simulated server that is queried. Of Quake
/// Wars it asks in Doom 3's shorter form, which is not of its documents.
pub const SIMULATED: &[(&str, &str)] = &[
    ("-qws", "quakeworld"),
    ("-hws", "hexenworld"),
    ("-q2s", "quake2"),
    ("-hrs", "heretic2"),
    ("-kps", "kingpin"),
    ("-sfs", "soldier-of-fortune"),
    ("-sns", "sin"),
    ("-alienarenas", "alien-arena"),
    ("-q3s", "quake3"),
    ("-rws", "rtcw"),
    ("-woets", "enemy-territory"),
    ("-sof2s", "soldier-of-fortune-2"),
    ("-jk2s", "jedi-outcast"),
    ("-jk3s", "jedi-academy"),
    ("-cods", "call-of-duty"),
    ("-cod2s", "call-of-duty-2"),
    ("-cod4s", "call-of-duty-4"),
    ("-maqs", "mohaa"),
    ("-efs", "elite-force"),
    ("-nexuizs", "darkplaces"),
    ("-xonotics", "darkplaces"),
    ("-warsows", "warsow"),
    ("-openarenas", "openarena"),
    ("-smokingunss", "smokin-guns"),
    ("-iourts", "urban-terror"),
    ("-wops", "world-of-padman"),
    ("-tremulouss", "tremulous"),
    ("-unvanquisheds", "unvanquished"),
    ("-dm3s", "doom3"),
    ("-q4s", "quake4"),
    ("-hlqs", "half-life"),
    ("-gps", "unreal-tournament"),
    ("-a2s", "source"),
    ("-qs", "netquake"),
    ("-h2s", "hexen2"),
    ("-ut2s", "ut2003"),
    ("-ut2004s", "ut2004"),
    ("-eye", "mta-san-andreas"),
    ("-tbs", "tribes"),
    ("-t2s", "tribes2"),
    ("-tees", "teeworlds"),
    ("-gs2", "halo"),
    ("-gs3", "battlefield2"),
    ("-gs4", "battlefield2"),
];

#[test]
fn quakestat_reads_what_simulated_servers_answer() {
    let Some([quakestat]) = needs::programs(TEST, ["quakestat"]) else {
        return;
    };
    let wrong = Mutex::new(Vec::new());
    side_by_side(SIMULATED, AT_ONCE, |asked| {
        let unread = unread(&quakestat, asked);
        wrong.lock().unwrap().extend(unread);
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What quakestat sends that is no request: Hexen II's rules without their length, Teeworlds' old
/// query without its last letter.
const BROKEN: [&str; 2] =
    ["\\x80\\x00\\x00\\x00\\x04\\x00", "\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xffgie"];

/// How far above the port that quakestat is given lies the one that it asks.
fn offset(option: &str) -> u16 {
    match option {
        "-ut2s" | "-ut2004s" => 1,
        "-eye" => 123,
        _ => 0,
    }
}

pub fn below(address: SocketAddr, option: &str) -> String {
    SocketAddr::new(address.ip(), address.port() - offset(option)).to_string()
}

/// What quakestat does not read, or asks for in an unknown form.
fn unread(quakestat: &Path, (option, game): &(&str, &str)) -> Option<String> {
    let (names, printed) = queried(game_named(game), |address| {
        let mut command = Command::new(quakestat);
        command.args(["-json", "-R", "-P", "-timeout", "30", "-retry", "10", "-mi", "0.1"]);
        let output = command.args([option, &*below(address, option)]).stdin(Stdio::null()).output();
        String::from_utf8_lossy(&output.unwrap().stdout).into_owned()
    });
    // It does not quote the address that a server of NetQuake says it has.
    let printed = printed.replace("\"address\": 0.0.0.0:26000,", "");
    let read: Value = serde_json::from_str(&printed).unwrap_or_default();
    let [name, map] = ["name", "map"].map(|key| read[0][key].as_str().unwrap_or_default());
    let is_read = (name, map) == (NAME, MAP) && read[0]["status"] == "online";
    let is_broken = |name: &str| BROKEN.iter().any(|broken| name.contains(broken));
    let is_known = names.iter().all(|name| !name.contains(": ") || is_broken(name));
    (!is_read || !is_known).then(|| format!("{option} of {game}: asks {names:?}, reads {printed}"))
}

/// Whether quakestat sent it, and the bytes.
type Datagram = (bool, Vec<u8>);

/// The datagrams between quakestat and the socket that it queries.
fn ask(
    quakestat: &Path,
    (option, _, game): &(&str, u16, &str),
    known: &[Documented],
) -> Vec<Datagram> {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = below(socket.local_addr().unwrap(), option);
    socket.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    let over = Arc::new(AtomicBool::new(false));
    thread::scope(|scope| {
        let ended = Arc::clone(&over);
        let answering = scope.spawn(move || {
            let (mut datagrams, mut buffer) = (Vec::new(), [0; 2048]);
            loop {
                let Ok((length, from)) = socket.recv_from(&mut buffer) else {
                    if ended.load(Ordering::SeqCst) {
                        return datagrams;
                    }
                    continue;
                };
                datagrams.push((true, buffer[..length].to_vec()));
                if let Some(answer) = answer(game, &buffer[..length], known) {
                    socket.send_to(&answer, from).unwrap();
                    datagrams.push((false, answer));
                }
            }
        });
        let mut command = Command::new(quakestat);
        command.args(["-R", "-P", "-timeout", "3", "-retry", "1", "-mi", "0.1"]);
        let printed = command.args([option, address.as_str()]).stdin(Stdio::null()).output();
        over.store(true, Ordering::SeqCst);
        let datagrams = answering.join().unwrap();
        assert!(printed.is_ok_and(|printed| printed.status.success()), "{command:?}");
        datagrams
    })
}

/// The first known response of a game's servers or masters to this.
fn answer(game: &str, asked: &[u8], known: &[Documented]) -> Option<Vec<u8>> {
    let recognise = |bytes: &[u8]| {
        let speaks = |p: &&&'static _| {
            let p: &fragshark::protocol::Protocol = p;
            p.games.iter().any(|g| g.id == game)
        };
        let mut protocols = registry().protocols().iter().filter(speaks);
        protocols.find_map(|p| {
            fragshark::protocols::recognise(p, Carrier::Datagram, bytes, Direction::default())
        })
    };
    let id = recognise(asked)?.spec.id;
    let mut of_game = known.iter().filter(|m| m.game == game && m.transport == "udp");
    let answer = of_game
        .find(|m| recognise(&m.bytes).is_some_and(|entry| entry.spec.answers.contains(&id)))?;
    Some(answer.bytes.clone())
}

/// The names and games of quakestat's messages; `wrong` gets those that do not decode completely.
fn names(option: &str, port: u16, datagrams: &[Datagram], wrong: &mut Vec<String>) -> Vec<String> {
    assert!(datagrams.iter().any(|(ours, _)| *ours), "{option} asked nothing");
    let client: SocketAddr = "198.51.100.7:40000".parse().unwrap();
    let asked = SocketAddr::new("192.0.2.10".parse().unwrap(), port);
    let mut file = PcapWriter::new(Vec::new(), LINK_RAW, 0).unwrap();
    for (time, (ours, bytes)) in (1_000_000_000_i64..).step_by(1_000_000).zip(datagrams) {
        let (from, to) = if *ours { (client, asked) } else { (asked, client) };
        let bytes = &datagram(from, to, bytes).unwrap()[..];
        let wire_length = u32::try_from(bytes.len()).unwrap();
        let (link, comment) = (LINK_RAW, "");
        file.write(&FrameRecord { time, link, fcs: 0, bytes, wire_length, comment, interface: 0 })
            .unwrap();
    }
    let input = Input::Memory { name: option.to_owned(), bytes: file.finish().unwrap().into() };
    let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
    let (mut reading, mut names_found, mut frames) =
        (Reading::default(), Vec::new(), BTreeSet::new());
    let all = pipeline.messages(|message| {
        let header = message.header;
        if header.source == client {
            frames.insert(header.number);
            if !header.is_unknown() && !reading.takes_all(header.entry, message.payload) {
                let (fault, bytes) = (reading.fault(), message.payload.escape_ascii());
                wrong.push(format!("{option}: {fault:?}: \"{bytes}\""));
            }
            let name = format!("{} {}", header.verdict.game.id, header.name);
            if !names_found.contains(&name) {
                names_found.push(name);
            }
        }
        ControlFlow::<()>::Continue(())
    });
    assert!(all.unwrap().is_none());
    for (number, (_, bytes)) in (1..).zip(datagrams).filter(|(_, (ours, _))| *ours) {
        let is_broken = BROKEN.iter().any(|broken| bytes.escape_ascii().to_string() == *broken);
        if !frames.contains(&number) && !is_broken {
            wrong.push(format!("{option}: no message: \"{}\"", bytes.escape_ascii()));
        }
    }
    names_found
}
