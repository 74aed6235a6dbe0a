//! The filter of a list request: conditions as keys and values, and groups of them.
//!
//! `\nor\N` and `\nand\N` make a group of the next N conditions. How groups stand in groups no
//! document says; here a group in a group counts as one condition.

use std::iter;

use super::super::{NO_YES, Values};
use codec::{Field, FieldRole, Group, Keys, Kind, Parts, RawBytes, Shape, Sink, View, ViewLayout};

/// The conditions of a filter, as they were sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RegionFilter<'a> {
    raw: &'a [u8],
}

/// How deep groups are shown in groups; a deeper one is a condition.
const DEEPEST: usize = 8;

static KEY: Field = Field::new("key", Kind::Key, "the name of the value that follows");
static BACKSLASH: Field = Field::separator("backslash", "parts a filter");
static WORD: Field = Field::new("group", Kind::Command, "begins a group of conditions");
static COUNT: Field =
    Field::number("conditions", "how many of the next conditions are in the group");
static NOR: Field = Field::group("nor", "servers for which none of these conditions holds");
static NAND: Field = Field::group("nand", "servers for which not all of these conditions hold");

static ASKED: Values = &[("1", "only such servers")];
static LEFT_OUT: Values = &[("1", "they are left out")];

/// The keys of conditions: those of Steam's master, and those of Xash3D's clients and master.
pub static FILTER_KEYS: Keys = Keys::new(
    &[
        Field::number("appid", "servers of this application of Steam"),
        Field::text("arch", "the client's kind of processor; Xash3D's"),
        Field::number("bots", "whether servers where only programs play; Xash3D's").values(NO_YES),
        Field::text("branch", "which branch the client was built of; Xash3D's"),
        Field::number("buildnum", "the number of the client's build; Xash3D's"),
        Field::text("clver", "the client's version; Xash3D's"),
        Field::number("collapse_addr_hash", "one server of each address").values(ASKED),
        Field::text("commit", "which commit the client was built of; Xash3D's"),
        Field::number("dedicated", "servers on which nobody plays themselves").values(ASKED),
        Field::number("empty", "servers without players").values(LEFT_OUT),
        Field::number("full", "servers without a free place").values(LEFT_OUT),
        Field::text("gameaddr", "servers with this address, with a port or without")
            .role(FieldRole::Address),
        Field::text("gamedata", "servers with all of these hidden tags, with commas between")
            .role(FieldRole::Free),
        Field::text("gamedataor", "servers with any of these hidden tags, with commas between")
            .role(FieldRole::Free),
        Field::text("gamedir", "servers of the modification in this folder"),
        Field::text("gametype", "servers with all of these tags, with commas between")
            .role(FieldRole::Free),
        Field::text("key", "what the list begins with, in hex; Xash3D's")
            .role(FieldRole::Challenge),
        Field::number("lan", "servers for their own network only; Xash3D's").values(NO_YES),
        Field::number("linux", "servers that run on Linux").values(ASKED),
        Field::text("map", "servers that play this map"),
        Field::text("name_match", "servers with this name; a star stands for any characters")
            .role(FieldRole::Name),
        Field::number("napp", "servers of any application of Steam but this one"),
        Field::number("nat", "servers behind NAT too; Xash3D's").values(NO_YES),
        Field::number("noplayers", "servers without players").values(ASKED),
        Field::text("os", "the client's system; Xash3D's"),
        Field::number("password", "0: servers that need no password").role(FieldRole::Secret),
        Field::number("protocol", "servers with this number of the network protocol; Xash3D's"),
        Field::number("proxy", "servers that relay a game to spectators").values(ASKED),
        Field::number("region", "servers of this region, as in front of the filter"),
        Field::number("secure", "servers that look for cheats").values(ASKED),
        Field::text("version_match", "servers of this version; a star stands for any characters"),
        Field::number("white", "servers that Valve has put on its list").values(ASKED),
    ],
    &[],
);

/// The groups of the conditions that are open: how many more belong to each.
#[derive(Default)]
struct OpenGroups {
    left: [u32; DEEPEST],
    depth: usize,
}

impl OpenGroups {
    /// Opens a group of so many conditions; false if groups are too deep.
    fn open(&mut self, conditions: u32) -> bool {
        let Some(left) = self.left.get_mut(self.depth) else {
            return false;
        };
        *left = conditions;
        self.depth += 1;
        true
    }

    /// A condition ends; returns how many groups end with it.
    fn condition(&mut self) -> usize {
        if let Some(left) = self.last() {
            *left = left.saturating_sub(1);
        }
        self.whole()
    }

    /// Closes the groups that have all of their conditions, each a condition of the group around it;
    /// returns how many.
    fn whole(&mut self) -> usize {
        let mut closed = 0;
        while self.last().is_some_and(|left| *left == 0) {
            self.depth -= 1;
            closed += 1;
            if let Some(left) = self.last() {
                *left = left.saturating_sub(1);
            }
        }
        closed
    }

    fn last(&mut self) -> Option<&mut u32> {
        self.left.get_mut(self.depth.checked_sub(1)?)
    }
}

impl<'a> RegionFilter<'a> {
    /// The filter with these bytes.
    pub fn new(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    /// Its bytes.
    pub fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// The keys and values, those that begin groups included.
    pub fn pairs(self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        let mut left = self.raw.strip_prefix(b"\\").unwrap_or(self.raw);
        iter::from_fn(move || {
            let (key, behind) = (!left.is_empty()).then(|| part(left))?;
            let (value, rest) = behind.map_or((&[][..], None), part);
            left = rest.unwrap_or_default();
            Some((key, value))
        })
    }

    /// The value of a condition that stands in no group.
    pub fn ungrouped(self, wanted: &[u8]) -> Option<&'a [u8]> {
        let mut groups = OpenGroups::default();
        let mut pairs = self.pairs();
        pairs.find_map(|(key, value)| {
            if group(key, value).is_some_and(|(_, count)| groups.open(count)) {
                groups.whole();
                return None;
            }
            let is_wanted = groups.depth == 0 && key == wanted;
            groups.condition();
            is_wanted.then_some(value)
        })
    }

    /// Whether a server is to be listed: `holds` says of each condition whether it holds for the
    /// server; `None` where nobody can say, and then the condition is left out.
    pub fn lists(self, holds: impl Fn(&[u8], &[u8]) -> Option<bool>) -> bool {
        let mut groups = OpenGroups::default();
        let mut found = vec![GroupResult::default()];
        for (key, value) in self.pairs() {
            let group = group(key, value).filter(|(_, count)| groups.open(*count));
            let ended = if let Some((field, _)) = group {
                found.push(GroupResult {
                    is_nor: std::ptr::eq(field, &raw const NOR),
                    ..GroupResult::default()
                });
                groups.whole()
            } else {
                if let Some(inner) = found.last_mut() {
                    inner.add_term(holds(key, value));
                }
                groups.condition()
            };
            (0..ended).for_each(|_| end_group(&mut found));
        }
        while found.len() > 1 {
            end_group(&mut found);
        }
        found.first().is_some_and(|all| !all.fails)
    }
}

/// What the conditions of a group have given so far.
#[derive(Default)]
struct GroupResult {
    is_nor: bool,
    holds: bool,
    fails: bool,
}

impl GroupResult {
    fn add_term(&mut self, holds: Option<bool>) {
        self.holds |= holds == Some(true);
        self.fails |= holds == Some(false);
    }

    /// Whether the group holds as one condition; `None` if none of its conditions counts.
    fn whole(&self) -> Option<bool> {
        let counts = self.holds || self.fails;
        counts.then_some(if self.is_nor { !self.holds } else { self.fails })
    }
}

/// The innermost group is a condition of the one around it.
fn end_group(found: &mut Vec<GroupResult>) {
    let inner = found.pop();
    if let (Some(inner), Some(around)) = (inner, found.last_mut()) {
        around.add_term(inner.whole());
    }
}

/// The part up to the next backslash, and what follows that; no rest without a backslash.
fn part(bytes: &[u8]) -> (&[u8], Option<&[u8]>) {
    match bytes.iter().position(|b| *b == b'\\').and_then(|at| bytes.split_at_checked(at)) {
        Some((part, rest)) => (part, rest.get(1..)),
        None => (bytes, None),
    }
}

/// The group that a key and its value begin, and how many conditions it has.
fn group(key: &[u8], value: &[u8]) -> Option<(&'static Field, u32)> {
    let field = [&NOR, &NAND].into_iter().find(|field| field.is_called(key))?;
    let is_number = value.iter().all(u8::is_ascii_digit);
    let count = std::str::from_utf8(value).ok().filter(|_| is_number)?.parse().ok()?;
    Some((field, count))
}

impl<'a> RawBytes<'a> for RegionFilter<'a> {
    fn from_raw(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    fn raw(&self) -> &'a [u8] {
        self.raw
    }
}

impl<'a> View<'a> for RegionFilter<'a> {
    type Form = ();
    const GROUP: Group = Group::Pairs;

    fn len(all: &'a [u8], (): ()) -> usize {
        all.iter().position(|byte| *byte == 0).unwrap_or(all.len())
    }

    fn parts<S: Sink>(&self, (): (), out: &mut Parts<'_, '_, S>) {
        let mut left = self.raw;
        let mut lead = 0;
        if let Some(behind) = left.strip_prefix(b"\\") {
            (left, lead) = (behind, 1);
        }
        let mut groups = OpenGroups::default();
        while !left.is_empty() {
            let (key, behind) = part(left);
            let (value, rest) = behind.map_or((&[][..], None), part);
            let group = group(key, value).filter(|(_, count)| groups.open(*count));
            if let Some((field, _)) = group {
                out.open(field, Group::Pairs);
            }
            out.gap(&BACKSLASH, Shape::Text, lead);
            let is_group = group.is_some();
            out.leaf(if is_group { &WORD } else { &KEY }, Shape::Text, key.len());
            if behind.is_some() {
                out.gap(&BACKSLASH, Shape::Text, 1);
                let field = if is_group { &COUNT } else { FILTER_KEYS.resolve(key) };
                out.leaf(field, Shape::Text, value.len());
            }
            let ended = if is_group { groups.whole() } else { groups.condition() };
            (0..ended).for_each(|_| out.close());
            (left, lead) = (rest.unwrap_or_default(), usize::from(rest.is_some()));
        }
        // A backslash at the end belongs to no condition.
        out.gap(&BACKSLASH, Shape::Text, lead);
        (0..groups.depth).for_each(|_| out.close());
    }

    fn layout((): ()) -> ViewLayout {
        ViewLayout::Infostring { stop: b"\0", before: b"" }
    }

    fn fields((): (), each: &mut dyn FnMut(&'static Field)) {
        [&COUNT, &NOR, &NAND].into_iter().chain(FILTER_KEYS.iter()).for_each(each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a server with the map `a` and the version `1`, of which nobody can say whether it is white.
    fn lists(filter: &str) -> bool {
        RegionFilter::new(filter.as_bytes()).lists(|key, value| match key {
            b"map" => Some(value == b"a"),
            b"version_match" => Some(value == b"1"),
            _ => None,
        })
    }

    #[test]
    fn conditions_and_groups_hold_or_not() {
        for (filter, is_listed) in [
            ("", true),
            (r"\map\a", true),
            (r"\map\b", false),
            (r"map\a\", true),
            (r"\white\1", true),
            (r"\map\a\version_match\2", false),
            (r"\nor\1\map\a", false),
            (r"\nor\1\map\b", true),
            (r"\nor\2\map\b\version_match\1", false),
            (r"\nor\1\map\b\version_match\2", false),
            (r"\nand\2\map\a\version_match\1", false),
            (r"\nand\2\map\a\version_match\2", true),
            (r"\nor\2\white\1\map\b", true),
            (r"\nor\1\white\1", true),
            (r"\nor\0\map\a", true),
            // A group in a group is one of its conditions.
            (r"\nor\1\nand\2\map\a\version_match\1", true),
            (r"\nor\2\nor\1\map\a\version_match\2", true),
            (r"\nor\2\nor\1\map\b\version_match\2", false),
            // Too few conditions.
            (r"\nand\9\map\a", false),
            (r"\nor\x\map\a", true),
        ] {
            assert_eq!(lists(filter), is_listed, "{filter}");
        }
    }

    #[test]
    fn only_what_stands_alone_is_ungrouped() {
        let filter = RegionFilter::new(br"\nor\1\map\a\map\b");
        assert_eq!(filter.ungrouped(b"map"), Some(&b"b"[..]));
        let filter = RegionFilter::new(br"\nor\2\nand\1\map\a\map\b");
        assert_eq!(filter.ungrouped(b"map"), None);
    }
}
