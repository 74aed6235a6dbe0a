//! Results for reports: every text of a case.

use std::fmt::Write as _;
use std::ops::Range;

use super::failure::FaultyDatagram;
use super::judged::Judged;
use super::log::{LogEntry, TrafficLog};
use super::precondition::UnmetPrecondition;
use super::requirement::Requirement;
use super::sources::sources;
use super::suite::SuiteCase;
use protocol::{Direction, Reading, Role};
use protocols::registry;
use render::{self, Colour};
use report::{self, CaseDatagram, CaseVerdict, Tried};
use text::seconds;

/// Datagrams of a case that are shown from its beginning and from its end, besides those around the
/// faulty one.
const SHOWN: usize = 24;
const SHOWN_LAST: usize = 8;
/// The maximum bytes of text of a case's annotated datagrams.
const TEXT: usize = 32 << 10;
/// The maximum shown bytes of a datagram.
const BYTES: usize = 2048;
/// Rows of a dump that are shown at its beginning, at its end, and around marked bytes.
const FIRST: usize = 12;
const LAST: usize = 6;
const AROUND: usize = 3;

/// A case for reports; with its traffic if it did not go well.
pub fn shown(judged: &Judged, expected: bool, colour: Colour) -> Tried {
    let case = judged.case;
    let mark = judged.failure.as_ref().and_then(|failure| failure.mark.as_ref());
    let fault = mark.and_then(|mark| Some((mark, judged.log.entries.get(mark.index)?)));
    let dumped = |colour| fault.map(|(mark, entry)| dump_of(entry, mark.bytes.clone(), colour));
    let mut tried = Tried {
        verdict: judged.verdict,
        expected,
        text: judged.text.clone(),
        dump: dumped(Colour::Plain).unwrap_or_default(),
        milliseconds: u64::try_from(judged.took.as_millis()).unwrap_or(u64::MAX),
        blocked_by: judged.blocked_by.map(str::to_owned),
        first_try: judged.first_try.clone(),
        unstable: judged.unstable,
        ..untried(case)
    };
    if tried.is_bad() {
        (tried.exchange, tried.left_out) = exchange(case.suite.target, &judged.log, mark);
        let Requirement { text, source, .. } = case.requirement;
        _ = writeln!(tried.detail, "{}: {text} [{source}]", case.level.word());
    }
    if let Some((_, entry)) = fault {
        _ = writeln!(tried.detail, "{} → {}", entry.from, entry.to);
        tried.detail += &dumped(colour).unwrap_or_default();
    }
    tried
}

/// An unmet precondition for reports, with the cases of the run that it blocked.
pub fn cause(cause: &UnmetPrecondition, judged: &[Judged], colour: Colour) -> report::Cause {
    let mark = cause.failure.mark.as_ref();
    let fault = mark.and_then(|mark| Some((mark, cause.log.entries.get(mark.index)?)));
    let dumped = |colour| fault.map(|(mark, entry)| dump_of(entry, mark.bytes.clone(), colour));
    let blocked = judged.iter().filter(|judged| judged.blocked_by == Some(cause.id));
    report::Cause {
        id: cause.id.to_owned(),
        says: match cause.failed {
            Some(case) => format!("{} ({case} fails)", cause.says),
            None => cause.says.clone(),
        },
        text: cause.failure.text(),
        dump: dumped(Colour::Plain).unwrap_or_default(),
        detail: dumped(colour).unwrap_or_default(),
        cases: blocked.map(|judged| judged.case.id.to_owned()).collect(),
    }
}

/// What is known of a case without running it.
fn untried(case: SuiteCase) -> Tried {
    Tried {
        id: case.id.to_owned(),
        title: case.title.to_owned(),
        requires: case.requirement.text.clone(),
        citation: case.requirement.source.clone(),
        sources: sources(case.id, &case.requirement.source),
        level: case.level.word(),
        verdict: CaseVerdict::Skipped,
        expected: false,
        blocked_by: None,
        text: String::new(),
        first_try: None,
        unstable: false,
        dump: String::new(),
        milliseconds: 0,
        exchange: Vec::new(),
        left_out: 0,
        detail: String::new(),
    }
}

/// The shown datagrams of a case: its first, its last, and those around the faulty one. After the
/// maximum of text only the faulty one is annotated.
fn exchange(
    target: Role,
    log: &TrafficLog,
    fault: Option<&FaultyDatagram>,
) -> (Vec<CaseDatagram>, u64) {
    let it = format!("the {}", target.name());
    let begun = log.entries.first().map_or(0, |entry| entry.time);
    let index = fault.map_or(usize::MAX, |mark| mark.index);
    let near = index.saturating_sub(4)..index.saturating_add(2);
    let last = log.entries.len().saturating_sub(SHOWN_LAST);
    let all = log.entries.iter().enumerate();
    let shown: Vec<_> = all.filter(|(n, _)| *n < SHOWN || *n >= last || near.contains(n)).collect();
    let left_out = log.left_out + (log.entries.len() - shown.len()) as u64;
    let mut remaining = TEXT;
    let datagram = |(n, entry): (usize, &LogEntry)| {
        let at_fault = n == index;
        let bytes = fault.filter(|_| at_fault).map_or(0..0, |mark| mark.bytes.clone());
        let since = (entry.time - begun) / 1_000_000;
        let us = format!("{} {}", entry.endpoint, ours(entry));
        let (from, to) = if entry.ours { (&us, &it) } else { (&it, &us) };
        let mut dump = String::new();
        if at_fault || remaining > 0 {
            dump = dump_of(entry, bytes, Colour::Plain);
            remaining = remaining.saturating_sub(dump.len());
        }
        CaseDatagram {
            time: format!("+{} s", seconds(since, 3)),
            ends: format!("{from} → {to}"),
            what: what(entry),
            dump,
            at_fault,
        }
    };
    (shown.into_iter().map(datagram).collect(), left_out)
}

/// The address of our endpoint.
fn ours(entry: &LogEntry) -> std::net::SocketAddr {
    if entry.ours { entry.from } else { entry.to }
}

/// A datagram's summary.
fn what(entry: &LogEntry) -> String {
    let length = entry.bytes.len();
    let entry = registry().recognise_all(entry.carrier, &entry.bytes, Direction::default()).next();
    match entry {
        Some(entry) => format!("{}, {length} bytes", entry.spec.name),
        None => format!("{length} bytes"),
    }
}

/// A datagram's bytes and fields, the faulty bytes marked; of many rows those at both ends and
/// those around the mark.
fn dump_of(entry: &LogEntry, marked: Range<usize>, colour: Colour) -> String {
    let is_marked = |line: &str| line.starts_with('>');
    let plain = whole(entry, marked.clone(), Colour::Plain);
    let all: Vec<_> = plain.lines().collect();
    let marks: Vec<_> =
        (0..all.len()).filter(|n| all.get(*n).is_some_and(|l| is_marked(l))).collect();
    let kept = |n: usize| {
        let ends = n < FIRST || n + LAST >= all.len();
        ends || marks.iter().any(|mark| mark.abs_diff(n) <= AROUND)
    };
    let whole = if colour == Colour::Plain { plain.clone() } else { whole(entry, marked, colour) };
    let mut out = String::new();
    let mut left_out = 0;
    for (n, line) in whole.lines().enumerate() {
        if !kept(n) {
            left_out += 1;
            continue;
        }
        if left_out > 0 {
            _ = writeln!(out, "  … {left_out} rows");
            left_out = 0;
        }
        _ = writeln!(out, "{line}");
    }
    out
}

fn whole(entry: &LogEntry, marked: Range<usize>, colour: Colour) -> String {
    let mut out = String::new();
    match registry().recognise_all(entry.carrier, &entry.bytes, Direction::default()).next() {
        Some(message) if entry.bytes.len() <= BYTES => {
            let mut reading = Reading::default();
            reading.read_message(message, &entry.bytes);
            render::annotated(&mut out, &reading, &entry.bytes, marked, colour.into());
        }
        _ => render::plain(&mut out, &entry.bytes, BYTES, marked, colour),
    }
    if entry.bytes.len() > BYTES {
        _ = writeln!(out, "  and {} bytes more", entry.bytes.len() - BYTES);
    }
    out
}
