//! Edits, over every documented message and many mutations: other fields keep their bytes, a
//! replaced one decodes as its new value, and a value that does not fit is an error.

use fragshark::protocols::registry;
use std::collections::BTreeMap;

use crate::{corpus, mutants};
use corpus::documented;
use fragshark::codec::{
    EditError, Field, FieldRole, Kind, Leaf, New, Node, Scratch, Shape, Span, Value,
};
use fragshark::protocol::{Direction, Entry, Reading};
use mutants::Mutator;

const ROLES: [FieldRole; 13] = [
    FieldRole::Challenge,
    FieldRole::Protocol,
    FieldRole::Game,
    FieldRole::Version,
    FieldRole::Secret,
    FieldRole::Address,
    FieldRole::Port,
    FieldRole::Person,
    FieldRole::Name,
    FieldRole::Location,
    FieldRole::Free,
    FieldRole::Map,
    FieldRole::Count,
];

/// Every documented message and every example, with its entry.
fn messages() -> Vec<(&'static Entry, Vec<u8>)> {
    let documented = documented().into_iter().map(|m| {
        let mut speakers =
            registry().protocols().iter().filter(|p| p.games.iter().any(|game| game.id == m.game));
        let entry =
            speakers.find_map(|p| fragshark::protocols::recognise(p, m.carrier(), &m.bytes, m.way));
        (entry.unwrap(), m.bytes)
    });
    let examples = registry().entries().iter().map(|e| (*e, e.spec.example.to_vec()));
    documented.chain(examples).collect()
}

/// The value of a leaf, to be written again.
fn same(leaf: &Leaf<'_>) -> New {
    match leaf.value() {
        Value::Bytes(bytes) => New::Bytes(bytes.to_vec()),
        Value::Int(number) => New::Int(number),
        Value::Float(number) => New::Float(number),
        Value::Ip(ip) => New::Ip(ip),
    }
}

/// Another value that fits into every field of this shape; one of raw bytes keeps their number.
fn other(shape: Shape, bytes: &[u8]) -> New {
    match shape {
        Shape::Ipv6 => New::Ip("2001:db8::77".parse().unwrap()),
        Shape::Ipv4 | Shape::DottedIpv4 | Shape::HexIpv4 => {
            New::Ip("203.0.113.77".parse().unwrap())
        }
        Shape::Raw => New::Bytes(vec![0xEE; bytes.len()]),
        _ => New::Int(117),
    }
}

/// How a written value is decoded.
fn text_of(new: &New) -> String {
    match new {
        New::Bytes(bytes) => bytes.escape_ascii().to_string(),
        New::Int(number) => number.to_string(),
        New::Float(number) => number.to_string(),
        New::Ip(ip) => ip.to_string(),
    }
}

#[derive(Default)]
struct Room {
    scratch: Scratch,
    reading: Reading,
    out: Vec<u8>,
}

impl Room {
    /// Asserts that edits which change nothing give the same bytes.
    fn keeps(&mut self, entry: &Entry, bytes: &[u8]) {
        for change in [&mut |_: &Leaf<'_>| None, &mut |leaf: &Leaf<'_>| Some(same(leaf))]
            as [&mut dyn FnMut(&Leaf<'_>) -> Option<New>; 2]
        {
            let edited = entry.edit(bytes, &mut self.scratch, change, &mut self.out);
            assert_eq!(edited, Ok(0), "{entry:?}: {}", bytes.escape_ascii());
            assert_eq!(self.out, bytes, "{entry:?}");
        }
    }

    /// Replaces every field of a role. The result decodes without a new fault, and has the value
    /// wherever the role occurs; else this says why not.
    fn replaces(
        &mut self,
        entry: &Entry,
        bytes: &[u8],
        role: FieldRole,
    ) -> Result<usize, EditError> {
        let mut asked = 0;
        let mut change = |leaf: &Leaf<'_>| {
            let is_it = leaf.field.role == role && !leaf.bytes.is_empty();
            asked += usize::from(is_it);
            is_it.then(|| other(leaf.shape, leaf.bytes))
        };
        self.reading.read_message(entry, bytes);
        let fault = self.reading.fault().map(|f| f.want);
        let before = self.leaves(bytes);
        let edited = entry.edit(bytes, &mut self.scratch, &mut change, &mut self.out)?;
        let out = std::mem::take(&mut self.out);
        self.reading.read_message(entry, &out);
        let what = || format!("{entry:?}: {} to {}", bytes.escape_ascii(), out.escape_ascii());
        assert_eq!(self.reading.fault().map(|f| f.want), fault, "{}", what());
        let after = self.leaves(&out);
        assert_eq!(before.len(), after.len(), "{}", what());
        let mut found = 0;
        for ((field, _, old), (again, shape, new)) in before.iter().zip(&after) {
            assert!(std::ptr::eq(*field, *again), "{}", what());
            if field.role == role {
                found += 1;
                let value = shape.value_of(new).to_string();
                assert_eq!(value, text_of(&other(*shape, old)), "{}: {}", field.name, what());
            } else {
                assert_eq!(old, new, "{}: {}", field.name, what());
            }
        }
        assert!(edited <= found && found <= asked, "{}", what());
        self.out = out;
        Ok(found)
    }

    /// The leaves with values, without sizes and coded ranges. A text with a secret has its parts,
    /// and an edit takes it as one.
    fn leaves(&self, payload: &[u8]) -> Vec<(&'static Field, Shape, Vec<u8>)> {
        let tells = |s: &&Span| {
            s.node == Node::Leaf
                && s.field.kind != Kind::Coded
                && s.field.name != "size"
                && s.start < s.end
        };
        let spans = self.reading.spans().all.iter().filter(tells);
        let bytes = |s: &Span| {
            let layer = self.reading.layer(payload, s.layer);
            layer[s.start as usize..s.end as usize].to_vec()
        };
        let mut leaves: Vec<(&'static Field, Shape, Vec<u8>)> = Vec::new();
        let mut end = None;
        for span in spans {
            let goes_on = end == Some((span.layer, span.start)) && span.shape == Shape::Text;
            match leaves.last_mut().filter(|last| goes_on && std::ptr::eq(last.0, span.field)) {
                Some((.., text)) => text.extend(bytes(span)),
                None => leaves.push((span.field, span.shape, bytes(span))),
            }
            end = Some((span.layer, span.end));
        }
        leaves
    }
}

#[test]
fn an_edit_that_changes_nothing_gives_the_same_bytes() {
    let mut room = Room::default();
    for (entry, bytes) in messages() {
        room.keeps(entry, &bytes);
        for n in 0..bytes.len() {
            room.keeps(entry, &bytes[..n]);
        }
    }
}

#[test]
fn every_role_is_replaced_wherever_it_stands() {
    let mut room = Room::default();
    let mut replaced: BTreeMap<String, usize> = BTreeMap::new();
    let mut refused = Vec::new();
    for (entry, bytes) in messages() {
        for role in ROLES {
            match room.replaces(entry, &bytes, role) {
                Ok(count) => *replaced.entry(format!("{role:?}")).or_default() += count,
                Err(error) => refused.push(format!("{entry:?} {role:?}: {error}")),
            }
        }
    }
    refused.sort();
    refused.dedup();
    // A protocol number decides how the following bytes decode, and one in the place of a game's
    // name would be taken for it.
    let allowed =
        |line: &&String| !line.contains(" Protocol: ") && !line.starts_with("quake3.getservers");
    let wrong: Vec<_> = refused.iter().filter(allowed).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(refused.len() < 8, "{refused:#?}");
    for role in ROLES {
        assert!(replaced[&format!("{role:?}")] > 3, "{role:?}: {replaced:?}");
    }
}

#[test]
fn mutations_are_edited_or_refused() {
    let mut room = Room::default();
    let seeds = messages();
    let mut random = Mutator::new(0x243f_6a88_85a3_08d3);
    let rounds: usize = std::env::var("ROUNDS").map_or(200_000, |r| r.parse().unwrap()) / 4;
    let [mut edited, mut refused] = [0usize; 2];
    for _ in 0..rounds {
        let (entry, seed) = &seeds[random.below(seeds.len())];
        let bytes = random.mutate(seed);
        let carrier = entry.spec.carrier;
        let entry =
            registry().recognise_all(carrier, &bytes, Direction::default()).next().unwrap_or(entry);
        room.keeps(entry, &bytes);
        match room.replaces(entry, &bytes, ROLES[random.below(ROLES.len())]) {
            Ok(_) => edited += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(edited > rounds / 2 && refused > 0, "{edited} and {refused}");
}

/// The result of one entry for a message with one replaced field.
#[test]
fn sizes_follow_and_values_that_have_no_place_are_refused() {
    let mut room = Room::default();
    let size = |bytes: &[u8]| {
        let at = bytes.windows(6).position(|w| w == b"si_map").unwrap() - 4;
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
    };
    let find = |name: &str| messages().into_iter().find(|(e, _)| format!("{e:?}") == name).unwrap();
    let (etqw, info) = find("etqw.info-response");
    let mut name = |leaf: &Leaf<'_>| {
        (leaf.key == b"si_map").then(|| New::Bytes(b"a much longer name".to_vec()))
    };
    etqw.edit(&info, &mut room.scratch, &mut name, &mut room.out).unwrap();
    let grown = room.out.len() - info.len();
    assert_eq!((grown, size(&room.out)), (12, size(&info) + 12));

    for (message, key, value, error) in [
        ("quake3.info-response", "protocol", "a\\b", EditError::ReadsOtherwise),
        ("quake3.info-response", "protocol", "a\nb", EditError::ReadsOtherwise),
        ("quake3.motd", "challenge", "a\"b", EditError::ReadsOtherwise),
        ("etqw.info-response", "si_map", "a\0b", EditError::ReadsOtherwise),
        ("quake3.getservers-response", "port", "65536", EditError::Refused("port")),
        ("quake3.getservers-response", "address", "2001:db8::7", EditError::Refused("address")),
        ("doom3.srv-auth", "port", "27666x", EditError::Refused("port")),
        ("gamespy.report-reply", "query port", "none", EditError::Refused("query port")),
    ] {
        let (entry, bytes) = find(message);
        let mut change = |leaf: &Leaf<'_>| {
            let is_it = leaf.field.name == key || leaf.key == key.as_bytes();
            is_it.then(|| New::Bytes(value.as_bytes().to_vec()))
        };
        let got = entry.edit(&bytes, &mut room.scratch, &mut change, &mut room.out);
        assert_eq!(got, Err(error), "{message} {key}: {}", room.out.escape_ascii());
    }
}

/// `--map` needs address and port together.
#[test]
fn parts_of_a_record_know_the_whole() {
    let mut room = Room::default();
    let entry = registry()
        .entries()
        .iter()
        .find(|e| format!("{e:?}") == "quake3.getservers-response")
        .unwrap();
    let list = b"\xff\xff\xff\xffgetserversResponse\\\xc0\0\x02\x01\x6d\x38\\\xc0\0\x02\x01\x6d\x39\\EOT\0\0\0";
    let (old, new) = ("192.0.2.1:27961".parse().unwrap(), "198.51.100.9:1");
    let new: std::net::SocketAddr = new.parse().unwrap();
    let mut map = |leaf: &Leaf<'_>| match leaf.field.role {
        FieldRole::Address if leaf.endpoint == Some(old) => Some(New::Ip(new.ip())),
        FieldRole::Port if leaf.endpoint == Some(old) => Some(New::Int(new.port().into())),
        _ => None,
    };
    assert_eq!(entry.edit(list, &mut room.scratch, &mut map, &mut room.out), Ok(2));
    let expected = b"\xff\xff\xff\xffgetserversResponse\\\xc0\0\x02\x01\x6d\x38\\\xc6\x33\x64\x09\0\x01\\EOT\0\0\0";
    assert_eq!(room.out, expected);
}
