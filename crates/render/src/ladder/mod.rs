//! Messages as a sequence diagram (ladder): lifelines side by side, and an arrow for each message
//! from sender to receiver.
//!
//! A ladder is drawn from [`Arrow`]s, plain data that any view can make of its messages. Its
//! [`Lifelines`] are those of the three roles, or of all hosts. A line of text depends on its arrow
//! and on what [`Ladder`] knows of the whole, so that a long ladder can be streamed, or only its
//! visible lines drawn, and of these only the visible columns: `Rows` maps lines to arrows. A
//! [`Diagram`] is a whole short one, for files.
//!
//! This module knows no flows and no exchanges: each arrow has the outcome of its message.

mod arrow;
mod columns;
mod course;
mod diagram;
mod heads;
mod hosts;
mod lifelines;
mod line;
mod mermaid;
mod rows;
mod svg;
mod text;

#[cfg(test)]
mod tests;

pub use arrow::Arrow;
pub use diagram::{Diagram, DiagramForm};
pub use hosts::HostLifelines;
pub use lifelines::{Lifeline, Lifelines, RoleHeads};
pub use line::LadderLine;
pub use rows::{LadderRow, Rows};
pub use text::{Ladder, LadderTimes};
