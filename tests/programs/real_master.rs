//! The reference master and real programs: OpenArena's dedicated server registers with it, and
//! quakestat requests every kind of list that both support.

use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::process::Command;

use crate::{arena, needs, process};
use arena::{Arena, HOSTNAME, MAP};
use masters::families::services;
use masters::{Config, RunningMaster, Settings};
use process::{PATIENCE, printed, until};
use serde_json::Value;

const TEST: &str = "tests/programs/real_master.rs";

/// A master on free ports, with these settings.
fn start(settings: &str) -> RunningMaster {
    let mut of = Settings::default();
    of.set_all(settings).unwrap();
    RunningMaster::start(Config { settings: of, ..Config::new(services()).anywhere() }).unwrap()
}

fn at(running: &RunningMaster, service: &str) -> SocketAddr {
    running.address(masters::families::service(service).unwrap()).unwrap()
}

/// quakestat's output: the master first, then its servers.
fn query(quakestat: &Path, how: &str, target: SocketAddr) -> Value {
    let mut command = Command::new(quakestat);
    command.args(["-nnx", "-utf8", "-json", "-timeout", "3", "-retry", "2", "-mi", "0.2"]);
    let printed = printed(command.args([how, &target.to_string()]));
    serde_json::from_str(&printed).unwrap_or_else(|why| panic!("{why}: {printed}"))
}

#[test]
fn a_real_server_registers_is_listed_and_goes() {
    let Some([openarena, quakestat]) = needs::programs(TEST, ["openarena-server", "quakestat"])
    else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let running = start("challenge-timeout=500ms");
    let master = at(&running, "quake3");
    let arena = Arena::start(&openarena, folder.path(), master);
    let listed = until("the server to be listed", || {
        let reply = query(&quakestat, "-q3m,71,empty,full", master);
        (reply[0]["servers"] == 1 && reply[1]["status"] == "online").then_some(reply)
    });
    assert_eq!(listed[1]["map"], MAP, "{listed}");
    let name = listed[1]["name"].as_str().unwrap_or_default();
    assert!(
        HOSTNAME.split("^7").all(|part| name.contains(part.trim_start_matches("^1"))),
        "{listed}"
    );
    arena.quit();
    // It sends two heartbeats and does not answer any more, so it is removed.
    until("the server to be gone", || {
        (query(&quakestat, "-q3m,71,empty,full", master)[0]["servers"] == 0).then_some(())
    });
}

/// A server that sends `beat` and answers the master's challenge with the result of `answer`.
fn serve(master: SocketAddr, beat: &dyn Fn(u16) -> Vec<u8>, answer: &dyn Fn(&[u8]) -> Vec<u8>) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    socket.send_to(&beat(socket.local_addr().unwrap().port()), master).unwrap();
    let mut question = [0; 2000];
    if answer(b"").is_empty() {
        return;
    }
    let length = socket.recv(&mut question).unwrap();
    socket.send_to(&answer(&question[..length]), master).unwrap();
}

#[test]
fn quakestat_reads_every_kind_of_list_that_it_knows() {
    let Some([quakestat]) = needs::programs(TEST, ["quakestat"]) else {
        return;
    };
    // quakestat has no GameSpy key and makes its proof up.
    let running = start("list-proof=off");
    let silent = |_: &[u8]| Vec::new();
    let quake2 = |_| b"\xff\xff\xff\xffheartbeat\n\\mapname\\q2dm1\n".to_vec();
    serve(at(&running, "quake2"), &quake2, &silent);
    for service in ["quakeworld", "hexenworld"] {
        serve(at(&running, service), &|_| b"a\n1\n0\n".to_vec(), &silent);
    }
    // Doom 3 1.3.1; two versions of Quake 4, of which the second marks its protocol and sends more.
    for (protocol, trailer) in
        [(b"\x29\0\x01\0", &b""[..]), (b"\x55\0\x02\0", b""), (b"\x45\0\x02\x80", &[0; 5])]
    {
        let doom3 = |asked: &[u8]| {
            let challenge = asked.get(asked.len().saturating_sub(4)..).unwrap();
            let info = b"si_maxPlayers\x004\0\0\0\x20\0\0\0\0";
            [b"\xff\xffinfoResponse\0", challenge, protocol, info, trailer].concat()
        };
        serve(at(&running, "doom3"), &|_| b"\xff\xffheartbeat\0".to_vec(), &doom3);
    }
    let half_life = |asked: &[u8]| {
        let challenge = asked.last_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        format!("0\n\\challenge\\{challenge}\\players\\1\\max\\8\n").into_bytes()
    };
    serve(at(&running, "half-life"), &|_| b"q".to_vec(), &half_life);
    let echo = |asked: &[u8]| {
        let word = asked.rsplit(|b| *b == b'\\').next().unwrap();
        [br"\gamename\mygame\echo\", word, br"\final\\queryid\1.1"].concat()
    };
    let beat = |port| format!(r"\heartbeat\{port}\gamename\mygame").into_bytes();
    serve(at(&running, "gamespy"), &beat, &echo);
    for (how, service, servers) in [
        ("-q2m", "quake2", 1),
        ("-qwm", "quakeworld", 1),
        ("-hwm", "hexenworld", 1),
        ("-dm3m,1.41", "doom3", 1),
        ("-q4m", "doom3", 2),
        ("-q4m,2.85", "doom3", 1),
        ("-q4m,2.69", "doom3", 1),
        ("-stm", "half-life", 1),
        ("-gsm,mygame", "gamespy-list", 1),
    ] {
        // The answer to a challenge gets no response: repeat the request until it was handled.
        until(how, || {
            (query(&quakestat, how, at(&running, service))[0]["servers"] == servers).then_some(())
        });
    }
}
