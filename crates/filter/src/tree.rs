//! The syntax tree of a filter. The meaning of names is not known here.
//!
//! *Invariant:* the text of a tree is parsed as the same tree.

use std::fmt;
use std::ops::Range;

use super::FIELD;
use super::quote::quoted;

/// A filter, or a part of one in parentheses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// Any of these, at least two.
    Or(Vec<Expr>),
    /// All of these, at least two.
    And(Vec<Expr>),
    Not(Box<Expr>),
    Term(Term),
}

/// A name, alone or with a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    pub name: Located,
    /// Whether the field's name is quoted, and so may be any text.
    pub quoted: bool,
    pub relation: Option<Relation>,
}

/// What a name is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relation {
    Compare { op: Op, at: FilterSpan, value: Literal },
    In { not: bool, at: FilterSpan, members: Vec<SetMember> },
}

/// A comparison; each has a sign, a word, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Matches,
    Contains,
}

/// A member of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetMember {
    One(Literal),
    /// From the first to the second, both included.
    Range(Literal, Literal),
}

/// A value as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Literal {
    /// Quoted; the quotes are removed.
    Text(Located),
    /// Unquoted: a number, an address, a time.
    Word(Located),
}

/// A part of the filter's text with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    pub text: String,
    pub at: FilterSpan,
}

/// A position in the filter, in bytes. Trees compare equal whatever the positions.
#[derive(Debug, Clone, Default)]
pub struct FilterSpan(pub Range<usize>);

impl PartialEq for FilterSpan {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for FilterSpan {}

impl Op {
    /// Every spelling, the one that is printed first for its comparison; none is a prefix of a
    /// later one.
    pub const SPELLED: [(&'static str, Self); 15] = [
        ("==", Self::Eq),
        ("eq", Self::Eq),
        ("!=", Self::Ne),
        ("ne", Self::Ne),
        ("<=", Self::Le),
        ("le", Self::Le),
        ("<", Self::Lt),
        ("lt", Self::Lt),
        (">=", Self::Ge),
        ("ge", Self::Ge),
        (">", Self::Gt),
        ("gt", Self::Gt),
        ("~", Self::Matches),
        ("matches", Self::Matches),
        ("contains", Self::Contains),
    ];
}

impl Literal {
    pub fn written(&self) -> &Located {
        match self {
            Self::Text(written) | Self::Word(written) => written,
        }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |f: &mut fmt::Formatter<'_>, parts: &[Self], word: &str| {
            for (n, part) in parts.iter().enumerate() {
                let gap = if n == 0 { "" } else { word };
                match part {
                    Self::Or(_) | Self::And(_) => write!(f, "{gap}({part})")?,
                    Self::Not(_) | Self::Term(_) => write!(f, "{gap}{part}")?,
                }
            }
            Ok(())
        };
        match self {
            Self::Or(parts) => joined(f, parts, " or "),
            Self::And(parts) => joined(f, parts, " and "),
            Self::Not(part) => match **part {
                Self::Or(_) | Self::And(_) => write!(f, "not ({part})"),
                Self::Not(_) | Self::Term(_) => write!(f, "not {part}"),
            },
            Self::Term(term) => write!(f, "{term}"),
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.text.strip_prefix(FIELD) {
            Some(field) if self.quoted => write!(f, "{FIELD}{}", quoted(field))?,
            _ => f.write_str(&self.name.text)?,
        }
        match &self.relation {
            None => Ok(()),
            Some(Relation::Compare { op, value, .. }) => write!(f, " {op} {value}"),
            Some(Relation::In { not, members, .. }) => {
                f.write_str(if *not { " not in {" } else { " in {" })?;
                for (n, member) in members.iter().enumerate() {
                    write!(f, "{}{member}", if n == 0 { "" } else { " " })?;
                }
                f.write_str("}")
            }
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spelled = Self::SPELLED.iter().find(|(_, op)| op == self);
        f.write_str(spelled.map_or("", |(text, _)| text))
    }
}

impl fmt::Display for SetMember {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(value) => write!(f, "{value}"),
            Self::Range(from, to) => write!(f, "{from}..{to}"),
        }
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(written) => f.write_str(&quoted(&written.text)),
            Self::Word(written) => f.write_str(&written.text),
        }
    }
}
