//! What a list request asks for, and which servers need not be in the list for that reason.

use codec::{FieldRole, Info, Kind, Node, RawBytes as _, Span};
use protocol::{Reading, harmless};
use text::Secrets;

use crate::host::ServerHost;

/// The parameters of a list request.
#[expect(clippy::struct_excessive_bools, reason = "the keywords of a request")]
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ListRequest {
    protocol: Option<Box<[u8]>>,
    pub gamename: Option<Box<[u8]>>,
    empty: bool,
    full: bool,
    ipv4: bool,
    ipv6: bool,
    /// It is Quake III's, which leaves out empty and full servers by default.
    is_quake3: bool,
    /// It is of a kind that may request IPv6.
    is_extended: bool,
    /// The conditions of a filter that has the names of what servers tell.
    conditions: Vec<FilterCondition>,
    /// Its other filter.
    filter: Option<Box<[u8]>>,
    /// It continues after a server of the packet before.
    goes_on: bool,
    secrets: Secrets,
}

/// A key and the value that it must have.
type FilterCondition = (&'static str, Box<[u8]>);

/// How many conditions of a filter are kept.
const CONDITIONS: usize = 24;
/// Conditions that leave no server out: what a client says of itself, and how the list begins.
const OF_CLIENT: [&str; 7] = ["arch", "branch", "buildnum", "clver", "commit", "key", "os"];

impl ListRequest {
    /// The parameters in the payload of a request with this id.
    pub fn from_reading(reading: &Reading, payload: &[u8], id: &str) -> Self {
        let is_extended = id == "getservers-ext";
        let is_quake3 = is_extended || id == "getservers";
        let mut request = Self { is_quake3, is_extended, ..Self::default() };
        // A filter may be a group of conditions, and those be in groups, which are not judged.
        let all = &reading.spans().all;
        let has_groups =
            all.iter().any(|s| s.node != Node::Leaf && matches!(s.field.name, "nor" | "nand"));
        let is_value = |s: &&Span| s.node == Node::Leaf || s.field.name == "filter" && has_groups;
        let filter = all.iter().find(|s| s.node != Node::Leaf && s.field.name == "filter");
        let conditions = filter.filter(|_| !has_groups).map(|filter| filter.start..filter.end);
        for span in all.iter().filter(is_value) {
            let bytes = reading.bytes(payload, span);
            if conditions.as_ref().is_some_and(|filter| filter.contains(&span.start)) {
                if span.field.kind == Kind::Key || !span.field.is_data() {
                    continue;
                }
                let condition = (span.field.name, span.shape.text(bytes).into());
                if request.conditions.len() < CONDITIONS {
                    request.conditions.push(condition);
                } else {
                    // Which is not judged.
                    request.filter = Some(condition.1);
                }
                continue;
            }
            let text = || Some(span.shape.text(bytes).into());
            match (span.field.role, span.field.name) {
                (FieldRole::Protocol, _) => request.protocol = text(),
                (_, "gamename") => request.gamename = text(),
                (_, "keyword") => request.keyword(bytes),
                (_, "filter" | "fs_game" | "where") if bytes.iter().any(|b| *b != 0) => {
                    request.filter = text();
                }
                (_, "cursor") => request.goes_on |= bytes.iter().any(|b| *b != 0),
                (_, "from") => request.goes_on |= bytes != b"0.0.0.0:0" && !bytes.is_empty(),
                _ => {}
            }
        }
        request
    }

    /// The same; texts show secrets or mask them.
    pub fn showing(self, secrets: Secrets) -> Self {
        Self { secrets, ..self }
    }

    fn keyword(&mut self, word: &[u8]) {
        match word.to_ascii_lowercase().as_slice() {
            b"" | b"demo" => {}
            b"empty" => self.empty = true,
            b"full" => self.full = true,
            b"ipv4" => self.ipv4 = true,
            b"ipv6" => self.ipv6 = true,
            other => self.filter = Some(other.into()),
        }
    }

    /// The part of the filter that cannot be checked for a server.
    pub fn doubt(&self, server: &ServerHost) -> Option<String> {
        let by_players = self.is_quake3 && !(self.empty && self.full);
        let unknown = if self.gamename.is_some() && server.gamename.is_none() {
            "gamename"
        } else if self.protocol.is_some() && server.protocol.is_none() {
            "protocol"
        } else if by_players && (server.players.is_none() || server.max_players.is_none()) {
            "players"
        } else {
            return None;
        };
        Some(format!("it is filtered by {unknown}, which the capture does not tell"))
    }

    /// Why a server need not be in a list that was asked for so.
    pub fn excuse(&self, server: &ServerHost) -> Option<String> {
        let escaped = |text: &[u8]| harmless(text, self.secrets);
        if self.goes_on {
            return Some("it is one part of a list".to_owned());
        }
        if let (Some(requested), Some(own)) = (&self.gamename, &server.gamename)
            && !requested.eq_ignore_ascii_case(own)
        {
            let (requested, own) = (escaped(requested), escaped(own));
            return Some(format!("it asks for servers of {requested}, this is one of {own}"));
        }
        if let (Some(requested), Some(own)) = (&self.protocol, &server.protocol)
            && requested != own
        {
            let (requested, own) = (escaped(requested), escaped(own));
            return Some(format!("it asks for protocol {requested}, the server speaks {own}"));
        }
        if let Some(why) = self.unmet_condition(server) {
            return Some(why);
        }
        let family = match (server.address.is_ipv6(), self.is_extended) {
            (true, false) => Some("this kind of list has IPv4 servers only"),
            (true, true) if self.ipv4 && !self.ipv6 => Some("it asks for IPv4 servers only"),
            (false, true) if self.ipv6 && !self.ipv4 => Some("it asks for IPv6 servers only"),
            _ => None,
        };
        let filters = self.is_quake3;
        let players = match (server.players, server.max_players) {
            (Some(0), _) if filters && !self.empty => {
                Some("it does not ask for empty servers, and nobody is on this one")
            }
            (Some(players), Some(max_players))
                if filters && players >= max_players && !self.full =>
            {
                Some("it does not ask for full servers, and this one is full")
            }
            _ => None,
        };
        if let Some(why) = family.or(players) {
            return Some(why.to_owned());
        }
        let filter = self.filter.as_deref()?;
        Some(format!("it asks only for servers with {}", escaped(filter)))
    }
}

impl ListRequest {
    /// A condition that the server does not meet, or may not meet, by what it told its master. What it
    /// did not mention is 0 for masters.
    fn unmet_condition(&self, server: &ServerHost) -> Option<String> {
        let pairs = server.filtered.as_deref().map(Info::from_raw);
        let conditions = self.conditions.iter().filter(|(key, _)| !OF_CLIENT.contains(key));
        for (key, value) in conditions {
            let own = pairs.map(|pairs| pairs.get(key.as_bytes()).unwrap_or(b"0"));
            if own.is_some_and(|own| own.eq_ignore_ascii_case(value)) {
                continue;
            }
            let escaped = |text: &[u8]| harmless(text, self.secrets);
            let wanted = format!("it asks only for servers with {key} {}", escaped(value));
            return Some(match own {
                Some(own) => format!("{wanted}, this one has {}", escaped(own)),
                None => wanted,
            });
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocols::registry;

    #[test]
    fn of_a_filter_with_many_conditions_the_first_are_kept() {
        let entry = registry().game("half-life").unwrap().protocol;
        let entry = entry.messages.iter().find(|entry| entry.spec.id == "get-region").unwrap();
        for (count, has_filter) in [(1, false), (CONDITIONS, false), (CONDITIONS + 1, true)] {
            let conditions = b"\\map\\a".repeat(count);
            let payload = [&b"1\xff0.0.0.0:0\0"[..], &conditions, b"\0"].concat();
            let mut reading = Reading::default();
            reading.walk(entry, &payload);
            let request = ListRequest::from_reading(&reading, &payload, entry.spec.id);
            assert_eq!(request.conditions.len(), count.min(CONDITIONS));
            assert_eq!(request.filter.is_some(), has_filter);
        }
    }
}
