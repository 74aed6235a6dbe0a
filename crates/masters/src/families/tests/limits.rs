//! Growth by input is limited, and no input causes a panic.

use super::world::*;
use crate::families::{service, services};
use crate::{Defect, ServiceConnection};
use protocol::Carrier;
use protocols::registry;
use random::SeededRandom;

#[test]
fn open_challenges_are_bounded_and_the_oldest_goes_first() {
    let mut w = World::new("max-waiting=100,max-per-address=1000,flood=0", None);
    let first = w.heartbeat(at(0), "DarkPlaces").unwrap();
    let texts: Vec<_> = (1..=200).map(|n| w.heartbeat(at(n), "DarkPlaces").unwrap()).collect();
    assert_eq!(w.master.counts().forgotten_challenges, 101);
    let info = r"\protocol\3\clients\1\sv_maxclients\8\gamename\Nexuiz";
    w.info_response(at(0), &first, info);
    assert_eq!(w.master.servers(), 0);
    w.info_response(at(200), &texts[199], info);
    assert_eq!(w.listed("getservers Nexuiz 3"), [200]);
}

#[test]
fn heartbeats_do_not_prolong_a_challenge() {
    let mut w = World::new("", None);
    let first = w.heartbeat(at(1), "DarkPlaces").unwrap();
    w.wait(SECOND);
    assert_eq!(w.heartbeat(at(1), "DarkPlaces").unwrap(), first);
    w.wait(SECOND);
    let second = w.heartbeat(at(1), "DarkPlaces").unwrap();
    assert_ne!(second, first);
    w.info_response(at(1), &first, r"\protocol\3\clients\1\sv_maxclients\8\gamename\Nexuiz");
    assert_eq!(w.master.servers(), 0);
    w.info_response(at(1), &second, r"\protocol\3\clients\1\sv_maxclients\8\gamename\Nexuiz");
    assert_eq!(w.master.servers(), 1);
}

#[test]
fn there_are_no_more_servers_than_are_allowed() {
    let mut w = World::new("max-servers=10", None);
    (0..30).for_each(|n| w.quake3(at(n), 68, 1, 8));
    assert_eq!(w.master.servers(), 10);
    // A listed server may renew its entry.
    w.quake3(at(3), 68, 8, 8);
    assert_eq!(w.listed("getservers 68 full").len(), 10);
    assert_eq!(w.listed("getservers 68").len(), 9);
}

/// A server's first message on each service.
static FIRST: [(&str, &[u8]); 7] = [
    (QUAKE3, b"\xff\xff\xff\xffheartbeat DarkPlaces\n"),
    (ELITE, b"\xff\xff\xff\xff\\heartbeat\\27960\\gamename\\STEF1\\"),
    (DOOM3, b"\xff\xffheartbeat\0"),
    (HALF_LIFE, b"q"),
    (SOURCE, b"q"),
    (GAMESPY, b"\\heartbeat\\27960\\gamename\\ut"),
    (
        "qr2",
        b"\x03\0\0\0\x01localport\x0029900\0statechanged\x003\0gamename\0gmtest\0hostname\0a\0\0",
    ),
];

#[test]
fn unused_addresses_get_no_request() {
    let mut w = World::new("", None);
    let heartbeat = br"\heartbeat\1024\gamename\ut";
    assert_eq!(w.receive(GAMESPY, at(1), heartbeat), []);
    for (service, heartbeat) in FIRST {
        for from in ["0.0.0.0:27960", "224.0.0.1:27960", "255.255.255.255:27960", "127.0.0.1:1"] {
            assert_eq!(
                w.receive(service, from.parse().unwrap(), heartbeat),
                [],
                "{service} {from}"
            );
        }
    }
    // The others name the port of the game.
    for service in [QUAKE3, DOOM3, HALF_LIFE] {
        let heartbeat = FIRST.iter().find(|(of, _)| *of == service).unwrap().1;
        assert_eq!(w.receive(service, (at(1).ip(), 0).into(), heartbeat), [], "{service}");
    }
}

#[test]
fn servers_that_no_list_can_hold_get_no_request() {
    for (service, heartbeat) in FIRST {
        let mut w = World::new("", None);
        let request =
            !w.receive(service, "[2001:db8::1]:27960".parse().unwrap(), heartbeat).is_empty();
        assert_eq!(request, service == QUAKE3, "{service}");
        assert!(!w.receive(service, at(1), heartbeat).is_empty(), "{service}");
    }
    let mut w = World::new("", None);
    w.receive(QUAKE2, "[2001:db8::1]:27960".parse().unwrap(), &marked("heartbeat\n\\mapname\\x\n"));
    w.receive(QUAKEWORLD, "[2001:db8::1]:27960".parse().unwrap(), b"a\n1\n0\n");
    assert_eq!(w.master.servers(), 0);
}

#[test]
fn servers_beyond_the_limit_get_no_request() {
    for (service, heartbeat) in FIRST {
        let mut w = World::new("max-servers=2", None);
        // Registered while there was room, again when there is none.
        assert!(!w.receive(service, at(9), heartbeat).is_empty(), "{service}");
        w.quake3(at(1), 68, 1, 8);
        w.quake3(at(2), 68, 1, 8);
        for n in [3, 9] {
            assert_eq!(w.receive(service, at(n), heartbeat), [], "{service}");
        }
        assert!(w.heartbeat(at(2), "QuakeArena-1").is_some(), "who is listed is asked");
    }
}

#[test]
fn an_address_has_as_many_servers_as_it_may_have_though_all_register_at_once() {
    let mut w = World::new("max-per-address=4", None);
    let server = |n: u16| ([192, 0, 2, 1], 27960 + n).into();
    (0..3).for_each(|n| w.register(server(n), "DarkPlaces", ANY));
    // Pending challenges of listed servers take no room from others.
    (0..3).for_each(|n| assert!(w.heartbeat(server(n), "DarkPlaces").is_some()));
    assert!(w.heartbeat(server(3), "DarkPlaces").is_some());
    assert!(w.heartbeat(server(3), "DarkPlaces").is_some(), "its own question is none of others");
    assert!(w.heartbeat(server(4), "DarkPlaces").is_none());
    w.wait(3 * SECOND);
    assert!(w.heartbeat(server(4), "DarkPlaces").is_some(), "the fourth has not answered");
    assert!(w.heartbeat(server(3), "DarkPlaces").is_none());
}

const ANY: &str = r"\protocol\3\clients\1\sv_maxclients\8\gamename\x";

/// Each family's list is requested from a separate address, repeatedly.
#[test]
fn all_lists_together_are_bounded() {
    let requests = [
        (QUAKE3, marked("getservers 68")),
        (QUAKE3, marked("getserversExt Quake3Arena 68")),
        (ELITE, marked("getservers 24")),
        (QUAKE2, b"query\n\0".to_vec()),
        (HERETIC2, b"query\n\0".to_vec()),
        (QUAKEWORLD, b"c\n\0".to_vec()),
        (HEXENWORLD, b"\xffc\0".to_vec()),
        (DOOM3, b"\xff\xffgetServers\0\x29\0\x01\0\0\0".to_vec()),
        (HALF_LIFE, b"e\0\0\0".to_vec()),
        (HALF_LIFE, b"1\xff0.0.0.0:0\0\0".to_vec()),
        (SOURCE, b"1\xff0.0.0.0:0\0\0".to_vec()),
    ];
    for (service, request) in requests {
        let mut w = World::new("list-rate=1000,list-burst=2000", None);
        let mut bytes = 0;
        for n in 0..1000 {
            let from = ([203, 0, 113, (n % 250) as u8], 4000 + n).into();
            bytes += w
                .receive(service, from, &request)
                .iter()
                .map(|(_, bytes)| bytes.len())
                .sum::<usize>();
        }
        assert!((2000..2100).contains(&bytes), "{service}: {bytes}");
        assert!(w.master.counts().lists_withheld > 600, "{service}");
        // Heartbeats are still accepted, and lists again a little later.
        assert!(w.heartbeat(at(1), "QuakeArena-1").is_some());
        w.wait(SECOND);
        assert!(!w.ask(service, &request).is_empty(), "{service}");
    }
    let mut w = World::new("list-rate=1000,list-burst=2000", Some(Defect::NoFloodProtection));
    assert!((0..1000).all(|_| !w.ask(QUAKE2, b"query\n\0").is_empty()));
}

#[test]
fn what_a_datagram_cannot_hold_is_left_out_and_counted() {
    let mut w = World::new("max-servers=50000,max-per-address=50000,flood=0", None);
    let heartbeat = marked("heartbeat\n\\mapname\\q2dm1\n");
    for n in 0..12_000u16 {
        w.receive(QUAKE2, ([10, 0, (n >> 8) as u8, n as u8], 27910).into(), &heartbeat);
    }
    let list = w.ask(QUAKE2, b"query\n\0");
    let listed = (list.len() - b"\xff\xff\xff\xffservers ".len()) / 6;
    assert!(list.len() <= 65_507 && listed > 10_900, "{listed}");
    assert_eq!(w.master.counts().left_out as usize, 12_000 - listed);
}

#[test]
fn fifty_thousand_servers_are_listed_and_forgotten() {
    let mut w = World::new("max-servers=50000,flood=0,server-timeout=1m", None);
    for n in 0..51_000u32 {
        let from = std::net::Ipv4Addr::from_bits(0x0a00_0000 + n);
        w.quake3((from, 27960).into(), 60 + i64::from(n % 10), n % 9, 8);
    }
    assert_eq!(w.master.servers(), 50_000);
    let packets = w.packets(QUAKE3, "getservers 68 empty full");
    assert_eq!(packets.iter().map(|p| (p.len() - 22) / 7).sum::<usize>(), 5_000 + 1, "and the end");
    w.wait(60 * SECOND);
    assert_eq!(w.master.servers(), 0);
}

#[test]
fn a_client_that_never_ends_its_request_is_disconnected() {
    let mut w = World::new("", None);
    let mut out = Vec::new();
    let list = service("gamespy-list").unwrap();
    let mut session = ServiceConnection::open(list, &mut w.master, &mut out).unwrap();
    let mut sent = 0;
    while !session.is_over() && sent < 100_000 {
        session.handle_bytes(&mut w.master, client(), br"\gamename\ut", &mut out);
        sent += 12;
    }
    assert!(session.is_over() && sent < 5000, "{sent}");
    for (says, answers) in [
        ("GET / HTTP/1.1\r\n\r\n", ""),
        (r"\list\\gamename\ut\final\", ""),
        (r"\gamename\ut\validate\?\final\", " and goes on"),
        (r"\gamename\nothing\validate\?\final\", ""),
        (r"\gamename\ut\validate\?\final\\list\\gamename\none\final\", r"\\final\\"),
    ] {
        assert_eq!(w.stream("ut", says), answers, "{says}");
    }
    let mut w = World::new("list-proof=off", None);
    assert_eq!(
        w.stream("ut", r"\gamename\x\validate\y\final\\list\\gamename\ut\final\"),
        r"\\final\\"
    );
}

/// Every known message, whole and mutated, on every service, with its response sent back: no panic,
/// no fault in responses, and no table that grows without limit.
#[test]
fn no_input_breaks_the_master() {
    let rounds: usize = std::env::var("ROUNDS").map_or(40_000, |n| n.parse().unwrap());
    let mut w = World::new("max-servers=64,max-waiting=64,max-per-address=8", None);
    let all: Vec<_> = services().collect();
    let mut numbers = SeededRandom::new(0x5eed_f1a9);
    let mut random = |end: usize| numbers.below(end);
    let examples: Vec<_> = registry().entries().iter().map(|entry| entry.spec.example).collect();
    for round in 0..rounds {
        let mut bytes = examples[random(examples.len())].to_vec();
        for _ in 0..random(4) {
            let index = random(bytes.len().max(1));
            match random(4) {
                0 => bytes.truncate(index),
                1 if !bytes.is_empty() => bytes[index] = random(256) as u8,
                2 => bytes.insert(index.min(bytes.len()), random(256) as u8),
                _ => bytes.extend_from_within(index.min(bytes.len())..),
            }
        }
        let service = all[random(all.len())];
        let from = at(random(500) as u16);
        w.now += i64::try_from(random(100_000_000)).unwrap();
        if service.carrier() == Carrier::Stream {
            let mut out = Vec::new();
            let connection = ServiceConnection::open(service, &mut w.master, &mut out);
            connection.unwrap().handle_bytes(&mut w.master, from, &bytes, &mut out);
            continue;
        }
        for (_, answer) in w.receive(service.name, from, &bytes) {
            // Its challenges are answered, as well as random bytes can.
            w.receive(service.name, from, &answer);
        }
        assert!(w.master.servers() <= 64, "round {round}");
    }
    let counts = w.master.counts();
    assert!(counts.received > rounds as u64 / 4 && counts.refused > 0);
}

/// Half-Life challenges are unsigned; the same 32 bits as a signed number are accepted too.
#[test]
fn half_lifes_challenges_have_no_sign() {
    let mut w = World::new("flood=0", None);
    let mut high = 0;
    for n in 0..200 {
        let sent = w.receive(HALF_LIFE, at(n), b"q");
        let challenge = u32::from_le_bytes(*sent[0].1.last_chunk().unwrap());
        high += usize::from(challenge > i32::MAX as u32);
        let wrong = format!("0\n\\challenge\\{}\\players\\1\\max\\8\n", challenge ^ 1 << 31);
        w.receive(HALF_LIFE, at(n), wrong.as_bytes());
        assert_eq!(w.master.servers(), usize::from(n));
        let challenge =
            if n % 2 == 0 { challenge.to_string() } else { challenge.cast_signed().to_string() };
        let reply = format!("0\n\\challenge\\{challenge}\\players\\1\\max\\8\n");
        w.receive(HALF_LIFE, at(n), reply.as_bytes());
        assert_eq!(w.master.servers(), usize::from(n) + 1, "{challenge}");
    }
    assert!((60..140).contains(&high), "{high}");
}
