//! What exchanges and findings tell of messages: gathered in one reading, asked in the next.

use std::collections::HashMap;

use super::subject::{Exchange, Finding, Subject};
use crate::session::{self, Ledger, Message};

/// Of how many frames the exchange is remembered, and of how many the findings.
const FRAMES: u64 = 1 << 26;
const FOUND: usize = 1 << 16;

/// What was made of each message, by its frame.
#[derive(Debug, Default)]
pub struct Outlook {
    /// The exchange of each frame's message, by its place in `exchanges`, from 1.
    of: Vec<u32>,
    exchanges: Vec<Exchange>,
    findings: HashMap<u64, Vec<Finding>>,
}

impl Outlook {
    /// An exchange is over.
    pub fn hear(&mut self, exchange: &session::Exchange) {
        let known = Exchange::from(exchange);
        // Neighbours are mostly alike.
        if self.exchanges.last() != Some(&known) {
            self.exchanges.push(known);
        }
        let place = self.exchanges.len() as u32;
        for number in exchange.numbers().filter(|number| *number < FRAMES) {
            let at = number as usize;
            if at >= self.of.len() {
                self.of.resize(at + 1, 0);
            }
            if let Some(of) = self.of.get_mut(at) {
                *of = place;
            }
        }
    }

    /// Everything has been read.
    pub fn close(&mut self, ledger: &Ledger) {
        for found in ledger.findings() {
            let finding = Finding::from(found);
            for number in &found.messages {
                if self.findings.len() < FOUND || self.findings.contains_key(number) {
                    self.findings.entry(*number).or_default().push(finding);
                }
            }
        }
    }

    /// A message with what was made of it.
    pub fn subject<'a>(&'a self, message: &'a Message<'a>, first: i64) -> Subject<'a> {
        let number = message.header.number;
        let place = usize::try_from(number).ok().and_then(|number| self.of.get(number));
        let place = place.and_then(|place| place.checked_sub(1));
        let exchange = place.and_then(|place| self.exchanges.get(place as usize)).copied();
        let findings = self.findings.get(&number).map_or(&[][..], Vec::as_slice);
        Subject { exchange, findings, ..Subject::new(message, first) }
    }
}
