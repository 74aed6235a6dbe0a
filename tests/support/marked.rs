//! A message of every kind with a secret in every possible place, each secret with its own marker,
//! and an ordinary value with another marker.
//!
//! Generated from the declarations of protocols: a new protocol, message or entry of the table of
//! secrets is included automatically.
#![allow(dead_code, reason = "each test program uses what it needs")]

use fragshark::protocols::registry;
use std::borrow::Borrow;
use std::net::SocketAddr;

use fragshark::codec::{
    ChangeFn, FieldRole, Kind, Leaf, New, Node, SECRET_KEYS, Scratch, Shape, Span,
};
use fragshark::protocol::{Carrier, Entry, Reading, Role};

use crate::story::{Format, Link, Side, Story};

/// The prefix of every secret, and of nothing else.
pub const SECRET: &str = "Zq7x";
/// The prefix of every ordinary value.
pub const PLAIN: &str = "Ym4k";

/// A message with its markers.
pub struct Marked {
    pub entry: &'static Entry,
    pub bytes: Vec<u8>,
    /// The place of the secrets, for the text of a failed test.
    pub place: String,
    pub secrets: Vec<String>,
    /// The value of an ordinary key, if the message has keys.
    pub plain: Option<String>,
}

/// Keys made of the table's words, in programs' spellings.
const SPELLINGS: [&str; 14] = [
    "sv_privatePassword",
    "rconPassword",
    "RCON_PASSWD",
    "sv_authToken",
    "cl_guid",
    "guid_3",
    "cdkey_0",
    "g_pswrd",
    "admin_pwd",
    "net_serverRemoteConsolePassword",
    "password2",
    "auth",
    "adminPass",
    "X-Auth-Token",
];

/// A console's texts on a setting, with `%` for its value.
const TEXTS: [&str; 12] = [
    "\"rconpassword\" is:\"%^7\" default:\"^7\"\n",
    "\"sv_privatePassword\" is:\"x^7\" default:\"^7\"\nlatched: \"%\"\n",
    "\"rcon_password\" is \"%\"\n",
    "rcon_password is \"%\" [\"\"]\n",
    "\"rcon_password\" = \"%\"\n",
    "^3rconpassword^7: ^1%\n",
    " S  R    rconPassword \"%\"\n",
    "rcon_password       %\n",
    "set rconpassword %",
    "\\hostname\\x\\rcon_password\\%\n",
    "map=q3dm17&password=%&x=y",
    "rcon % status",
];

/// Roles of values that tables, findings and steps of registrations show too.
const QUOTED: [FieldRole; 5] = [
    FieldRole::Challenge,
    FieldRole::Game,
    FieldRole::Protocol,
    FieldRole::Map,
    FieldRole::Verdict,
];

/// Every message, with a secret in one kind of place.
pub fn messages() -> Vec<Marked> {
    let mut all = Vec::new();
    for (at, entry) in registry().entries().iter().copied().enumerate() {
        let mut add = |place: &str, with: &dyn Fn(&Marker) -> Option<Vec<u8>>| {
            let marker = Marker { number: all.len() };
            let Some(bytes) = with(&marker) else { return };
            let text = decoded(entry, &bytes);
            let has = |text_of: &String| memchr::memmem::find(&text, text_of.as_bytes()).is_some();
            let secrets: Vec<_> = (0..100).map(|n| marker.secret(n)).filter(has).collect();
            assert!(!secrets.is_empty(), "{entry:?} {place}");
            let plain = Some(marker.plain()).filter(has);
            all.push(Marked { entry, bytes, place: place.to_owned(), secrets, plain });
        };
        let keys = || SECRET_KEYS.iter().map(|entry| entry.word).chain(SPELLINGS);
        add("keys", &|marker| {
            let pairs = keys().enumerate().map(|(n, key)| (key.to_owned(), marker.secret(n)));
            let plain = ("zz_plain".to_owned(), marker.plain());
            with_pairs(entry, &std::iter::once(plain).chain(pairs).collect::<Vec<_>>())
        });
        // Another key for each message; the test of keys has all of them.
        let key = keys().cycle().nth(at).unwrap();
        add(&format!("torn {key}"), &|marker| {
            let secret = marker.secret(0);
            let tail = [b"\0", key.as_bytes(), b"\0", secret.as_bytes()].concat();
            let bytes = [entry.spec.example, &tail].concat();
            // If the list of addresses continues, more bytes are more addresses.
            is_text(entry, &bytes, tail.len()).then_some(bytes)
        });
        add(&format!("shifted {key}"), &|marker| {
            let shifted = ("zz_shift".to_owned(), key.to_owned());
            with_pairs(entry, &[shifted, (marker.secret(0), "x".to_owned())])
        });
        add("a field", &|marker| {
            edited(entry, &|leaf| {
                let is_secret = leaf.field.role == FieldRole::Secret && leaf.key.is_empty();
                is_secret.then(|| marker.secret(0).into_bytes())
            })
        });
        add("a value that is quoted", &|marker| {
            edited(entry, &|leaf| {
                let is_text = leaf.field.kind == Kind::Text && leaf.shape == Shape::Text;
                let is_quoted = is_text && QUOTED.contains(&leaf.field.role);
                is_quoted.then(|| format!("rcon_password={}", marker.secret(0)).into_bytes())
            })
        });
        for text in TEXTS {
            add(text, &|marker| {
                let text = text.replace('%', &marker.secret(0)).into_bytes();
                edited(entry, &|leaf| {
                    let is_text = leaf.field.kind == Kind::Text && leaf.shape == Shape::Text;
                    let is_free = leaf.field.role == FieldRole::Free && leaf.key.is_empty();
                    (is_text && is_free && !leaf.bytes.is_empty()).then(|| text.clone())
                })
            });
        }
    }
    all
}

/// The markers of one message.
struct Marker {
    number: usize,
}

impl Marker {
    fn secret(&self, n: usize) -> String {
        format!("{SECRET}{:04}k{n:02}w", self.number)
    }

    fn plain(&self) -> String {
        format!("{PLAIN}{:04}w", self.number)
    }
}

/// Every message with each of these texts in all of its texts, or in all of its keys.
pub fn with_texts(forms: &[&str]) -> Vec<Marked> {
    let mut all = Vec::new();
    for entry in registry().entries().iter().copied() {
        for form in forms {
            for key_too in [false, true] {
                let mut changed = false;
                let mut change = |leaf: &Leaf<'_>| {
                    let is_text = matches!(leaf.shape, Shape::Text | Shape::Decimal)
                        && matches!(leaf.field.kind, Kind::Text | Kind::Address | Kind::Number);
                    let is_key = key_too && leaf.field.kind == Kind::Key;
                    let is_changed = !leaf.bytes.is_empty() && (is_text && !key_too || is_key);
                    changed |= is_changed;
                    is_changed.then(|| New::Bytes(form.as_bytes().to_vec()))
                };
                let (mut bytes, mut scratch) = (Vec::new(), Scratch::default());
                // Other keys and numbers give other messages, or faulty ones, which is useful too.
                _ = entry.edit(entry.spec.example, &mut scratch, &mut change, &mut bytes);
                if changed {
                    let place = (*form).to_owned();
                    all.push(Marked { entry, bytes, place, secrets: Vec::new(), plain: None });
                }
            }
        }
    }
    all
}

/// All messages as a capture, between endpoints on the ports that the protocols document.
pub fn capture<M: Borrow<Marked>>(messages: &[M]) -> Vec<u8> {
    story(messages).file()
}

/// The same as a story that can be extended.
pub fn story<M: Borrow<Marked>>(messages: &[M]) -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, 1_070_308_800);
    // Messages of streams are those of any place in them.
    story.without_openings();
    for (number, marked) in messages.iter().enumerate() {
        let marked: &Marked = marked.borrow();
        let entry = marked.entry;
        let (from, to) = entry.spec.directions.first().copied().unwrap();
        let end = |party| end(entry, party, number);
        let asked = registry().entries().iter().find(|other| {
            other.protocol == entry.protocol && entry.spec.answers.contains(&other.spec.id)
        });
        story.after(200_000);
        if entry.spec.carrier == Carrier::Stream {
            let is_reply = asked.is_some();
            let (client, server) =
                if is_reply { (end(to), end(from)) } else { (end(from), end(to)) };
            let mut messages = Vec::new();
            if let Some(asked) = asked {
                messages.push((Side::Client, asked.spec.example));
            }
            let side = if is_reply { Side::Server } else { Side::Client };
            messages.push((side, marked.bytes.as_slice()));
            messages.splice(0..0, introduction(entry, messages[0].1));
            story.converse(client, server, &messages, 1400);
            continue;
        }
        if let Some(asked) = asked {
            story.send(end(to), end(from), asked.spec.example).after(1_000);
        }
        story.send(end(from), end(to), &marked.bytes);
    }
    story
}

/// What has to stand before a message in a connection, if others could have it too.
fn introduction(entry: &Entry, message: &[u8]) -> Option<(Side, &'static [u8])> {
    let protocol = entry.protocol;
    let goes_on = (protocol.resumes)(message, 0);
    let opens = protocol.opens.filter(|opens| !opens(message) && !goes_on)?;
    let entries = registry().entries().iter().filter(|other| other.protocol == protocol);
    let first = entries.into_iter().find(|other| opens(other.spec.example))?;
    let (sender, _) = first.spec.directions.first().copied()?;
    let side = if sender == Role::Client { Side::Client } else { Side::Server };
    Some((side, first.spec.example))
}

/// Another address for each message, so that none classifies another.
fn end(entry: &Entry, party: Role, number: usize) -> SocketAddr {
    let home = entry.protocol;
    let mut ports = home.games.iter().flat_map(|game| game.ports);
    let port = ports.find(|port| port.role == party).map_or(40_000, |port| port.number);
    let net = match party {
        Role::Client => [198, 18],
        Role::Server => [198, 19],
        Role::Master => [198, 51],
    };
    let [high, low] = u16::try_from(number + 1).unwrap().to_be_bytes();
    SocketAddr::from(([net[0], net[1], high, low], port))
}

/// Whether the last bytes belong to texts, or to no field.
fn is_text(entry: &Entry, bytes: &[u8], tail: usize) -> bool {
    let mut reading = Reading::default();
    reading.read_message(entry, bytes);
    let all = reading.spans().all.iter();
    let mut leaves = all.filter(|s| s.node == Node::Leaf && s.layer == 0);
    leaves.all(|s| {
        let is_before = s.end as usize <= bytes.len() - tail;
        is_before || matches!(s.field.kind, Kind::Text | Kind::Unparsed | Kind::Separator)
    })
}

/// The payload, and the text of its coded range.
fn decoded(entry: &Entry, bytes: &[u8]) -> Vec<u8> {
    let mut reading = Reading::default();
    reading.read_message(entry, bytes);
    [bytes, reading.plain().unwrap_or_default()].concat()
}

/// The example with pairs after its first; `None` if it has no keys.
fn with_pairs(entry: &Entry, pairs: &[(String, String)]) -> Option<Vec<u8>> {
    let own = entry.spec.example;
    let mut reading = Reading::default();
    reading.read_message(entry, own);
    let spans = &reading.spans().all;
    let is_key = |s: &&Span| s.node == Node::Leaf && s.field.kind == Kind::Key && s.depth > 0;
    let first = spans.iter().find(is_key)?;
    let text = reading.layer(own, first.layer);
    let key = text.get(first.start as usize..first.end as usize)?;
    let before = spans.iter().find(|s| s.node == Node::Leaf && s.end == first.start);
    if before.is_some_and(|s| s.field.kind == Kind::Separator && s.field.name == "size") {
        return with_counted_pairs(own, spans, first, pairs);
    }
    let behind = spans.iter().find(|s| s.node == Node::Leaf && s.start == first.end);
    let end = behind.filter(|s| s.field.kind == Kind::Separator).map_or(first.end + 1, |s| s.end);
    let separator = text.get(first.end as usize..end as usize)?;
    let mut more = Vec::new();
    for (key, value) in pairs {
        match separator {
            [b':', ..] => more.extend_from_slice(format!("\r\n{key}: {value}").as_bytes()),
            other => more.extend([other, key.as_bytes(), other, value.as_bytes()].concat()),
        }
    }
    let (mut out, mut scratch, mut done) = (Vec::new(), Scratch::default(), false);
    let mut change = |leaf: &Leaf<'_>| {
        let is_first = leaf.key == key && !done;
        done |= is_first;
        is_first.then(|| New::Bytes([leaf.bytes, &more].concat()))
    };
    // The result decodes differently: there are more pairs.
    _ = entry.edit(own, &mut scratch, &mut change, &mut out);
    done.then_some(out)
}

/// The same where each text has its length in front.
fn with_counted_pairs(
    own: &[u8],
    spans: &[Span],
    first: &Span,
    pairs: &[(String, String)],
) -> Option<Vec<u8>> {
    let (start, end) = (first.start as usize, first.end as usize);
    let counted_more = usize::from(own[start - 1]) - (end - start);
    let nul: &[u8] = if own[end] == 0 { b"\0" } else { b"" };
    let value = spans.iter().find(|s| s.start as usize > end && s.field.is_data())?;
    let text = |text: &str| {
        let size = u8::try_from(text.len() + counted_more).unwrap();
        [&[size], text.as_bytes(), nul].concat()
    };
    let more: Vec<u8> =
        pairs.iter().flat_map(|(key, value)| [text(key), text(value)]).flatten().collect();
    let (before, behind) = own.split_at(value.end as usize + nul.len());
    let mut before = before.to_vec();
    let is_record = |s: &Span| s.node == Node::Group(fragshark::codec::Group::Record);
    if spans.iter().any(|s| is_record(s) && s.start < first.start && s.end >= first.end) {
        // In front of pairs in a record stands how many there are.
        before[start - 2] += u8::try_from(pairs.len()).unwrap();
    }
    if let Some(size) = spans.first().filter(|s| s.field.name == "size" && s.end == 4) {
        let length = u32::try_from(own.len() - 4 + more.len()).unwrap();
        before[..size.end as usize].copy_from_slice(&length.to_le_bytes());
    }
    Some([&before[..], &more, behind].concat())
}

/// The example with other values; `None` if there was nothing to change.
fn edited(entry: &Entry, new: &dyn Fn(&Leaf<'_>) -> Option<Vec<u8>>) -> Option<Vec<u8>> {
    let (mut out, mut scratch) = (Vec::new(), Scratch::default());
    let mut change = |leaf: &Leaf<'_>| new(leaf).map(New::Bytes);
    let change: &mut ChangeFn<'_> = &mut change;
    let changed = entry.edit(entry.spec.example, &mut scratch, change, &mut out).ok()?;
    (changed > 0).then_some(out)
}
