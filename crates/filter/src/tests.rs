//! The language: what is accepted, what is rejected and where, what is completed.

use proptest::prelude::*;

use super::parse::parse;
use super::tree::{Expr, FilterSpan, Literal, Located, Op, Relation, SetMember, Term};
use super::*;
use protocols::registry;

#[test]
fn what_is_written_has_one_meaning() {
    for (text, canonical) in [
        ("quake3", "quake3"),
        ("a||b&&c", "a or (b and c)"),
        ("a or b or c", "a or b or c"),
        ("(a or b) && !c", "(a or b) and not c"),
        ("!!a", "not not a"),
        ("not a == 1", "not a == 1"),
        ("not (a and b)", "not (a and b)"),
        ("((a))", "a"),
        ("a==1&&b!=2", "a == 1 and b != 2"),
        ("a eq 1 or b ne 2 or c lt 3 or d le 4", "a == 1 or b != 2 or c < 3 or d <= 4"),
        ("a gt 1 or b ge 2 or c matches \"x\"", "a > 1 or b >= 2 or c ~ \"x\""),
        ("a in{1,2 3..4 , \"5\"}", "a in {1 2 3..4 \"5\"}"),
        ("a not in {10.0.0.0/8}", "a not in {10.0.0.0/8}"),
        ("quake3.getservers-response", "quake3.getservers-response"),
        (
            "field.\"clan tag\" == \"\\\"\\\\\\x41\\u{42}\\n\"",
            "field.\"clan tag\" == \"\\\"\\\\AB\\n\"",
        ),
        ("field.\"x\"", "field.\"x\""),
        ("a ~ r\"^\\d\"", "a ~ \"^\\\\d\""),
        ("a == [2001:db8::7]:1", "a == [2001:db8::7]:1"),
        ("note and inner or order", "(note and inner) or order"),
    ] {
        assert_eq!(parse(text).unwrap().to_string(), canonical, "{text}");
    }
}

/// An invalid filter: the column and length of the error, its text, and the suggestion.
type Refused = (&'static str, usize, usize, &'static str, Option<&'static str>);

const REFUSED: &[Refused] = &[
    ("", 1, 1, "a name is wanted here", None),
    ("   ", 4, 1, "a name is wanted here", None),
    ("and", 1, 3, "a name is wanted here", None),
    ("quake3 and", 11, 1, "a name is wanted here", None),
    ("quake3 && || rtcw", 11, 1, "a name is wanted here", None),
    ("not", 4, 1, "a name is wanted here", None),
    ("\"quake3\"", 1, 1, "a name is wanted here", None),
    ("(quake3 or rtcw", 1, 1, "this parenthesis is not closed", None),
    ("(quake3 rtcw)", 9, 4, "\"and\", \"or\" or \")\" is wanted", None),
    ("quake3)", 7, 1, "\"and\", \"or\" or the end is wanted", None),
    ("quake3 rtcw", 8, 4, "\"and\", \"or\" or the end", None),
    ("quake3 & rtcw", 8, 1, "& means nothing", Some("&&")),
    ("quake3 | rtcw", 8, 1, "| means nothing", Some("||")),
    ("udp.port = 1", 10, 1, "= means nothing", Some("==")),
    ("udp.port ==", 12, 1, "a value is wanted here", None),
    ("udp.port == ä", 13, 1, "a value is wanted here", None),
    ("message == \"größe\" = 1", 20, 1, "= means nothing", Some("==")),
    ("message == \"get", 12, 1, "no closing quote", None),
    ("message == \"a\\qb\"", 14, 2, "this escape means nothing", None),
    ("message == \"\\u{110000}\"", 13, 10, "this escape means nothing", None),
    ("message == getinfo", 12, 7, "a text is written in quotes", Some("\"getinfo\"")),
    ("udp.port == 65536", 13, 5, "a port is wanted here, from 0 to 65535", None),
    ("udp.srcport < -1", 15, 2, "a port is wanted here", None),
    ("tcp.port == 1.5", 13, 3, "a port is wanted here", None),
    ("udp.port in {1..65536}", 14, 8, "a range goes from a number", None),
    ("udp.port in 5", 13, 1, "a set is wanted here", None),
    ("udp.port in {", 13, 1, "this set is not closed", None),
    ("udp.port in {}", 14, 1, "a value is wanted here", None),
    ("udp.port in {5 6", 13, 1, "this set is not closed", None),
    ("udp.port in {5 ;}", 16, 1, "a value is wanted here, or \"}\"", None),
    ("udp.port in {5..}", 17, 1, "the end of the range is missing", None),
    ("udp.port in {6..5}", 14, 4, "ends before it begins", None),
    ("game in {rtcw..quake3}", 10, 12, "a range goes from a number", None),
    ("udp.prot == 1", 1, 8, "no name is udp.prot", Some("udp.port")),
    ("gmae == \"rtcw\"", 1, 4, "no name is gmae", Some("game")),
    ("udp.length > 8", 1, 10, "length counts the bytes of the payload", Some("length")),
    ("udp.stream == 0", 1, 10, "flows are numbered from 1", Some("flow")),
    ("icmp", 1, 4, "an ICMP error is no message", None),
    ("yard", 1, 4, "no name is yard", Some("any contains \"yard\"")),
    ("192.0.2.7", 1, 9, "an address is no filter", Some("ip.addr == 192.0.2.7")),
    (
        "192.0.2.7:27960",
        1,
        15,
        "an address is no filter",
        Some("(source == 192.0.2.7:27960 or destination == 192.0.2.7:27960)"),
    ),
    ("payload[x] == ff", 1, 10, "a slice is [offset:length]", None),
    ("message[0] == ff", 1, 10, "message has no bytes", Some("payload[0]")),
    ("payload == x", 12, 1, "bytes are wanted here", None),
    ("payload > ff", 9, 1, "> goes with numbers and times, not with bytes", None),
    ("getservers", 1, 10, "no name is getservers", Some("quake3.getservers")),
    ("quake3.getserver", 1, 16, "no name is", Some("quake3.getservers")),
    ("sv_maxclients > 8", 1, 13, "no name is", Some("field.sv_maxclients")),
    ("field.sv_maxclient > 8", 1, 18, "no field is known", Some("field.sv_maxclients")),
    ("field.g_unlagged", 1, 16, "field.\"g_unlagged\" asks for any key", None),
    ("udp port 27960", 5, 4, "this is a display filter, tcpdump's are given to", None),
    ("udp and host 10.0.0.1", 14, 8, "this is a display filter, tcpdump's are given to", None),
    ("field.", 1, 6, "no field is known as \"\"", None),
    ("xyzzyx == 1", 1, 6, "no name is xyzzyx", None),
    ("game == \"rtwc\"", 9, 6, "no game is \"rtwc\"", Some("\"rtcw\"")),
    ("game == rtwc", 9, 4, "no game is \"rtwc\"", Some("\"rtcw\"")),
    ("protocol == \"quake\"", 13, 7, "no protocol is \"quake\"", Some("\"quake3\"")),
    ("transport == ucp", 14, 3, "no transport is", Some("\"udp\"")),
    ("direction == \"client-to-sever\"", 14, 17, "no direction", Some("\"client-to-server\"")),
    ("certainty > \"sertain\"", 13, 9, "no certainty is", Some("\"certain\"")),
    ("from == nobody", 9, 6, "no from is \"nobody\"", None),
    ("quake3 == 5", 8, 2, "quake3 is there or not", None),
    ("quake3 in {5}", 8, 2, "quake3 is there or not", None),
    ("udp.port == \"x\"", 13, 3, "a port is wanted here", None),
    ("udp.port ~ \"2\"", 10, 1, "~ goes with texts, and udp.port is a number", None),
    ("length contains 5", 8, 8, "contains goes with texts", None),
    ("message < \"x\"", 9, 1, "< goes with numbers and times, not with texts", None),
    ("game > \"rtcw\"", 6, 1, "> goes with numbers", None),
    ("ip.src < 10.0.0.1", 8, 1, "< goes with numbers and times, not with addresses", None),
    ("ip.src == 10.0.0", 11, 6, "an address or a network is wanted", None),
    ("ip.src == 10.0.0.0/33", 11, 11, "an address or a network is wanted", None),
    ("ip.src == 10.0.0.0/+8", 11, 11, "an address or a network is wanted", None),
    ("ip.src == 10.0.0.1:80", 11, 11, "an address has no port", None),
    ("server == 2001:db8::7:x", 11, 13, "an address is wanted", None),
    ("frame.time > yesterday", 14, 9, "a time is wanted here", None),
    ("frame.time in {2003-12-01 5s}", 27, 2, "a set holds times, or durations", None),
    ("frame.time in {1s..2003-12-01}", 16, 14, "a range goes from", None),
    ("exchange.latency > 5", 20, 1, "a duration is wanted here", None),
    ("field.protocol == x", 19, 1, "a text is written in quotes", Some("\"x\"")),
    ("field.protocol ~ 6", 16, 1, "~ goes with a text in quotes", None),
    ("field.address > 10.0.0.1", 15, 1, "not with addresses", None),
    ("message ~ \"(\"", 11, 3, "invalid regular expression: unclosed group", None),
    ("message ~ \"(\\\\w{1000}){9}\"", 11, 16, "too big", None),
];

#[test]
fn errors_have_their_column() {
    for (text, column, length, what, correct) in REFUSED {
        let error = Filter::parse(text).unwrap_err();
        let position = (error.column(), error.length());
        assert_eq!(position, (*column, *length), "{text}: {error}");
        assert!(error.what().contains(what), "{text}: {error}");
        assert_eq!(error.suggestion(), *correct, "{text}: {error}");
    }
}

#[test]
fn carets_stand_under_what_is_wrong() {
    let matched = |text| Filter::parse(text).unwrap_err().marked();
    assert_eq!(matched("quake3 & rtcw"), ["quake3 & rtcw", "       ^"]);
    assert_eq!(matched("game == \"日本\""), ["game == \"日本\"", "        ^^^^^^"]);
    assert_eq!(matched("\t\u{1b}"), ["\\t\\x1b", "  ^^^^"]);
    assert_eq!(matched("udp.port >"), ["udp.port >", "          ^"]);
}

#[test]
fn what_costs_too_much_is_refused() {
    let deep = |n: usize| format!("{}quake3{}", "(".repeat(n), ")".repeat(n));
    assert!(Filter::parse(&deep(64)).is_ok());
    assert!(Filter::parse(&deep(65)).unwrap_err().what().contains("nested deeper"));
    assert!(Filter::parse(&format!("{}quake3", "!".repeat(9999))).is_err());
    let many = |n: usize| vec!["message ~ \"a\""; n].join(" or ");
    assert!(Filter::parse(&many(32)).is_ok());
    assert!(Filter::parse(&many(33)).unwrap_err().what().contains("32 regular expressions"));
    let long = vec!["quake3"; 3000].join(" or ");
    assert!(Filter::parse(&long).unwrap_err().what().contains("longer than 16384 bytes"));
}

#[test]
fn what_needs_the_future_says_so() {
    for (text, position) in [
        ("finding", Some((1, 7))),
        ("quake3 and not exchange.state == \"unanswered\"", Some((16, 14))),
        ("quake3 or field.finding", None),
        ("note", None),
    ] {
        let Ok(filter) = Filter::parse(text) else {
            assert!(position.is_none(), "{text}");
            continue;
        };
        assert_eq!(filter.needs_analysis(), position.is_some(), "{text}");
        let refused = filter.for_one_pass().err();
        assert_eq!(refused.map(|e| (e.column(), e.length())), position, "{text}");
    }
}

#[test]
fn only_what_needs_payloads_reads_them() {
    for (text, needs) in [
        ("quake3.getservers && udp.port == 27950", false),
        ("length > 5 and answers and certainty == set", false),
        ("quake3 and field.sv_maxclients > 8", true),
        ("not (rtcw or fault)", true),
        ("unparsed", true),
    ] {
        assert_eq!(Filter::parse(text).unwrap().needs_payload(), needs, "{text}");
    }
}

#[test]
fn every_name_is_found_by_its_name() {
    let mut seen = std::collections::HashSet::new();
    for name in names::names() {
        assert!(seen.insert(&name.name), "{} stands twice", name.name);
        let filter = Filter::parse(&name.name).unwrap_or_else(|e| panic!("{}: {e}", name.name));
        assert_eq!(filter.to_string(), name.name);
        assert!(!name.meaning.is_empty() && !name.holds.is_empty(), "{}", name.name);
        assert!(!name.meaning.contains('\n'), "{}", name.name);
    }
}

#[test]
fn words_are_completed_where_they_may_stand() {
    for (text, from, first, len) in [
        ("udp.po", 0, "udp.port", 1),
        ("udp.", 0, "udp.port", 3),
        ("quake3 and UDP.S", 11, "udp.srcport", 1),
        ("!(getservers-E", 2, "quake3.getservers-ext", 3),
        ("field.sv_maxc", 0, "field.sv_maxclients", 1),
        ("field.clan", 0, "field.Clan", 3),
        ("game == ", 8, "\"quake3\"", registry().games().count()),
        ("game == rt", 8, "\"rtcw\"", 1),
        ("game == \"rt", 8, "\"rtcw\"", 1),
        ("quake3 and certainty gt \"ce", 24, "\"certain\"", 1),
        ("udp.port == 2", 12, "", 0),
        ("udp.port g", 9, "", 0),
        ("message == \"udp.po", 11, "", 0),
        ("ä and udp.po", 7, "udp.port", 1),
    ] {
        let Completions { from: at, all } = complete(text, text.len());
        let got = all.first().map_or("", |one| one.text.as_str());
        assert_eq!((got, all.len()), (first, len), "{text}: {all:?}");
        assert!(all.is_empty() || at == from, "{text}: {at}");
    }
    assert_eq!(complete("udp.po == 5", 6).all.len(), 1);
    assert!(complete("", 0).all.len() > 300);
}

fn written() -> impl Strategy<Value = Located> {
    let text = prop_oneof!["[ -~]{0,8}", any::<String>()];
    text.prop_map(|text| Located { text, at: FilterSpan::default() })
}

fn literal() -> impl Strategy<Value = Literal> {
    let word = "[A-Za-z0-9_:/+\\[\\]-]{1,9}(\\.[0-9a-z]{1,3}){0,3}";
    let word = word.prop_map(|text| Literal::Word(Located { text, at: FilterSpan::default() }));
    prop_oneof![written().prop_map(Literal::Text), word]
}

fn relation() -> impl Strategy<Value = Relation> {
    let op = prop::sample::select(Op::SPELLED.map(|(_, op)| op).to_vec());
    let at = FilterSpan::default;
    let compare =
        (op, literal()).prop_map(move |(op, value)| Relation::Compare { op, at: at(), value });
    let member = prop_oneof![
        literal().prop_map(SetMember::One),
        (literal(), literal()).prop_map(|(from, to)| SetMember::Range(from, to)),
    ];
    let members = prop::collection::vec(member, 1..4);
    let within = (any::<bool>(), members).prop_map(move |(not, members)| Relation::In {
        not,
        at: at(),
        members,
    });
    prop_oneof![compare, within]
}

fn term() -> impl Strategy<Value = Expr> {
    let plain = "[A-Za-z_][A-Za-z0-9_.-]{0,9}x".prop_map(|text| (text, false));
    let quoted = written().prop_map(|field| (format!("field.{}", field.text), true));
    let name = prop_oneof![4 => plain, 1 => quoted];
    (name, prop::option::of(relation())).prop_map(|((text, quoted), relation)| {
        Expr::Term(Term { name: Located { text, at: FilterSpan::default() }, quoted, relation })
    })
}

fn tree() -> impl Strategy<Value = Expr> {
    term().prop_recursive(5, 24, 3, |part| {
        let parts = || prop::collection::vec(part.clone(), 2..4);
        prop_oneof![
            parts().prop_map(Expr::Or),
            parts().prop_map(Expr::And),
            part.prop_map(|part| Expr::Not(Box::new(part))),
        ]
    })
}

/// Anything, and what looks like a filter.
fn anything() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "quake3",
        "udp.port",
        "field.",
        "field.protocol",
        "game",
        "frame.time",
        "ip.addr",
        "==",
        "!=",
        "in",
        "{",
        "}",
        "(",
        ")",
        "not",
        "!",
        "and",
        "||",
        "\"",
        "r\"",
        "\\",
        "1",
        "..",
        "2003-12-01",
        "10.0.0.0/8",
        "~",
        "contains",
        "5s",
        "ä",
        " ",
        ",",
        "exchange.latency",
        "certainty",
        "<",
        "-",
    ]);
    let words = prop::collection::vec((words, prop::sample::select(vec!["", " "])), 0..12);
    let words = words.prop_map(|all| all.into_iter().flat_map(|(a, b)| [a, b]).collect());
    prop_oneof![1 => any::<String>(), 3 => words]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_text_of_a_tree_is_read_as_the_same_tree(tree in tree()) {
        let text = tree.to_string();
        prop_assert_eq!(parse(&text).unwrap_or_else(|e| panic!("{text}: {e:?}")), tree, "{}", text);
    }

    #[test]
    fn no_text_breaks_it(text in anything(), cursor in 0..40usize) {
        complete(&text, cursor);
        match Filter::parse(&text) {
            Ok(filter) => {
                let again = Filter::parse(&filter.to_string()).unwrap();
                prop_assert_eq!(again.tree, filter.tree);
            }
            Err(error) => {
                let columns = text.chars().count();
                prop_assert!(error.column() <= columns + 1, "{}", error);
                prop_assert!(error.column() + error.length() <= columns + 2, "{}", error);
                error.marked();
            }
        }
    }
}
