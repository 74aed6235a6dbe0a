//! Lists of masters, and the servers on them.

use std::collections::BTreeSet;
use std::net::{SocketAddr, UdpSocket};
use std::thread;
use std::time::Duration;

use fragshark::protocols::quake3::PROTOCOL;
use simulate::families::answer;

use super::{answering, printed, query};
use crate::watched::{Registered, master};

#[test]
fn a_whole_list_is_printed() {
    let (_running, at) = master("", &[]);
    let servers = Registered::with(at, 130);
    let expected: BTreeSet<_> =
        servers.0.iter().map(|server| server.local_addr().unwrap().to_string()).collect();
    let out = printed(&["--list", &format!("quake3://{at}")], 0);
    let addresses = out.lines().filter(|line| line.parse::<std::net::SocketAddr>().is_ok());
    let found: BTreeSet<_> = addresses.map(str::to_owned).collect();
    assert_eq!(found, expected);
    let rows = printed(&["--list", &format!("quake3://{at}"), "--format", "csv"], 0);
    assert_eq!(rows.lines().count(), 131);
}

#[test]
fn each_server_on_a_list_is_asked_and_the_dead_are_named() {
    let (_running, at) = master("", &[]);
    let mut servers = Registered::with(at, 12);
    let dead = servers.0.pop().unwrap().local_addr().unwrap();
    for server in servers.0 {
        server.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        thread::spawn(move || {
            let mut buffer = [0; 2000];
            while let Ok((length, from)) = server.recv_from(&mut buffer) {
                if let Some(reply) = answer(&PROTOCOL, None, &[], &buffer[..length]) {
                    server.send_to(&reply, from).unwrap();
                }
            }
        });
    }
    let output = query(&["--each", &format!("quake3://{at}"), "--timeout", "2s"]);
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{out}");
    assert!(out.contains("12 servers listed, 11 answered, 1 did not"), "{out}");
    assert!(out.contains(&format!("{dead}  listed, and nothing listens there")), "{out}");
}

#[test]
fn doubled_entries_and_servers_of_other_games_are_reported() {
    let servers: Vec<_> = (0..3).map(|_| UdpSocket::bind("127.0.0.1:0").unwrap()).collect();
    let at: Vec<_> = servers.iter().map(|server| server.local_addr().unwrap()).collect();
    for (server, game) in servers.into_iter().zip(["Tremulous", "Warsow", "Tremulous"]) {
        server.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        thread::spawn(move || {
            let mut buffer = [0; 2000];
            while let Ok((_, from)) = server.recv_from(&mut buffer) {
                let info = format!("\\challenge\\fragshark\\gamename\\{game}\\sv_maxclients\\8\n");
                let reply = [b"\xff\xff\xff\xffstatusResponse\n", info.as_bytes()].concat();
                server.send_to(&reply, from).unwrap();
            }
        });
    }
    let record = |at: &SocketAddr| [b"\\\x7f\0\0\x01", &at.port().to_be_bytes()[..]].concat();
    let records = [&at[0], &at[1], &at[0], &at[2]].map(record).concat();
    let list = [b"\xff\xff\xff\xffgetserversResponse", &records[..], b"\\EOT\0\0\0"].concat();
    let doubled = format!("{} is listed twice", at[0]);
    let other = format!("{}  listed as a server of another game: it is one of Warsow", at[1]);
    for (arguments, reported, silent) in [
        (&["--list"][..], &[&doubled][..], &[&other][..]),
        (&["--each", "game=Tremulous"], &[&doubled, &other], &[]),
        // Without the name of a game, the lists of this master have many.
        (&["--each"], &[&doubled], &[&other]),
    ] {
        let master = |_: &[u8]| vec![list.clone()];
        let (_, out) = answering(master, |master| {
            printed(&[&[arguments[0], &format!("quake3://{master}")], &arguments[1..]].concat(), 1)
        });
        assert!(reported.iter().all(|text| out.contains(text.as_str())), "{arguments:?}\n{out}");
        assert!(!silent.iter().any(|text| out.contains(text.as_str())), "{arguments:?}\n{out}");
    }
}

#[test]
fn two_lists_are_compared() {
    let ((_one, first), (_two, second)) = (master("", &[]), master("", &[]));
    let (of_first, _of_second) = (Registered::with(first, 3), Registered::with(second, 2));
    let [first, second] = [first, second].map(|at| format!("quake3://{at}"));
    printed(&["--compare", &first, &first], 0);
    let out = printed(&["--compare", &second, &first], 1);
    assert!(out.starts_with("0 servers on both lists\n3 servers only on that of"), "{out}");
    assert!(out.contains(&of_first.0[0].local_addr().unwrap().to_string()), "{out}");
}
