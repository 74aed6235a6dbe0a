//! The values of an infostring that people look for first.

use crate::codec::{FieldRole, Span};

/// The most useful values of an infostring, the first of each that is not empty.
#[derive(Default)]
pub(super) struct Telling<'a> {
    pub hostname: Option<&'a Span>,
    /// The player that a client's settings describe, not the person who runs a server.
    pub person: Option<&'a Span>,
    pub map: Option<&'a Span>,
    pub clients: Option<&'a Span>,
    pub places: Option<&'a Span>,
    pub game: Option<&'a Span>,
    pub protocol: Option<&'a Span>,
    pub version: Option<&'a Span>,
}

impl<'a> Telling<'a> {
    pub fn of(parts: &'a [Span]) -> Self {
        let mut told = Self::default();
        for span in parts.iter().filter(|s| s.field.is_data() && s.start < s.end) {
            let (name, role) = (span.field.name, span.field.role);
            let slot = match role {
                FieldRole::Map => &mut told.map,
                FieldRole::Game => &mut told.game,
                FieldRole::Protocol => &mut told.protocol,
                FieldRole::Version => &mut told.version,
                FieldRole::Person if name == "name" => &mut told.person,
                FieldRole::Players if name == "clients" => &mut told.clients,
                FieldRole::Host if name.ends_with("hostname") => &mut told.hostname,
                FieldRole::Places if name.ends_with("maxclients") => &mut told.places,
                _ => continue,
            };
            slot.get_or_insert(span);
        }
        told
    }
}
