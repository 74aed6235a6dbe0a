//! The row of a player: an entry in a server's response, in any protocol.
//!
//! A player is a record of a list that has a player's name, a message with a player's name and
//! points, or those pairs of an infostring whose keys end in the same number as one with a player's
//! name (`player_0`, `frags_0`).

use std::collections::{BTreeMap, HashMap, HashSet};

use super::fields::Fields;
use super::json::{self, Quotes};
use super::row::row;
use super::row_ids::{RowIds, RowSubject};
use analysis::{CapturedMessage, InputSet, MessageHeader};
use codec::{Field, FieldRole, Group, Kind, Node, OutlinePart, Span, Value};
use protocol::{Entry, Reading};
use render::{Mask, Rendered, uncoloured};
use text::Secrets;

row! {
    /// A player as one answer of a server lists them.
    PlayerRow {
        file;
        number;
        time;
        server;
        server_port;
        flow;
        flow_id;
        community_id;
        game;
        message_id;
        player: Number in "", "the player's place in that message, from 1";
        name: Text in "", "the player's name as it was sent, with its colour codes";
        name_plain: Text in "", "the same without the codes";
        score: Integer or none in "", "points, or frags, where the message tells";
        ping_ms: Integer or none in "milliseconds", "how long the way to the player takes";
        team: Text or none in "", "the team's name or number, where the message tells";
        skin: Text or none in "", "the player's model, where the message tells";
        fields: Json in "", "all that the message says of the player";
    }
}

/// The names of teams that are listed among players.
const TEAMS: [&[u8]; 2] = [b"Red Team", b"Blue Team"];
/// The names of a player's points.
const SCORE: &[&str] = &["score", "frags", "score_"];

/// Builds the rows of players, with reused buffers.
pub struct PlayerRows {
    secrets: Secrets,
    ids: RowIds,
    reading: Reading,
    fields: Fields,
    message_id: String,
    /// Whether a message may list players, by the address of its declaration.
    listing: HashMap<usize, bool, foldhash::fast::RandomState>,
}

/// What is known of one player, as spans.
#[derive(Default)]
struct Player<'a> {
    values: Vec<(&'a [u8], &'a Span)>,
    person: Option<&'a Span>,
    /// The record that lists them; none for pairs.
    record: Option<usize>,
}

impl PlayerRows {
    /// Rows of messages of these inputs that show or mask secrets.
    pub fn new(secrets: Secrets, inputs: InputSet) -> Self {
        Self {
            secrets,
            ids: RowIds::new(inputs),
            reading: Reading::of_values(),
            fields: Fields::default(),
            message_id: String::new(),
            listing: HashMap::default(),
        }
    }

    /// Passes a row to `write` for every player that a message lists, in order. Returns how many.
    pub fn each(
        &mut self,
        message: &CapturedMessage<'_>,
        mut write: impl FnMut(&PlayerRow<'_>),
    ) -> u64 {
        let CapturedMessage { header, payload } = *message;
        let MessageHeader { number, time, source, entry, .. } = header;
        let kind = std::ptr::from_ref(entry).addr();
        if !*self.listing.entry(kind).or_insert_with(|| may_list_players(entry)) {
            return 0;
        }
        self.reading.read_part(entry, payload, header.missing);
        self.message_id.clear();
        self.message_id.extend([entry.protocol.id, ".", entry.spec.id]);
        let Self { reading, fields, message_id, ids, .. } = self;
        let ids = ids.ids_of(RowSubject {
            input: header.input,
            flow: header.flow,
            ends: Some((header.transport, [source, header.destination])),
            exchange: None,
        });
        let message = Rendered::new(reading, payload, self.secrets);
        let mask = message.mask();
        let value = |span: &Span| message.value(span);
        let plain = |span: &Span| {
            if mask.hides(span) {
                return value(span);
            }
            uncoloured(&span.shape.text(message.bytes(span)), header.verdict.colours_of(entry))
        };
        let mut rows = 0;
        for (number_of, player) in (1..).zip(players(reading, payload, mask)) {
            let named = |names: &[&str]| player.named(names).filter(|s| s.start < s.end);
            let whole = |names| named(names).and_then(|span| integer(reading, payload, span));
            let [team, skin] =
                [&["team", "team_"][..], &["skin"]].map(|names| named(names).map(value));
            let pairs;
            let values_of = if let Some(at) = player.record {
                fields.record(reading, payload, mask, at)
            } else {
                pairs = player.pairs(reading, payload, mask);
                pairs.as_str().into()
            };
            write(&PlayerRow {
                file: ids.file.into(),
                number,
                time,
                server: source.ip(),
                server_port: source.port(),
                flow: header.flow.0.into(),
                flow_id: ids.flow_id,
                community_id: ids.community_id,
                game: header.verdict.game.id,
                message_id,
                player: number_of,
                name: player.person.map(value).unwrap_or_default().into(),
                name_plain: player.person.map(plain).unwrap_or_default().into(),
                score: whole(SCORE),
                ping_ms: whole(&["ping", "ping_"]),
                team: team.map(Into::into),
                skin: skin.map(Into::into),
                fields: values_of,
            });
            rows = number_of;
        }
        rows
    }
}

/// Whether a message is an answer with the names of people in it.
fn may_list_players(entry: &Entry) -> bool {
    let is_person = |field: &Field| field.role == FieldRole::Person;
    let names_people = |part: &OutlinePart| match part {
        OutlinePart::Literal(field, _)
        | OutlinePart::OneOf(field, _)
        | OutlinePart::Field(field) => is_person(field),
        OutlinePart::View(field, _, inside) => {
            is_person(field) || inside.iter().any(|field| is_person(field))
        }
        OutlinePart::Branch(_) => false,
    };
    let outline = entry.outline();
    !entry.spec.answers.is_empty() && outline.lines.iter().any(|line| names_people(&line.what))
}

impl Player<'_> {
    fn named(&self, names: &[&str]) -> Option<&Span> {
        let called = |name: &[u8]| names.iter().any(|n| n.as_bytes().eq_ignore_ascii_case(name));
        self.values.iter().find(|(name, _)| called(name)).map(|(_, span)| *span)
    }

    /// The pairs without the number that their keys share, as a JSON object.
    fn pairs(&self, reading: &Reading, payload: &[u8], mask: Mask) -> String {
        let mut out = Vec::new();
        for (name, span) in &self.values {
            out.push(if out.is_empty() { b'{' } else { b',' });
            json::push_latin(&mut out, name, Quotes::Single);
            out.push(b':');
            if mask.hides(span) {
                json::push_text(&mut out, text::MASK);
            } else {
                json::push_latin(&mut out, reading.bytes(payload, span), Quotes::Single);
            }
        }
        out.push(b'}');
        String::from_utf8(out).unwrap_or_default()
    }
}

/// All players of a message, in order.
fn players<'a>(reading: &'a Reading, payload: &'a [u8], mask: Mask) -> Vec<Player<'a>> {
    let all = reading.spans().all.as_slice();
    let (mut players, mut by_columns) = (Vec::new(), BTreeMap::<i64, Player<'a>>::new());
    for (at, span) in all.iter().enumerate() {
        let behind = all.get(at + 1..).unwrap_or_default();
        let inside = behind.iter().take_while(|s| s.depth > span.depth);
        let leaves = inside.filter(|s| s.node == Node::Leaf && s.depth == span.depth + 1);
        match span.node {
            // A field of several players.
            Node::Group(Group::Record) if span.field.name == "column" => {
                add_column(reading, payload, leaves, &mut by_columns);
            }
            // A record that lies in a list.
            Node::Group(Group::Record) if span.depth > 0 => {
                let values = leaves.filter(|s| s.field.is_data());
                let values = values.map(|s| (s.field.name.as_bytes(), s)).collect::<Vec<_>>();
                let person =
                    values.iter().map(|(_, s)| *s).find(|s| s.field.role == FieldRole::Person);
                let is_team =
                    person.is_some_and(|person| is_team(reading, payload, &values, person));
                if person.is_some() && !is_team {
                    players.push(Player { values, person, record: Some(at) });
                }
            }
            Node::Group(Group::Pairs) => players.extend(numbered(reading, payload, mask, leaves)),
            _ => {}
        }
    }
    players.extend(by_columns.into_values().filter(|player| player.person.is_some()));
    if players.is_empty() {
        players.extend(alone(all));
    }
    players
}

/// Whether a record has a team's score: servers of Unreal's second engine list teams among players,
/// without id and ping.
fn is_team(reading: &Reading, payload: &[u8], values: &[(&[u8], &Span)], person: &Span) -> bool {
    let is_zero = |wanted: &[u8]| {
        let value = values.iter().find(|(name, _)| *name == wanted);
        value.is_some_and(|(_, span)| integer(reading, payload, span) == Some(0))
    };
    TEAMS.contains(&reading.bytes(payload, person)) && is_zero(b"id") && is_zero(b"ping")
}

/// The player that a message is about, where it is about one: the fields of the message itself.
fn alone(all: &[Span]) -> Option<Player<'_>> {
    let leaves = all.iter().filter(|s| s.node == Node::Leaf && s.depth == 0 && s.field.is_data());
    let values: Vec<_> = leaves.map(|s| (s.field.name.as_bytes(), s)).collect();
    let person = values.iter().map(|(_, s)| *s).find(|s| s.field.role == FieldRole::Person);
    let player = Player { values, person, record: None };
    (person.is_some() && player.named(SCORE).is_some()).then_some(player)
}

/// Adds the values of a column to the players, by the number of the first value's row.
fn add_column<'a>(
    reading: &Reading,
    payload: &[u8],
    leaves: impl Iterator<Item = &'a Span>,
    players: &mut BTreeMap<i64, Player<'a>>,
) {
    let mut values = leaves.filter(|s| s.field.is_data()).skip_while(|s| s.field.name != "first");
    let first = values.next().and_then(|span| integer(reading, payload, span));
    for (row, span) in (first.unwrap_or(0)..).zip(values) {
        let player = players.entry(row).or_default();
        player.values.push((span.field.name.as_bytes(), span));
        if span.field.role == FieldRole::Person {
            player.person.get_or_insert(span);
        }
    }
}

/// The players of an infostring, by the numbers at the end of its keys.
fn numbered<'a>(
    reading: &'a Reading,
    payload: &'a [u8],
    mask: Mask,
    leaves: impl Iterator<Item = &'a Span>,
) -> impl Iterator<Item = Player<'a>> {
    let mut players = BTreeMap::<u32, Player<'a>>::new();
    let (mut key, mut known) = (None, HashSet::new());
    for span in leaves.filter(|s| s.field.kind == Kind::Key || s.field.is_data()) {
        if span.field.kind == Kind::Key {
            // A hidden key identifies no player.
            key = (!mask.hides(span)).then(|| reading.bytes(payload, span));
            continue;
        }
        let Some((name, number)) = key.take().and_then(apart) else {
            continue;
        };
        let player = players.entry(number).or_default();
        // The first value of a name counts; a repetition would contradict it.
        if known.insert((number, name)) {
            player.values.push((name, span));
        }
        if span.field.role == FieldRole::Person && player.person.is_none() {
            player.person = Some(span);
        }
    }
    players.into_values().filter(|player| player.person.is_some())
}

/// Splits `frags_12` into `frags` and 12.
fn apart(key: &[u8]) -> Option<(&[u8], u32)> {
    let at = memchr::memrchr(b'_', key)?;
    let (name, digits) = (key.get(..at)?, key.get(at + 1..)?);
    let number = str::from_utf8(digits).ok()?.parse().ok()?;
    // Battlefield 1942 numbers its teams as it does its players.
    let is_teams = name.eq_ignore_ascii_case(b"teamname");
    Some((name, number)).filter(|_| !is_teams && digits.iter().all(u8::is_ascii_digit))
}

fn integer(reading: &Reading, payload: &[u8], span: &Span) -> Option<i64> {
    let bytes = reading.bytes(payload, span);
    match span.shape.value_of(bytes) {
        Value::Int(number) => Some(number),
        Value::Bytes(text) => str::from_utf8(text).ok()?.trim().parse().ok(),
        Value::Float(_) | Value::Ip(_) => None,
    }
}
