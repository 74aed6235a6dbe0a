//! Messages that belong together: those of an exchange, a host or a finding.

use crate::analysis::{Exchange, MessageHeader, Session};

/// The messages of a row, by their frames.
#[derive(Debug, Default, Clone)]
pub struct RelatedMessages {
    /// The row, in words; empty for a single message.
    pub of: String,
    /// In order, each once.
    pub numbers: Vec<u64>,
    /// The one to select; without it, the first.
    pub selected: Option<u64>,
}

impl RelatedMessages {
    pub fn new(of: String, mut numbers: Vec<u64>) -> Self {
        numbers.sort_unstable();
        numbers.dedup();
        Self { of, numbers, selected: None }
    }

    pub fn of_exchange(exchange: &Exchange) -> Self {
        let of = format!("{} #{}", exchange.kind, exchange.number());
        Self::new(of, exchange.numbers().collect())
    }

    pub fn has(&self, number: u64) -> bool {
        self.numbers.binary_search(&number).is_ok()
    }

    /// The session index of the message to select: the first that is still kept.
    pub fn first(&self, session: &Session) -> Option<usize> {
        self.selected.iter().chain(&self.numbers).find_map(|number| session.find(*number))
    }
}

/// The exchange of a message; a late part of a long response belongs to that of its request.
pub fn exchange_of<'a>(session: &'a Session, header: &MessageHeader) -> Option<&'a Exchange> {
    let index = session.index()?;
    let own = index.exchange_of(header.number);
    let at = own.or_else(|| index.exchange_of(header.answers?))?;
    index.exchanges().get(at)
}
