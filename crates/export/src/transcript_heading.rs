//! The header of a message in a transcript.

use analysis::MessageHeader;
use render::{Heading, Ties};

/// What a transcript has above a message's bytes, from the data of its packet and what is known of
/// it. It cannot fail.
pub fn transcript_heading(header: &MessageHeader) -> Heading<'_> {
    let MessageHeader {
        number,
        time,
        source,
        destination,
        entry,
        name,
        direction,
        missing,
        overlap,
        ..
    } = *header;
    let MessageHeader { answers, part, validation, .. } = *header;
    let (game, ties) = (header.verdict.game.id, Ties { answers, part, validation });
    Heading {
        number,
        time,
        source,
        destination,
        game,
        name,
        entry,
        direction,
        missing,
        overlap,
        ties,
    }
}
