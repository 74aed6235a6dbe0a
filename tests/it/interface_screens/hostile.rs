//! A capture whose texts try to command the terminal, to hide, or to move what stands beside them.
//! Nothing of that reaches a cell, on any screen, in any overlay, menu, prompt or hint.

use std::net::SocketAddr;

use etherparse::PacketBuilder;
use fragshark::capture::Input;
use fragshark::capture::write::{FrameRecord, PcapNg};
use fragshark::text::is_hidden;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::user::User;

/// What stands in texts.
const HOSTILE: &[&str] = &[
    "\u{1b}[31;5m\u{1b}[2J\u{7}",
    "\u{1b}]0;title\u{7}\u{1b}]52;c;ZXZpbA==\u{1b}\\",
    "\u{9b}31m\u{90}q\u{9c}",
    "\r\n\t\u{8}\u{8}\u{7f}\0",
    "\u{202e}evil\u{202c}\u{2066}x\u{2069}\u{200f}",
    "a\u{200b}b\u{200d}c\u{feff}d\u{2060}e\u{ad}",
    "日本語のサーバ한국어",
    "e\u{301}\u{327}\u{336}\u{20dd}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    "👍🏽👩\u{200d}👩\u{200d}👧🇩🇪❤\u{fe0f}",
    "لا إله שלום क्षि நி กำ",
    "ᄒ\u{1161}\u{11ab}각\u{3164}\u{115f}",
    "\u{e0041}\u{e0001}\u{2028}\u{2029}\u{fffc}",
    "^1red^xf80^7\u{1b}\u{ff}\u{1}\u{1}hot",
];
const SIZE: (u16, u16) = (100, 30);
const TITLE: &str = "\u{1b}[31m\u{202e}日本\u{7}e\u{301}\r\n.pcapng";

/// A payload, from where and to where.
type Sent = (SocketAddr, SocketAddr, Vec<u8>);

/// Every documented message and every one of today's programs, each word of it with a hostile text.
fn documented() -> Vec<Sent> {
    let texts = [include_str!("../../data/messages.jsonl"), include_str!("../../data/today.jsonl")];
    let lines = texts.into_iter().flat_map(str::lines).enumerate();
    let messages = lines.map(|(n, line)| {
        let message: serde_json::Value = serde_json::from_str(line).unwrap();
        let payload = hex::decode(message["hex"].as_str().unwrap()).unwrap();
        let mut hostile = HOSTILE.iter().cycle().skip(n);
        let mut changed = Vec::new();
        let mut words = 0;
        for (at, byte) in payload.iter().enumerate() {
            changed.push(*byte);
            let ends = !payload.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
            if byte.is_ascii_alphanumeric() && ends {
                words += 1;
                if words > 1 {
                    changed.extend(hostile.next().unwrap().as_bytes());
                }
            }
        }
        changed.truncate(60_000);
        let end = |role: &str, port: &str| {
            let host = match message[role].as_str() {
                Some("server") => [192, 0, 2, 10],
                Some("master") => [203, 0, 113, 1],
                _ => [198, 51, 100, 7],
            };
            SocketAddr::from((host, message[port].as_u64().unwrap_or(27_960) as u16))
        };
        (end("from", "src_port"), end("to", "dst_port"), changed)
    });
    messages.collect()
}

/// Messages in which a name, a key, a value or a command is hostile, and long.
fn long() -> Vec<Sent> {
    let server = SocketAddr::from(([192, 0, 2, 11], 27_960));
    let client = SocketAddr::from(([198, 51, 100, 8], 40_000));
    let master = SocketAddr::from(([203, 0, 113, 1], 27_950));
    let mut sent = Vec::new();
    for text in HOSTILE {
        let long: String =
            text.chars().cycle().take(60_000 / text.len() * text.chars().count()).collect();
        for text in [text, &*long] {
            let info = |value: &str| format!("\\hostname\\{value}\\mapname\\{value}\\protocol\\68");
            let short: String = text.chars().take(2_000).collect();
            let answers = [
                format!("infoResponse\n{}", info(&short)),
                format!("infoResponse\n\\hostname\\{text}"),
                format!("infoResponse\n\\{text}\\value\\protocol\\68"),
                format!("statusResponse\n{}\n5 50 \"{short}\"\n{short} 7 \"x\"\n", info(&short)),
                format!("statusResponse\n\\sv_hostname\\x\n1 2 \"{text}\"\n"),
                format!("print\n{text}"),
            ];
            let requests = [format!("getinfo {text}"), format!("rcon secret {text}")];
            let asked = requests.into_iter().map(|text| (client, server, text));
            let answered = answers.into_iter().map(|text| (server, client, text));
            let others = [
                (server, master, format!("heartbeat {text}\n")),
                (master, server, format!("getinfo {text}")),
                (client, master, format!("getservers {text} 68 empty full")),
            ];
            for (from, to, text) in asked.chain(answered).chain(others) {
                sent.push((from, to, [b"\xff\xff\xff\xff", text.as_bytes()].concat()));
            }
        }
    }
    sent
}

/// A capture in which every packet has a hostile comment.
fn capture(sent: &[Sent]) -> Input {
    let mut out = PcapNg::new(Vec::new()).unwrap();
    let times = (1_070_308_800_000_000_000..).step_by(250_000_000);
    for (n, ((from, to, payload), time)) in sent.iter().zip(times).enumerate() {
        let (SocketAddr::V4(a), SocketAddr::V4(b)) = (from, to) else { panic!("{from} {to}") };
        let mut bytes = Vec::new();
        let packet = PacketBuilder::ipv4(a.ip().octets(), b.ip().octets(), 64);
        packet.udp(a.port(), b.port()).write(&mut bytes, payload).unwrap();
        let comment = HOSTILE[n % HOSTILE.len()].repeat(if n % 50 == 7 { 1_000 } else { 1 });
        let record = FrameRecord {
            time,
            link: 101,
            fcs: 0,
            bytes: &bytes,
            wire_length: bytes.len() as u32,
            comment: &comment,
            interface: 0,
        };
        out.write(&record).unwrap();
    }
    Input::Memory { name: TITLE.to_owned(), bytes: out.finish().unwrap().into() }
}

fn opened(sent: &[Sent]) -> User {
    let mut user = User::unread(&[capture(sent)], TITLE, SIZE, "16-colours");
    user.load(usize::MAX);
    user
}

/// What must hold for all cells.
fn check(user: &User, place: &str) {
    let buffer = user.buffer();
    for y in 0..buffer.area.height {
        let mut x = 0;
        while x < buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            let at = || format!("{place} at {x}, {y}: {symbol:?}\n{}", user.screen());
            assert!(!symbol.is_empty() && !symbol.chars().any(is_hidden), "{}", at());
            let columns = symbol.width();
            // Terminals add the columns of the characters.
            let each: usize = symbol.chars().filter_map(UnicodeWidthChar::width).sum();
            assert_eq!(columns, each, "{}", at());
            assert!(symbol.chars().count() <= 8, "{}", at());
            // What a wide letter covers is not drawn.
            assert!(x + columns as u16 <= buffer.area.width, "{}", at());
            x += (columns as u16).max(1);
        }
    }
}

/// The columns of the list stand below their headings, and the line between fields and bytes is
/// straight.
fn check_list(user: &User, place: &str) {
    let buffer = user.buffer();
    let row = |y: u16| (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect::<Vec<_>>();
    let texts: Vec<_> = (0..buffer.area.height).map(row).collect();
    let rule = texts.iter().position(|row| row.concat().contains("─ fields ─")).unwrap();
    let headings = texts[2].concat();
    for name in ["source", "destination", "game", "message", "summary"] {
        let at = headings.find(name).unwrap_or_else(|| panic!("{place}: {headings}"));
        for row in &texts[3..rule] {
            assert_eq!(row[at - 1], " ", "{place}: {name}\n{}", user.screen());
        }
    }
    let bar = texts[rule + 1].iter().position(|symbol| *symbol == "│").unwrap();
    for row in &texts[rule + 1..texts.len() - 4] {
        assert_eq!(row[bar], "│", "{place}\n{}", user.screen());
    }
}

#[test]
fn hostile_texts_are_harmless_in_every_message() {
    let sent = [documented(), long()].concat();
    let mut user = opened(&sent);
    let mut names = std::collections::BTreeSet::new();
    for n in 0..sent.len() {
        let place = format!("message {n}");
        check(&user, &place);
        check_list(user.keys("v"), &place);
        check(&user, &place);
        user.keys("vv");
        names.insert(
            user.screen().lines().find_map(|line| line.split("─ #").nth(1).map(str::to_owned)),
        );
        user.keys("j");
    }
    // The hostile texts left most messages what they are.
    assert!(names.len() > 300, "only {} messages were shown", names.len());
    // The fields of some of them, the bytes, and what is made of a field.
    for n in (0..sent.len()).step_by(23) {
        user.keys(&format!("<Esc><Esc>:{}<Enter>", n + 1));
        for keys in ["<Tab>", "jj", "jjj", "G", "z", "z", "<Tab>", "c", "jjj", "<S-Tab>"] {
            check(&user, &format!("message {n}, {keys}"));
            user.keys(keys);
        }
        user.keys("c");
    }
}

/// The keys that lead to every screen, overlay, menu and hint from a message.
const PLACES: &[&str] = &[
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "L",
    "o",
    "s",
    "C",
    "D",
    "r",
    "w",
    "i",
    "?",
    "md",
    "e",
    ":",
    "f",
    "/",
    "<Tab>jjj=",
    "<Tab>jjj|",
    "<Tab>jjj-",
    "<Tab>Gy",
    "O",
    "8<Tab>z",
    "8<Tab><Tab>z",
    "8<Tab><Tab><Tab>z",
    "8<Tab><Tab><Tab><Tab>z",
    "Cfield.hostname<Enter><Esc>",
];

#[test]
fn hostile_texts_are_harmless_at_every_place() {
    let sent = [documented(), long()].concat();
    for skip in [0, 7, 13] {
        // Few messages, so that each host has few texts.
        let some: Vec<_> = sent.iter().skip(skip).step_by(19).cloned().collect();
        let mut user = opened(&some);
        for place in PLACES {
            user.keys("<Esc><Esc><Esc>1xgjj").keys(place);
            for keys in ["", "j", "jjj", "<Tab>", "G", "<Right><Right>", "<Enter>"] {
                user.keys(keys);
                check(&user, &format!("{skip}: {place}, {keys}"));
            }
            user.keys("<Esc><Esc><Esc><Esc>");
        }
        user.keys("1xgmGd");
        check(&user, "comparison");
    }
}

#[test]
fn hostile_texts_are_harmless_where_they_are_typed() {
    let mut user = opened(&documented()[..40]);
    for screen in ["1", "3", "8", "9"] {
        for line in
            ["f", "/", "/<Tab>", "/<Tab><Tab>", "/<Tab><Tab><Tab>", ":", "e", "D", "s", "C", "?/"]
        {
            for text in HOSTILE {
                let place = format!("{screen}{line}{text:?}");
                user.keys("<Esc><Esc><Esc>").keys(screen).keys(line);
                for step in ["paste", "type", "enter"] {
                    match step {
                        "paste" => user.paste(&text.repeat(20)),
                        "type" => user.keys(text),
                        _ => user.keys("<Enter>"),
                    };
                    check(&user, &format!("{place}: {step}"));
                }
            }
        }
    }
}
