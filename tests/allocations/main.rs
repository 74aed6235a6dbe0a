//! How often memory is allocated for each message, where there are millions of them.
//!
//! A counting allocator measures what this thread does, so other programs on the machine make no
//! difference. A capture is read twice as long and once as long: the difference is what a message
//! costs, without what a run costs. `UPDATE=1` writes the figures again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use export::{LineStyle, Table, TableFormat, TableOptions, write_listing, write_tables};
use fragshark::analysis::{AnalysisNeeds, Analyzer, Pipeline, Prepared};
use fragshark::capture::{Frame, Frames, Input};
use fragshark::render::Colour;
use fragshark::text::{Secrets, TimeDisplay, Zone};

/// How often the frames of the capture are repeated; as often again, to measure the difference.
const REPETITIONS: u32 = 25;
/// How far a figure may be from the recorded one: a part of it, and allocations per message.
const TOLERANCE: (f64, f64) = (0.05, 0.02);
/// Seconds between the beginnings of two repetitions: exchanges have ended by then.
const APART: u32 = 3600;
const ETHERNET: u16 = 1;

/// The captures whose frames are repeated: every documented message.
fn inputs() -> Vec<Input> {
    let captures = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures");
    let folders = fs::read_dir(captures).unwrap().map(|entry| entry.unwrap().path());
    let files = folders.flat_map(|folder| {
        ["pcap", "pcapng"].map(|format| folder.join("documented").with_extension(format))
    });
    let mut files: Vec<_> = files.filter(|file| file.is_file()).collect();
    files.sort();
    assert!(files.len() > 10, "{files:?}");
    files.into_iter().map(Input::File).collect()
}

/// A capture with all frames, so many times one after the other.
fn capture(repetitions: u32) -> Input {
    let header: [u32; 6] = [0xa1b2_c3d4, 0x0004_0002, 0, 0, 1 << 18, ETHERNET.into()];
    let mut bytes: Vec<u8> = header.iter().flat_map(|word| word.to_le_bytes()).collect();
    for repetition in 0..repetitions {
        let mut frames = Frames::open(&inputs()).unwrap();
        let mut number = 0;
        while let Some(frame) = frames.next() {
            if frame.link == ETHERNET {
                number += 1;
                add(&mut bytes, repetition * APART + number / 10, &frame);
            }
        }
        assert!(number / 10 < APART / 2);
    }
    Input::Memory { name: "repeated".to_owned(), bytes: bytes.into() }
}

fn add(bytes: &mut Vec<u8>, seconds: u32, frame: &Frame<'_>) {
    let begin = 1_700_000_000;
    let header = [begin + seconds, 0, frame.bytes.len() as u32, frame.wire_length];
    bytes.extend(header.iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend(frame.bytes);
}

/// What is measured.
#[derive(Debug, Clone, Copy)]
enum Work {
    Count,
    Text,
    Table(&'static str, TableFormat),
    Findings,
}

const ALL: [(&str, Work); 8] = [
    ("count", Work::Count),
    ("text", Work::Text),
    ("messages, CSV", Work::Table("messages", TableFormat::Csv)),
    ("messages, NDJSON", Work::Table("messages", TableFormat::Ndjson)),
    ("players, CSV", Work::Table("players", TableFormat::Csv)),
    ("sessions, CSV", Work::Table("sessions", TableFormat::Csv)),
    ("servers, CSV", Work::Table("servers", TableFormat::Csv)),
    ("findings", Work::Findings),
];

/// Does the work on a capture; returns how many messages it has.
fn run(work: Work, capture: &Input) -> u64 {
    let mut pipeline =
        Pipeline::begin(Prepared::new(vec![capture.clone()]).threads(1), Vec::new()).unwrap();
    let mut out = io::sink();
    match work {
        Work::Count => _ = pipeline.count().unwrap(),
        Work::Text => {
            let (times, zone) = (TimeDisplay::Relative, Zone::utc());
            let style = LineStyle { colour: Colour::Plain, times, zone, columns: None };
            write_listing(&mut pipeline, (Secrets::Masked, style), (false, None), &mut out)
                .unwrap();
        }
        Work::Table(table, format) => {
            let options = TableOptions {
                format,
                secrets: Secrets::Masked,
                live: false,
                redactor: None,
                scratch: tempfile::tempfile().ok(),
                selects: None,
                origin: None,
            };
            let table = Table::named(table).unwrap();
            let out: &mut (dyn Write + Send) = &mut out;
            write_tables(&mut pipeline, options, [(table, out)]).unwrap();
        }
        Work::Findings => {
            let analyzer = Analyzer::new(AnalysisNeeds::Findings);
            pipeline.analyze(analyzer, |_| {}).unwrap();
        }
    }
    pipeline.flows().messages().values().sum()
}

/// Allocations for each message.
fn measured(work: Work, captures: &[Input; 2]) -> f64 {
    // What the program makes once is there then.
    run(work, &captures[0]);
    let [short, long] = captures.each_ref().map(|capture| {
        let mut messages = 0;
        let allocations = allocation_counter::measure(|| messages = run(work, capture));
        (allocations.count_total as f64, messages as f64)
    });
    assert!(long.1 > 1.9 * short.1 && short.1 > 2e3, "{short:?} {long:?}");
    (long.0 - short.0) / (long.1 - short.1)
}

fn recorded(file: &Path) -> BTreeMap<String, f64> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    lines.map(|(name, figure)| (name.to_owned(), figure.parse().unwrap())).collect()
}

#[test]
fn messages_take_as_many_allocations_as_recorded() {
    let captures = [capture(REPETITIONS), capture(2 * REPETITIONS)];
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/allocations/figures.txt");
    let (before, mut now, mut wrong) = (recorded(&file), String::new(), Vec::new());
    for (name, work) in ALL {
        let figure = measured(work, &captures);
        writeln!(now, "{name}\t{figure:.3}").unwrap();
        let (part, all) = TOLERANCE;
        match before.get(name) {
            Some(before) if (figure - before).abs() <= all + part * before => {}
            before => wrong.push(format!("{name}: {figure:.3} a message, recorded {before:?}")),
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        return fs::write(file, now).unwrap();
    }
    assert!(
        wrong.is_empty(),
        "{wrong:#?}\nif this is meant: UPDATE=1 cargo test --test allocations"
    );
}
