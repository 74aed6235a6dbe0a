//! Which requests were answered: messages wait until that is known, a bounded number for a bounded
//! time.

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::sync::LazyLock;

use crate::dump::ladder::{Mark, Rung};
use crate::flow::{FlowId, Flows};
use crate::proto::{Entry, entries};
use crate::session::Header;

/// How many messages wait at most; a request that has to leave before its time is not marked.
const WAITING: usize = 4096;
/// How long a request waits for its answer, in nanoseconds: as long as flows pair them.
const PATIENCE: i64 = 30_000_000_000;

/// A message that waits to be drawn.
pub(super) struct Held {
    header: Header,
    text: String,
    is_answered: bool,
    is_crowded_out: bool,
    /// When its sender said something to the same end again.
    until: i64,
    error: Option<String>,
}

impl Held {
    /// As a rung of the ladder.
    pub fn rung(&self) -> Rung<'_> {
        let Header { number, time, way, source, destination, entry, name, .. } = self.header;
        let mark = match &self.error {
            _ if self.is_answered => None,
            Some(what) => Some(Mark::Error(what)),
            None if asks(entry) && !self.is_crowded_out => Some(Mark::NoAnswer),
            None => None,
        };
        Rung { number, time, way, source, destination, name, text: &self.text, mark }
    }
}

/// Messages that wait, in order.
pub(super) struct Window {
    waiting: VecDeque<Held>,
    /// How many have left.
    gone: u64,
    /// Where each frame's message waits, counted from the first that ever did.
    places: HashMap<u64, u64>,
    failures: HashMap<(FlowId, SocketAddr), Failures>,
    limit: usize,
}

/// What the network said of one direction of a flow.
#[derive(Default)]
struct Failures {
    /// When, and what.
    said: Vec<(i64, String)>,
    /// Where the last message of this direction waits.
    last: Option<u64>,
}

impl Window {
    /// A window over messages of which the flows know what failed. With `is_live` nothing waits,
    /// and nothing is known to lack an answer.
    pub fn new(flows: &Flows, is_live: bool) -> Self {
        let mut failures: HashMap<_, Failures> = HashMap::new();
        for (id, flow) in flows.iter().filter(|(_, flow)| !flow.errors().is_empty()) {
            let Some((_, [first, second])) = flows.ends(id) else {
                continue;
            };
            for error in flow.errors() {
                let end = if error.forward { first } else { second };
                let said = &mut failures.entry((id, end)).or_default().said;
                said.push((error.time, error.what.clone()));
            }
        }
        let limit = if is_live { 0 } else { WAITING };
        let (waiting, places) = (VecDeque::new(), HashMap::new());
        Self { waiting, gone: 0, places, failures, limit }
    }

    /// Adds a message; [`next`](Self::next) gives those that need not wait any more.
    pub fn push(&mut self, header: Header, text: String) {
        let place = self.gone + self.waiting.len() as u64;
        if let Some(request) = header.answers.and_then(|number| self.places.get(&number).copied())
            && let Some(request) = self.held(request)
        {
            request.is_answered = true;
        }
        if let Some(failures) = self.failures.get_mut(&(header.flow, header.source))
            && let Some(before) = failures.last.replace(place)
            && let Some(before) = self.held(before)
        {
            before.until = header.time;
        }
        let (is_answered, is_crowded_out, until, error) = (false, false, i64::MAX, None);
        self.places.insert(header.number, place);
        self.waiting.push_back(Held { header, text, is_answered, is_crowded_out, until, error });
    }

    /// The first message of which all is known, or that has waited long enough.
    pub fn next(&mut self) -> Option<Held> {
        let now = self.waiting.back()?.header.time;
        let first = self.waiting.front()?;
        let is_crowded = self.waiting.len() > self.limit;
        let is_known = first.is_answered || !asks(first.header.entry);
        let is_late = now.saturating_sub(first.header.time) > PATIENCE;
        // What failed is known as soon as the same end says more.
        (is_known || is_late || is_crowded).then(|| self.pop(!is_known && !is_late)).flatten()
    }

    /// The first message, when nothing more will come.
    pub fn rest(&mut self) -> Option<Held> {
        self.pop(false)
    }

    /// What waits now.
    pub fn waiting(&self) -> impl Iterator<Item = Rung<'_>> {
        self.waiting.iter().map(Held::rung)
    }

    pub fn is_full(&self) -> bool {
        self.waiting.len() >= self.limit
    }

    fn pop(&mut self, is_crowded_out: bool) -> Option<Held> {
        let mut held = self.waiting.pop_front()?;
        let place = self.gone;
        self.gone += 1;
        if self.places.get(&held.header.number) == Some(&place) {
            self.places.remove(&held.header.number);
        }
        let Header { flow, source, time, .. } = held.header;
        if let Some(failures) = self.failures.get(&(flow, source)) {
            let said = failures.said.iter().find(|(at, _)| time <= *at && *at < held.until);
            held.error = said.map(|(_, what)| what.clone());
        }
        held.is_crowded_out = is_crowded_out;
        Some(held)
    }

    fn held(&mut self, place: u64) -> Option<&mut Held> {
        let index = usize::try_from(place.checked_sub(self.gone)?).ok()?;
        self.waiting.get_mut(index)
    }
}

/// Whether the documents have an answer for a message.
fn asks(entry: &Entry) -> bool {
    static ASKED: LazyLock<Vec<bool>> = LazyLock::new(|| {
        let answered = |asked: &Entry| {
            entries().iter().any(|entry| {
                entry.protocol == asked.protocol && entry.spec.answers.contains(&asked.spec.id)
            })
        };
        entries().iter().map(|entry| answered(entry)).collect()
    });
    let place = entries().iter().position(|known| *known == entry);
    place.and_then(|place| ASKED.get(place).copied()).unwrap_or_default()
}
