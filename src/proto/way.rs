//! The ends of a message: who they are, and what the ways that it goes say of them.

use std::fmt;

/// Who an end of a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Party {
    Client,
    Server,
    Master,
}

/// From whom to whom; unknown ends fit every message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Way {
    pub from: Option<Party>,
    pub to: Option<Party>,
}

/// Those of the ways that fit what is known of the ends.
pub(super) fn fitting(
    ways: impl Iterator<Item = &'static (Party, Party)>,
    way: Way,
) -> impl Iterator<Item = &'static (Party, Party)> {
    let fits = |known: Option<Party>, end| known.is_none_or(|k| k == end);
    ways.filter(move |(from, to)| fits(way.from, *from) && fits(way.to, *to))
}

/// The parties that ways have in common.
pub(super) fn common<I: Iterator<Item = &'static (Party, Party)>>(ways: impl Fn() -> I) -> Way {
    let only = |end: fn(&(Party, Party)) -> Party| {
        let mut parties = ways().map(end);
        let first = parties.next()?;
        parties.all(|p| p == first).then_some(first)
    };
    Way { from: only(|w| w.0), to: only(|w| w.1) }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Client => "client",
            Self::Server => "server",
            Self::Master => "master",
        })
    }
}

impl fmt::Display for Way {
    /// `client-to-master`; an end that is not known is `unknown`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |party: Option<Party>| party.map_or("unknown".to_owned(), |p| p.to_string());
        write!(f, "{}-to-{}", end(self.from), end(self.to))
    }
}
