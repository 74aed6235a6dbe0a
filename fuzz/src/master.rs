//! The reference master: any datagram from any address, and anything on a connection.
//!
//! The input is a list of records: a service, an address, the time since the record before (in
//! seconds), the length of the payload, the payload. In a payload the byte 0x1A stands for the
//! challenge that the master sent to that address last.

use std::collections::HashMap;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use fragshark::codec::{FieldRole, Node};
use fragshark::protocol::{Carrier, Direction, Reading, Role};
use fragshark::protocols::registry;
use masters::families::services;
use masters::{Master, Random, Service, ServiceConnection, Settings};

const CHALLENGE: u8 = 0x1a;
const MOST: usize = 16;
const SECOND: i64 = 1_000_000_000;

pub fn run(mut bytes: &[u8]) {
    let settings = Settings { max_servers: MOST, flood: 0, ..Settings::default() };
    let mut world = World {
        master: Master::new(settings, Random::seeded(16)),
        now: 0,
        sessions: HashMap::new(),
        challenges: HashMap::new(),
        reading: Reading::default(),
    };
    world.master.allow_loopback();
    world.master.keep_events();
    let all: Vec<_> = services().collect();
    while let [service, address, wait, length, rest @ ..] = bytes {
        let (payload, behind) = rest.split_at(usize::from(*length).min(rest.len()));
        bytes = behind;
        world.now += i64::from(*wait) * SECOND;
        let service = all[usize::from(*service) % all.len()];
        world.say(service, end(*address), payload);
        assert!(world.master.servers() <= MOST, "{} servers", world.master.servers());
        let _ = world.master.events().count();
    }
}

/// Servers, clients, unusual endpoints: of both families, loopback, of port 0.
fn end(address: u8) -> SocketAddr {
    let port = [27960, 27960, 27015, 0][usize::from(address >> 6)];
    match address & 63 {
        host @ ..48 => (Ipv4Addr::new(192, 0, 2, host), port).into(),
        host @ 48..60 => (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, host.into()), port).into(),
        60 => (Ipv4Addr::LOCALHOST, port).into(),
        61 => (Ipv4Addr::UNSPECIFIED, port).into(),
        62 => (Ipv4Addr::BROADCAST, port).into(),
        _ => (Ipv4Addr::LOCALHOST.to_ipv6_mapped(), port).into(),
    }
}

struct World {
    master: Master,
    now: i64,
    sessions: HashMap<SocketAddr, ServiceConnection>,
    challenges: HashMap<SocketAddr, Vec<u8>>,
    reading: Reading,
}

impl World {
    fn say(&mut self, service: &'static Service, from: SocketAddr, payload: &[u8]) {
        let none = Vec::new();
        let challenge = self.challenges.get(&from).unwrap_or(&none);
        let parts: Vec<_> = payload.split(|b| *b == CHALLENGE).collect();
        let payload = parts.join(&challenge[..]);
        let mut replies: Vec<(SocketAddr, Vec<u8>)> = Vec::new();
        match service.carrier() {
            Carrier::Datagram => {
                let mut out = |reply: masters::Reply<'_>| {
                    assert!(
                        !reply.elsewhere,
                        "a correct master answers from the port that was asked"
                    );
                    replies.push((reply.to, reply.bytes.to_vec()));
                };
                self.master.handle_datagram(self.now, &[service], from, &payload, &mut out);
            }
            Carrier::Stream => {
                let mut out = Vec::new();
                let Self { master, sessions, .. } = self;
                let session = sessions.entry(from).or_insert_with(|| {
                    ServiceConnection::open(service, master, &mut out).expect("a stream")
                });
                session.handle_bytes(master, from, &payload, &mut out);
                if session.is_over() {
                    sessions.remove(&from);
                }
            }
        }
        assert!(replies.len() <= 2 * MOST, "{} replies to one datagram", replies.len());
        for (to, bytes) in replies {
            self.learn(to, &bytes);
        }
    }

    /// Every reply is a message without a fault; its challenge is remembered.
    fn learn(&mut self, to: SocketAddr, bytes: &[u8]) {
        let way = Direction { from: Some(Role::Master), to: None };
        let mut candidates = registry().recognise_all(Carrier::Datagram, bytes, way);
        let sound = candidates.find(|entry| self.reading.takes_all(entry, bytes));
        assert!(sound.is_some(), "no message: {}", bytes.escape_ascii());
        let leaves = self.reading.spans().all.iter().filter(|span| span.node == Node::Leaf);
        if let Some(span) = leaves.into_iter().find(|span| span.field.role == FieldRole::Challenge)
        {
            let challenge = bytes.get(span.start as usize..span.end as usize).unwrap_or_default();
            self.challenges.insert(to, challenge.to_vec());
        }
    }
}
