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
use protocol::{Confidence, Game, Pattern, SignatureSource};
use protocols::registry;
use simulate::families::ListSelection;
use simulate::{Consent, raise_fd_limit};
use text::counted;

/// How many servers are asked at a time, at most.
const AT_ONCE: usize = 512;

/// What came of the servers on a list.
#[derive(Default)]
pub(super) struct Crowd {
    /// The name of the game whose servers were requested; empty: of all.
    game: String,
    /// From the question to the answer of each server that answered.
    answered: BTreeMap<SocketAddr, Duration>,
    /// The servers without an answer, and why.
    dead: BTreeMap<SocketAddr, AnswerEnd>,
    /// The servers that are not asked: private addresses on a public list, reserved ports.
    refused: BTreeSet<SocketAddr>,
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
                let game = selection.game.clone();
                let mut crowd = Crowd { game, ..Crowd::default() };
                self.ask_servers(&mut crowd, &asked, target, servers, question)?;
                Some(crowd)
            }
            _ => None,
        };
        Ok((asked, crowd))
    }

    /// Asks each server of a list once for its state.
    fn ask_servers(
        &self,
        crowd: &mut Crowd,
        asked: &AskedTarget,
        target: &QueryTarget,
        servers: Vec<SocketAddr>,
        MasterQuestion { limits, recorder, .. }: MasterQuestion<'_>,
    ) -> anyhow::Result<()> {
        let AskedAs::Master(kind) = asked.subject else { bail!("only masters have lists") };
        // Whether the servers may be asked follows from the master, which the user named.
        let consent = Consent { authorized: true, rate: None };
        let mut members = Vec::new();
        let (mut entries, wanted) = (BTreeMap::new(), self.wanted());
        for entry in servers {
            let found = entry_target(entry, &target.target, consent, kind.servers.port_above);
            let Some(of_entry) = found else {
                crowd.refused.insert(entry);
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
        let limits = CrowdLimits { rate: self.rate, at_once: at_once.max(1) };
        ask_crowd(members, limits, recorder, |at, outcome| {
            done.fetch_add(1, Ordering::Relaxed);
            crowd.add(at, &outcome);
        })?;
        drop(progress);
        Ok(())
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
            if let Some(other) = verdict.and_then(|verdict| self.other_game(asked, verdict)) {
                writeln!(out, "{at}  listed as a server of another game: it is one of {other}")?;
            }
        }
        Ok(())
    }

    /// Whether something is wrong with the list.
    pub fn has_fault(&self) -> bool {
        !self.dead.is_empty() || !self.refused.is_empty()
    }

    /// The game of a listed server, if it is certain, and not one of its master, or not the one that
    /// was requested by its name.
    fn other_game(&self, asked: &AskedTarget, verdict: Verdict) -> Option<&'static str> {
        let Verdict { game, confidence } = verdict;
        let is_other = is_of_no_master(asked, game)? || is_not_named(game, &self.game);
        (confidence >= Confidence::Certain && is_other).then_some(game.title)
    }
}

/// Whether a game is none of those of the master that was asked; `None` if that is not known.
fn is_of_no_master(asked: &AskedTarget, game: &Game) -> Option<bool> {
    let AskedAs::Master(kind) = asked.subject else { return None };
    let named = match asked.named {
        Some(NamedProtocol::Game(game)) => Some(game),
        _ => registry().game(kind.profile),
    };
    Some(!named?.protocol.games.contains(&game))
}

/// Whether lists name another game of the protocol so, and never this one, whose names are known.
fn is_not_named(game: &Game, name: &str) -> bool {
    let is_name = |known: &&str| known.eq_ignore_ascii_case(name);
    let mut others = game.protocol.games.iter().filter(|other| **other != game);
    let mut own = list_names(game).peekable();
    own.peek().is_some()
        && !own.any(|known| is_name(&known))
        && others.any(|other| list_names(other).any(|known| is_name(&known)))
}

/// The names under which lists certainly have the servers of a game.
fn list_names(game: &Game) -> impl Iterator<Item = &'static str> {
    let certain = game.signatures.iter().filter(|one| one.confidence >= Confidence::Certain);
    certain.flat_map(|signature| match &signature.source {
        SignatureSource::Field("gamename", Pattern::Is(names)) => names.iter().copied(),
        _ => [].iter().copied(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_of_another_game_if_both_have_names_in_lists() {
        for (game, name, is_other) in [
            ("tremulous", "Tremulous", false),
            ("tremulous", "warsow", true),
            ("tremulous", "", false),
            ("tremulous", "AGameThatNobodyKnows", false),
            ("openarena", "Quake3Arena", false),
            ("quake3", "et", true),
            // Its names in lists are not known.
            ("jedi-academy", "basejka", false),
            ("urban-terror", "et", false),
        ] {
            let found = registry().game(game).unwrap_or_else(|| panic!("{game}"));
            assert_eq!(is_not_named(found, name), is_other, "{game} {name}");
        }
    }
}
