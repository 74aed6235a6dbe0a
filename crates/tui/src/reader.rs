//! Reads messages of the session again, for rows, fields and searches. Buffers are reused.

use std::sync::Arc;

use super::action::{Answer, MessageRow, ReferenceView};
use super::comparison::ComparedMessages;
use super::options::OtherAnswer;
use super::screens::messages::open::OpenMessage;
use super::search::SearchQuery;
use analysis::{CapturedMessage, MessageHeader, Session};
use filter::{EvalScratch, Filter, Projection, Subject};
use protocol::Reading;
use ratatui::style::Color;
use render::{Rendered, Separators};
use text::Secrets;

/// A filter, and the colour of the rows of messages that match.
#[derive(Debug, Clone)]
pub struct ColourRule {
    pub filter: Filter,
    pub colour: Color,
}

pub struct MessageReader {
    payload: Vec<u8>,
    reading: Reading,
    text: String,
    scratch: EvalScratch,
    secrets: Secrets,
    colours: Arc<Vec<ColourRule>>,
}

impl MessageReader {
    pub fn new(secrets: Secrets) -> Self {
        let (payload, reading, text) = (Vec::new(), Reading::default(), String::new());
        let (scratch, colours) = (EvalScratch::new(secrets), Arc::default());
        Self { payload, reading, text, scratch, secrets, colours }
    }

    /// The same; rows have the colours of these rules.
    pub fn coloured(self, colours: &Arc<Vec<ColourRule>>) -> Self {
        Self { colours: Arc::clone(colours), ..self }
    }

    /// Messages with their summaries, and their values in these columns; one that cannot be read
    /// again says so.
    pub fn rows(
        &mut self,
        session: &Session,
        messages: &[usize],
        columns: &[Projection],
    ) -> Answer {
        let first = session.begin_time().unwrap_or(0);
        let rows = messages.iter().filter_map(|index| {
            let header = session.header(*index)?;
            let (summary, is_faulty) = self.summary(session, *index);
            let message = Rendered::new(&self.reading, &self.payload, self.secrets)
                .in_colours(header.verdict.colours_of(header.entry));
            let runs = message.summary_runs(header.entry, header.missing);
            let Self { payload, scratch, colours, .. } = self;
            let message = CapturedMessage { header, payload };
            let subject = with_analysis(
                Subject::new(&message, first).with_inputs(session.input_set()),
                session,
            );
            let value = |column: &Projection| {
                let mut text = String::new();
                column.write(&subject, scratch, &mut text);
                text
            };
            let values = columns.iter().map(value).collect();
            let rule = colours.iter().find(|rule| rule.filter.matches(&subject, scratch));
            let colour = rule.map(|rule| rule.colour);
            Some(MessageRow { index: *index, header, summary, runs, is_faulty, values, colour })
        });
        Answer::Rows(rows.collect())
    }

    /// A message's summary, and whether it has a fault, lacks bytes or cannot be read.
    fn summary(&mut self, session: &Session, index: usize) -> (String, bool) {
        match session.message(index, &mut self.payload) {
            Ok(Some(message)) => {
                let header = message.header;
                self.summary_of(&header)
            }
            Ok(None) => (String::new(), false),
            Err(error) => (format!("cannot be read again: {error}"), true),
        }
    }

    /// The same of a message whose payload has been read.
    fn summary_of(&mut self, header: &MessageHeader) -> (String, bool) {
        let mut summary = String::new();
        let MessageHeader { entry, missing, .. } = *header;
        self.reading.read_part(entry, &self.payload, missing);
        let message = Rendered::new(&self.reading, &self.payload, self.secrets);
        message.summary(&mut summary, entry, missing);
        (summary, missing > 0 || self.reading.fault().is_some())
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
        // Without them the message is as readable.
        if let Ok(Some((link, headers))) = session.frame_headers(index) {
            open.set_packet(link, &headers, separators);
        }
        open.comment = session.comment(header.number).map(str::to_owned);
        session.input_set().file(header.input).clone_into(&mut open.file);
        Some(Answer::Opened(Box::new(open)))
    }

    /// The captured answer beside another one, or that one alone if none was captured.
    pub fn beside(
        &self,
        session: &Session,
        index: usize,
        other: &OtherAnswer,
        separators: Separators,
    ) -> Result<ReferenceView, String> {
        let OtherAnswer { name, request, captured, replies } = other;
        let is_answer = session.header(index).is_some_and(|header| header.answers.is_some());
        let captured = if is_answer { Some(index) } else { *captured };
        let shown = captured.unwrap_or(index);
        let first = match self.open(session, shown, separators) {
            Some(Answer::Opened(open)) => *open,
            Some(Answer::Unreadable(why)) => return Err(why),
            _ => return Err("this message is no longer kept".to_owned()),
        };
        let part = first.header.part.map_or(0, |part| usize::from(part.index));
        let Some(reply) = replies.get(part).or(replies.last()) else {
            return Err(format!("{name} sends no answer to #{request}"));
        };
        if captured.is_none() {
            let each = replies
                .iter()
                .map(|reply| first.like(reply.clone(), name.clone(), separators).annotated_text());
            let heading = format!("no answer to #{request} was captured; {name} sends");
            return Ok(ReferenceView::Alone(heading, each.collect::<Vec<_>>().join("\n")));
        }
        let title = match replies.len() {
            1 => name.clone(),
            all => format!("{name}, packet {} of {all}", part.min(all - 1) + 1),
        };
        let other = first.like(reply.clone(), title, separators);
        Ok(ReferenceView::Compared(Box::new(ComparedMessages::new(first, other))))
    }

    /// Whether a message's row with its time, its fields or its bytes contain what is searched. A
    /// display filter is tested elsewhere.
    pub fn has(
        &mut self,
        query: &SearchQuery,
        time: &str,
        header: &MessageHeader,
        payload: &[u8],
    ) -> bool {
        self.payload.clear();
        self.payload.extend_from_slice(payload);
        if !query.is_for_text() {
            return self.has_bytes(query, header);
        }
        let (summary, _) = self.summary_of(header);
        if query.is_in_message(header, (time, &summary), &mut self.text) {
            return true;
        }
        self.text.clear();
        let message = Rendered::new(&self.reading, &self.payload, self.secrets)
            .in_colours(header.verdict.colours_of(header.entry));
        message.search_text(&mut self.text);
        query.is_in(&self.text)
    }

    /// Hidden bytes match nothing.
    fn has_bytes(&mut self, query: &SearchQuery, header: &MessageHeader) -> bool {
        self.reading.read_part(header.entry, &self.payload, header.missing);
        let plain = self.reading.plain().unwrap_or_default();
        let mut layers = [&self.payload[..], plain].into_iter();
        if !layers.any(|bytes| query.find_bytes(bytes).is_some()) {
            return false;
        }
        let message = Rendered::new(&self.reading, &self.payload, self.secrets);
        [0, 1].into_iter().any(|layer| query.find_cells(&message.hexdump(layer)).is_some())
    }
}

/// A message with its exchange and findings, if they are known.
pub fn with_analysis<'a>(subject: Subject<'a>, session: &Session) -> Subject<'a> {
    match session.index() {
        Some(index) => subject.with(index),
        None => subject,
    }
}
