//! The steps of a registration, each with what was seen of it.

use std::net::SocketAddr;

use super::{Listed, Outcome, Stage, Verdict};
use crate::session::exchange::{Exchange, Proof, State, Step, Turn};
use crate::session::findings::Finding;
use crate::session::hosts::Server;

/// How many messages a step names.
const NAMED: usize = 8;

/// A server's way to one master.
pub(super) struct Way<'a> {
    pub server: SocketAddr,
    pub master: SocketAddr,
    pub registrations: Vec<&'a Exchange>,
    pub lists: &'a [Listed],
    pub known: Option<&'a Server>,
}

impl Way<'_> {
    fn steps(&self, turns: &[Turn]) -> impl Iterator<Item = &Step> {
        let all = self.registrations.iter().flat_map(|e| &e.steps);
        all.filter(move |step| turns.contains(&step.turn))
    }

    fn numbers(&self, turns: &[Turn]) -> Vec<u64> {
        self.steps(turns).map(|step| step.number).take(NAMED).collect()
    }

    pub fn heartbeat(&self, _: &[&Finding]) -> Option<Verdict> {
        let messages = self.numbers(&[Turn::Ask, Turn::Again]);
        let count = self.steps(&[Turn::Ask, Turn::Again]).count();
        let (outcome, text) = match count {
            0 => (Outcome::Unknown, format!("no heartbeat to {} was seen", self.master)),
            1 => (Outcome::Passed, format!("one heartbeat to {}", self.master)),
            n => (Outcome::Passed, format!("{n} heartbeats to {}", self.master)),
        };
        Some(Verdict { step: Stage::Heartbeat, outcome, text, messages })
    }

    pub fn arrival(&self, _: &[&Finding]) -> Option<Verdict> {
        let errors: Vec<_> = self.registrations.iter().flat_map(|e| &e.errors).collect();
        let error = errors.first()?;
        let answered = self.registrations.iter().any(|e| e.state == State::Answered);
        let outcome = if answered { Outcome::Passed } else { Outcome::Failed };
        let text = format!("the network says: {} ({} times)", error.what, errors.len());
        let messages = errors.iter().map(|e| e.number).take(NAMED).collect();
        Some(Verdict { step: Stage::Arrival, outcome, text, messages })
    }

    /// Masters of some protocols never ask back.
    pub fn challenge(&self, _: &[&Finding]) -> Option<Verdict> {
        let first = self.registrations.first()?;
        let messages = self.numbers(&[Turn::Query]);
        let refused = self.steps(&[Turn::Refuse]).next();
        let (outcome, text) = match (self.steps(&[Turn::Query]).next(), refused) {
            (_, Some(step)) => {
                (Outcome::Failed, format!("the master refuses it with {}", step.name))
            }
            (Some(step), _) => {
                (Outcome::Passed, format!("the master asks back with {}", step.name))
            }
            _ if first.state == State::Told
                || first.steps.iter().any(|s| s.turn == Turn::Answer) =>
            {
                return None;
            }
            _ => (
                Outcome::Failed,
                "the master did not ask back: it does not know the game, did not get the \
                 heartbeat, or its question did not get here"
                    .to_owned(),
            ),
        };
        let messages = match refused {
            Some(step) => vec![step.number],
            None if messages.is_empty() => self.numbers(&[Turn::Ask, Turn::Again]),
            None => messages,
        };
        Some(Verdict { step: Stage::Challenge, outcome, text, messages })
    }

    pub fn answer(&self, _: &[&Finding]) -> Option<Verdict> {
        let query = self.steps(&[Turn::Query]).next()?;
        let answers = self.numbers(&[Turn::Answer]);
        let both = self.registrations.iter().find_map(|e| {
            let of = |turn| e.steps.iter().find(|step| step.turn == turn);
            Some((of(Turn::Query)?, of(Turn::Answer)?))
        });
        let (outcome, text, messages) = if let Some((query, step)) = both {
            let after = (step.time - query.time) as f64 / 1e6;
            let text = format!("it answers with {} after {after:.1} ms", step.name);
            (Outcome::Passed, text, answers)
        } else {
            let to = query.destination;
            let text = format!("the server did not answer: it was asked on {to}");
            (Outcome::Failed, text, self.numbers(&[Turn::Query]))
        };
        Some(Verdict { step: Stage::Answer, outcome, text, messages })
    }

    pub fn proof(&self, _: &[&Finding]) -> Option<Verdict> {
        self.steps(&[Turn::Answer]).next()?;
        let best = self.registrations.iter().map(|e| e.proof);
        let (outcome, text) = match best.max_by_key(|proof| rank(*proof))? {
            Proof::Right => (Outcome::Passed, "the challenge came back"),
            Proof::Wrong => (Outcome::Failed, "another challenge came back than was sent"),
            Proof::Missing => (Outcome::Failed, "the answer has no challenge"),
            Proof::Unknown => {
                (Outcome::Unknown, "no published key tells whether the proof is right")
            }
            Proof::Awaited | Proof::Unasked => return None,
        };
        let messages = self.numbers(&[Turn::Query, Turn::Answer]);
        Some(Verdict { step: Stage::Proof, outcome, text: text.to_owned(), messages })
    }

    /// What masters demand of the answer beside the challenge.
    pub fn contents(&self, findings: &[&Finding]) -> Option<Verdict> {
        self.steps(&[Turn::Answer]).next()?;
        let ours = |f: &&&Finding| f.subject == self.server && f.rule.id.starts_with("info.");
        let found: Vec<_> = findings.iter().filter(ours).collect();
        let Some(first) = found.first() else {
            let messages = self.numbers(&[Turn::Answer]);
            let text = "the answer has what the documents demand".to_owned();
            return Some(Verdict {
                step: Stage::Contents,
                outcome: Outcome::Passed,
                text,
                messages,
            });
        };
        let texts: Vec<_> = found.iter().map(|f| f.text.as_str()).collect();
        let (text, messages) = (texts.join("; "), first.messages.clone());
        Some(Verdict { step: Stage::Contents, outcome: Outcome::Failed, text, messages })
    }

    pub fn listing(&self, _: &[&Finding]) -> Option<Verdict> {
        let step = Stage::Listing;
        let ours = |list: &&Listed| list.master.ip() == self.master.ip();
        let lists: Vec<_> = self.lists.iter().filter(ours).collect();
        let has = |list: &&&Listed| list.server.is_some_and(|(server, _)| server == self.server);
        if let Some((_, number)) = lists.iter().find(has).and_then(|list| list.server) {
            let count = lists.iter().filter(has).count();
            let text = format!("{count} of {} lists have it", lists.len());
            return Some(Verdict { step, outcome: Outcome::Passed, text, messages: vec![number] });
        }
        if let Some((as_port, number)) = lists.iter().find_map(|list| list.swapped) {
            let text = format!("it is listed as {as_port}: the bytes of its port are swapped");
            return Some(Verdict { step, outcome: Outcome::Failed, text, messages: vec![number] });
        }
        let since = self.steps(&[Turn::Answer]).map(|step| step.time).min();
        let since = since.or_else(|| self.registrations.iter().map(|e| e.first).min());
        let later: Vec<_> =
            lists.iter().filter(|list| since.is_none_or(|since| list.time >= since)).collect();
        let messages: Vec<_> = later.iter().map(|list| list.number).take(NAMED).collect();
        if later.is_empty() {
            let text = "no list of this master was asked for behind that".to_owned();
            return Some(Verdict { step, outcome: Outcome::Unknown, text, messages });
        }
        let why = later.iter().find_map(|list| {
            let reason = list.asked.excludes(self.known?)?;
            Some(format!(": frame {}: {reason}", list.number))
        });
        let lists = match later.len() {
            1 => "one list".to_owned(),
            n => format!("{n} lists"),
        };
        let why = why.unwrap_or_else(|| ", and nothing in the requests tells why".to_owned());
        let text = format!("{lists} behind that, without it{why}");
        Some(Verdict { step, outcome: Outcome::Failed, text, messages })
    }
}

/// Of several registrations the best counts.
fn rank(proof: Proof) -> u8 {
    match proof {
        Proof::Unasked => 0,
        Proof::Awaited => 1,
        Proof::Missing => 2,
        Proof::Wrong => 3,
        Proof::Unknown => 4,
        Proof::Right => 5,
    }
}
