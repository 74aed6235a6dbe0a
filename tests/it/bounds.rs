//! What lies beyond a limit of the analysis is not judged: no step fails, and no finding accuses
//! anybody, for a message that was captured. At each limit and one beyond it.

use std::net::{Ipv4Addr, SocketAddr};
use std::ops::ControlFlow;
use std::sync::Arc;

use etherparse::PacketBuilder;
use fragshark::analysis::{AnalysisNeeds, Analyzer, MessageBatch, Pipeline, Registration};
use fragshark::capture::Input;

use crate::story::{Format, Link, Story};

const MASTER: &str = "203.0.113.1:27950";
const SERVER: &str = "192.0.2.10:27960";
const CLIENT: &str = "198.51.100.20:40020";
const BEAT: &[u8] = b"\xff\xff\xff\xffheartbeat QuakeArena-1\n";
const ASK: &[u8] = b"\xff\xff\xff\xffgetinfo Kf9x_2Zp";
const INFO: &[u8] = b"\xff\xff\xff\xffinfoResponse\n\\challenge\\Kf9x_2Zp\\protocol\\68\
    \\hostname\\A server\\clients\\0\\sv_maxclients\\8";
const SECOND: i64 = 1_000_000;

fn address(text: &str) -> SocketAddr {
    text.parse().unwrap()
}

fn begun() -> Story {
    Story::new(Link::RawIp, Format::Pcap, 1_070_308_800)
}

fn memory(story: &Story) -> Input {
    Input::Memory { name: "story".to_owned(), bytes: Arc::from(story.file()) }
}

/// The registrations, the rules of findings that are graver than a note, and the warnings.
fn judged(story: &Story) -> (Vec<Registration>, Vec<&'static str>, Vec<String>) {
    let input = memory(story);
    let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
    let analyzer = pipeline.analyze(Analyzer::new(AnalysisNeeds::Findings), |_| {}).unwrap();
    let rules = analyzer.findings().into_iter().map(|finding| finding.rule.id).collect();
    let mut warnings = analyzer.warnings();
    warnings.extend(pipeline.warnings().iter().cloned());
    (analyzer.registrations().of_servers(|_| true), rules, warnings)
}

/// Asserts that no registration of the server failed, and which words stand for that.
fn assert_not_judged(what: &str, story: &Story, server: SocketAddr, why: &str) {
    let (registrations, rules, warnings) = judged(story);
    let of: Vec<_> = registrations.iter().filter(|of| of.server == server).collect();
    assert!(of.iter().all(|of| of.failed().is_none()), "{what}: {of:#?}");
    let accused =
        rules.iter().any(|rule| rule.ends_with("unanswered") || rule.ends_with("unlisted"));
    assert!(!accused, "{what}: {rules:?}");
    let texts = of.iter().flat_map(|of| &of.steps).map(|step| &step.text).chain(&warnings);
    let texts: Vec<_> = texts.collect();
    assert!(texts.iter().any(|text| text.contains(why)), "{what}: {texts:#?}");
}

/// A server registers; its answers are there.
fn registers(story: &mut Story, server: SocketAddr, master: SocketAddr) {
    story.send(server, master, BEAT).after(30_000);
    story.send(master, server, ASK).after(9_000);
    story.send(server, master, INFO).after(9_000);
}

fn other(number: u32) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::from(u32::from(Ipv4Addr::new(198, 18, 0, 0)) + number), 27960))
}

#[test]
fn masters_of_one_server() {
    let server = address(SERVER);
    for (count, is_beyond) in [(16, false), (17, true)] {
        let mut story = begun();
        let masters: Vec<_> =
            (0..count).map(|n| SocketAddr::from(([203, 0, 113, n], 27950))).collect();
        for master in &masters {
            story.send(server, *master, BEAT).after(100);
        }
        for master in &masters {
            story.after(10_000).send(*master, server, ASK).after(9_000);
            story.send(server, *master, INFO);
        }
        story.after(60 * SECOND).send(server, address("203.0.113.200:1"), b"x");
        let (registrations, rules, _) = judged(&story);
        assert!(
            registrations.iter().all(|of| of.failed().is_none()),
            "{count}: {registrations:#?}"
        );
        assert_eq!(rules.iter().filter(|rule| rule.contains("unanswered")).count(), 0, "{count}");
        if is_beyond {
            let why = "the server registers with more masters at once than are kept";
            assert_not_judged("masters", &story, server, why);
        }
    }
}

#[test]
fn requests_that_wait_in_one_flow() {
    let (server, client) = (address(SERVER), address(CLIENT));
    for (count, is_beyond) in [(64, false), (65, true), (200, true)] {
        let mut story = begun();
        let request =
            |n: u32| [&b"\xff\xff\xff\xffgetinfo "[..], n.to_string().as_bytes()].concat();
        let answer = |n: u32| {
            let info = String::from_utf8_lossy(&INFO[4..]).replace("Kf9x_2Zp", &n.to_string());
            [&b"\xff\xff\xff\xff"[..], info.as_bytes()].concat()
        };
        (0..count).for_each(|n| _ = story.send(client, server, &request(n)).after(1_000));
        // Each is answered, the last first.
        (0..count).rev().for_each(|n| _ = story.send(server, client, &answer(n)).after(1_000));
        story.after(60 * SECOND).send(client, address("192.0.2.99:1"), b"x");
        let input = memory(&story);
        let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
        let (mut answered, mut bounded) = (0, 0);
        let analyzer = Analyzer::new(AnalysisNeeds::Findings);
        let analyzer = pipeline.analyze(analyzer, |exchange| {
            answered += u32::from(exchange.first_reply.is_some() && exchange.bound.is_none());
            bounded += u32::from(exchange.bound.is_some());
        });
        let rules: Vec<_> = analyzer.unwrap().findings().into_iter().map(|f| f.rule.id).collect();
        assert!(!rules.contains(&"query.unanswered"), "{count}: {rules:?}");
        assert_eq!(bounded > 0, is_beyond, "{count}: {answered}, {bounded}");
        assert!(is_beyond || answered == count, "{count}: {answered}");
    }
}

#[test]
fn messages_of_one_exchange() {
    let (server, master) = (address(SERVER), address(MASTER));
    for heartbeats in [63, 64, 65, 100] {
        let mut story = begun();
        (0..heartbeats).for_each(|_| _ = story.send(server, master, BEAT).after(100));
        story.send(master, server, ASK).after(9_000).send(server, master, INFO);
        story.after(60 * SECOND).send(server, address("203.0.113.200:1"), b"x");
        let (registrations, rules, _) = judged(&story);
        let steps = registrations[0].steps.iter().take(4).map(|step| step.state.name());
        assert_eq!(steps.collect::<Vec<_>>(), ["ok"; 4], "{heartbeats}: {registrations:#?}");
        assert!(!rules.iter().any(|rule| rule.contains("unanswered")), "{heartbeats}: {rules:?}");
    }
}

#[test]
fn exchanges_that_are_open_at_once() {
    let (server, master) = (address(SERVER), address(MASTER));
    for (count, is_beyond) in [(32_767, false), (32_768, true), (33_000, true)] {
        let mut story = begun();
        story.send(server, master, BEAT).after(1_000);
        // Each opens an exchange that nobody answers for half a minute.
        (0..count).for_each(|n| _ = story.send(other(n), address(CLIENT), ASK));
        story.after(9_000).send(master, server, ASK).after(9_000).send(server, master, INFO);
        story.after(60 * SECOND).send(server, address("203.0.113.200:1"), b"x");
        let (registrations, rules, warnings) = judged(&story);
        let of: Vec<_> = registrations.iter().filter(|of| of.server == server).collect();
        assert!(of.iter().all(|of| of.failed().is_none()), "{count}: {of:#?}");
        assert!(!rules.contains(&"heartbeat.unanswered"), "{count}: {rules:?}");
        let is_reported =
            warnings.iter().any(|warning| warning.contains("too many were open at once"));
        assert_eq!(is_reported, is_beyond, "{count}: {warnings:#?}");
    }
}

#[test]
fn flows_that_are_kept() {
    // The table is full before the server registers.
    let (server, master) = (address(SERVER), address(MASTER));
    for count in [100, 263_000] {
        let mut story = begun();
        (0..count).for_each(|n| _ = story.send(other(n), address(CLIENT), b"?"));
        registers(&mut story, server, master);
        story.after(60 * SECOND).send(server, address("203.0.113.200:1"), b"x");
        let (registrations, rules, _) = judged(&story);
        let of: Vec<_> = registrations.iter().filter(|of| of.server == server).collect();
        assert!(of.iter().all(|of| of.failed().is_none()), "{count}: {of:#?}");
        assert!(!rules.iter().any(|rule| rule.contains("unanswered")), "{count}: {rules:?}");
    }
}

#[test]
fn packets_of_one_list() {
    let (server, master, client) = (address(SERVER), address(MASTER), address(CLIENT));
    for packets in [511, 512, 513] {
        let mut story = begun();
        registers(&mut story, server, master);
        story.after(SECOND).send(client, master, b"\xff\xff\xff\xffgetservers 68 empty full");
        for n in 0..packets {
            let end: &[u8] = if n + 1 == packets { b"EOT\0\0\0" } else { b"" };
            let [high, low] = u16::to_be_bytes(n);
            let entry = [b'\\', 192, 0, high + 3, low, 0x6d, 0x38, b'\\'];
            let list = [&b"\xff\xff\xff\xffgetserversResponse"[..], &entry, end].concat();
            story.after(100).send(master, client, &list);
        }
        story.after(60 * SECOND).send(server, address("203.0.113.200:1"), b"x");
        let (registrations, ..) = judged(&story);
        let of = registrations.iter().find(|of| of.server == server).unwrap();
        let failed = of.failed().map(|step| (step.name.name(), step.text.clone()));
        let text = "1 list after that should have it, without it".to_owned();
        assert_eq!(failed, Some(("listing", text)), "{packets}: {of:#?}");
    }
}

#[test]
fn servers_that_are_kept_and_their_registrations() {
    let (server, master) = (address(SERVER), address(MASTER));
    let others = 66_000;
    let mut story = begun();
    (0..others).for_each(|n| _ = story.send(other(n), master, BEAT).after(10));
    registers(&mut story, server, master);
    story.after(60 * SECOND).send(server, address("203.0.113.200:1"), b"x");
    let (registrations, rules, warnings) = judged(&story);
    assert!(registrations.iter().all(|of| of.server != server), "there is no room for it");
    assert!(rules.iter().all(|rule| *rule != "registration.unlisted"));
    let says = |what: &str| warnings.iter().any(|warning| warning.contains(what));
    assert!(
        says("the table is full") && says("registrations or lists were not kept"),
        "{warnings:?}"
    );
}

#[test]
fn endpoints_that_are_watched_for_silence() {
    let client = address(CLIENT);
    for (count, is_beyond) in [(16_384, false), (16_385, true)] {
        let mut story = begun();
        // Lists of so many masters, which nobody answers.
        for n in 0..count {
            story.send(client, other(n), b"\xff\xff\xff\xffgetservers 68 empty full");
            story.after(2_000);
        }
        story.after(60 * SECOND).send(client, address("192.0.2.99:1"), b"x");
        let (_, _, warnings) = judged(&story);
        let is_reported = warnings.iter().any(|warning| warning.contains("are not judged"))
            || warnings.iter().any(|warning| warning.contains("is not judged"));
        assert_eq!(is_reported, is_beyond, "{count}: {warnings:#?}");
    }
}

/// A capture of 200 half-open connections of a master, each with 40 KB of a message without end.
fn unfinished_messages() -> Vec<u8> {
    let mut bytes = Vec::new();
    for word in [0xa1b2_c3d4_u32, 4 << 16 | 2, 0, 0, 262_144, 101] {
        bytes.extend(word.to_le_bytes());
    }
    let parts = [b"\\basic\\\\secure\\WOOKIE".to_vec(), b"\\a\\b".repeat(10_000)].concat();
    for client in 0..200 {
        let mut add = |sequence: usize, payload: &[u8]| {
            let sequence = u32::try_from(sequence).unwrap();
            let packet = PacketBuilder::ipv4([203, 0, 113, 1], [10, 0, 0, client], 64);
            let packet = packet.tcp(28_900, 40_000, sequence, 65_535).ack(1);
            let packet = if sequence == 0 { packet.syn() } else { packet };
            let length = u32::try_from(packet.size(payload.len())).unwrap();
            for word in [1_000_000_000, 0, length, length] {
                bytes.extend(u32::to_le_bytes(word));
            }
            packet.write(&mut bytes, payload).unwrap();
        };
        add(0, b"");
        for (at, part) in parts.chunks(1_400).enumerate() {
            add(1 + 1_400 * at, part);
        }
    }
    bytes
}

#[test]
fn what_waits_at_the_end_is_passed_on_in_parts() {
    let bytes = Arc::from(unfinished_messages());
    let input = Input::Memory { name: "unfinished".to_owned(), bytes };
    let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
    let mut batches = Vec::new();
    let worker = || {
        |batch: &MessageBatch, bytes: &mut usize| {
            *bytes = batch.messages().map(|message| message.payload.len()).sum();
        }
    };
    let read = pipeline.work_on_messages(256, worker, |bytes| {
        batches.push(*bytes);
        ControlFlow::<()>::Continue(())
    });
    read.unwrap();
    let all: usize = batches.iter().sum();
    assert!(all > 200 * 40_000, "{all}");
    let most = batches.into_iter().max().unwrap();
    assert!(most < 400_000, "{most} bytes of messages are kept at once");
}
