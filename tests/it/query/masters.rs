//! Lists of masters, and the servers on them.

use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

use fragshark::protocols::quake3::PROTOCOL;
use simulate::families::answer;

use super::{printed, query};
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
fn two_lists_are_compared() {
    let ((_one, first), (_two, second)) = (master("", &[]), master("", &[]));
    let (of_first, _of_second) = (Registered::with(first, 3), Registered::with(second, 2));
    let [first, second] = [first, second].map(|at| format!("quake3://{at}"));
    printed(&["--compare", &first, &first], 0);
    let out = printed(&["--compare", &second, &first], 1);
    assert!(out.starts_with("0 servers on both lists\n3 servers only on that of"), "{out}");
    assert!(out.contains(&of_first.0[0].local_addr().unwrap().to_string()), "{out}");
}
