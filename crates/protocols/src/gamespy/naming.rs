//! The names of queries and replies: made from the joined queries, or from those that are answered.

use super::pairs::bare_final;
use codec::Info;

/// The queries of document 003, and the challenge that a master adds.
/// `packets` is Medal of Honor's.
const QUERIES: [&str; 8] =
    ["basic", "info", "rules", "players", "status", "echo", "secure", "packets"];

/// A table of joined names, a row for each first one.
macro_rules! joined {
    ($($one:literal)+) => { joined!(@ [$($one)+] $($one)+) };
    (@ $all:tt $($one:literal)+) => { [$(joined!(# $one $all)),+] };
    (# $one:literal [$($two:literal)+]) => { [$(concat!($one, "+", $two)),+] };
}

/// Every query joined with every other, in the order of [`QUERIES`].
static JOINED: [[&str; 8]; 8] =
    joined!["basic" "info" "rules" "players" "status" "echo" "secure" "packets"];

/// The name for more than two queries.
const SEVERAL: &str = "queries";

/// Keys of a game's rules, if a reply has more than its name, map and players.
const RULES: [&str; 15] = [
    "AdminEMail",
    "AdminName",
    "changelevels",
    "cpu",
    "connection",
    "fraglimit",
    "gamestyle",
    "listenserver",
    "minplayers",
    "mutators",
    "password",
    "rankedserver",
    "teamplay",
    "timelimit",
    "tournament",
];

pub(super) fn is_query(key: &[u8]) -> bool {
    number_of(key).is_some()
}

fn number_of(key: &[u8]) -> Option<usize> {
    QUERIES.iter().position(|query| query.as_bytes() == key)
}

/// The name of queries in order: of one unchanged, of two joined, of more the common name.
fn join(mut queries: impl Iterator<Item = usize>) -> Option<&'static str> {
    let one = queries.next()?;
    let two = queries.next();
    Some(match (two, queries.next()) {
        (None, _) => QUERIES.get(one)?,
        (Some(two), None) => JOINED.get(one)?.get(two)?,
        (Some(_), Some(_)) => SEVERAL,
    })
}

/// The name of the queries in a message.
pub(super) fn query_name(bytes: &[u8]) -> &'static str {
    let keys = Info::new(bytes).pairs().map(|(key, _)| key);
    join(keys.filter_map(number_of)).unwrap_or(SEVERAL)
}

/// The name of a reply whose query is not known, by its keys. A later part that holds nothing but its end is of a long reply, which that to `status` is.
pub(super) fn reply_name(bytes: &[u8], part: u16) -> &'static str {
    // Behind a bare end mark stands the number of the query alone.
    let bytes = bare_final(bytes).and_then(|end| bytes.get(..end)).unwrap_or(bytes);
    let mut pairs = Info::new(bytes).pairs();
    if part > 1 && pairs.all(|(key, _)| matches!(key, b"final" | b"queryid")) {
        return "status";
    }
    let mut seen = ReplyKeys::default();
    Info::new(bytes).pairs().for_each(|(key, _)| seen.add_key(key));
    let proof = [(seen.echo, "echo"), (seen.validate, "secure")];
    let proof = proof.into_iter().filter(|(there, _)| *there).map(|(_, query)| query);
    let names = seen.answers().into_iter().chain(proof);
    join(names.filter_map(|name| number_of(name.as_bytes()))).unwrap_or("rules")
}

/// Which kinds of keys a reply has.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "seven kinds of keys, each there or not")]
struct ReplyKeys {
    gamename: bool,
    hostname: bool,
    players: bool,
    rules: bool,
    other: bool,
    echo: bool,
    validate: bool,
}

impl ReplyKeys {
    fn add_key(&mut self, key: &[u8]) {
        let digits = key.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let stem = key.get(..key.len() - digits).unwrap_or_default();
        let kind = match key {
            b"gamename" => &mut self.gamename,
            b"hostname" => &mut self.hostname,
            b"echo" | b"echo_reply" => &mut self.echo,
            b"validate" => &mut self.validate,
            b"queryid" | b"final" | b"" => return,
            _ if digits > 0 && (stem.ends_with(b"_") || stem.ends_with(b"_t")) => &mut self.players,
            // All kinds were seen.
            _ if self.rules && self.other => return,
            _ if RULES.iter().any(|rule| rule.as_bytes() == key) => &mut self.rules,
            _ => &mut self.other,
        };
        *kind = true;
    }

    /// The query that is answered beside a proof; none if there is only the proof.
    fn answers(&self) -> Option<&'static str> {
        let proof = self.echo || self.validate;
        match (self.gamename, self.hostname) {
            (true, _) if self.players => Some("status"),
            (true, true) => Some("status"),
            (true, false) => Some("basic"),
            (false, true) if self.players || self.rules => Some("status"),
            (false, true) => Some("info"),
            (false, false) if self.players && !self.rules && !self.other => Some("players"),
            (false, false) if proof && !self.rules && !self.other => None,
            (false, false) => Some("rules"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Reply;
    use super::*;
    use protocol::Message as _;

    #[test]
    fn joined_names_are_those_of_the_queries() {
        for (one, row) in QUERIES.iter().zip(JOINED) {
            for (two, name) in QUERIES.iter().zip(row) {
                assert_eq!(name, format!("{one}+{two}"));
            }
        }
    }

    #[test]
    fn queries_are_named_in_wire_order() {
        for (bytes, name) in [
            (r"\info\", "info"),
            (r"\basic\\secure\wookie", "basic+secure"),
            (r"\players\\info\", "players+info"),
            (r"\basic\\info\\rules\", "queries"),
            (r"\echo\the time is 10:30", "echo"),
            (r"\status\xserverquery", "status"),
            (r"\packets\", "packets"),
        ] {
            assert_eq!(query_name(bytes.as_bytes()), name, "{bytes}");
        }
    }

    #[test]
    fn replies_are_named_by_their_query_else_by_their_keys() {
        for (bytes, name) in [
            (r"\gamename\ut\gamever\451\final\", "basic"),
            (r"\gamename\ut\validate\x\final\", "basic+secure"),
            (r"\gamename\ut\echo\x\final\", "basic+echo"),
            (r"\gamename\ut\player_0\x\queryid\1.1", "status"),
            (r"\gamename\ut\hostname\x\queryid\1.1", "status"),
            (r"\hostname\x\mapname\y\gamever\451", "info"),
            (r"\hostname\x\timelimit\20", "status"),
            (r"\player_0\x\team_t0\Red\queryid\1.2", "players"),
            (r"\timelimit\40\final\", "rules"),
            (r"\echo\x\final\\queryid\1.1", "echo"),
            (r"\final\\queryid\1.1\validate\x", "secure"),
            (r"\queryid\1.1\final\", "rules"),
            (r"\validate\x\final\queryid\8.1", "secure"),
            (r"\echo_reply\x\queryid\1.1\final\", "echo"),
        ] {
            assert_eq!(reply_name(bytes.as_bytes(), 1), name, "{bytes}");
            assert_eq!(Reply::SPEC.name_of(bytes.as_bytes(), Some("queries")), "queries");
        }
    }

    #[test]
    fn the_end_of_a_long_reply_is_of_a_status() {
        for (part, name) in [(1, "rules"), (2, "status")] {
            assert_eq!(reply_name(br"\final\\queryid\4396.2", part), name);
        }
    }
}
