//! Messages as arrows of a ladder: for `decode --ladder`, the interface and exported diagrams.

use analysis::{CapturedMessage, Exchange, MessageHeader, Session};
use protocol::{MessageOutcome, Reading};
use render::Rendered;
use render::ladder::Arrow;
use text::Secrets;

/// The title of a diagram.
pub const DIAGRAM_TITLE: &str = "sequence diagram of messages";

/// A message as an arrow with this text.
pub fn arrow<'a>(
    header: &MessageHeader,
    text: &'a str,
    outcome: Option<MessageOutcome<&'a str>>,
) -> Arrow<'a> {
    let MessageHeader { number, time, direction, source, destination, name, .. } = *header;
    Arrow { number, time, direction, source, destination, name, text, outcome }
}

/// The text of a message on its arrow: its summary, without colour codes.
pub fn arrow_text(
    message: &CapturedMessage<'_>,
    reading: &mut Reading,
    secrets: Secrets,
) -> String {
    let CapturedMessage { header, payload } = *message;
    reading.read_part(header.entry, payload, header.missing);
    let message = Rendered::new(reading, payload, secrets)
        .in_colours(header.verdict.colours_of(header.entry));
    let runs = message.summary_runs(header.entry, header.missing);
    runs.into_iter().map(|run| run.text).collect()
}

/// The exchange of a message; a late part of a long response belongs to that of its request.
pub fn exchange_of(session: &Session, header: &MessageHeader) -> Option<Exchange> {
    let index = session.index()?;
    let own = index.exchange_of(header.number);
    let at = own.or_else(|| index.exchange_of(header.answers?))?;
    session.exchange(at)
}

/// The outcome of a message, as far as the session has an index.
pub fn outcome_of(session: &Session, header: &MessageHeader) -> Option<MessageOutcome<String>> {
    let exchange = exchange_of(session, header)?;
    let step = exchange.steps.iter().find(|step| step.number == header.number)?;
    Some(exchange.outcome(step)?.map(str::to_owned))
}
