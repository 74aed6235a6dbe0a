//! What all screens are drawn with.

pub mod letters;
pub mod painter;
pub mod prompt;
pub mod scroll;
pub mod style;
pub mod table;
