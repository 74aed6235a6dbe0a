//! Which messages the list shows: all, those that match the display filter, in order of time or
//! sorted.

use crate::filter::ActiveFilter;

/// The rows of the list.
#[derive(Clone, Copy)]
pub struct MessageList<'a> {
    /// How many messages the session has, and how many of the oldest are dropped.
    pub total: usize,
    pub gone: usize,
    pub filter: Option<&'a ActiveFilter>,
    /// The sorted messages, if they are sorted.
    pub order: Option<&'a [u32]>,
}

impl MessageList<'_> {
    /// How many rows the list has.
    pub fn len(self) -> usize {
        match (self.order, self.filter) {
            (Some(order), _) => order.len(),
            (None, Some(filter)) => filter.len(),
            (None, None) => self.total,
        }
    }

    /// The first row that still exists: a long live capture drops the oldest messages.
    pub fn begin(self) -> usize {
        match (self.order, self.filter) {
            (Some(_), _) => 0,
            (None, Some(filter)) => filter.begin(self.gone),
            (None, None) => self.gone,
        }
    }

    /// The session index of the message in a row.
    pub fn message_at(self, row: usize) -> Option<usize> {
        match (self.order, self.filter) {
            (Some(order), _) => order.get(row).map(|at| *at as usize),
            (None, Some(filter)) => filter.message_at(row),
            (None, None) => Some(row).filter(|row| *row < self.total),
        }
    }

    /// The row of a message, unless the filter hides it.
    pub fn row_of(self, message: usize) -> Option<usize> {
        match (self.order, self.filter) {
            (Some(order), _) => order.iter().position(|at| *at as usize == message),
            (None, Some(filter)) => filter.row_of(message),
            (None, None) => Some(message).filter(|message| *message < self.total),
        }
    }

    /// The row of a message, or of the last one before it that is shown.
    pub fn row_near(self, message: usize) -> usize {
        match (self.order, self.filter) {
            (Some(_), _) => self.row_of(message).unwrap_or(0),
            (None, Some(filter)) => filter.row_at(message),
            (None, None) => message,
        }
    }
}
