//! Flows: their endpoints and roles, pending requests, and the game with the reasons.
//!
//! Verdicts are of endpoints and flows, not of messages: what one message of a server proves holds
//! for everything that server sends. Nothing here keeps a payload, and every table has a limit.
//!
//! It knows no exchange and no host: what follows from several flows is in `analysis`.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod classify;
mod closes;
mod counts;
mod endpoint;
mod evidence;
mod flow_state;
mod game_weights;
mod icmp_errors;
mod index;
mod judge;
mod known;
mod lookup;
mod loss;
mod recognise;
mod requests;
mod resolve;
mod room;
mod table;
#[cfg(test)]
mod tests;
mod unread;
mod weigh;

use std::net::SocketAddr;

use protocol::{Carrier, Colours, Confidence, Entry, Game, MessageId, Part, Validation};

pub use net::Transport;

pub use closes::StreamClose;
pub use endpoint::Endpoint;
pub use evidence::Reason;
pub use icmp_errors::IcmpNotice;
pub use judge::{DecodeAs, DecodeTarget, Judgement};
pub use known::{EndpointRecord, EvidenceRecord, KnownEndpoints, ReasonRecord, RecordError};
pub use lookup::FlowHint;
pub use loss::{Loss, LossEnds, LossKind};
pub use resolve::VerdictCache;
pub use table::{Flow, Flows, Traffic};

/// A flow's number, from 1 in the order of their first packets; 0 stands for flows that did not fit
/// into the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FlowId(pub u32);

/// The game of a flow, and the confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// The game.
    pub game: &'static Game,
    /// How certain it is.
    pub confidence: Confidence,
}

impl Verdict {
    /// How the texts of one of its messages encode colours.
    pub fn colours_of(self, entry: &Entry) -> Colours {
        if self.game.protocol == entry.protocol {
            self.game.colours()
        } else {
            entry.protocol.colours
        }
    }
}

/// The data of a packet that is known before its payload is parsed.
#[derive(Debug, Clone, Copy)]
pub struct PacketMeta {
    /// The frame's number in the capture.
    pub number: u64,
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
    /// UDP or TCP.
    pub transport: Transport,
    /// The sender.
    pub source: SocketAddr,
    /// The receiver.
    pub destination: SocketAddr,
    /// Whether the capture has only a part of its payload.
    pub cut: bool,
    /// The index of the input that it was read from.
    pub input: u16,
}

/// A payload that is not classified yet.
#[derive(Debug, Clone, Copy)]
pub struct Unrecognised<'a> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// The messages that it may be by its bytes alone, as the registry finds them.
    pub candidates: &'a [MessageId],
    /// Whether it is more than one datagram or segment: these have been counted.
    pub is_assembled: bool,
}

/// How a transport carries messages.
pub const fn carrier(transport: Transport) -> Carrier {
    match transport {
        Transport::Udp => Carrier::Datagram,
        Transport::Tcp => Carrier::Stream,
    }
}

/// The result of classifying a packet.
#[derive(Debug, Clone, Copy, Default)]
pub struct Classified {
    /// Its flow.
    pub flow: FlowId,
    /// Whether it goes in the direction of the flow's first packet.
    pub forward: bool,
    /// The message, if it is one.
    pub message: Option<RecognisedMessage>,
}

/// A recognised message. Its game and its roles are computed by the flow on request.
#[derive(Debug, Clone, Copy)]
pub struct RecognisedMessage {
    /// Its declaration.
    pub entry: &'static Entry,
    /// The documents' name for it.
    pub name: &'static str,
    /// The frame number of the request that it answers.
    pub answers: Option<u64>,
    /// Which part of its answer it is, if the answer takes several datagrams.
    pub part: Option<Part>,
    /// Whether it answers a captured challenge correctly.
    pub validation: Option<Validation>,
}
