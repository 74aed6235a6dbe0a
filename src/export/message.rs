//! The row of a message, and the buffers to build it.

use std::fmt::{Display, Write as _};
use std::sync::LazyLock;

use super::row::row;
use super::{Fields, Quotes};
use crate::analysis::{CapturedMessage, MessageHeader};
use crate::net::Transport;
use crate::protocol::{Direction, Reading, Role};
use crate::render::{self, Rendered};
use crate::text::Secrets;

row! {
    /// A decoded message as all formats write it; its texts are borrowed from [`MessageRows`].
    MessageRow {
        number: Number in "", "the frame's number in the capture, from 1; of several files, in the order of their times; where a datagram came in fragments, the last one's";
        time: Time in "UTC", "when that frame was captured";
        source: Address in "", "the sender's address";
        source_port: Number in "", "the sender's port";
        destination: Address in "", "the receiver's address";
        destination_port: Number in "", "the receiver's port";
        transport: Word in "", "`udp` or `tcp`";
        flow: Number in "", "the conversation's number, from 1; 0 where the table of flows was full";
        game: Word in "", "the game that the conversation speaks";
        message: Word in "", "the message's name in its documents";
        message_id: Word in "", "the message's own name among all: its protocol, a dot, a slug";
        direction: Word in "", "who sent it to whom: `client`, `server`, `master` or `unknown`, then `-to-`, then the same";
        length: Number in "bytes", "how much of the payload was captured";
        fault: Text in "", "why decoding stopped before the end, or how many bytes the capture lacks; empty for a sound message";
        summary: Text in "", "what the message says, in one line";
        fields: Json in "", "the decoded values";
    }
}

/// Builds the rows of messages, with reused buffers.
#[derive(Default)]
pub struct MessageRows {
    secrets: Secrets,
    reading: Reading,
    fields: Fields,
    message_id: String,
    fault: String,
    summary: String,
}

impl MessageRows {
    /// Rows that show or mask secrets.
    pub fn new(secrets: Secrets) -> Self {
        Self { secrets, reading: Reading::of_values(), ..Self::default() }
    }

    /// The same, with JSON in these quotes.
    #[must_use]
    pub fn with_quotes(self, quotes: Quotes) -> Self {
        Self { fields: Fields::new(quotes), ..self }
    }

    /// Decodes a message with all its fields, and returns its row.
    pub fn row(&mut self, message: &CapturedMessage<'_>) -> MessageRow<'_> {
        let CapturedMessage { header, payload } = *message;
        let MessageHeader { source, destination, entry, .. } = header;
        self.reading.read_part(entry, payload, header.missing);
        let decoded = Rendered::new(&self.reading, payload, self.secrets);
        self.message_id.clear();
        self.message_id.extend([entry.protocol, ".", entry.spec.id]);
        self.summary.clear();
        let missing = header.missing;
        decoded.summary(&mut self.summary, entry, missing);
        let mask = decoded.mask();
        self.say_fault(missing);
        MessageRow {
            number: header.number,
            time: header.time,
            source: source.ip(),
            source_port: source.port().into(),
            destination: destination.ip(),
            destination_port: destination.port().into(),
            transport: match header.transport {
                Transport::Udp => "udp",
                Transport::Tcp => "tcp",
            },
            flow: header.flow.0.into(),
            game: header.verdict.game.id,
            message: header.name,
            message_id: &self.message_id,
            direction: direction(header.way),
            length: payload.len() as u64,
            fault: &self.fault,
            summary: &self.summary,
            fields: self.fields.write(&self.reading, payload, mask),
        }
    }

    /// Why decoding stopped, and what the capture lacks; the summary has both too.
    fn say_fault(&mut self, missing: u32) {
        self.fault.clear();
        if let Some(fault) = self.reading.fault() {
            set(&mut self.fault, fault);
        }
        if missing > 0 {
            let gap = if self.fault.is_empty() { "" } else { "; " };
            let _ = write!(self.fault, "{gap}{}", render::lacking(missing));
        }
    }
}

/// The direction in words, made once.
fn direction(Direction { from, to }: Direction) -> &'static str {
    static WORDS: LazyLock<[[String; 4]; 4]> = LazyLock::new(|| {
        let parties = [None, Some(Role::Client), Some(Role::Server), Some(Role::Master)];
        parties.map(|from| parties.map(|to| Direction { from, to }.to_string()))
    });
    let place = |party| match party {
        None => 0,
        Some(Role::Client) => 1,
        Some(Role::Server) => 2,
        Some(Role::Master) => 3,
    };
    let words = WORDS.get(place(from)).and_then(|words| words.get(place(to)));
    words.map_or("", String::as_str)
}

/// Replaces the content of `text` by `value`.
fn set(text: &mut String, value: impl Display) {
    text.clear();
    let _ = write!(text, "{value}");
}
