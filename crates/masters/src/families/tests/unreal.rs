//! Unreal Tournament 2004's master: servers are listed while they are connected.

use std::net::SocketAddr;

use super::world::*;
use crate::ServiceConnection;
use crate::families;
use simulate::families::unreal2::frames::{self, CLIENT, SERVER, VERSION};

/// A connection to the master that has sent these frames, each in two pieces, and what it got.
fn connected(w: &mut World, from: SocketAddr, sent: &[Vec<u8>]) -> (ServiceConnection, Vec<u8>) {
    let (service, mut out) = (families::service("ut2004").unwrap(), Vec::new());
    let mut connection = ServiceConnection::open(service, &mut w.master, &mut out).unwrap();
    for frame in sent {
        let (one, other) = frame.split_at(frame.len() / 2);
        connection.handle_bytes(&mut w.master, from, one, &mut out);
        connection.handle_bytes(&mut w.master, from, other, &mut out);
    }
    (connection, out)
}

#[test]
fn a_server_is_listed_while_it_is_connected() {
    let mut w = World::new("flood=0", None);
    let heartbeat = frames::heartbeat(7777, &frames::server_info());
    let begins = [frames::login(SERVER, VERSION), frames::uplink()];
    let (server, _) = connected(&mut w, at(1), &[&begins[..], &[heartbeat]].concat());
    assert!(!server.is_over());
    assert_eq!(w.master.servers(), 1);
    let asks =
        [frames::login(CLIENT, VERSION), frames::approved_response(), frames::list_request(&[])];
    let has_server = |out: &[u8]| memchr::memmem::find(out, b"A server\0").is_some();
    let (client, list) = connected(&mut w, at(2), &asks);
    assert!(client.is_over() && has_server(&list), "{}", list.escape_ascii());
    client.close(&mut w.master, at(2));
    assert_eq!(w.master.servers(), 1);
    server.close(&mut w.master, at(1));
    assert_eq!(w.master.servers(), 0);
    let (_, list) = connected(&mut w, at(2), &asks);
    assert!(!has_server(&list), "{}", list.escape_ascii());
}
