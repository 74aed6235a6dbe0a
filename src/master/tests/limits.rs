//! What input can grow is bounded, and nothing that is heard breaks anything.

use super::world::*;
use crate::master::{Master, SERVICES, Session};
use crate::proto::{Carrier, entries};

#[test]
fn open_challenges_are_bounded_and_the_oldest_goes_first() {
    let mut w = World::new("max-waiting=100,max-per-address=1000,flood=0", None);
    let first = w.beat(at(0), "DarkPlaces").unwrap();
    let texts: Vec<_> = (1..=200).map(|n| w.beat(at(n), "DarkPlaces").unwrap()).collect();
    assert_eq!(w.master.counts().forgotten_challenges, 101);
    let info = r"\protocol\3\clients\1\sv_maxclients\8\gamename\Nexuiz";
    w.tell(at(0), &first, info);
    assert_eq!(w.master.servers(), 0);
    w.tell(at(200), &texts[199], info);
    assert_eq!(w.listed("getservers Nexuiz 3"), [200]);
}

#[test]
fn heartbeats_do_not_prolong_a_challenge() {
    let mut w = World::new("", None);
    let first = w.beat(at(1), "DarkPlaces").unwrap();
    w.wait(SECOND);
    assert_eq!(w.beat(at(1), "DarkPlaces").unwrap(), first);
    w.wait(SECOND);
    let second = w.beat(at(1), "DarkPlaces").unwrap();
    assert_ne!(second, first);
    w.tell(at(1), &first, r"\protocol\3\clients\1\sv_maxclients\8\gamename\Nexuiz");
    assert_eq!(w.master.servers(), 0);
    w.tell(at(1), &second, r"\protocol\3\clients\1\sv_maxclients\8\gamename\Nexuiz");
    assert_eq!(w.master.servers(), 1);
}

#[test]
fn there_are_no_more_servers_than_are_allowed() {
    let mut w = World::new("max-servers=10", None);
    (0..30).for_each(|n| w.quake3(at(n), 68, 1, 8));
    assert_eq!(w.master.servers(), 10);
    // Whoever is listed may go on saying so.
    w.quake3(at(3), 68, 8, 8);
    assert_eq!(w.listed("getservers 68 full").len(), 10);
    assert_eq!(w.listed("getservers 68").len(), 9);
}

#[test]
fn addresses_that_nobody_has_are_asked_nothing() {
    let mut w = World::new("", None);
    for from in ["0.0.0.0:27960", "192.0.2.1:0", "224.0.0.1:27960", "255.255.255.255:27960"] {
        assert_eq!(w.beat(from.parse().unwrap(), "QuakeArena-1"), None, "{from}");
    }
    let beat = br"\heartbeat\1024\gamename\ut";
    assert_eq!(w.hear(GAMESPY, at(1), beat), []);
}

#[test]
fn what_a_datagram_cannot_hold_is_left_out_and_counted() {
    let mut w = World::new("max-servers=50000,max-per-address=50000,flood=0", None);
    let beat = marked("heartbeat\n\\mapname\\q2dm1\n");
    for n in 0..12_000u16 {
        w.hear(QUAKE2, ([10, 0, (n >> 8) as u8, n as u8], 27910).into(), &beat);
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
fn a_client_that_never_ends_its_sentence_is_left() {
    let mut w = World::new("", None);
    let mut out = Vec::new();
    let mut session = Session::open(&mut w.master, &mut out);
    let mut said = 0;
    while !session.over && said < 100_000 {
        session.hear(&mut w.master, client(), br"\gamename\ut", &mut out);
        said += 12;
    }
    assert!(session.over && said < 5000, "{said}");
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

/// Every known message, whole and mutated, on every service, with its answer sent back: no panic,
/// no fault in what is answered, and no table that grows without end.
#[test]
fn nothing_that_is_heard_breaks_anything() {
    let rounds: usize = std::env::var("ROUNDS").map_or(40_000, |n| n.parse().unwrap());
    let mut w = World::new("max-servers=64,max-waiting=64,max-per-address=8", None);
    let mut state = 1u64;
    let mut random = |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % end
    };
    let examples: Vec<_> = entries().iter().map(|entry| entry.spec.example).collect();
    for round in 0..rounds {
        let mut bytes = examples[random(examples.len())].to_vec();
        for _ in 0..random(4) {
            let place = random(bytes.len().max(1));
            match random(4) {
                0 => bytes.truncate(place),
                1 if !bytes.is_empty() => bytes[place] = random(256) as u8,
                2 => bytes.insert(place.min(bytes.len()), random(256) as u8),
                _ => bytes.extend_from_within(place.min(bytes.len())..),
            }
        }
        let service = &SERVICES[random(SERVICES.len())];
        let from = at(random(500) as u16);
        w.now += i64::try_from(random(100_000_000)).unwrap();
        if service.carrier == Carrier::Stream {
            let mut out = Vec::new();
            Session::open(&mut w.master, &mut out).hear(&mut w.master, from, &bytes, &mut out);
            continue;
        }
        for (_, answer) in w.hear(service.name(), from, &bytes) {
            // What it asks is answered, as well as random bytes can.
            w.hear(service.name(), from, &answer);
        }
        assert!(w.master.servers() <= 64, "round {round}");
    }
    let Master { desk, .. } = &w.master;
    assert!(desk.counts.heard > rounds as u64 / 4 && desk.counts.refused > 0);
}
