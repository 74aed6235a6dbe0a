//! Masters: their whole lists, the servers on them, and what two lists differ in.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context as _, bail};

use super::QueryArgs;
use super::answers::{AskedAs, AskedTarget, ReadAnswers};
use super::ask::{MasterQuestion, list};
use super::show::{Cells, server_cells};
use crate::cli::notify;
use crate::cli::progress::ProgressBar;
use ::query::{
    AnswerEnd, CrowdLimits, CrowdServer, InterviewOutcome, NamedProtocol, QueryTarget,
    QuestionLimits, ServerInterview, TrafficRecorder, ask_crowd, entry_target,
};
use export::Output;
use flow::Verdict;
use protocol::Confidence;
use protocols::registry;
use simulate::families::ListSelection;
use simulate::{Consent, raise_fd_limit};
use text::counted;

/// How many servers are asked at a time, at most.
const AT_ONCE: usize = 512;

/// What came of the servers on a list.
pub(super) struct Crowd {
    /// From the question to the answer of each server that answered.
    pub answered: BTreeMap<SocketAddr, Duration>,
    /// The servers without an answer, and why.
    pub dead: BTreeMap<SocketAddr, AnswerEnd>,
    /// The servers that are not asked: private addresses on a public list, reserved ports.
    pub refused: BTreeSet<SocketAddr>,
}

impl QueryArgs {
    /// Which servers the lists have: `game=NAME`, `protocol=NUMBER`.
    pub(super) fn selection(&self) -> anyhow::Result<ListSelection> {
        let mut selection = ListSelection::default();
        for word in &self.message {
            match word.split_once('=') {
                Some(("game", game)) => game.clone_into(&mut selection.game),
                Some(("protocol", number)) => {
                    let number = number.parse().with_context(|| format!("{word}: not a number"))?;
                    selection.protocol = Some(number);
                }
                _ => bail!("{word}: a list is selected by game=NAME and protocol=NUMBER"),
            }
        }
        Ok(selection)
    }

    /// Requests the list of the target, and asks the servers on it, if that is wanted.
    pub(super) fn ask_master(
        &self,
        target: &QueryTarget,
        selection: &ListSelection,
        limits: QuestionLimits,
        recorder: &TrafficRecorder,
    ) -> anyhow::Result<(AskedTarget, Option<Crowd>)> {
        let question = MasterQuestion { selection, limits, recorder };
        let asked = list(target, question)?;
        let crowd = match (&asked.list, self.each) {
            (Some(found), true) => {
                let servers: Vec<_> = found.servers.iter().copied().collect();
                Some(self.ask_servers(&asked, target, servers, limits, recorder)?)
            }
            _ => None,
        };
        Ok((asked, crowd))
    }

    /// Asks each server of a list once for its state.
    fn ask_servers(
        &self,
        asked: &AskedTarget,
        target: &QueryTarget,
        servers: Vec<SocketAddr>,
        limits: QuestionLimits,
        recorder: &TrafficRecorder,
    ) -> anyhow::Result<Crowd> {
        let AskedAs::Master(kind) = asked.subject else { bail!("only masters have lists") };
        // Whether the servers may be asked follows from the master, which the user named.
        let consent = Consent { authorized: true, rate: None };
        let (mut refused, mut members) = (BTreeSet::new(), Vec::new());
        let (mut entries, wanted) = (BTreeMap::new(), self.wanted());
        for entry in servers {
            let found = entry_target(entry, &target.target, consent, kind.servers.port_above);
            let Some(of_entry) = found else {
                refused.insert(entry);
                continue;
            };
            entries.insert(of_entry.at(0), entry);
            let interview = ServerInterview::new(kind.servers, &wanted, limits);
            members.push(CrowdServer { target: of_entry, interview });
        }
        let at_once = raise_fd_limit(members.len().min(AT_ONCE)).min(AT_ONCE);
        let (count, done) = (members.len() as u64, Arc::new(AtomicU64::new(0)));
        let position = Arc::clone(&done);
        let progress =
            ProgressBar::show("{wide_bar} {pos} of {len} servers", Some(count), move || {
                position.load(Ordering::Relaxed)
            });
        let mut crowd = Crowd { answered: BTreeMap::new(), dead: BTreeMap::new(), refused };
        let limits = CrowdLimits { rate: self.rate, at_once: at_once.max(1) };
        ask_crowd(members, limits, recorder, |at, outcome| {
            done.fetch_add(1, Ordering::Relaxed);
            crowd.add(at, &outcome);
        })?;
        drop(progress);
        Ok(crowd)
    }

    /// Requests the list of another master, and writes what only one of the two lists has. Returns
    /// whether they are equal; `None` if one did not come.
    pub(super) fn compare(
        &self,
        asked: &AskedTarget,
        other: &QueryTarget,
        question: MasterQuestion<'_>,
        out: &mut Output,
    ) -> anyhow::Result<Option<bool>> {
        let second = list(other, question)?;
        let (Some(first), Some(found)) = (&asked.list, &second.list) else {
            notify(&if asked.list.is_none() { asked.failure() } else { second.failure() });
            return Ok(None);
        };
        let both = first.servers.intersection(&found.servers).count() as u64;
        writeln!(out, "{} on both lists", counted(both, "server"))?;
        for (name, only) in [
            (self.target.as_str(), first.servers.difference(&found.servers)),
            (other.target.name(), found.servers.difference(&first.servers)),
        ] {
            let only: Vec<_> = only.collect();
            if !only.is_empty() {
                writeln!(out, "{} only on that of {name}:", counted(only.len() as u64, "server"))?;
            }
            for server in &only {
                writeln!(out, "  {server}")?;
            }
        }
        Ok(Some(first.servers == found.servers && first.is_whole && found.is_whole))
    }
}

impl Crowd {
    fn add(&mut self, at: SocketAddr, outcome: &InterviewOutcome) {
        let answer = outcome.state();
        let end = answer.and_then(|answer| answer.end).unwrap_or(AnswerEnd::Unreachable);
        match answer.and_then(|answer| answer.latency).filter(|_| end.is_answer()) {
            Some(latency) => _ = self.answered.insert(at, latency),
            None => _ = self.dead.insert(at, end),
        }
    }

    /// Writes the servers that answered, with most players first, and what is wrong with the list.
    pub fn write(
        &self,
        asked: &AskedTarget,
        answers: &ReadAnswers,
        selected: impl Fn(SocketAddr) -> bool,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        let hosts = answers.analyzer.hosts();
        let mut servers: Vec<_> = self.answered.iter().filter(|(at, _)| selected(**at)).collect();
        let players = |at: &SocketAddr| hosts.server(*at).and_then(|server| server.players);
        servers.sort_by_key(|(at, _)| (std::cmp::Reverse(players(at)), **at));
        let mut rows = Cells::new(&["address", "players", "map", "ping", "game", "name"]);
        for (at, latency) in &servers {
            rows.add(server_cells(**at, hosts.server(**at), Some(**latency)));
        }
        rows.write(out)?;
        let listed = asked.list.as_ref().map_or(0, |list| list.servers.len()) as u64;
        let (alive, dead) = (self.answered.len() as u64, self.dead.len() as u64);
        writeln!(out, "\n{} listed, {alive} answered, {dead} did not", counted(listed, "server"))?;
        for (at, end) in &self.dead {
            writeln!(out, "{at}  listed, and {}", end.text())?;
        }
        for at in &self.refused {
            writeln!(out, "{at}  not asked: it is not as near as its master, or no game's port")?;
        }
        for (at, _) in &servers {
            let verdict = hosts.server(**at).and_then(|server| server.verdict);
            if let Some(other) = verdict.and_then(|verdict| other_game(asked, verdict)) {
                writeln!(out, "{at}  listed as a server of another game: it is one of {other}")?;
            }
        }
        Ok(())
    }

    /// Whether something is wrong with the list.
    pub fn has_fault(&self) -> bool {
        !self.dead.is_empty() || !self.refused.is_empty()
    }
}

/// The game of a listed server, if it is certain and not one of its master.
fn other_game(asked: &AskedTarget, verdict: Verdict) -> Option<&'static str> {
    let AskedAs::Master(kind) = asked.subject else { return None };
    let named = match asked.named {
        Some(NamedProtocol::Game(game)) => Some(game),
        _ => registry().game(kind.profile),
    };
    let of_master = named?.protocol;
    let is_certain = verdict.confidence >= Confidence::Certain;
    let is_other = !of_master.games.contains(&verdict.game);
    (is_certain && is_other).then_some(verdict.game.title)
}
