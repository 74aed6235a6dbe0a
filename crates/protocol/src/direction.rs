//! The endpoints of a message: their roles, and the roles that its directions prove.

use std::fmt;

use text::named;

named! {
    /// The role of a message's endpoint.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Role {
        Client = "client",
        Server = "server",
        Master = "master",
    }
}

/// The roles of sender and receiver; unknown ones match every message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Direction {
    /// The sender's role.
    pub from: Option<Role>,
    /// The receiver's role.
    pub to: Option<Role>,
}

/// Those of the directions that match the known roles.
pub(super) fn fitting(
    directions: impl Iterator<Item = &'static (Role, Role)>,
    direction: Direction,
) -> impl Iterator<Item = &'static (Role, Role)> {
    let fits = |known: Option<Role>, end| known.is_none_or(|k| k == end);
    directions.filter(move |(from, to)| fits(direction.from, *from) && fits(direction.to, *to))
}

/// The roles that directions have in common.
pub(super) fn common<I: Iterator<Item = &'static (Role, Role)>>(
    directions: impl Fn() -> I,
) -> Direction {
    let only = |end: fn(&(Role, Role)) -> Role| {
        let mut roles = directions().map(end);
        let first = roles.next()?;
        roles.all(|p| p == first).then_some(first)
    };
    Direction { from: only(|w| w.0), to: only(|w| w.1) }
}

impl Role {
    /// Its name, or `unknown`.
    #[inline]
    pub fn name_of(role: Option<Self>) -> &'static str {
        role.map_or("unknown", Self::name)
    }
}

impl fmt::Display for Direction {
    /// `client-to-master`; an unknown role is `unknown`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-to-{}", Role::name_of(self.from), Role::name_of(self.to))
    }
}
