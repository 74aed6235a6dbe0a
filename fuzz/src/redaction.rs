//! Redaction: the output contains no address of the input, in any form of text.
//!
//! The input is that of `conversation`, whose first byte selects the output. A pseudonym may by
//! chance be an address of the input; an address is held to have leaked only where it stands in
//! what was written with each of several keys. Eight hexadecimal digits that stand in the input
//! as text are no address: `docs/redaction.md` says what is.

use std::collections::BTreeSet;
use std::net::IpAddr;

use export::TABLES;
use fragshark::capture::{Frames, Input};
use fragshark::net::{Packet, Stack};

use super::{conversation, passes};

const KEYS: [&str; 3] = ["one", "two", "three"];

pub fn run(bytes: &[u8]) {
    let Some((pick, records)) = bytes.split_first() else { return };
    let file = conversation::capture(records);
    let index = usize::from(*pick) % (TABLES.len() + 1);
    let addresses = addresses(&file);
    let mut leaked: Option<BTreeSet<String>> = None;
    for key in KEYS {
        let written = if index < TABLES.len() {
            passes::table(&file, index, Some(key))
        } else {
            passes::packets_of(&file, Some(key)).into_iter().collect()
        };
        let found = addresses.iter().flat_map(|ip| forms(*ip, records));
        let found = found.filter(|form| written.iter().any(|out| stands(out, form)));
        let found: BTreeSet<_> = match &leaked {
            Some(before) => found.filter(|form| before.contains(form)).collect(),
            None => found.collect(),
        };
        if found.is_empty() {
            return;
        }
        leaked = Some(found);
    }
    let what = TABLES.get(index).map_or("packets", |table| table.name);
    panic!("{what}: {leaked:?} was left");
}

/// Every address that sends or receives.
fn addresses(file: &[u8]) -> BTreeSet<IpAddr> {
    let input = Input::Memory { name: "fuzz".to_owned(), bytes: file.into() };
    let Ok(mut frames) = Frames::open(&[input]) else { return BTreeSet::new() };
    let (mut stack, mut found) = (Stack::default(), BTreeSet::new());
    while let Some(frame) = frames.next() {
        let wire = frame.wire_length;
        match stack.read_frame(frame.link, frame.fcs, frame.time, frame.bytes, wire) {
            Packet::Datagram(d) => found.extend([d.source.ip(), d.destination.ip()]),
            Packet::Segment(s) => found.extend([s.source.ip(), s.destination.ip()]),
            Packet::Error(e) => found.extend([e.from, e.source.ip(), e.destination.ip()]),
            Packet::Held | Packet::Copy | Packet::Other(_) => {}
        }
    }
    found
}

/// How an address is written in texts, and as the bytes of a payload in hexadecimal.
fn forms(ip: IpAddr, input: &[u8]) -> Vec<String> {
    match ip {
        IpAddr::V4(ip) => {
            let [a, b, c, d] = ip.octets();
            let bytes = format!("{:08x}", ip.to_bits());
            let mut forms = vec![
                ip.to_string(),
                format!("{a:03}.{b:03}.{c:03}.{d:03}"),
                format!("{d}.{c}.{b}.{a}"),
                format!("{a}-{b}-{c}-{d}"),
            ];
            if !stands(input, &bytes) {
                forms.push(bytes);
            }
            forms
        }
        IpAddr::V6(ip) => {
            let groups = ip.segments().map(|group| format!("{group:04x}")).join(":");
            let short = ip.segments().map(|group| format!("{group:x}")).join(":");
            vec![ip.to_string(), groups, short]
        }
    }
}

/// Whether a form stands in a text, in either case, and is not the middle of something longer.
fn stands(text: &[u8], form: &str) -> bool {
    let (text, form) = (text.to_ascii_lowercase(), form.as_bytes());
    let goes_on = |b: Option<&u8>| b.is_some_and(u8::is_ascii_hexdigit);
    text.windows(form.len()).enumerate().any(|(at, window)| {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        window == form && !goes_on(before) && !goes_on(text.get(at + form.len()))
    })
}
