//! Invented messages that the document does not show, and messages of other protocols.

use super::super::registry;
use super::super::tests::{assert_decodes, decoded_values};
use super::PROTOCOL;
use codec::Scratch;
use protocol::{Carrier, Direction, Magic};

#[test]
fn lists_are_asked_for_by_cursor_or_by_region() {
    assert_decodes(&PROTOCOL, b"e\x01\x02\x00", "get-servers", &["cursor=513"]);
    assert_decodes(
        &PROTOCOL,
        b"1\x03192.0.2.7:27015\0\\gamedir\\tfc\\dedicated\\1\0",
        "get-region",
        &[
            "region=3 (Europe)",
            "from=192.0.2.7:27015",
            "gamedir=tfc",
            "dedicated=1 (only such servers)",
        ],
    );
    assert_decodes(
        &PROTOCOL,
        b"\xff\xff\xff\xfff\n\xc0\0\x02\x07\x69\x87\0\0\0\0\0\0",
        "servers",
        &["address=192.0.2.7", "port=27015", "address=0.0.0.0", "port=0"],
    );
    assert_decodes(&PROTOCOL, b"b\n", "log-off", &[]);
}

#[test]
fn xash3d_has_challenges_of_both_sides_and_a_key_before_its_list() {
    assert_decodes(&PROTOCOL, b"q\xff", "heartbeat", &[]);
    assert_decodes(&PROTOCOL, b"q\xff\x01\x02\0\0", "heartbeat", &["server challenge=513"]);
    assert_decodes(
        &PROTOCOL,
        b"\xff\xff\xff\xffs\n\xff\xff\xff\xff\x01\x02\0\0",
        "challenge",
        &["challenge=4294967295", "server challenge=513"],
    );
    assert_decodes(
        &PROTOCOL,
        b"0\n\\challenge\\4294967295\\nat\\0",
        "reply",
        &["challenge=4294967295", "nat=0 (no)"],
    );
    assert_decodes(
        &PROTOCOL,
        b"1\xff0.0.0.0:0\0\\clver\\0.21\\key\\201",
        "get-region",
        &["region=255 (everywhere)", "from=0.0.0.0:0", "clver=0.21", "key=201"],
    );
    assert_decodes(
        &PROTOCOL,
        b"\xff\xff\xff\xfff\n\x7f\x01\x02\0\0\x08\xc0\0\x02\x07\x69\x87\0\0\0\0\0\0",
        "servers",
        &["key=513", "address=192.0.2.7", "port=27015", "address=0.0.0.0", "port=0"],
    );
    let six = [
        &b"\xff\xff\xff\xfff\n\x7f\x01\x02\0\0\x08"[..],
        b"\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x07\x69\x87",
        &[0; 18],
    ];
    assert_decodes(
        &PROTOCOL,
        &six.concat(),
        "servers",
        &["key=513", "address=2001:db8::7", "port=27015", "address=::", "port=0"],
    );
}

#[test]
fn a_password_that_is_a_number_is_no_challenge() {
    for (bytes, first) in [
        (&b"\xff\xff\xff\xffrcon 1234 \"status\" "[..], "password=1234"),
        (b"\xff\xff\xff\xffrcon 1234 \"say\" \"hi\" ", "password=1234"),
        (b"\xff\xff\xff\xffrcon 1234 \"pw\"", "password=1234"),
        (b"\xff\xff\xff\xffrcon 1234 \"pw\" status", "challenge=1234"),
        (b"\xff\xff\xff\xffrcon pw status\n", "password=pw"),
    ] {
        let (id, values) = decoded_values(&PROTOCOL, bytes);
        assert_eq!((id, values[0].as_str()), ("rcon", first), "{}", bytes.escape_ascii());
    }
}

#[test]
fn netinfo_is_a_request_with_three_numbers_and_a_reply_with_two() {
    for (bytes, id) in [
        (&b"\xff\xff\xff\xffnetinfo 48 7 4"[..], "netinfo"),
        (b"\xff\xff\xff\xffnetinfo 48 7 4\n", "netinfo"),
        (b"\xff\xff\xff\xffnetinfo 7 4\\hostname\\x", "netinfo-reply"),
        (b"\xff\xff\xff\xffnetinfo 7 1 \n", "netinfo-reply"),
        (b"\xff\xff\xff\xffnetinfo 7 1\n", "netinfo-reply"),
        (b"\xff\xff\xff\xffnetinfo 7 3 0\\Alfa\\5\\12.5\\\n", "netinfo-reply"),
    ] {
        assert_eq!(decoded_values(&PROTOCOL, bytes).0, id, "{}", bytes.escape_ascii());
    }
}

#[test]
fn whether_a_password_is_wanted_is_explained() {
    let field = super::KEYS.resolve(b"password");
    assert_eq!(field.role, codec::FieldRole::Secret);
    assert_eq!(field.explain(b"1"), Some("a password is needed"));
}

#[test]
fn queries_of_steam_are_of_no_other_protocol() {
    for packet in [
        b"\xff\xff\xff\xffTSource Engine Query\0".as_slice(),
        b"\xff\xff\xff\xffU\xff\xff\xff\xff",
        b"\xff\xff\xff\xffV\x4b\xa1\xd5\x22",
        b"\xff\xff\xff\xffA\x4b\xa1\xd5\x22",
        b"\xff\xff\xff\xffI\x30Half-Life\0crossfire\0valve\0Half-Life\0F\0\0\x10\0dl\0\0",
        b"\xff\xff\xff\xffD\x01\0Player\0\x05\0\0\0\0\0\xc0\x3f",
        b"\xff\xff\xff\xffE\x01\0mp_timelimit\x0030\0",
        b"\xff\xff\xff\xffi",
        b"\xff\xff\xff\xffj00000000000000\0",
        b"\xff\xff\xff\xffm192.0.2.7:27015\0Half-Life\0crossfire\0valve\0Half-Life\0",
        b"\xff\xff\xff\xfflBad rcon_password.\n\0",
    ] {
        let all = registry().recognise_all(Carrier::Datagram, packet, Direction::default());
        for entry in all.filter(|entry| *entry.protocol != super::super::source::PROTOCOL) {
            let takes = (entry.check)(packet, &mut Scratch::default()).is_none();
            let strong = match entry.spec.magic {
                Magic::Strong => true,
                Magic::Exact => takes,
                Magic::Weak | Magic::AnswerOnly => false,
            };
            assert!(!strong, "{entry:?} takes {}", packet.escape_ascii());
        }
    }
}
