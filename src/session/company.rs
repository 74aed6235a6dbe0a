//! Payloads that were taken out of their frames and wait to be heard, a few together.
//!
//! Packets of many conversations take turns, and what is known of each lies somewhere else: most of
//! a first reading would be waiting for memory. So the flows are told of a whole company before the
//! first of it is heard, and the memory of all comes while one would be waited for.

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

enum Member {
    /// So many bytes of a stream went by.
    Segment(Sent, usize),
    /// A payload, which stands there in the company's bytes.
    Payload { frame: u64, said: Said<'static>, at: Range<usize> },
}

impl Member {
    fn sent(&self) -> Sent {
        match self {
            Self::Segment(sent, _) => *sent,
            Self::Payload { said, .. } => said.sent,
        }
    }
}

impl Company {
    pub fn is_full(&self) -> bool {
        self.members.len() >= COMPANY
    }

    /// A segment of so many bytes went by.
    pub fn count(&mut self, sent: Sent, length: usize) {
        self.members.push(Member::Segment(sent, length));
    }

    /// `frame` completed a payload, or showed it to be complete.
    pub fn add(&mut self, frame: u64, said: &Said<'_>) {
        let begin = self.bytes.len();
        self.bytes.extend_from_slice(said.payload);
        let said = Said { payload: &[], ..*said };
        self.members.push(Member::Payload { frame, said, at: begin..self.bytes.len() });
    }

    /// Lets the flows hear all, and tells `each` what they make of them.
    pub fn tell(&mut self, flows: &mut Flows, mut each: impl FnMut(&Flows, &Step<'_>)) {
        let Self { members, bytes } = self;
        if members.len() > 1 {
            flows.expect(members.iter().map(Member::sent));
        }
        for member in members.drain(..) {
            match member {
                Member::Segment(sent, length) => _ = flows.count(sent, length),
                Member::Payload { frame, said, at } => {
                    let said = Said { payload: bytes.get(at).unwrap_or_default(), ..said };
                    let heard = if said.connection.is_some() {
                        flows.hear_said(said.sent, said.payload)
                    } else {
                        flows.hear(said.sent, said.payload)
                    };
                    each(flows, &Step { frame, said, heard });
                }
            }
        }
        bytes.clear();
    }
}
