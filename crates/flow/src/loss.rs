//! What did not arrive whole, or is not known any more.

use std::net::{IpAddr, SocketAddr};

use super::table::Flows;

/// How many are kept; later ones are only counted.
const KEPT: usize = 1 << 12;

/// A datagram or a message that did not arrive whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loss {
    /// The number of the frame with what came of it first.
    pub number: u64,
    /// The index of the input of that frame.
    pub input: u16,
    /// The sender, and the receiver.
    pub ends: LossEnds,
    /// What is missing.
    pub kind: LossKind,
}

/// Between which endpoints something was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossEnds {
    /// From this endpoint to that one.
    Endpoints(SocketAddr, SocketAddr),
    /// The ports were in what is missing.
    Hosts(IpAddr, IpAddr),
}

/// What did not arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossKind {
    /// Fragments of a datagram: how many bytes of its payload came, and of how many, if known.
    Fragments(u32, Option<u32>),
    /// A message over several datagrams has a wrong length or checksum.
    Damaged,
}

impl Flows {
    /// Adds something that did not arrive whole, if there is room.
    pub fn add_loss(&mut self, loss: Loss) {
        if self.losses.len() < KEPT {
            self.losses.push(loss);
        } else {
            self.losses_left_out += 1;
        }
    }

    /// What did not arrive whole: the first 4,096.
    pub fn losses(&self) -> &[Loss] {
        &self.losses
    }

    /// How many more did not arrive whole.
    pub fn losses_left_out(&self) -> u64 {
        self.losses_left_out
    }
}
