//! What holds for the engine with all protocols; for the tests of each, a message as the names and
//! values of its fields.

mod framing;
mod identifiers;

use super::registry;
use codec::{Kind, Node, Scratch};
use protocol::{Carrier, Direction, Protocol, Reading, Spec};

/// The id of the message `bytes` in `protocol`, and `name=value` of each of its values, with its
/// meaning if known. Asserts that it is read to the last byte and written back.
pub(crate) fn decoded_values(protocol: &Protocol, bytes: &[u8]) -> (&'static str, Vec<String>) {
    decoded_values_of(protocol, bytes, Direction::default())
}

/// The same for a message with a known direction.
pub(crate) fn decoded_values_of(
    protocol: &Protocol,
    bytes: &[u8],
    direction: Direction,
) -> (&'static str, Vec<String>) {
    let entry = crate::recognise(protocol, Carrier::Datagram, bytes, direction).unwrap();
    let mut reading = Reading::default();
    reading.read_message(entry, bytes);
    assert_eq!(reading.fault(), None, "{entry:?}");
    assert_eq!(reading.spans().notes, [], "{entry:?}");
    let mut out = Vec::new();
    (entry.rewrite)(bytes, &mut Scratch::default(), &mut (), &mut out).unwrap();
    assert_eq!(out, bytes, "{entry:?}");
    let leaves = reading.spans().all.iter().filter(|s| s.node == Node::Leaf);
    let values = leaves.filter(|s| s.field.is_data() || s.field.kind == Kind::Unparsed);
    let shown = values.map(|span| {
        let value = &bytes[span.start as usize..span.end as usize];
        let text = span.shape.text(value);
        let meaning = span.field.meaning(&text).map(|means| format!(" ({means})"));
        format!("{}={}{}", span.field.name, text.escape_ascii(), meaning.unwrap_or_default())
    });
    (entry.spec.id, shown.collect())
}

/// Asserts the result of `decoded_values`.
pub(crate) fn assert_decodes(protocol: &Protocol, bytes: &[u8], id: &str, values: &[&str]) {
    let (got, found) = decoded_values(protocol, bytes);
    assert_eq!((got, found), (id, values.iter().map(|v| (*v).to_owned()).collect()));
}

fn named(bytes: &[u8]) -> Option<&'static str> {
    registry().recognise(bytes).map(|entry| entry.spec.id)
}

#[test]
fn every_example_is_recognised_as_itself() {
    for entry in registry().entries() {
        let Spec { carrier, example, .. } = entry.spec;
        let first = crate::recognise(entry.protocol, carrier, example, Direction::default());
        assert_eq!(first, Some(*entry));
    }
}

#[test]
fn no_more_messages_begin_alike_than_there_is_room_for() {
    for entry in registry().entries() {
        let Spec { carrier, example, .. } = entry.spec;
        let (begun, most) = registry().candidates(carrier, example).begun();
        assert!(begun <= most, "{entry:?}");
    }
}

#[test]
fn every_entry_has_its_number() {
    for (at, entry) in registry().entries().iter().enumerate() {
        let id = registry().id_of(entry).unwrap();
        assert_eq!((id.index(), registry().message(id).unwrap().entry), (at, *entry));
    }
}

#[test]
fn a_fault_does_not_change_the_name() {
    assert_eq!(named(b"\xff\xff\xff\xffgetservers 4TheFun"), Some("getservers"));
    assert_eq!(named(b"\xff\xff\xff\xffGETSERVERS"), Some("getservers"));
    assert_eq!(named(b"\xff\xff\xff\xffgetserversExt"), Some("getservers-ext"));
    assert_eq!(named(b"\xff\xff\xff\xffgetserversX"), None);
    assert_eq!(named(b"\xff\xff\xff\xff"), None);
    assert_eq!(named(b""), None);
}

#[test]
fn secrets_that_stand_out_of_place_are_known() {
    let mut reading = Reading::default();
    for (payload, has_misplaced_secret) in [
        (&b"\xff\xff\xff\xffinfoResponse\n\\a\\b\n\\sv_privatePassword\\X"[..], true),
        (b"\xff\xff\xff\xffstatusResponse\n\\a\\b\n1 \\RCON_password\\X\n", true),
        // FiveM's servers have settings there: it is masked by its key.
        (b"\xff\xff\xff\xffstatusResponse\n\\a\\b\n\\RCON_password\\X\n", false),
        (b"\xff\xff\xff\xffinfoResponse\n\\\"\\g_password\\X", true),
        (b"\xff\xff\xff\xffinfoResponse\n\\hostname\\no password needed", false),
        (b"\xff\xff\xff\xffinfoResponse\n\\a\\b\nrubbish", false),
        (b"\xff\xff\xff\xffinfoResponse\n\\g_password\\X", false),
    ] {
        let entry = registry().recognise(payload).unwrap();
        reading.read_message(entry, payload);
        assert_eq!(
            reading.has_misplaced_secret(),
            has_misplaced_secret,
            "{}",
            payload.escape_ascii()
        );
    }
}
