//! Reading and sending messages.

use std::net::SocketAddr;

use super::{IncomingRequest, MasterState, ReplySink};
use crate::Reply;
use crate::defect::Defect;
use codec::{Decoded, Scratch};
use protocol::{Carrier, Direction, Entry, Message, Protocol, encode};

impl MasterState {
    /// The message of a datagram. One that cannot be decoded to its end is an event, and none.
    pub fn message<'a, M>(
        &mut self,
        incoming: &IncomingRequest<'a>,
        protocol: &Protocol,
        scratch: &'a mut Scratch,
        decode: impl FnOnce(&Entry, &'a [u8], &'a mut Scratch) -> Option<Decoded<'a, M>>,
    ) -> Option<M> {
        let (carrier, direction) = (Carrier::Datagram, Direction::default());
        let entry = protocols::recognise(protocol, carrier, incoming.payload, direction)?;
        let decoded = decode(entry, incoming.payload, scratch)?;
        if decoded.fault.is_some() {
            self.note(incoming.service, incoming.from, "not decoded");
            return None;
        }
        Some(decoded.message)
    }

    /// Sends one message.
    pub fn send<'a>(&mut self, to: SocketAddr, message: impl Message<'a>, out: ReplySink<'_>) {
        if self.lists && self.loses_list() {
            return;
        }
        let mut packet = std::mem::take(&mut self.packet);
        packet.clear();
        if encode(message, &mut packet).is_ok() {
            let elsewhere = self.has(Defect::OtherPort);
            out(Reply { to, elsewhere, bytes: &packet });
        }
        self.packet = packet;
    }
}
