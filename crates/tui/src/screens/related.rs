//! Messages that belong together: those of an exchange, a host or a finding.

use analysis::{BytePlace, Exchange, ExchangeRecord, Session};

/// The messages of a row, by their frames.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct RelatedMessages {
    /// The row, in words; empty for a single message.
    pub of: String,
    /// In order, each once.
    pub numbers: Vec<u64>,
    /// The one to select; without it, the first.
    pub selected: Option<u64>,
    /// The bytes to select in that message.
    pub place: Option<BytePlace>,
}

impl RelatedMessages {
    pub fn new(of: String, mut numbers: Vec<u64>) -> Self {
        numbers.sort_unstable();
        numbers.dedup();
        Self { of, numbers, selected: None, place: None }
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

/// The frames of the messages of some exchanges.
pub fn numbers_where(session: &Session, is_one: impl Fn(&ExchangeRecord) -> bool) -> Vec<u64> {
    let Some(index) = session.index() else {
        return Vec::new();
    };
    let exchanges = index.exchanges().iter().enumerate().filter(|(_, exchange)| is_one(exchange));
    let messages = exchanges.flat_map(|(at, _)| index.messages_of(at));
    messages.filter_map(|at| Some(session.header(at)?.number)).collect()
}
