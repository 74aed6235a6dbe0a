//! Reads messages of the session again, for rows, fields, searches and filters. Buffers are reused.

use super::action::{Answer, MessageRow};
use super::screens::messages::open::OpenMessage;
use super::search::SearchQuery;
use crate::analysis::{CapturedMessage, MessageHeader, Session};
use crate::filter::{EvalScratch, Filter, Subject};
use crate::protocol::Reading;
use crate::render::{Rendered, Separators};
use crate::text::Secrets;

/// How many messages are tested against a filter before the screen is drawn: if payloads must be
/// read again, and if not.
const BATCH: [usize; 2] = [1024, 16384];

pub struct MessageReader {
    payload: Vec<u8>,
    reading: Reading,
    text: String,
    scratch: EvalScratch,
    secrets: Secrets,
}

impl MessageReader {
    pub fn new(secrets: Secrets) -> Self {
        let (payload, reading, text) = (Vec::new(), Reading::default(), String::new());
        Self { payload, reading, text, scratch: EvalScratch::new(secrets), secrets }
    }

    /// Messages with their summaries; one that cannot be read again says so.
    pub fn rows(&mut self, session: &Session, messages: &[usize]) -> Answer {
        let rows = messages.iter().filter_map(|index| {
            let header = session.header(*index)?;
            let (summary, is_faulty) = self.summary(session, *index);
            let message = Rendered::new(&self.reading, &self.payload, self.secrets).in_colour();
            let runs = message.summary_runs(header.entry, header.missing);
            Some(MessageRow { index: *index, header, summary, runs, is_faulty })
        });
        Answer::Rows(rows.collect())
    }

    /// A message's summary, and whether it has a fault, lacks bytes or cannot be read.
    fn summary(&mut self, session: &Session, index: usize) -> (String, bool) {
        let mut summary = String::new();
        match session.message(index, &mut self.payload) {
            Ok(Some(message)) => {
                let CapturedMessage { header: MessageHeader { entry, missing, .. }, payload } =
                    message;
                self.reading.read_part(entry, payload, missing);
                let message = Rendered::new(&self.reading, payload, self.secrets);
                message.summary(&mut summary, entry, missing);
                (summary, missing > 0 || self.reading.fault().is_some())
            }
            Ok(None) => (summary, false),
            Err(error) => (format!("cannot be read again: {error}"), true),
        }
    }

    pub fn open(&self, session: &Session, index: usize, separators: Separators) -> Option<Answer> {
        let mut payload = Vec::new();
        let header = match session.message(index, &mut payload) {
            Ok(message) => message?.header,
            Err(error) => {
                return Some(Answer::Unreadable(format!("cannot be read again: {error}")));
            }
        };
        let mut open = OpenMessage::new(index, header, payload, self.secrets, separators);
        open.comment = session.comment(header.number).map(str::to_owned);
        Some(Answer::Opened(Box::new(open)))
    }

    /// The first of these messages whose row or fields contain the searched text.
    pub fn search(&mut self, session: &Session, query: &SearchQuery, messages: &[usize]) -> Answer {
        let mut has = |index: &usize| {
            session.header(*index).is_some_and(|header| self.has(session, query, *index, &header))
        };
        Answer::Searched(messages.iter().copied().find(|index| has(index)))
    }

    /// Tests the next messages against a filter.
    pub fn filter(&mut self, session: &Session, filter: &Filter, from: usize) -> Answer {
        let Self { scratch, payload, .. } = self;
        let [with_payload, without] = BATCH;
        let batch = if filter.needs_payload() { with_payload } else { without };
        let tested = session.len().min(from.saturating_add(batch));
        let first = session.header(0).map_or(0, |header| header.time);
        let matches = |index: &usize| {
            payload.clear();
            let header = if filter.needs_payload() {
                // A message that cannot be read again is tested without its payload.
                let read = session.message(*index, payload).ok().flatten();
                read.map(|message| message.header).or_else(|| session.header(*index))
            } else {
                session.header(*index)
            };
            header.is_some_and(|header| {
                let message = CapturedMessage { header, payload };
                let subject = Subject::new(&message, first);
                let subject = match session.index() {
                    Some(index) => subject.with(index),
                    None => subject,
                };
                filter.matches(&subject, scratch)
            })
        };
        let found = (from..tested).filter(matches).map(|index| index as u32).collect();
        Answer::Filtered(found, tested)
    }

    fn has(
        &mut self,
        session: &Session,
        query: &SearchQuery,
        index: usize,
        header: &MessageHeader,
    ) -> bool {
        let (summary, _) = self.summary(session, index);
        if query.is_in_row(header, &summary, &mut self.text) {
            return true;
        }
        self.text.clear();
        let message = Rendered::new(&self.reading, &self.payload, self.secrets).in_colour();
        message.search_text(&mut self.text);
        query.is_in(&self.text)
    }
}
