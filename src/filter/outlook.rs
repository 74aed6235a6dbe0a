//! Annotations by frame: exchanges and findings, collected in pass one, used in pass two.

use std::collections::HashMap;

use super::subject::{ExchangeRef, FindingRef, Subject};
use crate::analysis::{self, Analyzer, CapturedMessage};

/// The maximum number of frames whose exchange is stored.
const FRAMES: u64 = 1 << 23;
/// The maximum number of exchanges that are stored.
const EXCHANGES: usize = 1 << 19;

/// The exchange and findings of each message, by its frame.
#[derive(Debug, Default)]
pub struct FrameAnnotations {
    /// The exchange of each frame's message, by its index in `exchanges`, from 1.
    of: Vec<u32>,
    exchanges: Vec<ExchangeRef>,
    /// The frames at fault, in order, with the index of their findings in `found`.
    faults: Vec<(u64, u32)>,
    /// All findings of one frame together.
    found: Vec<Vec<FindingRef>>,
    /// Messages whose exchange was not stored.
    left_out: u64,
}

impl FrameAnnotations {
    /// Records a finished exchange.
    pub fn add_exchange(&mut self, exchange: &analysis::Exchange) {
        let known = ExchangeRef::from(exchange);
        // Neighbours are mostly equal.
        if self.exchanges.last() != Some(&known) {
            if self.exchanges.len() >= EXCHANGES {
                self.left_out += exchange.numbers().count() as u64;
                return;
            }
            self.exchanges.push(known);
        }
        let place = self.exchanges.len() as u32;
        for number in exchange.numbers() {
            if number >= FRAMES {
                self.left_out += 1;
                continue;
            }
            let at = number as usize;
            if at >= self.of.len() {
                self.of.resize(at + 1, 0);
            }
            if let Some(of) = self.of.get_mut(at) {
                *of = place;
            }
        }
    }

    /// Takes the findings of an analyzer that marks frames, after the whole input was read.
    pub fn close(&mut self, ledger: &Analyzer) {
        let findings = ledger.findings();
        // The same rules are violated together many times: each such set is stored once.
        let mut sets: HashMap<Vec<&'static str>, u32> = HashMap::new();
        for same in ledger.faults().chunk_by(|one, other| one.0 == other.0) {
            let found = same.iter().filter_map(|(_, at)| findings.get(*at as usize));
            let found: Vec<_> = found.map(|finding| FindingRef::from(*finding)).collect();
            let set = sets.entry(found.iter().map(|finding| finding.id).collect());
            let place = *set.or_insert_with(|| {
                self.found.push(found);
                self.found.len() as u32 - 1
            });
            self.faults.extend(same.first().map(|(frame, _)| (*frame, place)));
        }
    }

    /// What was not stored for lack of space, in words.
    pub fn complaint(&self) -> Option<String> {
        let count = self.left_out;
        (count > 0).then(|| {
            format!("filters do not know the exchanges of {count} messages: there are too many")
        })
    }

    /// A message with its exchange and findings.
    pub fn subject<'a>(&'a self, message: &'a CapturedMessage<'a>, first: i64) -> Subject<'a> {
        let number = message.header.number;
        let place = usize::try_from(number).ok().and_then(|number| self.of.get(number));
        let place = place.and_then(|place| place.checked_sub(1));
        let exchange = place.and_then(|place| self.exchanges.get(place as usize)).copied();
        let at = self.faults.binary_search_by_key(&number, |(frame, _)| *frame);
        let fault = at.ok().and_then(|at| self.faults.get(at));
        let found = fault.and_then(|(_, place)| self.found.get(*place as usize));
        let findings = found.map_or(&[][..], Vec::as_slice);
        Subject { exchange, findings, ..Subject::new(message, first) }
    }
}
