//! What `fields` holds, message by message.

use std::fmt::Write as _;

use super::*;
use ::text::Secrets;
use codec::OutlinePart;
use protocol::{Carrier, Direction, Entry};
use protocols::registry;

/// The values of a payload; asserts that they are valid JSON on one line.
fn fields(payload: &[u8], secrets: Secrets) -> String {
    let entry = registry().recognise(payload).unwrap();
    let mut reading = Reading::default();
    reading.read_message(entry, payload);
    let mask = Mask::new(&reading, secrets);
    let json = Fields::default().write(&reading, payload, mask).text().into_owned();
    let mut doubled = Fields::new(Quotes::Doubled);
    let doubled = doubled.write(&reading, payload, mask);
    assert_eq!(doubled.doubled(), Some(json.replace('"', "\"\"").as_bytes()));
    assert_eq!(doubled.text(), json);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(value.is_object());
    assert!(!json.chars().any(::text::is_hidden), "{json}");
    json
}

fn oob(text: &[u8]) -> Vec<u8> {
    [b"\xff\xff\xff\xff", text].concat()
}

#[test]
fn each_form_of_value_is_what_it_is() {
    for (text, json) in [
        (&b"getinfo"[..], "{}"),
        (b"getinfo xxx", r#"{"challenge":"xxx"}"#),
        (
            b"getservers Nexuiz 3 empty full\n",
            r#"{"gamename":"Nexuiz","protocol":3,"filters":["empty","full"]}"#,
        ),
        (b"getservers 68", r#"{"protocol":68,"filters":[]}"#),
        // A challenge that decodes as a number, and an empty text.
        (
            b"getIpAuthorize -342390499 192.0.2.65  0",
            r#"{"challenge":-342390499,"address":"192.0.2.65","game":"","allow_anonymous":0}"#,
        ),
        (b"register\xc0\x00\x02\x07\x6d\x38", r#"{"address":"192.0.2.7","port":27960}"#),
        (
            b"getserversExtResponse\\\xc0\0\x02\x5c\x6d\x38/\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01\x6d\x38\\EOT\0\0\0",
            r#"{"servers":["192.0.2.92:27960","[2001:db8::1]:27960"]}"#,
        ),
        // A truncated record is no server.
        (b"getserversResponse\\\xc0\0\x02\x01\x6d\x38\\\xc0\0", r#"{"servers":["192.0.2.1:27960"]}"#),
        (
            b"statusResponse\n\\fraglimit\\07\\mapname\\\n-5 0 \"a \"b\" c\"\n12\n",
            r#"{"info":{"fraglimit":"07","mapname":""},"players":[{"score":-5,"ping":0,"name":"a \"b\" c"},{"score":12}]}"#,
        ),
        (b"infoResponse\n", r#"{"info":{}}"#),
        (b"print\nServer \x1b[31mis\tfull\n", r#"{"text":"Server \u001b[31mis\tfull\n"}"#),
        (b"connect \"\\name\\gr\xf6\xdfer\\rate\\1\"", r#"{"userinfo":{"name":"größer","rate":"1"}}"#),
        // Bytes after a fault are in no field.
        (b"getservers 4TheFun", r#"{"gamename":"4TheFun","filters":[]}"#),
        (b"getIpAuthorize 4TheFun 192.0.2.65  0", r#"{"challenge":4}"#),
        (b"motd \"challenge\\1\\motd\\Hi\\\"", r#"{"info":{"challenge":"1","motd":"Hi"}}"#),
    ] {
        assert_eq!(fields(&oob(text), Secrets::Masked), json, "{}", text.escape_ascii());
    }
}

#[test]
fn a_repeated_key_is_an_array_where_it_stood_first() {
    for (info, json) in [
        (&br"\a\1\b\2\a\3\c"[..], r#"{"a":["1","3"],"b":"2","c":""}"#),
        // Keys are compared as they are written, and a missing value is empty.
        (br"\a\1\A\2\a", r#"{"a":["1",""],"A":"2"}"#),
        // Two spellings that are one text must not give one name twice.
        (b"\\\xc3\xa9\\1\\\xe9\\2", r#"{"é":["1","2"]}"#),
        (br"\\1\\2", r#"{"":["1","2"]}"#),
    ] {
        let payload = oob(&[b"infoResponse\n", info].concat());
        let expected = format!(r#"{{"info":{json}}}"#);
        assert_eq!(fields(&payload, Secrets::Masked), expected, "{}", info.escape_ascii());
    }
}

#[test]
fn repetition_is_found_among_few_names_and_among_many() {
    for names in [2, MemberNames::FEW - 1, MemberNames::FEW, MemberNames::FEW + 1, 2000] {
        let mut info = String::new();
        for round in 0..3 {
            for name in 0..names {
                let _ = write!(info, "\\k{name}\\{round}");
            }
        }
        let payload = oob(format!("infoResponse\n{info}").as_bytes());
        let json = fields(&payload, Secrets::Masked);
        let members: Vec<_> =
            (0..names).map(|name| format!(r#""k{name}":["0","1","2"]"#)).collect();
        assert_eq!(json, format!(r#"{{"info":{{{}}}}}"#, members.join(",")));
    }
}

#[test]
fn secrets_are_stars_unless_they_are_asked_for() {
    for (text, secret, masked) in [
        (&b"getKeyAuthorize 0 topsecret"[..], "topsecret", r#"{"anonymous":0,"key":"********"}"#),
        (
            b"connect \"\\cl_guid\\topsecret\\password\\\\PASSWORD\\topsecret\"",
            "topsecret",
            r#"{"userinfo":{"cl_guid":"********","password":"","PASSWORD":"********"}}"#,
        ),
    ] {
        let payload = oob(text);
        assert_eq!(fields(&payload, Secrets::Masked), masked);
        assert!(fields(&payload, Secrets::Shown).contains(secret));
    }
}

#[test]
fn what_is_coded_reads_as_what_is_plain() {
    use codec::{Coding as _, Huffman};
    let plain = br#""\challenge\96116651\cl_guid\ABCD\name\^1x""#;
    let mut coded = b"connect ".to_vec();
    Huffman.apply(plain, &mut coded).unwrap();
    let inside = r#"{"userinfo":{"challenge":"96116651","cl_guid":"********","name":"^1x"}}"#;
    assert_eq!(fields(&oob(&coded), Secrets::Masked), inside);
    assert_eq!(fields(&oob(&[b"connect ", &plain[..]].concat()), Secrets::Masked), inside);
}

/// What rows contain of a decoded payload.
fn rendered(reading: &Reading, entry: &Entry, payload: &[u8], secrets: Secrets) -> [String; 2] {
    let mask = Mask::new(reading, secrets);
    let mut summary = String::new();
    render::Rendered::new(reading, payload, secrets).summary(&mut summary, entry, 0);
    [summary, Fields::default().write(reading, payload, mask).text().into_owned()]
}

#[test]
fn a_reading_of_values_alone_gives_the_same() {
    let (mut whole, mut values) = (Reading::default(), Reading::of_values());
    let servers = [92, 92, 92, 92, 92, 92, 92].repeat(5);
    let lists = [
        oob(&[b"getserversResponse", &servers[..], b"\\EOT\0\0\0"].concat()),
        oob(&[b"getserversExtResponse", &servers[..], b"\\EOT\0\0\0"].concat()),
        oob(&[b"servers ", &servers[..30]].concat()),
        oob(&[b"servers\0", &servers[..30]].concat()),
        oob(&[b"f\n", &servers[..30]].concat()),
        oob(&[b"d\n", &servers[..30]].concat()),
    ];
    let examples = registry().entries().iter().map(|entry| (*entry, entry.spec.example.to_vec()));
    let lists = lists.iter().flat_map(|list| {
        let all = registry()
            .recognise_all(Carrier::Datagram, list, Direction::default())
            .map(|entry| (entry, list.clone()));
        let all: Vec<_> = all.collect();
        assert!(!all.is_empty(), "{}", list.escape_ascii());
        all
    });
    for (entry, payload) in examples.chain(lists) {
        for end in 0..=payload.len() {
            let payload = &payload[..end];
            whole.read_message(entry, payload);
            values.read_message(entry, payload);
            for secrets in [Secrets::Masked, Secrets::Shown] {
                let [of_whole, of_values] =
                    [&whole, &values].map(|reading| rendered(reading, entry, payload, secrets));
                assert_eq!(of_values, of_whole, "{}", payload.escape_ascii());
            }
        }
    }
}

#[test]
fn what_json_escapes_is_escaped_in_every_view() {
    let mut reading = Reading::of_values();
    for entry in registry().entries() {
        let example = entry.spec.example;
        reading.read_message(entry, example);
        let texts = reading.spans().all.iter().filter(|s| s.layer == 0 && s.shape == Shape::Text);
        let parts: Vec<_> = texts.filter(|s| s.start < s.end).map(|s| s.start as usize).collect();
        for (at, byte) in parts.into_iter().flat_map(|at| b"\"\\\n\x80".map(|byte| (at, byte))) {
            let mut payload = example.to_vec();
            payload[at] = byte;
            reading.read_message(entry, &payload);
            let [_, json] = rendered(&reading, entry, &payload, Secrets::Shown);
            let value = serde_json::from_str::<serde_json::Value>(&json);
            assert!(value.is_ok(), "{json} of {}", payload.escape_ascii());
        }
    }
}

#[test]
fn names_of_messages_are_words() {
    for entry in registry().entries() {
        let by_content = entry.spec.name_of(entry.spec.example, None);
        for name in [entry.spec.name, by_content] {
            let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-_ .+:".contains(&b);
            assert!(name.bytes().all(is_plain), "{name}");
            assert!(name.starts_with(|c: char| c.is_ascii_alphanumeric()), "{name}");
        }
    }
}

#[test]
fn names_of_fields_are_plain() {
    for entry in registry().entries() {
        for line in &entry.outline().lines {
            let fields = match &line.what {
                OutlinePart::Literal(field, _)
                | OutlinePart::OneOf(field, _)
                | OutlinePart::Field(field) => std::slice::from_ref(field),
                OutlinePart::View(_, _, inside) => inside.as_slice(),
                OutlinePart::Branch(_) => &[],
            };
            for field in fields {
                let mut name = Vec::new();
                json::push_latin(&mut name, field.name.as_bytes(), Quotes::Single);
                assert_eq!(name, format!("\"{}\"", field.name).as_bytes());
            }
        }
    }
}
