//! A server's messages over UDP: heartbeats, queries and replies.

use super::super::identifiers::echo_key;
use super::super::{ANSWER, ASK, BLANK, C2S, COMMAND, S2C, S2M};
use super::naming::{is_query, query_name, reply_name};
use super::pairs::{BARE_FINAL, BARE_FINALS, NUL, NULS, bare_final};
use super::secure::AnswerForm;
use super::{KEYS, PAIRS, PairList, begins, has, keys, pairs_message, secure, value};
use codec::{CommandWord, Decimal, Field, FieldRole, Pass, Walk};
use protocol::{ExchangeKind, HeartbeatInterval, Message, Part, Spec, Validation};

static PRODUCT: Field =
    Field::text("product", "which game, as the server's settings name it").role(FieldRole::Game);
static QUERY_PORT: Field =
    Field::number("query port", "the UDP port on which the server is asked").role(FieldRole::Port);

pairs_message! {
    /// A server's heartbeat, with its port for queries.
    Heartbeat = Spec::new(
        "heartbeat",
        &["003 Heartbeat", "001 5.1", "001 2.1.2"],
        S2M,
        b"\\heartbeat\\8777\\gamename\\gmtest\\statechanged\\",
    )
    .content_match(b"\\", |bytes| begins(bytes, b"heartbeat")).exchange(ExchangeKind::Registration)
    .has_query_port()
    .every(&[
        HeartbeatInterval::of_game("unreal-tournament", 60, "001 5.1"),
        HeartbeatInterval::new(300, "003 Heartbeat"),
    ])
    .shutdown(|bytes| value(bytes, b"gamemode") == Some(b"exiting"));
    /// A query of a client or master to a server; several may be joined.
    Query = Spec::new(
        "query",
        &["003 Queries", "003 Security", "001 5.2", "001 5.3"],
        ASK,
        b"\\basic\\\\secure\\123456\\",
    )
    .content_match(b"\\", |bytes| keys(bytes).next().is_some_and(is_query) && !is_reply(bytes))
    .named(|bytes, _| query_name(bytes))
    .sends(echo_key)
    .challenge(challenge);
    /// A server's reply, in one datagram or several.
    Reply = Spec::new(
        "reply",
        &["003 Replies (Server Info)", "003 Appendix C", "001 5.2", "001 5.3"],
        ANSWER,
        b"\\gamename\\gmtest\\gamever\\2.00\\location\\22026\\validate\\Sen5c0WR\\final\\\\queryid\\10.1",
    )
    .content_match(b"\\", |bytes| {
        let first = keys(bytes).next();
        let is_known = |key: &[u8]| key != b"heartbeat" && !is_query(key) && KEYS.contains(key);
        first.is_some_and(is_known) || first != Some(b"heartbeat") && is_reply(bytes)
    })
    .named(|bytes, request| {
        request.unwrap_or_else(|| reply_name(bytes, part(bytes).map_or(1, |part| part.index)))
    })
    .part(part)
    .validation(validation)
    .proof(proof)
    .echo_keys(&["validate", "echo"])
    .answers(&["query"])
    .returns(echo_key);
}

/// A client searches for servers of the Unreal games on its local network.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ReportQuery<'a> {
    pub command: CommandWord<'a>,
}

impl<'a> Message<'a> for ReportQuery<'a> {
    const SPEC: Spec =
        Spec::new("REPORTQUERY", &["001 5.4"], C2S, b"REPORTQUERY").id("report-query");

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.word(&COMMAND, b"REPORTQUERY", &mut self.command)
    }
}

/// The reply of a server on the local network. In no document; known from the Unreal games'
/// scripts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ReportReply<'a> {
    pub product: &'a [u8],
    pub query_port: Decimal<'a>,
}

impl<'a> Message<'a> for ReportReply<'a> {
    const SPEC: Spec = Spec::new("REPORTQUERY", &["001 5.4"], S2C, b"ut 7778")
        .id("report-reply")
        .content_match(ALPHANUMERIC, is_report)
        .answer_only()
        .answers(&["report-query"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.text(&PRODUCT, b" ", &mut self.product)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&QUERY_PORT, &mut self.query_port)
    }
}

/// Only answers are numbered, and only they have a mark for the last one.
fn is_reply(bytes: &[u8]) -> bool {
    keys(bytes).any(|key| matches!(key, b"queryid" | b"final"))
}

const ALPHANUMERIC: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A word, a blank and a digit.
fn is_report(bytes: &[u8]) -> bool {
    let word = bytes.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let behind = bytes.get(word..).unwrap_or_default();
    word > 0 && matches!(behind, [b' ', digit, ..] if digit.is_ascii_digit())
}

/// The number of an answer and of a part of it. Behind an end mark without a value it is read as a
/// key.
fn query_id(bytes: &[u8]) -> Option<&[u8]> {
    match bare_final(bytes) {
        Some(at) => value(bytes.get(at + b"\\final".len()..)?, b"queryid"),
        None => value(bytes, b"queryid"),
    }
}

/// `\queryid\62.2`: the second part of the answer 62. If the part's number is missing it is 1.
pub(super) fn part(bytes: &[u8]) -> Option<Part> {
    let mut numbers = query_id(bytes)?.split(|b| *b == b'.').map(number::<u32>);
    let reply = numbers.next()??;
    let index = u16::try_from(numbers.next().unwrap_or(Some(1))?).ok()?;
    Some(Part { reply, index, last: has(bytes, b"final") })
}

fn number<N: std::str::FromStr>(digits: &[u8]) -> Option<N> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The challenge of a query, as the master sends it over TCP too.
pub(super) fn challenge(bytes: &[u8]) -> Option<&[u8]> {
    value(bytes, b"secure")
}

/// Whether a message's answer to a challenge is correct for the game that it names.
pub(super) fn validation(bytes: &[u8], challenge: &[u8]) -> Option<Validation> {
    let answer = value(bytes, b"validate")?;
    let judge = |form| secure::validation(value(bytes, b"gamename"), challenge, answer, form);
    let plain = judge(AnswerForm::Plain);
    match (plain, value(bytes, b"enctype")) {
        (Validation::Right(_), _) | (_, None | Some(b"0")) => Some(plain),
        (_, Some(b"2")) => Some(judge(AnswerForm::Keyed)),
        // How some programs make an answer for type 1 is not known.
        _ => None,
    }
}

/// The value of `validate` or `echo` in the answer to a query: the former with the published key of
/// the game that the answer names.
pub(super) fn proof(own: &[u8], key: &[u8], request: &[u8]) -> Option<Vec<u8>> {
    match key {
        b"validate" => {
            let key = secure::key_of(value(own, b"gamename")?)?;
            Some(secure::answer(key, challenge(request)?).into_bytes())
        }
        b"echo" => value(request, b"echo").map(<[u8]>::to_vec),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_numbered() {
        let found = |reply, index, last| Some(Part { reply, index, last });
        for (bytes, expected) in [
            (&br"\player_3\x\queryid\62.2\final\"[..], found(62, 2, true)),
            (br"\gamename\ut\queryid\62.1", found(62, 1, false)),
            (br"\final\\queryid\1.1\validate\D324c2eA", found(1, 1, true)),
            (br"\queryid\7", found(7, 1, false)),
            (br"\player_0\x\final\queryid\7.2", found(7, 2, true)),
            (b"\\final\\queryid\\7.2\0", found(7, 2, true)),
            (b"\\queryid\\7.2\0", found(7, 2, false)),
            (br"\queryid\7.", None),
            (br"\queryid\7.70000", None),
            (br"\queryid\\x\1", None),
            (br"\gamename\ut", None),
        ] {
            assert_eq!(part(bytes), expected, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn answers_are_judged_by_the_game_that_they_name() {
        for (bytes, challenge, expected) in [
            (
                &br"\gamename\gmtest\validate\Sen5c0WR"[..],
                &b"123456"[..],
                Validation::Right("gmtest"),
            ),
            (br"\gamename\GMTest\validate\D324c2eA", b"3Fca11", Validation::NotOf("gmtest")),
            (br"\gamename\mygame\validate\Sen5c0WR", b"123456", Validation::KeyOf("gmtest")),
            (br"\validate\2/TYFMRc\final\", b"wookie", Validation::KeyOf("ut")),
        ] {
            assert_eq!(validation(bytes, challenge), Some(expected), "{}", bytes.escape_ascii());
        }
        assert_eq!(validation(br"\gamename\ut\validate\", b"wookie"), None);
        assert_eq!(challenge(br"\basic\\secure\wookie"), Some(&b"wookie"[..]));
    }

    #[test]
    fn proofs_are_made_anew() {
        let request = br"\basic\\secure\wookie";
        for (own, key, made) in [
            (&br"\gamename\UT\validate\x"[..], &b"validate"[..], Some(&b"2/TYFMRc"[..])),
            (br"\gamename\mygame\validate\x", b"validate", None),
            (br"\gamename\ut\validate\x", b"gamename", None),
            (br"\gamename\ut\echo\x", b"echo", None),
        ] {
            assert_eq!(proof(own, key, request).as_deref(), made, "{}", own.escape_ascii());
        }
        assert_eq!(proof(b"", b"echo", br"\basic\\echo\hi there").unwrap(), b"hi there");
    }

    #[test]
    fn a_report_is_a_word_and_a_port() {
        for (bytes, is) in
            [(&b"ut 7778"[..], true), (b"ut", false), (b"ut x", false), (b" 7778", false)]
        {
            assert_eq!(is_report(bytes), is);
        }
    }
}
