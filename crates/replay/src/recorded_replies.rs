//! The recorded answers of endpoints, and other known values of them.

use std::collections::{HashMap, HashSet, VecDeque};
use std::net::{IpAddr, SocketAddr};

use analysis::CapturedMessage;
use protocol::{Entry, Game, Protocol, Reading, Role, Validation};
use render::challenge_of;

/// The maximum number of endpoints, of answers of each, and of other messages with its values.
const ENDS: usize = 1 << 16;
const ANSWERS: usize = 32;
const OTHERS: usize = 8;
/// The maximum number of unanswered requests.
const REQUESTS: usize = 4096;

/// All endpoints and their messages.
#[derive(Default)]
pub struct RecordedReplies {
    ends: HashMap<SocketAddr, EndpointReplies>,
    /// The endpoints of each host, in the order of their first messages.
    hosts: HashMap<IpAddr, Vec<SocketAddr>>,
    /// Endpoints with at least one answer to a master that is incomplete in the capture.
    cut: HashSet<SocketAddr>,
    /// The frames of requests, and whether each had a challenge.
    requests: VecDeque<(u64, bool)>,
}

/// What is known of one endpoint.
#[derive(Default)]
pub(super) struct EndpointReplies {
    /// The protocols that it speaks.
    pub protocols: Vec<&'static Protocol>,
    /// The game that it was identified as.
    pub game: Option<&'static Game>,
    /// Its answers, in order.
    pub answers: Vec<RecordedAnswer>,
    /// Its other messages with values.
    pub messages: Vec<(&'static Entry, Box<[u8]>)>,
}

/// One answer.
pub(super) struct RecordedAnswer {
    pub entry: &'static Entry,
    pub bytes: Box<[u8]>,
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
    /// Whether it was given to a master.
    pub to_master: bool,
    /// Whether the request had a challenge; `None` if it was not captured.
    pub challenged: Option<bool>,
    /// Whether it proved that the server has its game's key.
    pub is_proof: bool,
}

impl RecordedReplies {
    /// Adds a message of any sender.
    pub(super) fn add_message(&mut self, message: &CapturedMessage<'_>, reading: &mut Reading) {
        let CapturedMessage { header, payload } = *message;
        if header.entry.is_request() {
            let challenge = challenge_of(reading, header.entry, payload);
            if self.requests.len() >= REQUESTS {
                self.requests.pop_front();
            }
            self.requests.push_back((header.number, challenge.is_some()));
        }
        if header.missing > 0 && header.direction.to == Some(Role::Master) && self.cut.len() < ENDS
        {
            self.cut.insert(header.source);
        }
        let known = self.ends.contains_key(&header.source);
        if header.direction.from == Some(Role::Master)
            || header.missing > 0
            || !known && self.ends.len() >= ENDS
        {
            return;
        }
        let challenged = header.answers.and_then(|number| {
            let mut latest = self.requests.iter().rev();
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
                to_master: header.direction.to == Some(Role::Master),
                challenged,
                is_proof: matches!(
                    header.validation,
                    Some(Validation::Right(_) | Validation::KeyOf(_))
                ),
            };
            if end.answers.len() < ANSWERS {
                end.answers.push(answer);
            }
        } else if end.messages.len() < OTHERS {
            let again = end.messages.iter().any(|(entry, _)| *entry == header.entry);
            if !again {
                end.messages.push((header.entry, payload.into()));
            }
        }
    }

    pub(super) fn end(&self, end: SocketAddr) -> Option<&EndpointReplies> {
        self.ends.get(&end)
    }

    /// Whether an endpoint's messages to masters are incomplete in the capture.
    pub(super) fn is_cut(&self, end: SocketAddr) -> bool {
        self.cut.contains(&end)
    }

    /// All messages from one address, from any port.
    pub(super) fn of_host(&self, end: SocketAddr) -> impl Iterator<Item = &EndpointReplies> {
        let of = self.hosts.get(&end.ip()).map(Vec::as_slice).unwrap_or_default();
        // The endpoint itself first.
        let others = of.iter().copied().filter(move |at| *at != end);
        std::iter::once(end).chain(others).filter_map(|at| self.ends.get(&at))
    }
}
