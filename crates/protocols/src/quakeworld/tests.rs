//! Invented messages that the document does not show, and effects of their direction.

use super::super::tests::{assert_decodes, decoded_values, decoded_values_of};
use super::PROTOCOL;
use protocol::{Carrier, Confidence, Direction, Role};

#[test]
fn letters_mean_what_their_ends_say() {
    let direction = |from, to| Direction { from: Some(from), to: Some(to) };
    for (from, to, bytes, id) in [
        (Role::Client, Role::Master, b"c\n\0".as_slice(), "get-servers"),
        (Role::Server, Role::Client, b"\xff\xff\xff\xffc-22695", "challenge"),
        (Role::Server, Role::Client, b"\xff\xff\xff\xffc22695\0", "challenge"),
        (Role::Server, Role::Client, b"\xff\xff\xff\xffj\0", "connected"),
        (Role::Server, Role::Client, b"\xff\xff\xff\xffn\\map\\dm6\n\0", "status-reply"),
        (Role::Server, Role::Client, b"\xff\xff\xff\xffnserver is full\n\0", "print"),
        (Role::Server, Role::Client, b"\xff\xff\xff\xffBreconnect\n\0", "client-command"),
        (Role::Server, Role::Client, b"k\n", "server-ping"),
        (Role::Server, Role::Master, b"k\0", "server-ping"),
        (Role::Client, Role::Server, b"\xff\xff\xff\xffl\0", "ack"),
        (Role::Master, Role::Server, b"\xff\xff\xff\xffm\0", "nack"),
        (Role::Server, Role::Master, b"C\n", "shutdown"),
        (Role::Server, Role::Master, b"a\n17\n3\n", "heartbeat"),
    ] {
        let (got, _) = decoded_values_of(&PROTOCOL, bytes, direction(from, to));
        assert_eq!(got, id);
        let (got, _) = decoded_values(&PROTOCOL, bytes);
        assert_eq!(got, id, "without direction");
    }
}

#[test]
fn the_case_of_a_letter_counts() {
    let named = |bytes| {
        crate::recognise(&PROTOCOL, Carrier::Datagram, bytes, Direction::default())
            .map(|e| e.spec.id)
    };
    assert_eq!(named(b"c\n\0"), Some("get-servers"));
    assert_eq!(named(b"C\n\0"), Some("shutdown"));
    assert_eq!(named(b"K\0"), None);
    assert_eq!(named(b"\xff\xff\xff\xffSTATUS\n"), Some("status"));
}

#[test]
fn a_player_line_has_eight_columns() {
    assert_decodes(
        &PROTOCOL,
        b"\xff\xff\xff\xffn\\*gamedir\\qw\n7 -2 31 999 \"\x9d\xcb x\x9f\" \"o o\" 4 13\n\0",
        "status-reply",
        &[
            "*gamedir=qw",
            "id=7",
            "frags=-2",
            "minutes=31",
            "ping=999 (not known yet, or longer)",
            r"name=\x9d\xcb x\x9f",
            "skin=o o",
            "top=4 (red)",
            "bottom=13 (blue)",
        ],
    );
}

#[test]
fn clients_connect_and_command() {
    assert_decodes(
        &PROTOCOL,
        b"\xff\xff\xff\xffconnect 28 810 -22695 \"\\name\\ranger\\password\\x\"\n",
        "connect",
        &[
            "protocol=28 (QuakeWorld 2.10 and later)",
            "qport=810",
            "challenge=-22695",
            "name=ranger",
            "*passw*=x",
        ],
    );
    let (id, values) = decoded_values(&PROTOCOL, b"\xff\xff\xff\xffrcon swordfish map dm6\0");
    assert_eq!((id, values), ("rcon", vec!["password=swordfish".into(), "line=map dm6".into()]));
}

#[test]
fn a_fifth_ff_speaks_for_hexenworld() {
    let hexenworld = PROTOCOL.games.iter().find(|g| g.id == "hexenworld").unwrap();
    for bytes in [
        b"\xff\xff\xff\xff\xffn\\map\\hwdm1\n\0".as_slice(),
        b"\xff\xff\xff\xff\xffl\0",
        b"\xff\xff\xff\xff\xffd\n\xc0\0\x02\x07\x69\x46",
        b"\xff\xff\xff\xff\xffstatus\n",
    ] {
        decoded_values(&PROTOCOL, bytes);
        let entry =
            crate::recognise(&PROTOCOL, Carrier::Datagram, bytes, Direction::default()).unwrap();
        assert_eq!(hexenworld.evidence(entry, "header", &bytes[..5]), Some(Confidence::Certain));
        assert_eq!(hexenworld.evidence(entry, "header", &bytes[..4]), None);
    }
}

#[test]
fn a_players_line_has_what_the_request_asked_for() {
    let reply = |lines: &str| format!("\u{0}\u{0}\u{0}\u{0}n{lines}\0").into_bytes();
    for (line, values) in [
        ("7 S 9 38 \"Alfa\" \"\" 4 13 \"red\"\n", &["frags=S (a spectator)", "team=red"][..]),
        ("7 1 9 38 \"Alfa\" \"\" 4 13 \"none\"\n", &["login=none (logged in, no flag)"]),
        ("7 1 9 38 \"Alfa\" \"\" 4 13 \"red\" \"b\"\n", &["team=red", "client=b (bot)"]),
        ("7 1 9 38 \"Alfa\" \"\" 4 13 \"red\" \"\"\n", &["login= (not logged in)"]),
        (
            "7 1 9 38 \"Alfa\" \"\" 4 13 \"red\" \"pl\" \"h\"\n",
            &["team=red", "login=pl", "client=h (human)"],
        ),
        ("qtv 1 \"Lab\" \"\" 3\n", &["stream=1", "stream_name=Lab", "users=3"]),
    ] {
        let mut bytes = reply(line);
        bytes.splice(..4, *b"\xff\xff\xff\xff");
        let (id, found) = decoded_values(&PROTOCOL, &bytes);
        assert_eq!(id, "status-reply", "{line}");
        for value in values {
            assert!(found.iter().any(|one| one == value), "{value} in {found:?}");
        }
    }
}

#[test]
fn texts_and_records_behind_one_letter_differ() {
    for (bytes, id) in [
        (&b"\xff\xff\xff\xffn\xc0\x00\x02\x0alk\x1a\0"[..], "pingstatus-reply"),
        (b"\xff\xff\xff\xffn\nfull.\n\0", "print"),
        (b"\xff\xff\xff\xffn", "print"),
        (b"\xff\xff\xff\xffn\0", "print"),
        (b"\xff\xff\xff\xffn7 up\n\0", "print"),
        (b"\xff\xff\xff\xffn*  12: a.mvd (1k)\n\0", "demolist-reply"),
        (b"\xff\xff\xff\xffn12: a\n\0", "print"),
    ] {
        assert_eq!(decoded_values(&PROTOCOL, bytes).0, id, "{}", bytes.escape_ascii());
    }
}
