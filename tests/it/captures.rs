//! The captures in the repository: they match their stories, and each message in them has its name
//! and game. `UPDATE=1` writes them again; read the difference before you commit it.

use fragshark::protocols::registry;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::{corpus, golden, stories};
use fragshark::analysis::{CapturedMessage, MessageHeader, Pipeline, Session};
use fragshark::capture::Input;
use fragshark::protocol::{Direction, Reading};
use fragshark::render::{Colour, Heading, Ties, transcript};
use fragshark::text::Secrets;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("captures")
}

/// What is wrong with captures that have faults.
const WARNINGS: [(&str, &[&str]); 3] = [
    (
        "a2s/splits.pcapng",
        &["1 split message lacks datagrams", "1 split message has a wrong length or checksum"],
    ),
    (
        "findings/answer.fragments-lost.pcapng",
        &["2 fragmented packets still lack fragments at the end"],
    ),
    ("findings/answer.checksum-wrong.pcapng", &["1 split message has a wrong length or checksum"]),
];

/// Every message of a capture, with the fields that the test compares.
fn messages(path: &Path, mut each: impl FnMut(&CapturedMessage<'_>)) -> Pipeline {
    let mut pipeline = Pipeline::open(vec![Input::File(path.to_owned())], Vec::new()).unwrap();
    let done = pipeline.messages(|message| {
        each(message);
        ControlFlow::<()>::Continue(())
    });
    assert!(done.unwrap().is_none());
    let expected = WARNINGS.iter().find(|(name, _)| path.ends_with(name));
    let expected = expected.map_or(&[][..], |(_, warnings)| warnings);
    assert_eq!(pipeline.warnings(), expected, "{}", path.display());
    pipeline
}

#[test]
fn captures_are_what_their_stories_tell() {
    for (path, story) in stories::all() {
        golden::check(root().join(path), story.file());
    }
}

/// The contents of a capture's golden transcript: each message as `decode -v` prints it, then each
/// flow with its game and the reasons.
fn transcript_of(path: &Path) -> String {
    let mut text = String::new();
    let mut reading = Reading::default();
    let flows = messages(path, |m| {
        let h = m.header;
        reading.read_part(h.entry, m.payload, h.missing);
        let heading = Heading {
            number: h.number,
            time: h.time,
            source: h.source,
            destination: h.destination,
            game: h.verdict.game.id,
            name: h.name,
            entry: h.entry,
            direction: h.direction,
            missing: h.missing,
            overlap: h.overlap,
            ties: Ties { answers: h.answers, part: h.part, validation: h.validation },
        };
        transcript(&mut text, &heading, &reading, m.payload, Secrets::Masked, Colour::Plain.into());
        text.push('\n');
    });
    for (id, flow) in flows.flows().iter() {
        let (transport, [a, b]) = flows.flows().ends(id).unwrap();
        let [there, back] = flow.traffic.map(|t| t.packets);
        writeln!(text, "flow {} {transport} {a} ↔ {b}: {there} packets there, {back} back", id.0)
            .unwrap();
        for error in flow.errors() {
            writeln!(text, "  #{}: {} says {}", error.number, error.from, error.what).unwrap();
        }
        if let Some(judgement) = flows.flows().judge(id) {
            writeln!(text, "  {}, {}", judgement.verdict.game.id, judgement.verdict.confidence)
                .unwrap();
            for reason in judgement.reasons {
                writeln!(text, "  - {reason}").unwrap();
            }
        }
    }
    text
}

#[test]
fn transcripts_are_golden() {
    for (path, _) in stories::all() {
        let path = root().join(path);
        golden::check(path.with_extension("dump"), transcript_of(&path));
    }
}

#[test]
fn every_message_has_its_game() {
    let mut seen = 0;
    for (path, _) in stories::all() {
        let folder = path.split('/').next().unwrap();
        let Some(game) = registry().games().find(|game| game.id == folder) else { continue };
        seen += 1;
        messages(&root().join(path), |m| {
            let header = m.header;
            assert_eq!(header.verdict.game.id, game.id, "{path}: {header:?}");
        });
    }
    assert!(seen > 60, "{seen} captures are in the folder of a game");
}

#[test]
fn documented_messages_keep_their_names_and_ends() {
    let (all, paths) = (corpus::documented(), stories::all());
    for game in registry().games() {
        let mut documented: Vec<_> = all.iter().filter(|m| m.game == game.id).collect();
        let beginning = format!("{}/documented", game.id);
        let Some((path, _)) = paths.iter().find(|(path, _)| path.starts_with(&beginning)) else {
            continue;
        };
        documented.reverse();
        let mut reading = Reading::default();
        messages(&root().join(path), |m| {
            let expected = documented.pop().unwrap();
            assert_eq!(m.header.name, expected.name, "{}", expected.id);
            assert_eq!(m.payload, expected.bytes, "{}", expected.id);
            // An endpoint's role may stay unknown only if the message may have several.
            let (is, should) = (m.header.direction, expected.way);
            let alone = m.header.entry.spec.proves(Direction::default());
            let from = is.from.or(should.from.filter(|_| alone.from.is_none()));
            let to = is.to.or(should.to.filter(|_| alone.to.is_none()));
            assert_eq!(Direction { from, to }, should, "{}: {is}", expected.id);
            reading.read_message(m.header.entry, m.payload);
            assert_eq!(reading.fault(), None, "{}", expected.id);
        });
        assert!(documented.is_empty(), "{} messages of {} are missing", documented.len(), game.id);
    }
}

#[test]
fn the_store_and_the_stream_agree() {
    for (path, _) in stories::all() {
        let path = root().join(path);
        let (mut session, mut loader) =
            Session::open(&[Input::File(path.clone())], Vec::new()).unwrap();
        while loader.load(&mut session, 3) {}
        let (mut index, mut of_frame, mut first) = (0, 0, 0);
        let mut payload = Vec::new();
        messages(&path, |streamed| {
            let stored = session.message(index, &mut payload).unwrap().unwrap();
            // Only the store keeps messages that lie in no frame.
            let header = |m: &CapturedMessage<'_>| MessageHeader { byte_range: None, ..m.header };
            let (kept, lent) = (header(&stored), header(streamed));
            assert_eq!(format!("{kept:?}"), format!("{lent:?}"));
            assert_eq!(stored.payload, streamed.payload);
            // Of several messages of one frame, the first.
            let number = streamed.header.number;
            first = if of_frame == number { first } else { index };
            of_frame = number;
            assert_eq!(session.find(number), Some(first));
            index += 1;
        });
        assert_eq!(index, session.len());
        let mut pipeline = Pipeline::open(vec![Input::File(path)], Vec::new()).unwrap();
        assert_eq!(pipeline.count().unwrap(), session.counts());
    }
}

#[test]
fn every_pass_gives_the_same_messages() {
    for (path, _) in stories::all() {
        let input = Input::File(root().join(path));
        let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
        let mut pass = |most: usize| {
            let mut found = Vec::new();
            let done = pipeline.messages(|message| {
                found.push((format!("{:?}", message.header), message.payload.to_vec()));
                if found.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            done.unwrap();
            found
        };
        let all = pass(usize::MAX);
        let first = all.get(..3).unwrap_or(&all);
        assert_eq!(pass(3), first, "{path}");
        assert_eq!(pass(usize::MAX), all, "{path}");
    }
}

#[test]
fn replies_know_their_requests() {
    let mut answers = BTreeMap::new();
    messages(&root().join("tour.pcapng"), |m| {
        answers.insert(m.header.number, (m.header.name, m.header.answers));
    });
    for (number, (name, answered)) in &answers {
        let request = answered.map(|n| answers[&n].0);
        let should = match *name {
            "infoResponse" => Some("getinfo"),
            "motd" => Some("getmotd"),
            "getserversResponse" => Some("getservers"),
            "statusResponse" => Some("getstatus"),
            "challengeResponse" => Some("getchallenge"),
            "connectResponse" => Some("connect"),
            "ipAuthorize" => Some("getIpAuthorize"),
            _ => None,
        };
        assert_eq!(request, should, "frame {number}: {name}");
    }
}

#[test]
fn noise_is_no_game() {
    messages(&root().join("noise.pcapng"), |m| panic!("{:?}", m.header));
}

#[test]
fn a_dead_master_is_reported_with_its_flow() {
    let path = root().join("quake3/dead-master.pcapng");
    let (mut session, mut loader) = Session::open(&[Input::File(path)], Vec::new()).unwrap();
    while loader.load(&mut session, 1000) {}
    assert_eq!(session.len(), 3, "what an error quotes is no message");
    let (_, flow) = session.flows().iter().next().unwrap();
    assert_eq!(session.flows().len(), 1);
    assert_eq!(flow.errors().len(), 3);
    assert_eq!(flow.errors()[0].what, "port unreachable");
    assert!(flow.errors()[0].forward);
}

#[test]
fn fragments_come_together() {
    let mut seen = Vec::new();
    messages(&root().join("quake3/fragments.pcapng"), |m| {
        seen.push((m.header.name, m.header.fragments, m.header.length));
    });
    assert_eq!(seen.len(), 2);
    assert_eq!((seen[1].0, seen[1].1), ("statusResponse", 4));
    assert!(seen[1].2 > 1472);
}
