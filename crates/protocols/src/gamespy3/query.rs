//! What clients ask.

use super::super::identifiers::bytes;
use super::super::{ASK, Values};
use super::challenge::CHALLENGE;
use crate::gamespy2::{
    MARK, PLAYER_KEYS, REQUEST_KEY, SELECTOR, SERVER_KEYS, Selector, TEAM_KEYS, TYPE, selectors,
};
use codec::{BitMeanings, Choice, Endian, Field, Pass, Walk};
use protocol::{Message, Spec};

static ONE: Values = &[("0", "the reply is one datagram, in the second protocol's form")];
static OPTIONS: Field = Field::number("options", "how the reply may be sent")
    .bits(&[BitMeanings::set(1, "in several datagrams")])
    .values(ONE);

/// What stands between the key and the end.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum QueryForm {
    /// Selectors and options, to servers that want no challenge.
    #[default]
    Plain,
    /// A challenge in front of them.
    Challenged,
    /// A challenge alone, for Minecraft's short reply.
    Basic,
}

impl Choice for QueryForm {
    const ALL: &'static [(Self, &'static str)] = &[
        (Self::Plain, "no challenge, for servers that want none"),
        (Self::Challenged, "a challenge first"),
        (Self::Basic, "a challenge alone, for Minecraft's short reply"),
    ];

    fn peek(rest: &[u8]) -> Self {
        match rest {
            [0, _, _, _] => Self::Basic,
            [_, _, _, _, behind @ ..] if is_selected(behind) => Self::Challenged,
            _ => Self::Plain,
        }
    }
}

/// Whether bytes are three selectors and options that are known.
fn is_selected(bytes: &[u8]) -> bool {
    matches!(selectors(bytes), Some([0 | 1]))
}

/// Whether bytes behind the key are a query. Minecraft's challenges have 24 bits.
fn is_query(body: &[u8]) -> bool {
    QueryForm::peek(body) != QueryForm::Plain || is_selected(body)
}

/// What a query asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SelectedKeys<'a> {
    pub server: Selector<'a>,
    pub players: Selector<'a>,
    pub teams: Selector<'a>,
    pub options: u8,
}

impl<'a> SelectedKeys<'a> {
    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.view(&SELECTOR, &SERVER_KEYS, &mut self.server)?;
        p.view(&SELECTOR, &PLAYER_KEYS, &mut self.players)?;
        p.view(&SELECTOR, &TEAM_KEYS, &mut self.teams)?;
        p.int(&OPTIONS, Endian::Big, &mut self.options)
    }
}

/// A client or master asks a server for settings, players and teams.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Query<'a> {
    pub key: u32,
    pub form: QueryForm,
    pub challenge: i32,
    pub selection: SelectedKeys<'a>,
}

impl<'a> Message<'a> for Query<'a> {
    const SPEC: Spec = Spec::new(
        "query",
        &["008 qr2.c", "012 gamespy3.js"],
        ASK,
        b"\xfe\xfd\0\x10\x20\x30\x40\0\x91\x29\x5b\xff\xff\xff\x01",
    )
    .exact()
    .content_match(b"\xfe", |bytes| {
        let body = bytes.strip_prefix(b"\xfe\xfd\0").and_then(|behind| behind.get(4..));
        body.is_some_and(is_query)
    })
    .sends(bytes::<3, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xfe\xfd")?;
        p.lit(&TYPE, b"\0")?;
        p.int(&REQUEST_KEY, Endian::Big, &mut self.key)?;
        p.choose(&mut self.form, |p, form| match form {
            QueryForm::Plain => self.selection.walk(p),
            QueryForm::Challenged => {
                p.int(&CHALLENGE, Endian::Big, &mut self.challenge)?;
                self.selection.walk(p)
            }
            QueryForm::Basic => p.int(&CHALLENGE, Endian::Big, &mut self.challenge),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_may_stand_in_front_of_the_selectors() {
        for (body, form) in [
            (&b"\xff\xff\xff\x01"[..], Some(QueryForm::Plain)),
            (b"\xff\0\0\0", Some(QueryForm::Plain)),
            (b"\0\x91\x29\x5b\xff\xff\xff\x01", Some(QueryForm::Challenged)),
            (b"\xb9\x40\x12\x03\xff\xff\xff\x01", Some(QueryForm::Challenged)),
            (b"\0\0\x04\x07\xff\xff\xff\x01", Some(QueryForm::Challenged)),
            (b"\0\x91\x29\x5b\0\0\0\0", Some(QueryForm::Challenged)),
            (b"\0\x91\x29\x5b", Some(QueryForm::Basic)),
            (b"\xff\xff\xff", None),
            (b"\xff\xff\xff\x02", None),
            (b"\xb9\x40\x12\x03", None),
            (b"", None),
        ] {
            let got = is_query(body).then(|| QueryForm::peek(body));
            assert_eq!(got, form, "{}", body.escape_ascii());
        }
    }
}
