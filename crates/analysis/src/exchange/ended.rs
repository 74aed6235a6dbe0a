//! Exchanges that have ended.

use std::ops::Range;
use std::slice;

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
    pub fn range(&self, range: Range<usize>) -> EndedRange<'_> {
        EndedRange(self.0.get(range).unwrap_or_default().iter())
    }
}

/// Consecutive exchanges that have ended.
#[derive(Clone)]
pub struct EndedRange<'a>(slice::Iter<'a, Box<OpenExchange>>);

impl<'a> Iterator for EndedRange<'a> {
    type Item = &'a Exchange;

    fn next(&mut self) -> Option<Self::Item> {
        Some(&self.0.next()?.exchange)
    }
}
