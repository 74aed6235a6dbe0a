//! What the recorded ends say when they are asked, and what else is known of them.

use std::collections::{HashMap, HashSet, VecDeque};
use std::net::{IpAddr, SocketAddr};

use super::fields;
use crate::analysis::CapturedMessage;
use crate::protocol::{Entry, Game, Reading, Role};

/// How many ends are kept, how many answers of each, and how many other messages that tell of it.
const ENDS: usize = 1 << 16;
const ANSWERS: usize = 32;
const SAID: usize = 8;
/// How many questions wait for their answers.
const QUESTIONS: usize = 4096;

/// All ends and what they say.
#[derive(Default)]
pub struct Repertoire {
    ends: HashMap<SocketAddr, RecordedReplies>,
    /// The ends of each host, in the order in which they were heard.
    hosts: HashMap<IpAddr, Vec<SocketAddr>>,
    /// Ends of whose answers to masters the capture has only a part, of one at least.
    cut: HashSet<SocketAddr>,
    /// The frames of questions, and whether each had a challenge.
    questions: VecDeque<(u64, bool)>,
}

/// What is known of one end.
#[derive(Default)]
pub(super) struct RecordedReplies {
    /// The protocols that it speaks, by their ids.
    pub protocols: Vec<&'static str>,
    /// The game that it was found to be.
    pub game: Option<&'static Game>,
    /// What it answered, in order.
    pub answers: Vec<RecordedAnswer>,
    /// What it said of itself unasked.
    pub said: Vec<(&'static Entry, Box<[u8]>)>,
}

/// One answer.
pub(super) struct RecordedAnswer {
    pub entry: &'static Entry,
    pub bytes: Box<[u8]>,
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
    /// Whether it was given to a master.
    pub to_master: bool,
    /// Whether it was asked with a challenge; none where that was not seen.
    pub challenged: Option<bool>,
}

impl Repertoire {
    /// Hears a message, whoever sent it.
    pub(super) fn add_message(&mut self, message: &CapturedMessage<'_>, reading: &mut Reading) {
        let CapturedMessage { header, payload } = *message;
        if header.entry.is_asked() {
            let challenge = fields::challenge(reading, header.entry, payload);
            if self.questions.len() >= QUESTIONS {
                self.questions.pop_front();
            }
            self.questions.push_back((header.number, challenge.is_some()));
        }
        if header.missing > 0 && header.way.to == Some(Role::Master) && self.cut.len() < ENDS {
            self.cut.insert(header.source);
        }
        let known = self.ends.contains_key(&header.source);
        if header.way.from == Some(Role::Master)
            || header.missing > 0
            || !known && self.ends.len() >= ENDS
        {
            return;
        }
        let question = header.answers.and_then(|number| {
            let mut latest = self.questions.iter().rev();
            latest.find(|(of, _)| *of == number).map(|(_, challenged)| *challenged)
        });
        if !known {
            self.hosts.entry(header.source.ip()).or_default().push(header.source);
        }
        let end = self.ends.entry(header.source).or_default();
        end.game = Some(header.verdict.game);
        if !end.protocols.contains(&header.entry.protocol) {
            end.protocols.push(header.entry.protocol);
        }
        if !header.entry.spec.answers.is_empty() {
            let answer = RecordedAnswer {
                entry: header.entry,
                bytes: payload.into(),
                time: header.time,
                to_master: header.way.to == Some(Role::Master),
                challenged: question,
            };
            if end.answers.len() < ANSWERS {
                end.answers.push(answer);
            }
        } else if end.said.len() < SAID {
            let again = end.said.iter().any(|(entry, _)| *entry == header.entry);
            if !again {
                end.said.push((header.entry, payload.into()));
            }
        }
    }

    pub(super) fn end(&self, end: SocketAddr) -> Option<&RecordedReplies> {
        self.ends.get(&end)
    }

    /// Whether what an end said to a master is not all in the capture.
    pub(super) fn is_cut(&self, end: SocketAddr) -> bool {
        self.cut.contains(&end)
    }

    /// Everything that was said from one address, of whichever port.
    pub(super) fn of_host(&self, end: SocketAddr) -> impl Iterator<Item = &RecordedReplies> {
        let of = self.hosts.get(&end.ip()).map(Vec::as_slice).unwrap_or_default();
        // The end itself first.
        let others = of.iter().copied().filter(move |at| *at != end);
        std::iter::once(end).chain(others).filter_map(|at| self.ends.get(&at))
    }
}
