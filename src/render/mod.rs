//! Renders a message for people: escaped text, masks, summaries, trees and hexdumps.
//!
//! Turns spans and bytes into text and depends on no terminal, file or table: the terminal
//! interface paints the result, `decode` prints it.
//!
//! *Invariant:* text that this module returns holds no control character, and no secret unless
//! requested.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cells;
mod coloured;
pub mod ladder;
mod mask;
mod paint;
mod prose;
mod quote;
mod summary;
mod ties;
mod transcript;
mod tree;
mod value;

#[cfg(test)]
mod tests;

pub use cells::{HexCell, ROW, hexdump};
pub use coloured::{TextRun, coloured, holds_codes, uncoloured};
pub use mask::Mask;
pub use paint::{role_style, style};
pub use prose::prose;
pub use quote::quoted;
pub use summary::{lacking, summary, summary_in_colour};
pub use ties::Ties;
pub use transcript::{Colour, Heading, annotated, plain, transcript};
pub use tree::{Separators, TreeLine, tree};
pub use value::{is_latin, meaning, runs, value};
