//! The core's invariants, over every documented message, its prefixes and many mutations.
//!
//! Leaves tile the payload; typed and annotated readings agree; accepted messages are written back
//! byte for byte; nothing panics. All tests iterate `registry().protocols()`, so that they cover a new protocol
//! from its first day. `ROUNDS=3000000` mutates more.

use fragshark::protocols::registry;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::fuzz_corpus::fuzz::laws::Laws;
use crate::{corpus, mutants};
use corpus::{Documented, documented};
use fragshark::codec::{Coding, Huffman, Node, OutlineLine, OutlinePart};
use fragshark::protocol::{
    Carrier, Direction, Entry, FrameBoundary, Part, Protocol, Reading, Validation,
};
use mutants::Mutator;

/// The documented messages of supported games, with the entry that recognises them. A game may have
/// several protocols.
fn spoken() -> Vec<(Documented, &'static Entry)> {
    let all = documented().into_iter().map(|m| {
        let speaks = |p: &&Protocol| p.games.iter().any(|g| g.id == m.game);
        let mut protocols = registry().protocols().iter().copied().filter(speaks);
        let entry = protocols
            .find_map(|p| fragshark::protocols::recognise(p, m.carrier(), &m.bytes, m.way));
        let entry = entry.unwrap_or_else(|| panic!("{} is not recognised", m.id));
        (m, entry)
    });
    let all: Vec<_> = all.collect();
    assert_eq!(all.len(), 179);
    all
}

#[test]
fn every_documented_message_decodes_to_its_last_byte() {
    let mut room = Laws::default();
    for (m, entry) in spoken() {
        // Alone, nothing shows that the players of this packet are a part of the status.
        let part = m.id == "unreal-tournament/5.3/3";
        let alone = if part { "players" } else { m.name.as_str() };
        assert_eq!(entry.spec.name_of(&m.bytes, None), alone, "{}", m.id);
        if part {
            assert_eq!(entry.spec.name_of(&m.bytes, Some("status")), m.name);
        }
        assert_eq!(room.hold(entry, &m.bytes), None, "{}", m.id);
        (entry.annotate)(&m.bytes, &mut room.scratch, &mut room.spans);
        let strays = room.spans.all.iter().filter(|s| s.field.name == "unparsed").count();
        assert_eq!(strays, 0, "{}", m.id);
    }
}

#[test]
fn every_example_decodes_to_its_last_byte() {
    let mut room = Laws::default();
    for entry in registry().entries() {
        assert_eq!(room.hold(entry, entry.spec.example), None, "{entry:?}");
        let strays = room.spans.all.iter().filter(|s| s.field.name == "unparsed").count();
        assert_eq!(strays, 0, "{entry:?}");
    }
}

#[test]
fn what_is_answered_is_a_message_of_the_protocol() {
    for protocol in registry().protocols() {
        let known = |id: &str| protocol.messages.iter().any(|e| e.spec.id == id);
        for entry in protocol.messages {
            let unknown: Vec<_> = entry.spec.answers.iter().filter(|id| !known(id)).collect();
            assert!(unknown.is_empty(), "{entry:?} answers {unknown:?}");
        }
    }
}

#[test]
fn the_notes_are_those_that_the_documents_earn() {
    let mut room = Laws::default();
    let mut report = String::new();
    for (m, entry) in spoken() {
        (entry.annotate)(&m.bytes, &mut room.scratch, &mut room.spans);
        for note in &room.spans.notes {
            writeln!(report, "{}: {:?}", m.id, note.odd).unwrap();
        }
    }
    insta::assert_snapshot!(report);
}

#[test]
fn every_prefix_holds() {
    let mut room = Laws::default();
    for (m, entry) in spoken() {
        for n in 0..m.bytes.len() {
            room.hold(entry, &m.bytes[..n]);
        }
    }
}

#[test]
fn mutations_hold() {
    let mut room = Laws::default();
    let rounds: usize = std::env::var("ROUNDS").map_or(200_000, |r| r.parse().unwrap());
    let documented = spoken().into_iter().map(|(m, entry)| (entry, m.bytes));
    let examples = registry().entries().iter().map(|e| (*e, e.spec.example.to_vec()));
    let seeds: Vec<_> = documented.chain(examples).collect();
    let mut random = Mutator::new(0x9e37_79b9_7f4a_7c15);
    let [mut accepted, mut refused] = [0usize; 2];
    for _ in 0..rounds {
        let (entry, seed) = &seeds[random.below(seeds.len())];
        let bytes = random.mutate(seed);
        // The protocol's own choice, if the mutation has kept the first bytes.
        let carrier = entry.spec.carrier;
        let entry =
            registry().recognise_all(carrier, &bytes, Direction::default()).next().unwrap_or(entry);
        match room.hold(entry, &bytes) {
            None => accepted += 1,
            Some(_) => refused += 1,
        }
    }
    assert!(accepted > rounds / 10 && refused > rounds / 10, "{accepted} and {refused}");
    println!("{accepted} mutations accepted, {refused} refused");
}

#[test]
fn a_tail_of_rubbish_never_changes_the_name() {
    for (m, entry) in spoken() {
        for tail in [&b" \xff\x00~"[..], b"\n\n\n", b"\\"] {
            let bytes = [&m.bytes[..], tail].concat();
            let protocol = entry.protocol;
            assert_eq!(
                fragshark::protocols::recognise(protocol, m.carrier(), &bytes, m.way),
                Some(entry),
                "{}",
                m.id
            );
        }
    }
}

#[test]
fn the_outline_knows_every_field_that_reading_finds() {
    let mut reading = Reading::default();
    for (m, entry) in spoken() {
        let outline = entry.outline();
        let known: BTreeSet<_> = outline.lines.iter().flat_map(named).collect();
        reading.read_message(entry, &m.bytes);
        for span in reading.spans().all.iter().filter(|s| s.field.is_data()) {
            let name = span.field.name;
            let group = matches!(span.node, Node::Group(_)) && span.depth > 0;
            assert!(group || name == "value" || known.contains(name), "{}: {name}", m.id);
        }
    }
}

fn named(line: &OutlineLine) -> Vec<&'static str> {
    match &line.what {
        OutlinePart::Literal(field, _)
        | OutlinePart::OneOf(field, _)
        | OutlinePart::Field(field) => vec![field.name],
        OutlinePart::View(field, _, inside) => {
            inside.iter().map(|f| f.name).chain([field.name]).collect()
        }
        OutlinePart::Branch(_) => Vec::new(),
    }
}

/// Every documented challenge with its documented answer.
#[test]
fn documented_proofs_are_judged() {
    let find = |id: &str| spoken().into_iter().find(|(m, _)| m.id == id).unwrap();
    for (asked, answered, expected) in [
        ("gamespy/basic+secure/1", "gamespy/basic+secure/3", Validation::NotOf("gmtest")),
        ("gamespy/basic+secure/2", "gamespy/basic+secure/4", Validation::Right("gmtest")),
        ("unreal-tournament/5.6/1", "unreal-tournament/5.6/2", Validation::Right("ut")),
    ] {
        let (question, asks) = find(asked);
        let (answer, answers) = find(answered);
        assert!(answers.spec.answers.contains(&asks.spec.id));
        let challenge = asks.spec.challenge.unwrap()(&question.bytes).unwrap();
        let got = answers.spec.validation.unwrap()(&answer.bytes, challenge);
        assert_eq!(got, Some(expected), "{answered}");
    }
}

#[test]
fn documented_answers_know_their_part() {
    for (id, reply, index, last) in [
        ("unreal-tournament/5.3/2", 62, 1, false),
        ("unreal-tournament/5.3/3", 62, 2, true),
        ("gamespy/basic+secure/3", 1, 1, true),
    ] {
        let (m, entry) = spoken().into_iter().find(|(m, _)| m.id == id).unwrap();
        assert_eq!(entry.spec.part.unwrap()(&m.bytes), Some(Part { reply, index, last }), "{id}");
    }
}

/// A stream of documented messages, framed again.
#[test]
fn documented_streams_are_cut_into_their_messages() {
    let streams: Vec<_> =
        spoken().into_iter().filter(|(m, _)| m.carrier() == Carrier::Stream).collect();
    assert_eq!(streams.len(), 10);
    for (m, entry) in &streams {
        let protocol = entry.protocol;
        let end = match (protocol.cut)(&m.bytes, 0) {
            FrameBoundary::At(end) => end,
            FrameBoundary::Open { .. } | FrameBoundary::Endless => m.bytes.len(),
            FrameBoundary::Foreign => panic!("{} is foreign", m.id),
        };
        assert_eq!(end, m.bytes.len(), "{}", m.id);
    }
}

const CONNECT: &str = r#""\challenge\96116651\qport\154\protocol\68\cl_guid\8A00DE3CE0EE3EA1FF462E779B00637E\cl_punkbuster\0\cl_anonymous\0\color2\5\color1\7\team_headmodel\ranger/default\team_model\ranger/default\headmodel\ranger/default\name\^1<^7XL^1*^7ChickenMan^1>^7\rate\10000\snaps\30\model\ranger/default\handicap\100\sex\male\cg_predictItems\1\teamtask\0""#;

#[test]
fn connect_decodes_through_its_huffman_layer() {
    let (m, entry) = spoken().into_iter().find(|(m, _)| m.id == "quake3/1.2.7/1").unwrap();
    let mut reading = Reading::default();
    reading.read_message(entry, &m.bytes);
    assert_eq!(reading.fault(), None);
    assert_eq!(reading.plain().map(|p| p.escape_ascii().to_string()), Some(escaped(CONNECT)));
    let plain = reading.plain().unwrap();
    let value = |name: &str| {
        let mut leaves = reading.spans().leaves(1);
        let leaf = leaves.find(|s| s.field.name == name).unwrap();
        &plain[leaf.start as usize..leaf.end as usize]
    };
    assert_eq!(value("challenge"), b"96116651");
    assert_eq!(value("teamtask"), b"0");
    let inside: usize = reading.spans().leaves(1).map(|s| (s.end - s.start) as usize).sum();
    assert_eq!(inside, 339);

    let mut coded = Vec::new();
    Huffman.apply(plain, &mut coded).unwrap();
    assert_eq!(coded, m.bytes[12..]);
}

fn escaped(text: &str) -> String {
    text.as_bytes().escape_ascii().to_string()
}

#[test]
fn huffman_round_trips() {
    let mut random = Mutator::new(88_172_645_463_325_252);
    for round in 0..2000 {
        let mask = [0xff, 0x0f, 0x7f, 0x03][round % 4];
        let plain: Vec<u8> = (0..round % 700).map(|_| random.below(256) as u8 & mask).collect();
        let (mut coded, mut again) = (Vec::new(), Vec::new());
        Huffman.apply(&plain, &mut coded).unwrap();
        Huffman.undo(&coded, &mut again).unwrap();
        assert_eq!(plain, again);
    }
}
