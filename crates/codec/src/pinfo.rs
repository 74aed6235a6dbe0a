//! Quake 2's one-line `info` reply, `%16s %8s %2i/%2i`: columns of fixed width that long names
//! shift, so it is parsed from the right. Heretic 2 ends the name with a newline instead.

use std::ops::Range;

use super::field::{Field, FieldRole, Kind};
use super::grammar::ViewLayout;
use super::pass::View;
use super::shape::{Shape, decimal};
use super::span::{Group, Parts, Sink};
use super::view::view;

view! {
    /// Name, map, players and maximum players, padded.
    PaddedInfo
}

static PADDING: Field = Field::separator("padding", "fills a column");
static NAME: Field = Field::text("name", "the server's name").role(FieldRole::Host);
static MAP: Field = Field::text("map", "the map being played").role(FieldRole::Map);
static PLAYERS: Field = Field::number("players", "players now").role(FieldRole::Players);
static SLASH: Field = Field::separator("slash", "parts players from places");
static PLACES: Field = Field::number("places", "places in all").role(FieldRole::MaxPlayers);
static FIELDS: [&Field; 4] = [&NAME, &MAP, &PLAYERS, &PLACES];

impl<'a> PaddedInfo<'a> {
    /// The server's name.
    pub fn name(self) -> Option<&'a [u8]> {
        self.cells().and_then(|[name, ..]| self.raw.get(name))
    }

    /// The map being played.
    pub fn map(self) -> Option<&'a [u8]> {
        self.cells().and_then(|[_, map, ..]| self.raw.get(map))
    }

    /// The ranges of name, map, players and maximum, from the right; `None` if the form is another.
    fn cells(self) -> Option<[Range<usize>; 4]> {
        let raw = self.raw;
        let before = |end: usize| raw.get(..end).unwrap_or_default();
        let blanks = |from: usize| {
            let rest = raw.get(from..).unwrap_or_default();
            rest.len() - rest.trim_ascii_start().len()
        };
        let last = |end: usize, of: &[u8]| before(end).iter().rposition(|b| of.contains(b));
        let trimmed = |end: usize| before(end).trim_ascii_end().len();
        let slash = last(raw.len(), b"/")?;
        let places = slash + 1 + blanks(slash + 1);
        let players = last(slash, b" ")? + 1;
        let map_end = trimmed(players);
        let map = last(map_end, b" \n")? + 1;
        let name_end = trimmed(map);
        let name = blanks(0).min(name_end);
        let is_number = |cell: Range<usize>| raw.get(cell).and_then(decimal).is_some();
        let numbers = is_number(players..slash) && is_number(places..raw.len());
        let cells = [name..name_end, map..map_end, players..slash, places..raw.len()];
        numbers.then_some(cells)
    }
}

impl<'a> View<'a> for PaddedInfo<'a> {
    type Form = ();
    const GROUP: Group = Group::Record;

    /// Everything but the final newlines: all of them, so that parsing again gives the same.
    fn len(all: &'a [u8], (): ()) -> usize {
        all.len() - all.iter().rev().take_while(|b| **b == b'\n').count()
    }

    fn parts<S: Sink>(&self, (): (), out: &mut Parts<'_, '_, S>) {
        let Some(cells) = self.cells() else {
            return out.leaf(&NAME, Shape::Text, self.raw.len());
        };
        for (field, cell) in FIELDS.into_iter().zip(cells) {
            if field.name == PLACES.name {
                out.gap(&SLASH, Shape::Text, 1);
            }
            out.gap(&PADDING, Shape::Text, cell.start - out.at());
            let shape = match field.kind {
                Kind::Number => Shape::Decimal,
                _ => Shape::Text,
            };
            out.leaf(field, shape, cell.len());
        }
    }

    fn layout((): ()) -> ViewLayout {
        ViewLayout::PaddedInfo
    }

    fn fields((): Self::Form, each: &mut dyn FnMut(&'static Field)) {
        FIELDS.into_iter().for_each(each);
    }
}
