//! Real programs on the loopback interface, captured by tcpdump and decoded by the pipeline:
//! OpenArena's dedicated server, and quakestat, which queries it and a master.
//!
//! Every message of these programs has to decode to its last byte, with the values that quakestat
//! shows.

use fragshark::protocols::registry;
use std::collections::BTreeSet;
use std::net::{SocketAddr, UdpSocket};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{arena, corpus, needs, process, tcpdump};
use arena::{Arena, BOTS, HOSTNAME, MAP, Master, join};
use corpus::documented;
use fragshark::analysis::{MessageHeader, Pipeline};
use fragshark::capture::Input;
use fragshark::codec::{Info, Scratch};
use fragshark::flow::Flows;
use fragshark::protocol::{Carrier, Direction, Magic, Reading};
use fragshark::protocols::quake3::{PLAYERS, Quake3, StatusResponse};
use process::printed;
use serde_json::Value;
use tcpdump::Tcpdump;

const TEST: &str = "tests/programs/real.rs";

/// A message of a capture.
struct Seen {
    header: MessageHeader,
    payload: Vec<u8>,
}

impl Seen {
    /// `getstatus client-to-server`.
    fn title(&self) -> String {
        format!("{} {}", self.header.name, self.header.direction)
    }
}

#[test]
fn what_real_programs_say_decodes_to_its_last_byte() {
    let needed = ["openarena-server", "quakestat", "tcpdump"];
    let Some([openarena, quakestat, tcpdump]) = needs::programs(TEST, needed) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let master = Master::open();
    // The server's port is unknown before it runs, so all of UDP is captured.
    let Some(capture) = listen(&tcpdump, folder.path(), "lo", "udp") else {
        return;
    };
    let arena = Arena::start(&openarena, folder.path(), master.address);
    let server = master.wait_for("infoResponse");
    let reported = query(&quakestat, &["-R", "-P", "-q3s"], server);
    let listed = query(&quakestat, &["-q3m,71,ffa"], master.address);
    let foreign = query(&quakestat, &["-xonoticm"], master.address);
    join(server);
    arena.quit();
    let file = capture.finish(master.address);

    let (pipeline, seen) = decode(file, |source, destination| {
        [source, destination].iter().any(|end| [master.address, server].contains(end))
    });
    decodes_whole(&seen);
    all_spoke(&seen);
    games_are_classified(pipeline.flows(), &seen);
    agrees_with_status(&reported, &seen);
    for listing in [listed, foreign] {
        assert_eq!(listing[0]["servers"], 1, "{listing}");
        assert_eq!(listing[1]["address"], server.to_string(), "{listing}");
        assert_eq!(listing[1]["map"], MAP, "{listing}");
    }
}

/// No fault, no unparsed bytes, no anomaly.
fn decodes_whole(seen: &[Seen]) {
    let mut reading = Reading::default();
    for message in seen {
        reading.read_message(message.header.entry, &message.payload);
        let what = format!("{}: \"{}\"", message.title(), message.payload.escape_ascii());
        assert_eq!(reading.fault(), None, "{what}");
        let strays = reading.spans().all.iter().filter(|span| span.field.name == "unparsed");
        assert_eq!(strays.count(), 0, "{what}");
        assert_eq!(reading.spans().notes, [], "{what}");
        assert_eq!(message.header.missing, 0, "{what}");
    }
}

/// Every message of the programs is there, between the right endpoints, with its request.
fn all_spoke(seen: &[Seen]) {
    let titles: BTreeSet<_> = seen.iter().map(Seen::title).collect();
    let expected = [
        "challengeResponse server-to-client",
        "connect client-to-server",
        "connectResponse server-to-client",
        "getchallenge client-to-server",
        "getinfo client-to-server",
        "getinfo master-to-server",
        // A sender of this alone might be a master.
        "getinfo unknown-to-server",
        "getservers client-to-master",
        "getserversResponse master-to-client",
        "getstatus client-to-server",
        "heartbeat server-to-master",
        "infoResponse server-to-client",
        "infoResponse server-to-master",
        "infoResponse server-to-unknown",
        "print server-to-client",
        "statusResponse server-to-client",
    ];
    assert_eq!(titles, expected.map(str::to_owned).into());
    for message in seen {
        let answers = !message.header.entry.spec.answers.is_empty();
        assert_eq!(message.header.answers.is_some(), answers, "{}", message.title());
    }
    // It sends heartbeats when it starts, and two when it shuts down.
    let heartbeats =
        seen.iter().filter(|message| message.header.entry.spec.id == "heartbeat").count();
    assert_eq!(heartbeats, 3);
}

/// The server's identification applies to all its flows; a master's clients identify themselves.
fn games_are_classified(flows: &Flows, seen: &[Seen]) {
    for message in seen {
        let judgement = flows.judge(message.header.flow).unwrap();
        let asks_for_xonotic = judgement.reasons.iter().any(|r| r.contains("gamename=Xonotic"));
        let game = if asks_for_xonotic { "darkplaces" } else { "openarena" };
        let reasons = judgement.reasons.join("; ");
        assert_eq!(message.header.verdict.game.id, game, "{}: {reasons}", message.title());
        if message.header.direction.to_string().contains("server") {
            assert!(reasons.contains("heartbeat carries tag=QuakeArena-1"), "{reasons}");
        } else {
            assert!(reasons.contains("getservers carries "), "{reasons}");
        }
    }
}

/// quakestat shows the same values of the server as we do.
fn agrees_with_status(reported: &Value, seen: &[Seen]) {
    let mut scratch = [Scratch::default(), Scratch::default()];
    let [one, two] = &mut scratch;
    let reply = seen.iter().find(|message| message.header.entry.spec.id == "status-response");
    let reply = reply.unwrap();
    let asker = reply.header.destination;
    let info = seen.iter().find(|message| {
        message.header.entry.spec.id == "info-response" && message.header.destination == asker
    });
    let Some(Quake3::StatusResponse(status)) = typed(reply, one) else { panic!("no status") };
    let Some(Quake3::InfoResponse(info)) = typed(info.unwrap(), two) else { panic!("no info") };
    let reported = &reported[0];
    for (key, expected) in [("sv_hostname", HOSTNAME), ("mapname", MAP)] {
        assert_eq!(text(status.info, key).as_deref(), Some(expected));
    }
    for (theirs, ours) in [
        (&reported["name"], text(info.info, "hostname")),
        (&reported["map"], text(info.info, "mapname")),
        (&reported["name"], text(status.info, "sv_hostname")),
        (&reported["map"], text(status.info, "mapname")),
    ] {
        assert_eq!(theirs.as_str(), ours.as_deref());
    }
    let most = text(status.info, "sv_maxclients").unwrap();
    assert_eq!(reported["maxplayers"].to_string(), most);
    let rules = reported["rules"].as_object().unwrap();
    assert!(rules.len() > 20, "{reported}");
    for (key, value) in rules {
        let ours = [text(info.info, key), text(status.info, key)];
        assert!(ours.iter().flatten().any(|v| v == value), "{key}: {value}, but {ours:?}");
    }
    let theirs: Vec<_> = reported["players"].as_array().unwrap().iter().map(player).collect();
    assert_eq!(theirs, players(status));
    assert_eq!(theirs.iter().map(|[name, ..]| name.as_str()).collect::<Vec<_>>(), BOTS);
}

#[test]
fn what_tcpdump_captures_is_what_was_sent() {
    let Some([tcpdump]) = needs::programs(TEST, ["tcpdump"]) else {
        return;
    };
    // The documented messages that are recognised between two unknown ports.
    let messages: Vec<_> = documented().into_iter().filter(|m| m.transport == "udp").collect();
    let known = |bytes: &[u8]| {
        registry()
            .recognise_all(Carrier::Datagram, bytes, Direction::default())
            .any(|e| e.spec.magic == Magic::Strong)
    };
    let messages: Vec<_> = messages.into_iter().map(|m| m.bytes).filter(|b| known(b)).collect();
    assert!(messages.len() >= 60, "{}", messages.len());
    for any in ["127.0.0.1:0", "[::1]:0"] {
        let Ok(ends) = [any, any].map(UdpSocket::bind).into_iter().collect::<Result<Vec<_>, _>>()
        else {
            needs::not_run(TEST, "ipv6", &format!("there is no address {any}"));
            continue;
        };
        let addresses: Vec<_> = ends.iter().map(|end| end.local_addr().unwrap()).collect();
        let folder = tempfile::tempdir().unwrap();
        let filter = format!("udp port {}", addresses[1].port());
        let start = |interface| listen(&tcpdump, folder.path(), interface, &filter);
        let Some(captures) = ["lo", "any"].into_iter().map(start).collect::<Option<Vec<_>>>()
        else {
            return;
        };
        for (n, message) in messages.iter().enumerate() {
            let (from, to) = (n % 2, 1 - n % 2);
            ends[from].send_to(message, addresses[to]).unwrap();
        }
        for capture in captures {
            let (_, seen) = decode(capture.finish(addresses[1]), |_, _| true);
            assert_eq!(seen.len(), messages.len());
            for (n, (message, got)) in messages.iter().zip(&seen).enumerate() {
                assert_eq!(&got.payload, message);
                assert_eq!(got.header.source, addresses[n % 2]);
                assert_eq!(got.header.destination, addresses[1 - n % 2]);
                assert_eq!(got.header.number, n as u64 + 1);
            }
            assert!(seen.is_sorted_by_key(|s| s.header.time));
        }
    }
}

/// Starts tcpdump; reports it if it has no permission to capture.
fn listen(tcpdump: &Path, folder: &Path, interface: &str, filter: &str) -> Option<Tcpdump> {
    let started = Tcpdump::start(tcpdump, folder, interface, filter);
    let cannot = |why: String| {
        let why = why.lines().collect::<Vec<_>>().join(" ");
        needs::not_run(TEST, "tcpdump", &format!("tcpdump cannot capture on {interface}: {why}"));
    };
    started.map_err(cannot).ok()
}

/// quakestat's output on its target and servers, the target first; names keep their colours.
fn query(quakestat: &Path, how: &[&str], target: SocketAddr) -> Value {
    let mut command = Command::new(quakestat);
    command.args(["-nnx", "-utf8", "-json", "-timeout", "5", "-retry", "2", "-mi", "0.2"]);
    let printed = printed(command.args(how).arg(target.to_string()));
    serde_json::from_str(&printed).unwrap_or_else(|why| panic!("{why}: {printed}"))
}

/// The messages of a capture between selected endpoints, and all its flows.
fn decode(file: PathBuf, wanted: impl Fn(SocketAddr, SocketAddr) -> bool) -> (Pipeline, Vec<Seen>) {
    let mut pipeline = Pipeline::open(vec![Input::File(file)], Vec::new()).unwrap();
    let mut seen = Vec::new();
    let whole = pipeline.messages(|message| {
        if wanted(message.header.source, message.header.destination) {
            seen.push(Seen { header: message.header, payload: message.payload.to_vec() });
        }
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(whole, Ok(None));
    assert!(pipeline.warnings().is_empty(), "{:?}", pipeline.warnings());
    (pipeline, seen)
}

fn typed<'a>(message: &'a Seen, scratch: &'a mut Scratch) -> Option<Quake3<'a>> {
    let decoded = Quake3::decode(message.header.entry, &message.payload, scratch)?;
    Some(decoded.message)
}

fn text(info: Info<'_>, key: &str) -> Option<String> {
    info.get(key.as_bytes()).map(|value| String::from_utf8(value.to_vec()).unwrap())
}

/// Name, score and ping.
type Player = [String; 3];

fn player(reported: &Value) -> Player {
    let name = reported["name"].as_str().unwrap().to_owned();
    [name, reported["score"].to_string(), reported["ping"].to_string()]
}

fn players(status: StatusResponse<'_>) -> Vec<Player> {
    let [score, ping, _, name, _] = PLAYERS.columns else { panic!("other columns") };
    let lines = status.players.iter(PLAYERS);
    lines
        .map(|line| {
            [name, score, ping]
                .map(|column| String::from_utf8(line.get(column.field).unwrap().to_vec()).unwrap())
        })
        .collect()
}
