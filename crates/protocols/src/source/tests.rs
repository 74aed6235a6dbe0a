//! Invented messages in every form that programs send, and messages of others.

use super::super::registry;
use super::super::tests::{assert_decodes, decoded_values};
use super::{PROTOCOL, SplitForm, SplitPacket, parse_split};
use codec::{Anomaly, New, Scratch};
use protocol::{Carrier, Direction, Reading};

const INFO: &[u8] =
    b"\xff\xff\xff\xffI\x11Lab\0ctf_2fort\0tf\0Team Fortress\0\xb8\x01\x05\x18\x01dl\0\x01\
    1.0\0";

fn with(head: &[u8], rest: &[&[u8]]) -> Vec<u8> {
    [head, &rest.concat()].concat()
}

#[test]
fn requests_have_a_challenge_or_none() {
    let query = b"\xff\xff\xff\xffTSource Engine Query\0";
    assert_decodes(&PROTOCOL, query, "a2s-info", &[]);
    let challenged = with(query, &[b"\xa7\xf1\xd2\x4b"]);
    assert_decodes(&PROTOCOL, &challenged, "a2s-info", &["challenge=1272115623"]);
    for (bytes, id, value) in [
        (&b"\xff\xff\xff\xffU\xff\xff\xff\xff"[..], "a2s-player", "-1 (none yet: asks for one)"),
        (b"\xff\xff\xff\xffU\0\0\0\0", "a2s-player", "0 (none yet: asks for one)"),
        (b"\xff\xff\xff\xffV\x01\0\0\0", "a2s-rules", "1"),
        (b"\xff\xff\xff\xffA\x01\0\0\0", "s2c-challenge", "1"),
    ] {
        assert_decodes(&PROTOCOL, bytes, id, &[&format!("challenge={value}")]);
    }
    assert_decodes(&PROTOCOL, b"\xff\xff\xff\xffU", "a2s-player", &[]);
    assert_decodes(&PROTOCOL, b"\xff\xff\xff\xffW", "a2s-serverquery-getchallenge", &[]);
    assert_decodes(&PROTOCOL, b"\xff\xff\xff\xffi", "a2a-ping", &[]);
    assert_decodes(&PROTOCOL, b"i", "master-ping", &[]);
    assert_decodes(&PROTOCOL, b"\xff\xff\xff\xffj\0", "a2a-ack", &["text="]);
    assert_decodes(&PROTOCOL, b"\xff\xff\xff\xffj", "a2a-ack", &["text="]);
}

#[test]
fn what_follows_the_version_is_in_the_order_of_the_document() {
    let common = [
        "protocol=17 (Source)",
        "hostname=Lab",
        "map=ctf_2fort",
        "folder=tf",
        "game=Team Fortress",
        "app id=440",
        "players=5",
        "max=24",
        "bots=1",
        "type=d (dedicated)",
        "os=l (Linux)",
        "password=0 (open)",
        "secure=1 (yes)",
        "version=1.0",
    ];
    assert_decodes(&PROTOCOL, INFO, "s2a-info", &common);
    let id = b"\xb8\x01\0\0\0\0\0\0";
    let (steam, tv) = (b"\0\0\0\0\0\0\x40\x01", b"\x8c\x69TV\0");
    for (flags, extra, values) in [
        (
            0xf1,
            &[&b"\x87\x69"[..], steam, tv, b"a,b\0", id][..],
            &[
                "port=27015",
                "steam id=90071992547409920",
                "tv port=27020",
                "tv name=TV",
                "keywords=a,b",
                "game id=440",
            ][..],
        ),
        (0x01, &[id], &["game id=440"]),
        (0x30, &[steam, b"\0"], &["steam id=90071992547409920", "keywords="]),
        (0x00, &[], &[]),
    ] {
        let bytes = with(INFO, &[&[flags], &extra.concat()]);
        let (of, found) = decoded_values(&PROTOCOL, &bytes);
        assert_eq!(
            (of, &found[15..]),
            ("s2a-info", &values.iter().map(|v| (*v).to_owned()).collect::<Vec<_>>()[..])
        );
        // Neither less nor more.
        for other in [&bytes[..bytes.len() - 1], &with(&bytes, &[b"x"])] {
            let is_other = flags == 0 && other.len() < bytes.len();
            assert_eq!(recognised(other).is_some(), is_other, "{}", other.escape_ascii());
        }
    }
}

#[test]
fn the_ship_has_fields_of_its_own() {
    let ship = b"\xff\xff\xff\xffI\x07Lab\0batavier\0ship\0The Ship\0\x60\x09\x03\x05\0dw\0\0\
        \x01\x02\x031.0.0.4\0";
    let (_, values) = decoded_values(&PROTOCOL, ship);
    assert_eq!(
        values[13..],
        ["mode=1 (elimination)", "witnesses=2", "arrest=3", "version=1.0.0.4"]
    );
    let players = b"\xff\xff\xff\xffD\x02\0Alfa\0\x01\0\0\0\0\0\x80\x3f\0B\0\x02\0\0\0\0\0\0\x40\
        \x03\0\0\0\xc4\x09\0\0\x01\0\0\0\x64\0\0\0";
    let (_, values) = decoded_values(&PROTOCOL, players);
    assert_eq!(values[0], "count=2");
    assert_eq!(
        values[5..],
        [
            "index=0",
            "name=B",
            "score=2",
            "duration=2",
            "deaths=3",
            "money=2500",
            "deaths=1",
            "money=100",
        ]
    );
}

#[test]
fn players_are_as_many_as_there_are() {
    let one = b"\0Alfa\0\x0c\0\0\0\0\xc0\xa0\x43";
    for (count, players, found) in
        [(0, 0, 0), (1, 1, 1), (2, 1, 1), (0, 2, 2), (1, 3, 3), (255, 2, 2)]
    {
        let all = vec![&one[..]; players].concat();
        let bytes = with(b"\xff\xff\xff\xffD", &[&[count], &all]);
        let (id, values) = decoded_values(&PROTOCOL, &bytes);
        let names = values.iter().filter(|value| *value == "name=Alfa").count();
        assert_eq!((id, names), ("s2a-player", found), "{count} {players}");
    }
    // The last one is cut: that is a fault, but the message keeps its name.
    let cut = with(b"\xff\xff\xff\xffD\x02", &[one, &one[..9]]);
    assert_eq!(recognised(&cut), None);
    let entry = crate::recognise(&PROTOCOL, Carrier::Datagram, &cut, Direction::default());
    assert_eq!(entry.map(|entry| entry.spec.id), Some("s2a-player"));
}

#[test]
fn rules_may_be_cut_anywhere() {
    let whole = b"\xff\xff\xff\xffE\x02\0mp_timelimit\x0030\0sv_tags\0alltalk\0";
    assert_decodes(
        &PROTOCOL,
        whole,
        "s2a-rules",
        &["count=2", "mp_timelimit=30", "sv_tags=alltalk"],
    );
    let mut reading = Reading::default();
    let name = b"\xff\xff\xff\xffE\x02\0mp_timelimit\0".len();
    let first = name + b"30\0".len();
    for length in name..whole.len() {
        let cut = &whole[..length];
        let entry = crate::recognise(&PROTOCOL, Carrier::Datagram, cut, Direction::default());
        let entry = entry.unwrap_or_else(|| panic!("{}", cut.escape_ascii()));
        assert!(reading.takes_all(entry, cut), "{}", cut.escape_ascii());
        let notes: Vec<_> = reading.spans().notes.iter().map(|note| note.odd).collect();
        let expected: &[Anomaly] = if length == first { &[] } else { &[Anomaly::ShortLine] };
        assert_eq!(notes, expected, "{}", cut.escape_ascii());
    }
    assert_eq!(recognised(&whole[..name - 1]), None, "not one name is whole");
    // Binary data in as many texts as the count says; and not.
    let binary = b"\xff\xff\xff\xffE\x01\0\x01\x01\0\x02\x01\x02\x04\x03\0";
    assert_eq!(recognised(binary), Some("s2a-rules"));
    assert_eq!(recognised(&with(binary, &[b"\x01\x02\0\x03\0"])), None);
    assert_eq!(recognised(&whole[..b"\xff\xff\xff\xffE\x02\0mp_".len()]), None);
}

/// A part with a body of this many bytes, and what it is read as.
fn part(head: &[u8], body: usize) -> Option<SplitPacket> {
    let reply = [&b"\xff\xff\xff\xffE"[..], &b"sv_rule\0value\0".repeat(200)].concat();
    // The number of the first part is 0 in every form.
    let is_first = matches!(head, [_, _, _, _, _, 0, ..] | [_, _, _, _, 0..=15]);
    let body = if is_first { &reply[..body] } else { &reply[8..8 + body] };
    parse_split(&with(b"\xfe\xff\xff\xff", &[head, body]))
}

#[test]
fn parts_are_read_in_each_form() {
    use SplitForm::{GoldSrc, Old, Source};
    for (head, body, form, index, total) in [
        (&b"\x2a\0\0\0\x03\0\xe0\x04"[..], 1248, Some(Source), 0, 3),
        (b"\x2a\0\0\0\x03\x01\xe0\x04", 1248, Some(Source), 1, 3),
        (b"\x2a\0\0\0\x03\x02\xe0\x04", 10, Some(Source), 2, 3),
        (b"\x2a\0\0\0\x03\x02\xe0\x04", 1248, Some(Source), 2, 3),
        (b"\x2a\0\0\0\x03\x01\xe0\x04", 40, None, 0, 0),
        (b"\x51\0\0\0\x03", 1391, Some(GoldSrc), 0, 3),
        (b"\x51\0\0\0\x13", 1391, Some(GoldSrc), 1, 3),
        (b"\x51\0\0\0\x23", 20, Some(GoldSrc), 2, 3),
        (b"\x51\0\0\0\x13", 100, None, 0, 0),
        (b"\x51\0\0\0\x33", 1391, None, 0, 0),
        (b"\x52\0\0\0\x03\0", 1390, Some(Old), 0, 3),
        (b"\x52\0\0\0\x03\x01", 1390, Some(Old), 1, 3),
        (b"\x52\0\0\0\x03\x02", 20, Some(Old), 2, 3),
        (b"\x52\0\0\0\x03\x01", 100, None, 0, 0),
    ] {
        let read = part(head, body);
        assert_eq!(read.as_ref().map(|p| p.form), form, "{head:?} {body}");
        let Some(read) = read else { continue };
        assert_eq!((read.index, read.total, read.body.len()), (index, total, body), "{head:?}");
        assert_eq!((read.is_compressed, read.plain_length, read.crc), (false, None, None));
    }
}

#[test]
fn compressed_parts_begin_with_length_and_checksum() {
    let first = with(
        b"\xfe\xff\xff\xff\x2b\0\0\x80\x02\0\xe0\x04\xe3\x0a\0\0\x86\x26\xb8\x25",
        &[b"BZh91AY&SY", &[7; 1230]],
    );
    let read = parse_split(&first).unwrap();
    assert_eq!((read.id, read.index, read.total, read.is_compressed), (0x8000_002b, 0, 2, true));
    assert_eq!((read.plain_length, read.crc), (Some(2787), Some(0x25b8_2686)));
    assert_eq!(first[read.body.clone()][..3], *b"BZh");
    let last = with(b"\xfe\xff\xff\xff\x2b\0\0\x80\x02\x01\xe0\x04", &[&[7; 99]]);
    let read = parse_split(&last).unwrap();
    assert_eq!((read.index, read.is_compressed, read.plain_length), (1, true, None));
    assert_eq!(read.body, 12..111);
    for bytes in [&first, &last] {
        assert_eq!(recognised(bytes), Some("split-packet"));
    }
    let (_, values) = decoded_values(&PROTOCOL, &first);
    assert_eq!(values[..3], ["id=2147483691", "total=2", "number=0"]);
    assert_eq!(values[3..6], ["size=1248", "plain length=2787", "checksum=632825478"]);
}

/// The message of this protocol that bytes are recognised as, if they are one to their last byte.
fn recognised(bytes: &[u8]) -> Option<&'static str> {
    let entry = crate::recognise(&PROTOCOL, Carrier::Datagram, bytes, Direction::default())?;
    Reading::default().takes_all(entry, bytes).then_some(entry.spec.id)
}

#[test]
fn other_programs_bytes_are_no_messages() {
    for bytes in [
        // RakNet; Steam's client; QUIC; Quake's words with these letters.
        &b"\xfe\xff\xff\xff\x01\x02\x03\x04\x05\x06\x07\x08"[..],
        b"\xfe\xff\xff\xff\0\xff\xff\0\xfe\xfe\xfe\xfe\xfd\xfd\xfd\xfd\x124Vx",
        b"\xff\xff\xff\xff\x21\x4c\x5f\xa0\x16\0\0\0\x08\xd2\x09",
        b"\xff\xff\xff\xffInfo\n",
        b"\xff\xff\xff\xffDisconnect",
        b"\xff\xff\xff\xffError\0",
        b"\xff\xff\xff\xffjoin",
        b"\xff\xff\xff\xffmap",
    ] {
        assert_eq!(recognised(bytes), None, "{}", bytes.escape_ascii());
    }
    let others = registry().recognise_all(Carrier::Datagram, INFO, Direction::default());
    assert_eq!(others.count(), 1);
}

/// Replies with the mods of DayZ and of Arma 3. The programs little-a2s 0.7.3 and dayzquery 1.0 read
/// the same values from these bytes.
const DAYZ: &[u8] = b"\xff\xff\xff\xffE\x0a\0\
    \x01\x02\0\x02\x01\x02\x02\x01\x02\x04\x03\x021\x03\
    z\x01\x01\x01\x02\x01\x03\x04\x01\x01\xf1Se\x0dLab Framework\
    \xb7!<Z\x04\x01\x03\x81\xda\xac\x0dLab Trader \xc3\xa4\
    \x01\x03\x01\x01\x01\x03\x01\x02\x04\x01\x02^\xd0\xb2:\
    A mod with quite a long name, so that there are\0\
    \x02\x02\0 two chunks\x02\x04dayz\x06lab_v3\0\
    allowedBuild\x000\0dedicated\x001\0island\0chernarusplus\0language\x0065545\0platform\0win\0\
    requiredBuild\x000\0requiredVersion\x00128\0timeLeft\x0015\0";
const ARMA3: &[u8] = b"\xff\xff\xff\xffE\x02\0\
    \x01\x01\0\x03\x01\x02\x01\x01\x05\xda\x01\x01D3\"\x11\x0d\x0c\x0b\x0a\x01\x01\x01\x03\x01\x02+\
    \x02\x1a\xf2\x83}\x04\x15\xe4\xde\x1a\x0fLab Base Addons\
    \xf4\xe3\xd2\xc1\x13^\x97\x0f\x01\x02\x02\x02a3\x08lab_3.16\0\
    mp_timelimit\x0030\0";

/// The values inside the rules with mods, if the message is read so and written as it was.
fn mod_values(bytes: &[u8]) -> Option<Vec<String>> {
    let entry = crate::recognise(&PROTOCOL, Carrier::Datagram, bytes, Direction::default())?;
    let mut reading = Reading::default();
    assert!(reading.takes_all(entry, bytes), "{}", bytes.escape_ascii());
    assert_eq!(reading.spans().notes, []);
    let mut again = Vec::new();
    (entry.rewrite)(bytes, &mut Scratch::default(), &mut (), &mut again).unwrap();
    assert_eq!(again, bytes);
    let plain = reading.plain()?;
    let leaves = reading.spans().leaves(1).filter(|span| span.field.is_data());
    let values = leaves.map(|span| {
        let text = span.shape.text(&plain[span.start as usize..span.end as usize]);
        let meaning = span.field.meaning(&text).map(|means| format!(" ({means})"));
        let text = String::from_utf8_lossy(&text);
        format!("{}={text}{}", span.field.name, meaning.unwrap_or_default())
    });
    Some(values.collect())
}

#[test]
fn mods_are_read_from_chunks_of_escaped_bytes() {
    let values = mod_values(DAYZ).unwrap();
    assert_eq!(
        values[..9],
        [
            "version=2 (DayZ)",
            "overflow=0 (everything is here)",
            "dlc=2 (Marksmen; DayZ's: Frostline)",
            "hash=822215428",
            "mod count=3",
            "hash=4278190458",
            "id length=4 (4 bytes)",
            "id=1700000001",
            "name=Lab Framework",
        ]
    );
    for value in [
        "id=2900001279",
        "name=Lab Trader \u{e4}",
        "hash=16712191",
        "id=3000000000",
        "name=A mod with quite a long name, so that there are two chunks",
        "signature count=2",
        "signature=lab_v3",
        "island=chernarusplus",
        "value=15",
    ] {
        assert!(values.iter().any(|v| v == value), "{value} in {values:?}");
    }
    assert_eq!(
        mod_values(ARMA3).unwrap(),
        [
            "version=3 (Arma 3)",
            "overflow=0 (everything is here)",
            "dlc=1281 (Karts, Tac-Ops, Contact)",
            "difficulty=474 (level 2, skill 3, advanced flight model, third person view, crosshair)",
            "hash=287454020",
            "hash=168496141",
            "hash=721485569",
            "mod count=2",
            "hash=2105799194",
            "id length=4 (4 bytes)",
            "id=450814997",
            "name=Lab Base Addons",
            "hash=3251823604",
            "id length=19 (3 bytes, a DLC)",
            "id=1021790",
            "name=",
            "signature count=2",
            "signature=a3",
            "signature=lab_3.16",
            "mp_timelimit=30 (minutes that end a match)",
        ]
        .map(|v| v.strip_suffix(" (minutes that end a match)").unwrap_or(v))
    );
}

#[test]
fn a_block_that_is_not_whole_is_read_as_rules() {
    let changed = |from: &[u8], to: &[u8]| {
        let at = DAYZ.windows(from.len()).position(|bytes| bytes == from).unwrap();
        [&DAYZ[..at], to, &DAYZ[at + from.len()..]].concat()
    };
    for (from, to) in [
        // Another version, an escape that is none, more mods or signatures, chunks out of order.
        (&b"\x02\0\x02\x01\x02\x02"[..], &b"\x02\0\x04\x01\x02\x02"[..]),
        (b"\x01\x02\x02\x01\x02", b"\x01\x04\x02\x01\x02"),
        (b"1\x03z", b"1\x04z"),
        (b"\x02\x04dayz", b"\x03\x04dayz"),
        (b"lab_v3\0", b"lab_v3x\0"),
        (b"\0\x02\x02\0 two", b"\0\x03\x02\0 two"),
        (b"\x04\x01\x01\xf1Se", b"\x0f\x01\x01\xf1Se"),
    ] {
        assert_eq!(mod_values(&changed(from, to)), None, "{}", to.escape_ascii());
    }
    // The other rules may be cut as they may where there are no mods.
    let end = DAYZ.len() - b"timeLeft\x0015\0".len();
    let entry = crate::recognise(&PROTOCOL, Carrier::Datagram, &DAYZ[..end], Direction::default());
    let mut reading = Reading::default();
    assert!(reading.takes_all(entry.unwrap(), &DAYZ[..end]));
    assert!(reading.plain().is_some());
}

#[test]
fn changed_mods_are_written_in_as_many_chunks() {
    let entry = crate::recognise(&PROTOCOL, Carrier::Datagram, DAYZ, Direction::default()).unwrap();
    let edited = |from: &'static [u8], to: &'static [u8]| {
        let mut change =
            |leaf: &codec::Leaf<'_>| (leaf.bytes == from).then(|| New::Bytes(to.into()));
        let mut out = Vec::new();
        let done = entry.edit(DAYZ, &mut Scratch::default(), &mut change, &mut out);
        done.is_ok().then_some(out)
    };
    let other = edited(b"Lab Framework", b"Another work\x01").unwrap();
    assert!(mod_values(&other).unwrap().contains(&"name=Another work\u{1}".to_owned()));
    // The number of rules, which counts the chunks, stays right.
    let short =
        edited(b"A mod with quite a long name, so that there are two chunks", b"B").unwrap();
    assert_eq!(short[7..10], *b"\x01\x02\0");
    assert!(mod_values(&short).unwrap().contains(&"name=B".to_owned()));
    let long = edited(b"lab_v3", &[b'x'; 100]).unwrap();
    assert_eq!(long[7..10], *b"\x01\x02\0");
    assert!(mod_values(&long).is_some());
}
