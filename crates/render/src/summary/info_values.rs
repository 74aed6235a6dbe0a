//! The values of an infostring that people look for first.

use super::NAMED;
use codec::{FieldRole, Span};

/// The most useful values of an infostring, the first of each that is not empty.
#[derive(Default)]
pub(super) struct InfoValues<'a> {
    pub hostname: Option<&'a Span>,
    /// The player that a client's settings describe, not the person who runs a server.
    pub person: Option<&'a Span>,
    pub map: Option<&'a Span>,
    pub clients: Option<&'a Span>,
    pub max_clients: Option<&'a Span>,
    pub game: Option<&'a Span>,
    pub protocol: Option<&'a Span>,
    pub version: Option<&'a Span>,
    /// The players whose names are in numbered keys: the first of them, and how many there are.
    pub players: ([Option<&'a Span>; NAMED], usize),
}

impl<'a> InfoValues<'a> {
    pub fn from_parts(parts: &'a [Span]) -> Self {
        let mut values = Self::default();
        for span in parts {
            let (name, role) = (span.field.name, span.field.role);
            let slot = match role {
                FieldRole::Person if name.ends_with("_*") => {
                    values.add_player(span);
                    continue;
                }
                FieldRole::Map => &mut values.map,
                FieldRole::Game => &mut values.game,
                FieldRole::Protocol => &mut values.protocol,
                FieldRole::Version => &mut values.version,
                FieldRole::Person if name == "name" => &mut values.person,
                FieldRole::Players if name == "clients" => &mut values.clients,
                FieldRole::Host if name.ends_with("hostname") => &mut values.hostname,
                FieldRole::MaxPlayers
                    if name.ends_with("maxclients") || name.ends_with("max_clients") =>
                {
                    &mut values.max_clients
                }
                _ => continue,
            };
            if span.field.is_data() && span.start < span.end {
                slot.get_or_insert(span);
            }
        }
        values
    }

    fn add_player(&mut self, span: &'a Span) {
        let (first, count) = &mut self.players;
        if let Some(slot) = first.get_mut(*count) {
            *slot = Some(span);
        }
        *count += 1;
    }
}
