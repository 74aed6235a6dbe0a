//! One frame's way through net and flow.

use crate::capture::{Frame, Place};
use crate::flow::{Flows, Heard, Sent};
use crate::net::{Datagram, Origin, Packet, Stack};

/// What is counted while frames go by.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    pub packets: u64,
    pub datagrams: u64,
    pub segments: u64,
}

/// Whether a frame is heard for the first time, or once more when all is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Round {
    First,
    Again,
}

/// A datagram, and what the flows made of it.
pub(super) struct Step<'a> {
    pub sent: Sent,
    pub heard: Heard,
    pub datagram: Datagram<'a>,
    /// Where the payload can be read again.
    pub place: Option<Place>,
}

/// Takes one frame down to its datagram and lets the flows hear it; `None` where it held none.
pub(super) fn step<'a>(
    frame: &Frame<'a>,
    stack: &'a mut Stack,
    flows: &mut Flows,
    tally: &mut Tally,
    round: Round,
) -> Option<Step<'a>> {
    tally.packets += 1;
    let (number, time) = (frame.number, frame.time);
    match stack.take(frame.link, frame.fcs, time, frame.bytes, frame.wire_length) {
        Packet::Datagram(datagram) => {
            tally.datagrams += 1;
            let Datagram { source, destination, payload, .. } = datagram;
            let transport = crate::net::Transport::Udp;
            let sent = Sent { number, time, transport, source, destination };
            let heard = match round {
                Round::First => flows.hear(sent, payload),
                Round::Again => flows.recall(sent, payload),
            };
            let place = match datagram.origin {
                Origin::InFrame { offset } => {
                    frame.place.and_then(|p| p.part(offset, payload.len() as u32))
                }
                Origin::Joined { .. } => None,
            };
            Some(Step { sent, heard, datagram, place })
        }
        Packet::Segment(segment) => {
            tally.segments += 1;
            if round == Round::First {
                let (source, destination) = (segment.source, segment.destination);
                let transport = crate::net::Transport::Tcp;
                flows.hear(Sent { number, time, transport, source, destination }, segment.payload);
            }
            None
        }
        Packet::Error(error) => {
            if round == Round::First {
                let (source, destination) = (error.source, error.destination);
                let sent = Sent { number, time, transport: error.transport, source, destination };
                flows.fail(sent, error.from, error.kind.to_string());
            }
            None
        }
        Packet::Held | Packet::Other(_) => None,
    }
}

/// How many fragments a datagram came in; 0 where it came whole.
pub(super) fn fragments(datagram: &Datagram<'_>) -> u16 {
    match datagram.origin {
        Origin::InFrame { .. } => 0,
        Origin::Joined { fragments, .. } => fragments,
    }
}
