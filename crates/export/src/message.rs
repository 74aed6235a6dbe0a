//! The row of a message, and the buffers to build it.

use std::fmt::{Display, Write as _};

use super::row::row;
use super::row_ids::{RowIds, RowSubject};
use super::{Fields, Quotes};
use analysis::{CapturedMessage, InputSet, MessageHeader};
use protocol::{Direction, Reading, Role};
use render::{self, Colour, Rendered, TextRun};
use text::Secrets;

row! {
    /// A decoded message as all formats write it; its texts are borrowed from [`MessageRows`].
    MessageRow {
        file;
        number;
        time;
        time_ns: Integer or none in "nanoseconds", "the same since 1970-01-01T00:00:00Z";
        source;
        source_port;
        destination;
        destination_port;
        transport;
        flow;
        flow_id;
        community_id;
        game;
        message: Word in "", "the message's name in its documents";
        message_id;
        direction: Word in "", "who sent it to whom: `client`, `server`, `master` or `unknown`, then `-to-`, then the same";
        length_bytes: Number in "bytes", "how much of the payload was captured";
        fault: Text in "", "why decoding stopped before the end, or how many bytes the capture lacks; empty for a message without faults";
        summary: Line in "", "the message's values, in one line";
        fields: Json in "", "the decoded values";
    }
}

/// Builds the rows of messages, with reused buffers.
#[derive(Default)]
pub struct MessageRows {
    secrets: Secrets,
    ids: Option<RowIds>,
    /// Whether rows have no fields.
    only_lines: bool,
    /// Whether the colour codes of texts in summaries become colours of a terminal.
    colour: Colour,
    reading: Reading,
    fields: Fields,
    message_id: String,
    fault: String,
    summary: String,
    direction: String,
}

impl MessageRows {
    /// Rows that show or mask secrets, without a file and ids.
    pub fn new(secrets: Secrets) -> Self {
        Self { secrets, reading: Reading::of_values(), ..Self::default() }
    }

    /// The same, with the files and the ids of messages of these inputs.
    #[must_use]
    pub fn with_ids(self, inputs: InputSet) -> Self {
        Self { ids: Some(RowIds::new(inputs)), ..self }
    }

    /// The same without `fields`, for lines that do not show them.
    #[must_use]
    pub fn without_fields(self) -> Self {
        Self { only_lines: true, ..self }
    }

    /// The same for a terminal: with colours, names in summaries have those that their colour codes
    /// give, and not the codes.
    #[must_use]
    pub fn in_colour(self, colour: Colour) -> Self {
        Self { colour, ..self }
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
        self.message_id.extend([entry.protocol.id, ".", entry.spec.id]);
        let Direction { from, to } = header.direction;
        self.direction.clear();
        self.direction.extend([Role::name_of(from), "-to-", Role::name_of(to)]);
        self.summary.clear();
        let missing = header.missing;
        match self.colour {
            Colour::Plain => decoded.summary(&mut self.summary, entry, missing),
            Colour::Ansi => {
                for TextRun { text, style } in decoded
                    .in_colours(header.verdict.colours_of(entry))
                    .summary_runs(entry, missing)
                {
                    self.colour.write(&mut self.summary, style, &text);
                }
            }
        }
        let mask = decoded.mask();
        self.say_fault(missing);
        let subject = RowSubject {
            input: header.input,
            flow: header.flow,
            ends: Some((header.transport, [source, destination])),
            exchange: None,
        };
        let ids = self.ids.as_mut().map(|ids| ids.ids_of(subject)).unwrap_or_default();
        MessageRow {
            file: ids.file.into(),
            number: header.number,
            time: header.time,
            time_ns: Some(header.time).filter(|time| text::has_time(*time)),
            source: source.ip(),
            source_port: source.port(),
            destination: destination.ip(),
            destination_port: destination.port(),
            transport: header.transport.name(),
            flow: header.flow.0.into(),
            flow_id: ids.flow_id,
            community_id: ids.community_id,
            game: header.verdict.game.id,
            message: header.name,
            message_id: &self.message_id,
            direction: &self.direction,
            length_bytes: payload.len() as u64,
            fault: self.fault.as_str().into(),
            summary: self.summary.as_str().into(),
            fields: if self.only_lines {
                "{}".into()
            } else {
                self.fields.write(&self.reading, payload, mask)
            },
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
            let _ = write!(self.fault, "{gap}{}", render::missing_note(missing));
        }
    }
}

/// Replaces the content of `text` by `value`.
fn set(text: &mut String, value: impl Display) {
    text.clear();
    let _ = write!(text, "{value}");
}
