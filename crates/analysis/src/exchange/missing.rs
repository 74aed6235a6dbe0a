//! What an exchange lacks, and when that proves nothing.

use text::named;

named! {
    /// A limit of the analysis beyond which a missing answer proves nothing.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum AnalysisBound {
        /// Of flows: requests and answers of later ones are not paired.
        Flows = "there are more flows than are kept",
        /// Of requests that wait for an answer in one flow.
        PendingRequests = "more requests waited in its flow than are kept",
        /// Of open exchanges.
        OpenExchanges = "more exchanges were open at once than are kept",
        /// Of retries of one exchange.
        Retries = "it was repeated more often than is kept",
        /// Of masters that one server registers with at once.
        Masters = "the server registers with more masters at once than are kept",
    }
}

/// The missing parts of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingParts {
    /// The numbers of the first of them, from 1.
    pub numbers: Vec<u16>,
    /// Whether the last part came: without it nobody knows how many there are.
    pub last_came: bool,
}

impl MissingParts {
    /// `part 2 is`, `parts 2, 3 and the last are`.
    pub(crate) fn words(&self) -> String {
        let numbers = self.numbers.iter().map(ToString::to_string);
        let all: Vec<_> = numbers.chain((!self.last_came).then(|| "the last".to_owned())).collect();
        match all.as_slice() {
            [only] if self.numbers.is_empty() => format!("{only} part is"),
            [only] => format!("part {only} is"),
            [first @ .., last] => format!("parts {} and {last} are", first.join(", ")),
            [] => String::new(),
        }
    }
}
