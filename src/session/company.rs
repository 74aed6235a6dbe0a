//! Payloads that were taken out of their frames and wait to be heard, a few together.
//!
//! Packets of many conversations take turns, and what is known of each lies somewhere else: most of
//! a first reading would be waiting for memory. So the flows are told of a whole company before the
//! first of it is heard, and its memory comes while others are waited for.

use std::ops::Range;

use super::step::{Said, Step};
use crate::flow::{Flows, Sent};

/// How many wait at most; the memory of so many is on its way at once.
const COMPANY: usize = 32;

/// What waits, in order.
#[derive(Default)]
pub(super) struct Company {
    members: Vec<Member>,
    bytes: Vec<u8>,
}

struct Member {
    frame: u64,
    sent: Sent,
    what: What,
}

enum What {
    /// So many bytes of a stream went by.
    Segment(usize),
    /// A payload, and where in the company's bytes it stands.
    Payload(Said<'static>, Range<usize>),
}

impl Company {
    pub fn is_full(&self) -> bool {
        self.members.len() >= COMPANY
    }

    /// A segment of so many bytes went by in `frame`.
    pub fn count(&mut self, frame: u64, sent: Sent, length: usize) {
        self.members.push(Member { frame, sent, what: What::Segment(length) });
    }

    /// `frame` completed a payload, or showed it to be complete.
    pub fn add(&mut self, frame: u64, said: &Said<'_>) {
        let begin = self.bytes.len();
        self.bytes.extend_from_slice(said.payload);
        let kept = Said { payload: &[], ..*said };
        let what = What::Payload(kept, begin..self.bytes.len());
        self.members.push(Member { frame, sent: said.sent, what });
    }

    /// Lets the flows hear all, and tells `each` what they make of them.
    pub fn tell(&mut self, flows: &mut Flows, mut each: impl FnMut(&Flows, &Step<'_>)) {
        let Self { members, bytes } = self;
        if members.len() > 1 {
            flows.expect(members.iter().map(|member| member.sent));
        }
        for Member { frame, sent, what } in members.drain(..) {
            match what {
                What::Segment(length) => _ = flows.count(sent, length),
                What::Payload(said, range) => {
                    let payload = bytes.get(range).unwrap_or_default();
                    let said = Said { payload, ..said };
                    let heard = match said.streamed {
                        true => flows.hear_said(sent, payload),
                        false => flows.hear(sent, payload),
                    };
                    each(flows, &Step { frame, heard, said });
                }
            }
        }
        bytes.clear();
    }
}
