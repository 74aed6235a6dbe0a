//! The row of a message, and the room in which one is made after the other.

use std::fmt::{Display, Write as _};

use super::Fields;
use super::row::row;
use crate::dump::{self, Secrets};
use crate::proto::Reading;
use crate::session::Message;

row! {
    /// A decoded message as all formats write it; its texts are lent by [`MessageRows`].
    MessageRow {
        number: Number in "", "the frame's number in the capture, from 1; of several files, in the order of their times; where a datagram came in fragments, the last one's";
        time: Time in "UTC", "when that frame was captured";
        source: Text in "", "the sender's address";
        source_port: Number in "", "the sender's port";
        destination: Text in "", "the receiver's address";
        destination_port: Number in "", "the receiver's port";
        transport: Text in "", "`udp` or `tcp`";
        flow: Number in "", "the conversation's number, from 1; 0 where the table of flows was full";
        game: Text in "", "the game that the conversation speaks";
        message: Text in "", "the message's name in its documents";
        message_id: Text in "", "the message's own name among all: its protocol, a dot, a slug";
        direction: Text in "", "who sent it to whom: `client`, `server`, `master` or `unknown`, then `-to-`, then the same";
        length: Number in "bytes", "how much of the payload was captured";
        fault: Text in "", "why decoding stopped before the end, or how many bytes the capture lacks; empty for a sound message";
        summary: Text in "", "what the message says, in one line";
        fields: Json in "", "the decoded values";
    }
}

/// Makes the rows of messages, in room that is used again for each.
#[derive(Default)]
pub struct MessageRows {
    secrets: Secrets,
    reading: Reading,
    fields: Fields,
    source: String,
    destination: String,
    message_id: String,
    direction: String,
    fault: String,
    summary: String,
}

impl MessageRows {
    /// Rows that show or mask secrets.
    pub fn new(secrets: Secrets) -> Self {
        Self { secrets, ..Self::default() }
    }

    /// Reads a message with all its fields, and says what its row holds.
    pub fn row(&mut self, message: &Message<'_>) -> MessageRow<'_> {
        let Message { entry, payload, .. } = *message;
        self.reading.read(entry, payload);
        set(&mut self.source, message.source.ip());
        set(&mut self.destination, message.destination.ip());
        set(&mut self.message_id, format_args!("{}.{}", entry.protocol, entry.spec.id));
        set(&mut self.direction, message.way);
        self.say_fault(message.missing);
        self.summary = dump::summary(entry, &self.reading, payload, self.secrets);
        MessageRow {
            number: message.number,
            time: message.time,
            source: &self.source,
            source_port: message.source.port().into(),
            destination: &self.destination,
            destination_port: message.destination.port().into(),
            transport: message.transport.name(),
            flow: message.flow.0.into(),
            game: message.verdict.game.id,
            message: entry.spec.name,
            message_id: &self.message_id,
            direction: &self.direction,
            length: payload.len() as u64,
            fault: &self.fault,
            summary: &self.summary,
            fields: self.fields.write(&self.reading, payload, self.secrets),
        }
    }

    /// How the message of the last row was read.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    fn say_fault(&mut self, missing: u32) {
        self.fault.clear();
        if let Some(fault) = self.reading.fault() {
            set(&mut self.fault, fault);
        }
        if missing > 0 {
            let gap = if self.fault.is_empty() { "" } else { "; " };
            drop(write!(self.fault, "{gap}the capture lacks {missing} bytes of it"));
        }
    }
}

/// Puts `value` in the place of what `text` held.
fn set(text: &mut String, value: impl Display) {
    text.clear();
    drop(write!(text, "{value}"));
}
