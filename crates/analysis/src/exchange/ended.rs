//! Exchanges that have ended.

use std::ops::Range;

use super::Exchange;
use super::open::OpenExchange;

/// Exchanges that have ended, in order.
#[derive(Default)]
#[expect(clippy::vec_box, reason = "the boxes are used again")]
pub struct EndedExchanges(pub(super) Vec<Box<OpenExchange>>);

impl EndedExchanges {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Those at some positions.
    pub fn range(&self, range: Range<usize>) -> impl Iterator<Item = &Exchange> {
        self.0.get(range).unwrap_or_default().iter().map(|open| &open.exchange)
    }
}
