//! A message as lines that people read: escaped text, masks, summaries, trees and hexdumps.
//!
//! Everything here turns spans and bytes into text and knows no terminal, no file and no row: the
//! interface paints what it gets, `decode` prints it.
//!
//! *Invariant:* what leaves this room holds no control character, and no secret unless asked for.
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
pub use paint::style;
pub use prose::prose;
pub use quote::quoted;
pub use summary::{lacking, summary, summary_in_colour};
pub use ties::Ties;
pub use transcript::{Colour, Heading, annotated, plain, transcript};
pub use tree::{Separators, TreeLine, tree};
pub use value::{is_latin, meaning, runs, value};
