//! The meaning of bytes. Their encoding is the [`Shape`](super::Shape), which is separate: a port
//! is the same field as two bytes of either order, as hex digits and as decimal text, and code
//! that looks for a role does not depend on the encoding.

use std::borrow::Cow;

use super::keys::key_fits;
use super::shape::decimal;
use super::swar::is_like;

/// The identity of a field: one `static` per meaning, compared by address.
#[derive(Debug)]
pub struct Field {
    /// The name in the specification. In key tables a `*` at the beginning or the end is a pattern.
    pub name: &'static str,
    /// How it is displayed and grouped.
    pub kind: Kind,
    /// Its use outside its message.
    pub role: FieldRole,
    /// One sentence for the explanation line.
    pub means: &'static str,
    /// Values that the documents explain: the value as text, `#` for any digit, and its meaning.
    pub values: &'static [(&'static str, &'static str)],
    /// How a number is divided into parts.
    pub inside: NumberParts,
    /// Whether it is a list that is mostly empty, so that an empty one is not mentioned.
    pub is_mostly_empty: bool,
    /// Whether it is a separator that ends the field before it, and is shown with that one's bytes.
    pub is_terminator: bool,
    /// Computed from the name: see [`tag`].
    pub tag: u64,
}

/// A number that is seldom the same for different names: from their first eight bytes, their last
/// eight, and their length.
#[expect(clippy::indexing_slicing, reason = "const: iterators are not; the length is checked")]
#[inline]
pub const fn tag(name: &[u8]) -> u64 {
    let (mut head, mut tail) = (0, 0);
    if let (Some(first), Some(last)) = (name.first_chunk(), name.last_chunk()) {
        (head, tail) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
    } else {
        let mut at = 0;
        while at < name.len() {
            head = head << 8 | name[at] as u64;
            at += 1;
        }
    }
    head.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ tail.rotate_left(31) ^ name.len() as u64
}

/// How a number is divided into parts before it is explained.
#[derive(Debug, Clone, Copy)]
pub enum NumberParts {
    /// It is one number.
    Whole,
    /// Its bits have separate meanings.
    Bits(&'static [BitMeanings]),
    /// It is several numbers, with bits that have meanings of their own.
    Packed {
        /// The numbers, in the order in which they are shown.
        parts: &'static [PackedNumber],
        /// The other bits.
        bits: &'static [BitMeanings],
    },
    /// id Tech 4's version: `major << 16 | minor`, and bit 31 for the games of other studios. The
    /// values are listed as `major.minor`.
    Version,
}

/// A number in some bits of another one.
#[derive(Debug, Clone, Copy)]
pub struct PackedNumber {
    /// The bits, next to each other.
    pub mask: u32,
    /// What is added to them: 1 for a place that is counted from 0.
    pub plus: u32,
    /// The words before and after the number.
    pub words: [&'static str; 2],
}

impl PackedNumber {
    /// The number in these bits, with the words around it.
    pub const fn new(mask: u32, plus: u32, words: [&'static str; 2]) -> Self {
        Self { mask, plus, words }
    }

    fn text(self, number: u32) -> String {
        let [before, behind] = self.words;
        let number = (number & self.mask) >> self.mask.trailing_zeros();
        format!("{before}{}{behind}", number.wrapping_add(self.plus))
    }
}

/// The meaning of some bits of a number when they have one value.
#[derive(Debug, Clone, Copy)]
pub struct BitMeanings {
    /// The bits.
    pub mask: u32,
    /// Their value, in place.
    pub value: u32,
    /// What the value means.
    pub means: &'static str,
}

impl BitMeanings {
    /// One bit, or several that are all set.
    pub const fn set(mask: u32, means: &'static str) -> Self {
        Self { mask, value: mask, means }
    }

    /// A bit field with this value, which is not shifted.
    pub const fn new(mask: u32, value: u32, means: &'static str) -> Self {
        Self { mask, value, means }
    }
}

/// How a field is displayed and grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Bytes at the beginning of a message, or that mark it as connectionless.
    Mark,
    /// The word with the name of the message.
    Command,
    /// A byte between or around values.
    Separator,
    /// A number.
    Number,
    /// A text.
    Text,
    /// The name of the value after it.
    Key,
    /// An IP address.
    Address,
    /// Several fields together.
    Group,
    /// A range whose decoded content is a payload of its own.
    Coded,
    /// Unparsed bytes.
    Unparsed,
}

/// The use of a field outside its message; redaction and classification depend on nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldRole {
    /// No use outside its message.
    None,
    /// A random value that the receiver sends back.
    Challenge,
    /// A random value that one side has chosen, and that every message to it has.
    Token,
    /// The number of a protocol version.
    Protocol,
    /// The name of a game or modification.
    Game,
    /// A program's version, which identifies the game too.
    Version,
    /// A CD key, a GUID, a password: only shown on request.
    Secret,
    /// An IP address.
    Address,
    /// A UDP or TCP port.
    Port,
    /// A person's name or contact data.
    Person,
    /// The server name.
    Host,
    /// A name that people chose for a server, a clan, a team, their skin.
    Name,
    /// A person's location.
    Location,
    /// Free text: greetings, web sites, texts of answers, values of unknown keys.
    Free,
    /// The name of a map.
    Map,
    /// The number of players on a server.
    Players,
    /// The maximum number of players.
    MaxPlayers,
    /// The number of something else.
    Count,
    /// The end mark of a list.
    End,
    /// How a master cuts a list into packets: what stands before the records, the packet's number.
    Packet,
    /// Whether a player may join.
    Verdict,
    /// The sender's clock.
    Time,
}

impl Field {
    /// A field without a role and without explained values.
    pub const fn new(name: &'static str, kind: Kind, means: &'static str) -> Self {
        let tag = tag(name.as_bytes());
        Self {
            name,
            kind,
            role: FieldRole::None,
            means,
            values: &[],
            inside: NumberParts::Whole,
            is_mostly_empty: false,
            is_terminator: false,
            tag,
        }
    }

    /// A field that is a text.
    pub const fn text(name: &'static str, means: &'static str) -> Self {
        Self::new(name, Kind::Text, means)
    }

    /// A field that is a number.
    pub const fn number(name: &'static str, means: &'static str) -> Self {
        Self::new(name, Kind::Number, means)
    }

    /// Fields that are shown together.
    pub const fn group(name: &'static str, means: &'static str) -> Self {
        Self::new(name, Kind::Group, means)
    }

    /// A field that separates others.
    pub const fn separator(name: &'static str, means: &'static str) -> Self {
        Self::new(name, Kind::Separator, means)
    }

    /// A separator that ends the field before it, as a NUL ends a string.
    pub const fn terminator(name: &'static str, means: &'static str) -> Self {
        let separator = Self::separator(name, means);
        Self { is_terminator: true, ..separator }
    }

    /// The same field with a role.
    #[must_use]
    pub const fn role(mut self, role: FieldRole) -> Self {
        self.role = role;
        self
    }

    /// The same field with the meanings of its values.
    #[must_use]
    pub const fn values(mut self, values: &'static [(&'static str, &'static str)]) -> Self {
        self.values = values;
        self
    }

    /// The same field with the meanings of its bits; if no bit has one, `values` apply.
    #[must_use]
    pub const fn bits(mut self, bits: &'static [BitMeanings]) -> Self {
        self.inside = NumberParts::Bits(bits);
        self
    }

    /// The same field as several numbers in one.
    #[must_use]
    pub const fn packed(
        mut self,
        parts: &'static [PackedNumber],
        bits: &'static [BitMeanings],
    ) -> Self {
        self.inside = NumberParts::Packed { parts, bits };
        self
    }

    /// The same field as a list that is mostly empty.
    #[must_use]
    pub const fn mostly_empty(mut self) -> Self {
        self.is_mostly_empty = true;
        self
    }

    /// The same field as id Tech 4's version number.
    #[must_use]
    pub const fn version(mut self) -> Self {
        self.inside = NumberParts::Version;
        self
    }

    /// The meaning of `value`, as [`Shape::text`](super::Shape::text) returns it: of a listed
    /// value, of its bits one after the other, or of a version with its studio.
    pub fn meaning(&self, value: &[u8]) -> Option<Cow<'static, str>> {
        let number = || decimal(value).and_then(|n| u32::try_from(n).ok());
        match self.inside {
            NumberParts::Whole => self.explain(value).map(Cow::Borrowed),
            NumberParts::Bits(bits) => {
                let meanings = meaning_of_bits(bits, number()?);
                let whole = || self.explain(value).map(Cow::Borrowed);
                if meanings.is_empty() { whole() } else { Some(Cow::Owned(meanings)) }
            }
            NumberParts::Packed { parts, bits } => {
                let number = number()?;
                let known = parts.iter().fold(0, |known, part| known | part.mask);
                let mut text: String = parts.iter().map(|part| part.text(number)).collect();
                let meanings = meaning_of_bits(bits, number & !known);
                if !meanings.is_empty() {
                    text.push_str(", ");
                    text.push_str(&meanings);
                }
                Some(Cow::Owned(text))
            }
            NumberParts::Version => {
                let number = number()?;
                let version = format!("{}.{}", number >> 16 & 0x7fff, number & 0xffff);
                let whose = self.explain(version.as_bytes());
                let other = (number >> 31 == 1).then_some("of another studio's game");
                let parts = [Some(version.as_str()), whose, other];
                Some(Cow::Owned(parts.into_iter().flatten().collect::<Vec<_>>().join(", ")))
            }
        }
    }

    /// The meaning of a listed `value`, as text; compared without case.
    pub fn explain(&self, value: &[u8]) -> Option<&'static str> {
        let same = |(v, b): (u8, &u8)| v.eq_ignore_ascii_case(b) || v == b'#' && b.is_ascii_digit();
        let fits = |v: &str| v.len() == value.len() && v.bytes().zip(value).all(same);
        self.values.iter().find(|(v, _)| fits(v)).map(|(_, means)| *means)
    }

    /// Whether a key has this name, or matches it as a pattern; compared without case.
    pub fn is_called(&self, key: &[u8]) -> bool {
        is_like(self.name.as_bytes(), key) || key_fits(self.name, key)
    }

    /// Whether it carries a value, and is not only syntax.
    pub fn is_data(&self) -> bool {
        use Kind::{Address, Coded, Group, Number, Text};
        matches!(self.kind, Number | Text | Address | Group | Coded)
    }
}

/// The meanings of the bits of `number`, and the bits without a known meaning.
fn meaning_of_bits(bits: &[BitMeanings], number: u32) -> String {
    let set = bits.iter().filter(|b| number & b.mask == b.value);
    let mut meanings: Vec<_> = set.map(|b| Cow::Borrowed(b.means)).collect();
    let unknown = bits.iter().fold(number, |left, b| left & !b.mask);
    if unknown != 0 {
        meanings.push(Cow::Owned(format!("and {unknown:#x}, not documented")));
    }
    meanings.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_explained_whole_by_bits_and_as_versions() {
        let whole = Field::text("verdict", "").values(&[("deny", "refused")]);
        let bits = Field::number("filter", "")
            .bits(
                const {
                    &[
                        BitMeanings::new(3, 1, "one"),
                        BitMeanings::new(3, 2, "two"),
                        BitMeanings::set(4, "four"),
                    ]
                },
            )
            .values(&[("0", "nothing")]);
        let version = Field::number("protocol", "").version().values(&[("1.33", "Doom 3")]);
        for (field, value, means) in [
            (&whole, "DENY", Some("refused")),
            (&whole, "allow", None),
            (&bits, "6", Some("two, four")),
            (&bits, "17", Some("one, and 0x10, not documented")),
            (&bits, "0", Some("nothing")),
            (&bits, "many", None),
            (&version, "65569", Some("1.33, Doom 3")),
            (&version, "2147614789", Some("2.69, of another studio's game")),
            (&version, "-1", None),
        ] {
            assert_eq!(field.meaning(value.as_bytes()).as_deref(), means, "{} {value}", field.name);
        }
    }

    #[test]
    fn values_are_explained_without_case_and_digits_by_their_number() {
        static LOCATION: Field = Field::text("location", "").values(&[
            ("de", "Germany"),
            ("#####", "a postal code"),
            ("0", "none"),
            ("#", "old"),
        ]);
        for (value, means) in [
            ("DE", Some("Germany")),
            ("22026", Some("a postal code")),
            ("2202", None),
            ("2202x", None),
            ("0", Some("none")),
            ("3", Some("old")),
            ("", None),
        ] {
            assert_eq!(LOCATION.explain(value.as_bytes()), means, "{value}");
        }
    }
}
