//! A question before it is sent, and its answer beside the recorded one.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use super::action::{Answer, KeyCommand};
use super::comparison::ComparedMessages;
use super::keys::KeyMap;
use super::overlay::{OverlayLine, plain};
use super::questions::{AnswerView, QuestionView};
use super::reader::MessageReader;
use super::screens::messages::open::OpenMessage;
use super::text::counted;
use super::widgets::style;
use analysis::{ListPacket, Session};
use protocol::{Carrier, Direction, Entry, ExchangeKind, Reading};
use query::{AnswerMessage, AskedQuestion, QuestionOrigin, QuestionWay, SessionQuestion};
use render::{Colour, DumpStyle, Separators};

/// How many messages of an answer are compared; a list may have hundreds.
const COMPARED: usize = 16;
/// How many servers of a list are named.
const NAMED: usize = 8;
/// The new answer beside the recorded one.
const NOW: &str = "the answer now";

impl QuestionView {
    /// In so many columns.
    pub fn new(question: SessionQuestion, keys: &KeyMap, columns: usize) -> Self {
        let key = |command| keys.name(command).unwrap_or_default().to_owned();
        let mut lines = vec![plain(&origin(&question))];
        let bytes = question.first_bytes();
        let carrier = match (question.is_over_connection(), question.repeats()) {
            (true, _) => "over TCP".to_owned(),
            (false, 0) => "over UDP, once".to_owned(),
            (false, most) => {
                format!("over UDP, at most {most} more times without an answer")
            }
        };
        let size = counted(bytes.len() as u64, "byte");
        lines.push(plain(&if bytes.is_empty() {
            format!("{carrier}, as clients request it")
        } else {
            format!("{size} {carrier}")
        }));
        lines.push((key(KeyCommand::Enter), style::KEY, " sends it".to_owned()));
        lines.push((key(KeyCommand::Close), style::KEY, " leaves; nothing is sent".to_owned()));
        lines.push(plain(""));
        let entry = match &question.way {
            QuestionWay::Message(message) => message.entry,
            QuestionWay::List(kind) => protocols::recognise(
                kind.servers.protocol,
                Carrier::Datagram,
                &bytes,
                Direction::default(),
            ),
        };
        lines.extend(dump(entry, &bytes, columns).lines().map(plain));
        Self { heading: format!("ask {}", question.to()), question, lines }
    }
}

/// What a question is, and where it comes from.
fn origin(question: &SessionQuestion) -> String {
    let name = match &question.way {
        QuestionWay::Message(message) => message.entry.map_or("bytes", |entry| entry.spec.name),
        QuestionWay::List(_) => "the list",
    };
    match question.origin {
        QuestionOrigin::Recorded(number) => format!("{name}, as in #{number}"),
        QuestionOrigin::Edited(number) => format!("{name}, the edited copy of #{number}"),
        QuestionOrigin::Client => format!("{name}, as clients ask for it"),
    }
}

/// Bytes and fields side by side in so many columns, secrets masked.
fn dump(entry: Option<&'static Entry>, bytes: &[u8], columns: usize) -> String {
    let mut text = String::new();
    match entry {
        Some(entry) => {
            let mut reading = Reading::default();
            reading.read_part(entry, bytes, 0);
            let style = DumpStyle { width: Some(columns), ..DumpStyle::default() };
            render::annotated(&mut text, &reading, bytes, 0..0, style);
        }
        None => render::plain(&mut text, bytes, bytes.len(), 0..0, Colour::Plain),
    }
    text
}

impl MessageReader {
    /// An answer, and what differs from the recorded one.
    pub fn answer_view(
        &self,
        session: &Session,
        asked: &AskedQuestion,
        columns: usize,
    ) -> AnswerView {
        let AskedQuestion { question, outcome, latency, messages, .. } = asked;
        let after = latency.map(|time| {
            let nanos = i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
            format!(" after {}", text::latency(nanos))
        });
        let heading = format!("{}: {outcome}{}", question.to(), after.unwrap_or_default());
        let opened = |at: &usize| match self.open(session, *at, Separators::Hidden)? {
            Answer::Opened(open) => Some(*open),
            _ => None,
        };
        let mut recorded: Vec<_> = question.recorded.iter().filter_map(opened).collect();
        let mut lines = list_lines(&recorded, messages);
        let (mut compared, mut left_out) = (Vec::new(), 0);
        let was_answered = !recorded.is_empty();
        for message in messages {
            let same = recorded.iter().position(|open| open.header.entry == message.entry);
            match same.map(|at| recorded.remove(at)) {
                Some(_) if compared.len() == COMPARED => left_out += 1,
                Some(open) => {
                    let now = open.like(message.bytes.clone(), NOW.to_owned(), Separators::Hidden);
                    compared.push(ComparedMessages::new(open, now));
                }
                None => lines.extend(alone(message, was_answered, columns)),
            }
        }
        lines.extend(recorded.iter().map(|open| {
            let header = open.header;
            bold(&format!("#{} {} was recorded; now it did not come", header.number, header.name))
        }));
        if left_out > 0 {
            lines.push(plain(&format!("not compared: {}", counted(left_out, "message"))));
        }
        AnswerView { heading, lines, compared }
    }
}

/// A message of an answer to which nothing can be compared.
fn alone(message: &AnswerMessage, was_answered: bool, columns: usize) -> Vec<OverlayLine> {
    let name = message.entry.spec.name;
    let what = if was_answered { "no such message" } else { "no answer" };
    let mut lines = vec![bold(&format!("{name}: {what} was recorded"))];
    lines.extend(dump(Some(message.entry), &message.bytes, columns).lines().map(plain));
    lines.push(plain(""));
    lines
}

fn bold(text: &str) -> OverlayLine {
    let (_, _, text) = plain(text);
    (text, style::BOLD, String::new())
}

/// Which servers are only on one of two lists; nothing for answers that are no lists.
fn list_lines(recorded: &[OpenMessage], now: &[AnswerMessage]) -> Vec<OverlayLine> {
    let mut reading = Reading::default();
    let is_list = |entry: &Entry| entry.exchange() == ExchangeKind::List && !entry.is_request();
    let mut servers = |entry: &'static Entry, bytes: &[u8]| {
        ListPacket::new(entry, None, false).read_servers(&mut reading, entry, bytes)
    };
    let mut before: Vec<SocketAddr> = Vec::new();
    for open in recorded.iter().filter(|open| is_list(open.header.entry)) {
        before.extend(servers(open.header.entry, open.payload()));
    }
    let mut after: Vec<SocketAddr> = Vec::new();
    for message in now.iter().filter(|message| is_list(message.entry)) {
        after.extend(servers(message.entry, &message.bytes));
    }
    if before.is_empty() && after.is_empty() {
        return Vec::new();
    }
    let [before, after] = [before, after].map(|all| all.into_iter().collect::<BTreeSet<_>>());
    let counts = |all: &BTreeSet<_>| counted(all.len() as u64, "server");
    let mut lines = Vec::new();
    if recorded.is_empty() {
        lines.push(bold(&counts(&after)));
    } else {
        let text = format!("recorded: {}, now: {}", counts(&before), counts(&after));
        lines.push(bold(&text));
        lines.extend(only("no longer listed", &before, &after));
        lines.extend(only("listed now", &after, &before));
    }
    lines.push(plain(""));
    lines
}

/// The servers of a list that another one has not.
fn only(
    what: &str,
    list: &BTreeSet<SocketAddr>,
    other: &BTreeSet<SocketAddr>,
) -> Option<OverlayLine> {
    let all: Vec<_> = list.difference(other).map(ToString::to_string).collect();
    if all.is_empty() {
        return None;
    }
    let more = all.len().saturating_sub(NAMED);
    let named = all.get(..NAMED).unwrap_or(&all).join(", ");
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Some(plain(&format!("{what}: {named}{more}")))
}
