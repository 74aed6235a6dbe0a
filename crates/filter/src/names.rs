//! Every name of the language: its spelling, type, meaning, and the source of its values.
//! Evaluation, completion and `docs/reference/filter-names.md` use this one table.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::FIELD;
use super::fields::{self, WantedField};
use super::known::{FUTURE, KnownName, PLAIN, id};
use super::parse::is_plain;
use super::quote::quoted;
use super::source::Source;
use protocols::registry;
use text::named;

/// A name of the language.
#[derive(Debug, Clone)]
#[expect(clippy::struct_field_names, reason = "its name is what it is")]
pub struct Name {
    /// As it is written: `udp.port`, `quake3.getservers`, `field.sv_maxclients`.
    pub name: Cow<'static, str>,
    pub kind: ValueType,
    /// Its type in words: `number`, for a field perhaps `number or text`.
    pub holds: Cow<'static, str>,
    /// What it means, in a line.
    pub meaning: Cow<'static, str>,
    pub(super) source: Source,
}

named! {
    /// The type of a name's values, which decides what they may be compared with.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ValueType {
        /// Present or not; it has no value.
        Flag = "flag",
        Number = "number",
        /// A number from 0 to 65535.
        Port = "port",
        Time = "time",
        Duration = "duration",
        Text = "text",
        /// Bytes, as the payload.
        Bytes = "bytes",
        /// One of a few texts.
        Choice = "choice",
        /// One of a few texts that are ordered.
        Rank = "rank",
        /// An IP address.
        Address = "address",
        /// An IP address and a port.
        End = "end",
        /// A field of a message, which may be a number in one message and a text in another.
        Field = "field",
    }
}

/// The name that stands for every field.
pub(super) const ANY: &str = "any";

/// A section of `docs/reference/filter-names.md`.
pub(super) struct Section {
    pub title: &'static str,
    pub about: &'static str,
    pub names: Vec<Name>,
}

static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(sections);
static BY_NAME: LazyLock<BTreeMap<String, &'static Name>> = LazyLock::new(|| {
    let lower = |name: &'static Name| (name.name.to_ascii_lowercase(), name);
    // Of two with the same name, the first counts: a protocol, not the game named like it.
    names().rev().map(lower).collect()
});

/// Every name, in the order of the page.
pub fn names() -> impl DoubleEndedIterator<Item = &'static Name> {
    SECTIONS.iter().flat_map(|section| &section.names)
}

/// Every name of the language as it is written.
pub fn spellings() -> impl Iterator<Item = &'static str> {
    names().map(|name| &*name.name)
}

/// Every name that can be a column, and its meaning.
pub fn column_names() -> impl Iterator<Item = (String, &'static str)> {
    let is_value = |name: &&Name| name.kind != ValueType::Flag;
    names().filter(is_value).map(|name| (name.name.to_string(), &*name.meaning))
}

pub(super) fn page_sections() -> &'static [Section] {
    &SECTIONS
}

/// The name of this spelling, ignoring case.
pub(super) fn find(name: &str) -> Option<&'static Name> {
    BY_NAME.get(&name.to_ascii_lowercase()).copied()
}

/// The protocol of this spelling, which stands alone, ignoring case: it may have the name of a value
/// that every message has, as `source`.
pub(super) fn protocol(name: &str) -> Option<Source> {
    let mut protocols = registry().protocols().iter();
    let found = protocols.find(|protocol| protocol.id.eq_ignore_ascii_case(name))?;
    Some(Source::IsProtocol(found.id))
}

/// A field's name as filters spell it.
pub(super) fn written(field: &str) -> Cow<'_, str> {
    if is_plain(field) { field.into() } else { quoted(field).into() }
}

fn sections() -> Vec<Section> {
    let plain = |table: &'static [KnownName]| {
        let name = |known: &'static KnownName| Name {
            name: known.name.into(),
            kind: known.kind,
            holds: known.kind.name().into(),
            meaning: known.meaning.into(),
            source: Source::Known(known),
        };
        table.iter().map(name).collect()
    };
    let flag = |name: Cow<'static, str>, source, means: String| Name {
        name,
        kind: ValueType::Flag,
        holds: ValueType::Flag.name().into(),
        meaning: means.into(),
        source,
    };
    let is_value = |id: &str| PLAIN.iter().any(|known| known.name == id);
    let protocols = registry().protocols().iter().filter(|p| !is_value(p.id)).map(|p| {
        flag(p.id.into(), Source::IsProtocol(p.id), format!("any message of {}", p.title))
    });
    let is_protocol = |id: &str| registry().protocols().iter().any(|p| p.id == id);
    let games = registry().games().filter(|game| !is_protocol(game.id)).map(|game| {
        flag(game.id.into(), Source::IsGame(game), format!("any message of {}", game.title))
    });
    let messages = registry().entries().iter().map(|entry| {
        let ways = entry.spec.directions.iter().map(|(from, to)| format!("{from}-to-{to}"));
        let ways = ways.collect::<Vec<_>>().join(", ");
        let means = format!("{}, {ways}", entry.spec.name);
        flag(id(entry).into(), Source::IsMessage(entry), means)
    });
    let any = Name {
        name: ANY.into(),
        kind: ValueType::Field,
        holds: "any".into(),
        meaning: "the value of any field".into(),
        source: Source::AnyField,
    };
    let fields = fields::listed().into_iter().map(|listed| Name {
        name: format!("{FIELD}{}", written(listed.name)).into(),
        kind: ValueType::Field,
        holds: listed.holds.into(),
        meaning: listed.means.into(),
        source: Source::Field(WantedField::new(listed.name)),
    });
    vec![
        Section {
            title: "Of every message",
            about: "What is known of a message beside its fields.",
            names: plain(PLAIN),
        },
        Section {
            title: "Exchanges and findings",
            about: "These need what comes later in the capture. They are refused where input is \
                    read once, as from a pipe.",
            names: plain(FUTURE),
        },
        Section {
            title: "Protocols and games",
            about: "Each stands alone. Where a game has the name of its protocol, the name is the \
                    protocol's, and `game == \"…\"` asks for the game.",
            names: protocols.chain(games).collect(),
        },
        Section {
            title: "Messages",
            about: "Each stands alone, by its id.",
            names: messages.collect(),
        },
        Section {
            title: "Fields",
            about: "The fields of all messages, and the keys of their infostrings, compared \
                    without case. A name that holds more than letters, digits, `_`, `.` and `-` is \
                    written in quotes, or with `_` for its blanks, as in Wireshark: \
                    `field.player_count` is `field.\"player count\"`. A key that no document lists \
                    is written in quotes too: `field.\"g_unlagged\"`. A name with stars stands for all keys that \
                    fit, which may be asked for one by one, as `field.player_0`. What is a number in one message and a \
                    text in another is compared as what it is compared with.",
            names: std::iter::once(any).chain(fields).collect(),
        },
    ]
}
