//! What a stretch of bytes *is*. How it is *written* is its [`Shape`](super::Shape), kept apart: a
//! port is the same field as two bytes of either order, as hex digits and as decimal text, and
//! whoever asks for a role never asks for a layout.

/// The identity of a field: one `static` per meaning, compared by address.
#[derive(Debug)]
pub struct Field {
    /// The specification's own word. In key tables a `*` in front or at the end is a pattern.
    pub name: &'static str,
    /// How it is drawn and grouped.
    pub kind: Kind,
    /// What it is used for outside its message.
    pub role: Role,
    /// One sentence for the line of explanation.
    pub means: &'static str,
    /// Values that the documents explain: the value as text, `#` for any digit, and what it stands
    /// for.
    pub values: &'static [(&'static str, &'static str)],
}

/// How a field is drawn and grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The bytes that say a message begins, or that no connection stands behind it.
    Mark,
    /// The word that names the message.
    Command,
    /// A byte between or around values.
    Separator,
    Number,
    Text,
    /// The name of the value behind it.
    Key,
    Address,
    /// Several fields together.
    Group,
    /// A range whose inside is a payload of its own.
    Coded,
    /// Bytes that no field claims.
    Stray,
}

/// What a field is used for outside its message; masks and classification look at nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    None,
    Challenge,
    Protocol,
    Game,
    /// A program's version, which names the game too.
    Version,
    /// A CD key, a GUID, a password: never shown unless asked for.
    Secret,
    Address,
    Port,
    Person,
    Map,
    Count,
}

impl Field {
    /// A field without a role and without explained values.
    pub const fn new(name: &'static str, kind: Kind, means: &'static str) -> Self {
        Self { name, kind, role: Role::None, means, values: &[] }
    }

    /// The same field in a role.
    #[must_use]
    pub const fn role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// The same field with what its values stand for.
    #[must_use]
    pub const fn values(mut self, values: &'static [(&'static str, &'static str)]) -> Self {
        self.values = values;
        self
    }

    /// What `value`, as text, stands for; compared without case.
    pub fn explain(&self, value: &[u8]) -> Option<&'static str> {
        let same = |(v, b): (u8, &u8)| v.eq_ignore_ascii_case(b) || v == b'#' && b.is_ascii_digit();
        let fits = |v: &str| v.len() == value.len() && v.bytes().zip(value).all(same);
        self.values.iter().find(|(v, _)| fits(v)).map(|(_, means)| *means)
    }

    /// Whether the value tells something, rather than only holding the message together.
    pub fn is_data(&self) -> bool {
        use Kind::{Address, Coded, Group, Number, Text};
        matches!(self.kind, Number | Text | Address | Group | Coded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_explained_without_case_and_digits_by_their_number() {
        static PLACE: Field = Field::new("place", Kind::Text, "").values(&[
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
            assert_eq!(PLACE.explain(value.as_bytes()), means, "{value}");
        }
    }
}
