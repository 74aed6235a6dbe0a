//! Which servers a list request asks for: those of a region for which its conditions hold (document
//! 007). Conditions of which nobody can say whether they hold are left out: no server says what they
//! ask for.

use std::net::{IpAddr, SocketAddr};

use crate::{Defect, Defects, ListKey, Load};
use codec::Info;
use protocols::half_life::RegionFilter;
use simulate::families::source::messages::app;

/// The region of all servers, and of servers that are for all regions.
const EVERYWHERE: u8 = 0xff;
/// What is kept of a server's values, because conditions ask for it, and how much of each.
const KEPT: [&[u8]; 10] = [
    b"gamedir",
    b"gametype",
    b"hostname",
    b"map",
    b"os",
    b"protocol",
    b"proxy",
    b"region",
    b"secure",
    b"version",
];
const LONGEST: usize = 127;
const TYPE: &[u8] = b"type";
/// The conditions that Xash3D's master knows of those that this one does.
const XASH: [&[u8]; 3] = [b"gamedir", b"empty", b"full"];

/// What a request asks for.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    region: u8,
    filter: RegionFilter<'a>,
    is_xash: bool,
    defects: Defects,
}

/// The values of a server that conditions ask for, as an infostring.
pub(super) fn details(info: Info<'_>) -> Box<[u8]> {
    let mut kept = Vec::new();
    for key in KEPT.into_iter().chain([TYPE]) {
        if let Some(value) = info.get(key) {
            let value = value.get(..LONGEST).unwrap_or(value);
            kept.extend([b"\\", key, b"\\", value].concat());
        }
    }
    kept.into()
}

impl<'a> Asked<'a> {
    pub fn new(region: u8, filter: RegionFilter<'a>, defects: Defects) -> Self {
        let region = if defects.has(Defect::IgnoresRegion) { EVERYWHERE } else { region };
        Self { region, filter, is_xash: false, defects }
    }

    /// All servers.
    pub fn all(defects: Defects) -> Self {
        Self::new(EVERYWHERE, RegionFilter::default(), defects)
    }

    /// The servers of a request of Xash3D's clients.
    pub fn by_xash(filter: RegionFilter<'a>, defects: Defects) -> Self {
        Self { is_xash: true, ..Self::new(EVERYWHERE, filter, defects) }
    }

    /// The modification that all of them have.
    pub fn game(self) -> Option<&'a [u8]> {
        self.filter.ungrouped(b"gamedir")
    }

    /// Whether servers of this kind are among them.
    pub fn includes(self, kind: &ListKey) -> bool {
        let holds = |key: &[u8], value: &[u8]| {
            let is_known = !self.is_xash || XASH.contains(&key);
            holds(self.defects, kind, key, value).filter(|_| is_known)
        };
        is_in(self.region, Info::new(&kind.details))
            && if self.defects.has(Defect::UngroupedConditions) {
                self.filter.pairs().all(|(key, value)| holds(key, value) != Some(false))
            } else {
                self.filter.lists(holds)
            }
    }

    /// Leaves only the servers in that conditions on addresses ask for.
    pub fn keep(self, found: &mut Vec<SocketAddr>) {
        if self.is_xash || self.defects.has(Defect::IgnoresFilter) {
            return;
        }
        if let Some(wanted) =
            self.filter.ungrouped(b"gameaddr").and_then(|a| str::from_utf8(a).ok())
        {
            let (ip, whole) = (wanted.parse::<IpAddr>().ok(), wanted.parse::<SocketAddr>().ok());
            found.retain(|server| ip == Some(server.ip()) || whole == Some(*server));
        }
        if self.filter.ungrouped(b"collapse_addr_hash") == Some(b"1") {
            let mut seen = std::collections::HashSet::new();
            found.retain(|server| seen.insert(server.ip()));
        }
    }
}

/// Whether a server is of a region. One that names none, or all, is of every region.
fn is_in(region: u8, server: Info<'_>) -> bool {
    let own = server.get(b"region").and_then(|own| str::from_utf8(own).ok()?.parse().ok());
    let own = own.unwrap_or(EVERYWHERE);
    [region, own].contains(&EVERYWHERE) || own == region
}

/// Whether a condition holds for servers of this kind; `None` if nobody can say.
fn holds(defects: Defects, kind: &ListKey, key: &[u8], value: &[u8]) -> Option<bool> {
    let server = Info::new(&kind.details);
    let own = |key: &[u8]| server.get(key).unwrap_or_default();
    // Of these, only one value is documented.
    let if_asked = |holds: bool| (value == b"1").then_some(holds);
    if key == b"gamedir" {
        return (!defects.has(Defect::IgnoresGame)).then_some(own(key) == value);
    }
    if defects.has(Defect::IgnoresFilter) {
        return None;
    }
    match key {
        b"map" => Some(own(key) == value),
        b"appid" | b"napp" => {
            let is_older = matches!(own(b"protocol"), b"46" | b"47" | b"48");
            let is_it = app(own(b"gamedir"), is_older).is_some_and(|app| app.as_bytes() == value);
            Some(is_it == (key == b"appid"))
        }
        b"dedicated" => if_asked(own(TYPE).eq_ignore_ascii_case(b"d")),
        b"proxy" => if_asked(own(TYPE).eq_ignore_ascii_case(b"p") || own(key) == b"1"),
        b"secure" => if_asked(own(key) == b"1"),
        b"linux" => if_asked(own(b"os").eq_ignore_ascii_case(b"l")),
        b"empty" => if_asked(kind.load != Load::Empty),
        b"full" => if_asked(kind.load != Load::Full),
        b"noplayers" => if_asked(kind.load == Load::Empty),
        b"password" if defects.has(Defect::IgnoresPassword) => None,
        b"password" => (value == b"0").then_some(!kind.password),
        b"gametype" if defects.has(Defect::IgnoresGametype) => None,
        b"gametype" => {
            let mut wanted = value.split(|b| *b == b',').filter(|tag| !tag.is_empty());
            Some(wanted.all(|tag| own(key).split(|b| *b == b',').any(|own| own == tag)))
        }
        b"name_match" => Some(fits(value, own(b"hostname"))),
        b"version_match" => Some(fits(value, own(b"version"))),
        b"region" => {
            let region = str::from_utf8(value).ok()?.parse().ok()?;
            Some(is_in(region, server))
        }
        _ => None,
    }
}

/// Whether a text has this pattern, in which a star stands for any characters.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let mut parts = pattern.split(|b| *b == b'*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let found =
            (0..=rest.len()).find(|at| rest.get(*at..).is_some_and(|r| r.starts_with(part)));
        let Some(behind) = found.and_then(|at| rest.get(at + part.len()..)) else { return false };
        rest = behind;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(region: u8, filter: &str) -> bool {
        let server = br"\gamedir\tf\map\ctf_2fort\type\d\secure\1\os\l\protocol\17\region\3\gametype\alltalk,cp\version\1.2.3";
        let kind = ListKey {
            load: Load::Empty,
            details: details(Info::new(server)),
            ..ListKey::from_address(SocketAddr::from(([192, 0, 2, 1], 27015)))
        };
        let filter = RegionFilter::new(filter.as_bytes());
        Asked::new(region, filter, Defects::default()).includes(&kind)
    }

    #[test]
    fn conditions_hold_or_not() {
        for (filter, is_listed) in [
            (r"\gamedir\tf\map\ctf_2fort", true),
            (r"\gamedir\cstrike", false),
            (r"\appid\440", true),
            (r"\appid\10", false),
            (r"\napp\440", false),
            (r"\napp\500", true),
            (r"\dedicated\1\secure\1\linux\1\noplayers\1\full\1\password\0", true),
            (r"\dedicated\0\secure\0", true),
            (r"\proxy\1", false),
            (r"\empty\1", false),
            (r"\gametype\cp", true),
            (r"\gametype\cp,alltalk,", true),
            (r"\gametype\cp,none", false),
            (r"\version_match\1.*", true),
            (r"\version_match\*.2.*3", true),
            (r"\version_match\2*", false),
            (r"\name_match\*", true),
            (r"\name_match\*lab*", false),
            (r"\region\3", true),
            (r"\region\4", false),
            (r"\nor\2\map\cp_dustbowl\noplayers\1", false),
            (r"\nand\2\map\ctf_2fort\empty\1", true),
            (r"\white\1\gamedata\x", true),
        ] {
            assert_eq!(lists(EVERYWHERE, filter), is_listed, "{filter}");
        }
        assert!(lists(3, "") && !lists(4, ""));
    }

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, text, is_it) in [
            ("", "", true),
            ("", "a", false),
            ("*", "", true),
            ("a*", "abc", true),
            ("*c", "abc", true),
            ("a*c", "ac", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*a", "a", false),
            ("**", "x", true),
            ("*b*", "abc", true),
            ("*d*", "abc", false),
        ] {
            assert_eq!(fits(pattern.as_bytes(), text.as_bytes()), is_it, "{pattern} {text}");
        }
    }
}
