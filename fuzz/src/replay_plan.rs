//! The plan of a replay, of any conversation: a message with other addresses is still that message,
//! and is the recorded one again with the recorded addresses, but for zeros in front of a port.
//!
//! The input is that of `conversation`; its first byte selects the pace.

use std::time::Duration;

use fragshark::codec::{FieldRole, Leaf, Scratch, Shape};
use fragshark::replay::{
    Pace, Plan, RecordedRequest, ReplaySockets, Spacing, Transcript, cast, is_playable,
};
use fragshark::simulate::{Consent, Target};

use super::{conversation, passes};

/// The maximum number of replayed endpoints: each has a socket.
const ENDS: usize = 24;

pub fn run(bytes: &[u8]) {
    let Some((pick, records)) = bytes.split_first() else { return };
    let Some(mut pipeline) = passes::open(&conversation::capture(records)) else { return };
    let account = Transcript::of_recording(&mut pipeline, |_| true).unwrap();
    let plays = |asked: &RecordedRequest| is_playable(asked);
    let (ends, connecting) = cast(&account, plays);
    if ends.len() + connecting.len() > ENDS {
        return;
    }
    let target = Target::find("127.0.0.1:9", Consent::default()).unwrap();
    let stage = ReplaySockets::open(&target.into(), &ends, &connecting, &[]).unwrap();
    let spacing = match pick & 3 {
        0 => Spacing::Asap,
        1 => Spacing::Rate(u32::from(pick >> 2)),
        _ => Spacing::Recorded(f64::from(1 + (pick >> 2)) / 8.0),
    };
    let longest = (pick & 2 == 0).then_some(Duration::from_secs(1));
    let limit = (pick & 64 != 0).then(|| u32::from(pick & 63));
    let pace = Pace { spacing, longest, limit };
    let plan = Plan::new(&account, &stage, pace, plays, |asked| Some(asked.to.port()));
    assert!(plan.len() <= account.asked.len(), "more is sent than was said");
    for asked in account.asked.iter().filter(|asked| plays(asked)) {
        comes_back(&stage, asked);
    }
}

fn comes_back(stage: &ReplaySockets, asked: &RecordedRequest) {
    let (mut forth, mut back, mut scratch) = (Vec::new(), Vec::new(), Scratch::default());
    stage.forth(asked.entry, &asked.bytes, asked.from, &mut forth);
    let fault = |bytes: &[u8], scratch: &mut Scratch| (asked.entry.check)(bytes, scratch).is_some();
    assert_eq!(fault(&asked.bytes, &mut scratch), fault(&forth, &mut scratch), "{asked:?}");
    if stage.sharing() == 0 && stage.crossed() == 0 && !has_padded_port(asked) {
        stage.back(asked.entry, &forth, asked.from, &mut back);
        assert_eq!(back.escape_ascii().to_string(), asked.bytes.escape_ascii().to_string());
    }
}

/// Whether a port is written with zeros in front, which another port in its place does not keep.
fn has_padded_port(asked: &RecordedRequest) -> bool {
    let mut found = false;
    let mut look = |leaf: &Leaf<'_>| {
        let is_padded = leaf.bytes.len() > 1 && leaf.bytes.starts_with(b"0");
        found |= leaf.field.role == FieldRole::Port
            && matches!(leaf.shape, Shape::Decimal | Shape::Text)
            && is_padded;
        None
    };
    _ = (asked.entry.edit)(&asked.bytes, &mut Scratch::default(), &mut look, &mut Vec::new());
    found
}
