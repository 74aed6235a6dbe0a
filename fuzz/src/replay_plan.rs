//! The plan of a replay, of any conversation: a message with other addresses is still that message,
//! and is the recorded one again with the recorded addresses, but for zeros in front of a port.
//!
//! The input is that of `conversation`; its first byte selects the pace.

use std::time::Duration;

use fragshark::codec::{FieldRole, Leaf, Scratch, Shape};
use replay::{
    Pace, Plan, RecordedRequest, ReplaySockets, Spacing, Transcript, is_replayable, participants,
};
use simulate::{Consent, Target};

use super::{conversation, passes};

/// The maximum number of replayed endpoints: each has a socket.
const ENDS: usize = 24;

pub fn run(bytes: &[u8]) {
    let Some((pick, records)) = bytes.split_first() else { return };
    let Some(mut pipeline) = passes::open(&conversation::capture(records)) else { return };
    let transcript = Transcript::of_recording(&mut pipeline, |_| true).unwrap();
    let plays = |request: &RecordedRequest| is_replayable(request);
    let (ends, connecting) = participants(&transcript, plays);
    if ends.len() + connecting.len() > ENDS {
        return;
    }
    let target = Target::find("127.0.0.1:9", Consent::default()).unwrap();
    let sockets = ReplaySockets::open(&target.into(), &ends, &connecting, &[]).unwrap();
    let spacing = match pick & 3 {
        0 => Spacing::Asap,
        1 => Spacing::Rate(u32::from(pick >> 2)),
        _ => Spacing::Recorded(f64::from(1 + (pick >> 2)) / 8.0),
    };
    let longest = (pick & 2 == 0).then_some(Duration::from_secs(1));
    let limit = (pick & 64 != 0).then(|| u32::from(pick & 63));
    let pace = Pace { spacing, longest, limit };
    let plan = Plan::new(&transcript, &sockets, pace, plays, |request| Some(request.to.port()));
    assert!(plan.len() <= transcript.requests.len(), "more is sent than was said");
    for request in transcript.requests.iter().filter(|request| plays(request)) {
        comes_back(&sockets, request);
    }
}

fn comes_back(sockets: &ReplaySockets, request: &RecordedRequest) {
    let (mut to_run, mut to_recording, mut scratch) = (Vec::new(), Vec::new(), Scratch::default());
    sockets.to_run(request.entry, &request.bytes, request.from, &mut to_run);
    let fault =
        |bytes: &[u8], scratch: &mut Scratch| (request.entry.check)(bytes, scratch).is_some();
    assert_eq!(fault(&request.bytes, &mut scratch), fault(&to_run, &mut scratch), "{request:?}");
    if sockets.sharing() == 0 && sockets.crossed() == 0 && !has_padded_port(request) {
        sockets.to_recording(request.entry, &to_run, request.from, &mut to_recording);
        assert_eq!(
            to_recording.escape_ascii().to_string(),
            request.bytes.escape_ascii().to_string()
        );
    }
}

/// Whether a port is written with zeros in front, which another port in its place does not keep.
fn has_padded_port(request: &RecordedRequest) -> bool {
    let mut found = false;
    let mut look = |leaf: &Leaf<'_>| {
        let is_padded = leaf.bytes.len() > 1 && leaf.bytes.starts_with(b"0");
        found |= leaf.field.role == FieldRole::Port
            && matches!(leaf.shape, Shape::Decimal | Shape::Text)
            && is_padded;
        None
    };
    _ = request.entry.edit(&request.bytes, &mut Scratch::default(), &mut look, &mut Vec::new());
    found
}
