//! Decodes one datagram without a capture, and encodes it again with another value.
//!
//! ```text
//! cargo run --example decode_packet
//! ```

use fragshark::codec::{FieldRole, Leaf, New, Scratch};
use fragshark::protocol::{Carrier, Direction, Reading, Role};
use fragshark::protocols::registry;
use fragshark::render::{Rendered, Separators};
use fragshark::text::Secrets;

fn main() {
    let payload = b"\xff\xff\xff\xffinfoResponse\n\\hostname\\An example\\protocol\\68\\clients\\2";
    let way = Direction { from: Some(Role::Server), to: Some(Role::Master) };
    let Some(entry) = registry().recognise_all(Carrier::Datagram, payload, way).next() else {
        return;
    };
    println!("{} ({})", entry.spec.name, entry.spec.citation());

    let mut reading = Reading::default();
    reading.read_message(entry, payload);
    for line in Rendered::new(&reading, payload, Secrets::Masked).tree(Separators::Hidden) {
        println!("{:indent$}{}: {}", "", line.label, line.value, indent = line.depth.into());
    }

    // Another protocol number; sizes and coded ranges would follow.
    let mut change = |leaf: &Leaf<'_>| {
        (leaf.field.role == FieldRole::Protocol).then(|| New::Bytes(b"71".to_vec()))
    };
    let mut changed = Vec::new();
    if entry.edit(payload, &mut Scratch::default(), &mut change, &mut changed).is_ok() {
        println!("{}", changed.escape_ascii());
    }
}
