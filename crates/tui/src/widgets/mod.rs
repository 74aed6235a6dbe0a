//! What all screens are drawn with.

pub mod address;
pub mod bars;
pub mod frame;
pub mod letters;
pub mod painter;
pub mod prompt;
mod same_texts;
pub mod scroll;
pub mod style;
pub mod table;
pub mod time_axis;
