//! Renders a message for people: escaped text, masks, summaries, trees and hexdumps.
//!
//! Turns spans and bytes into text and depends on no terminal, file or table: the terminal
//! interface paints the result, `decode` prints it.
//!
//! *Invariant:* text that this module returns holds no control character, and no secret unless
//! requested.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod annotated;
mod byte_forms;
mod byte_values;
mod cells;
mod coloured;
mod field_values;
pub mod ladder;
mod mask;
mod message;
mod packet;
mod paint;
mod quote;
mod search_text;
mod summary;
mod ties;
mod transcript;
mod tree;

#[cfg(test)]
mod tests;

pub use annotated::{AnnotatedRow, Annotation, Remark, RowSize, ShownLines, shown_lines};
pub use byte_forms::ByteForm;
pub use byte_values::{ByteValue, byte_value, byte_values};
pub use cells::HexCell;
pub use coloured::{TextRun, coloured, has_codes, uncoloured};
pub use field_values::{FieldValue, challenge_of, field_values, value_with_role, with_pair};
pub use mask::Mask;
pub use message::Rendered;
pub use packet::{PACKET_LAYER, PacketHeaders, packet_lines};
pub use paint::{role_style, style};
pub use quote::quoted;
pub use summary::missing_note;
pub use ties::Ties;
pub use transcript::{Colour, DumpStyle, Heading, LinesLeftOut, annotated, plain, transcript};
pub use tree::{Separators, TreeLine};
