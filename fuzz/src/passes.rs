//! The commands on a capture, each with its oracle.

use std::ops::ControlFlow;
use std::sync::Arc;

use export::{
    LineStyle, Listing, MessageRows, Packets, Redactor, TABLES, TableFormat, TableOptions, notes,
    transcript_heading, write_tables,
};
use filter::{EvalScratch, ExchangeRef, Filter, Subject};
use fragshark::analysis::{
    AnalysisNeeds, Analyzer, CapturedMessage, Exchange, FrameIndex, MessageHeader, Pipeline,
    PipelineItem, Session,
};
use fragshark::capture::Input;
use fragshark::protocol::Reading;
use fragshark::render::ladder::{
    Arrow, Diagram, DiagramForm, HostLifelines, Ladder, LadderTimes, Lifelines, RoleHeads,
};
use fragshark::render::{Colour, Rendered, transcript};
use fragshark::text::{Secrets, TimeDisplay, Zone, escaped, latin};

use super::text::{is_clean, is_csv, is_ndjson};

/// The input is a byte that selects the command, and a capture file.
pub fn run(bytes: &[u8]) {
    if let Some((pick, file)) = bytes.split_first() {
        pass(*pick, file);
    }
}

const PASSES: [fn(&[u8]); 7] =
    [transcripts, listing, packets, hosts_and_findings, ladders, filters, store];

/// One of the passes, or one of the tables.
pub fn pass(pick: u8, file: &[u8]) {
    let pick = usize::from(pick) % (PASSES.len() + TABLES.len());
    match PASSES.get(pick) {
        Some(pass) => pass(file),
        None => drop(table(file, pick - PASSES.len(), None)),
    }
}

fn input(file: &[u8]) -> Input {
    Input::Memory { name: "fuzz\u{1b}[31m".to_owned(), bytes: Arc::from(file) }
}

/// `None` where it is no capture.
pub fn open(file: &[u8]) -> Option<Pipeline> {
    match Pipeline::open(vec![input(file)], Vec::new()) {
        Ok(pipeline) => Some(pipeline),
        Err(why) => {
            is_clean("error", without_name(&why.to_string()).as_bytes());
            None
        }
    }
}

/// The text without the name of the input, which the command line escapes before it is printed.
fn without_name(text: &str) -> String {
    text.replace("fuzz\u{1b}[31m", "fuzz")
}

fn each(file: &[u8], mut look: impl FnMut(&CapturedMessage<'_>)) {
    let Some(mut pipeline) = open(file) else { return };
    let all = pipeline.messages(|message| {
        look(message);
        ControlFlow::<()>::Continue(())
    });
    assert!(all.expect("what was opened opens again").is_none());
    for warning in pipeline.warnings() {
        is_clean("warning", without_name(warning).as_bytes());
    }
}

fn transcripts(file: &[u8]) {
    let (mut text, mut reading) = (String::new(), Reading::default());
    each(file, |message| {
        text.clear();
        reading.read_message(message.header.entry, message.payload);
        let heading = transcript_heading(&message.header);
        transcript(
            &mut text,
            &heading,
            &reading,
            message.payload,
            Secrets::Masked,
            Colour::Plain.into(),
        );
        is_clean("transcript", text.as_bytes());
    });
}

fn listing(file: &[u8]) {
    let mut out = Vec::new();
    let mut rows = MessageRows::new(Secrets::Masked);
    let (colour, times, zone, columns) = (Colour::Plain, TimeDisplay::Utc, Zone::utc(), Some(120));
    let mut listing = Listing::new(&mut out, LineStyle { colour, times, zone, columns });
    each(file, |message| listing.write(&rows.row(message)).unwrap());
    listing.flush().unwrap();
    drop(listing);
    is_clean("listing", &out);
}

/// A table as NDJSON and as CSV; with pseudonyms where there is a key. What was written.
pub fn table(file: &[u8], index: usize, key: Option<&str>) -> Vec<Vec<u8>> {
    let table: &'static _ = &TABLES[index % TABLES.len()];
    let mut written = Vec::new();
    for format in [TableFormat::Ndjson, TableFormat::Csv] {
        let Some(mut pipeline) = open(file) else { break };
        let (secrets, live, scratch, takes) = (Secrets::Masked, false, None, None);
        let mut redactor = key.map(Redactor::with_key);
        let mut out = Vec::new();
        let job = TableOptions {
            format,
            secrets,
            live,
            redactor: redactor.as_mut(),
            scratch,
            selects: takes,
            origin: None,
        };
        write_tables(&mut pipeline, job, [(table, &mut out as &mut (dyn std::io::Write + Send))])
            .unwrap();
        match format {
            TableFormat::Ndjson => is_ndjson(table.name, &out),
            _ => is_csv(table.name, &out),
        }
        written.push(out);
    }
    written
}

/// Packets written back, their messages as comments; what was written.
pub fn packets_of(file: &[u8], key: Option<&str>) -> Option<Vec<u8>> {
    let mut pipeline = open(file)?;
    let findings = {
        let mut pipeline = open(file)?;
        let analyzer = pipeline.analyze(Analyzer::new(AnalysisNeeds::Findings), |_| {}).unwrap();
        notes(analyzer.findings(), key.is_some())
    };
    let redactor = key.map(Redactor::with_key);
    let mut packets = Packets::new(Vec::new(), Secrets::Masked, redactor).unwrap();
    pipeline
        .packets(|seen, _| {
            match seen {
                PipelineItem::Frame(frame) => packets.frame(frame).unwrap(),
                PipelineItem::FrameEnd(_) => {}
                PipelineItem::Message(message) => {
                    packets.message(message);
                    let number = message.header.number;
                    for line in findings.get(&number).into_iter().flatten() {
                        packets.add_comment(number, line);
                    }
                }
            }
            ControlFlow::<()>::Continue(())
        })
        .unwrap();
    Some(packets.finish().unwrap())
}

fn packets(file: &[u8]) {
    for key in [None, Some("fuzz")] {
        let (Some(mut pipeline), Some(written)) = (open(file), packets_of(file, key)) else {
            return;
        };
        let counts = pipeline.count().unwrap();
        if counts.packets == 0 {
            continue;
        }
        let mut again = open(&written).expect("what was written opens again");
        let counted = again.count().unwrap();
        assert_eq!(counted.packets, counts.packets, "with the key {key:?}");
        // Times before 1970 become 1970, and fragments age by their times.
        if key.is_none() && pipeline.warnings().is_empty() && again.warnings().is_empty() {
            let of = |c: &fragshark::analysis::SessionCounts| (c.datagrams, c.segments);
            assert_eq!(of(&counted), of(&counts), "datagrams and segments");
        }
    }
}

fn hosts_and_findings(file: &[u8]) {
    let Some(mut pipeline) = open(file) else { return };
    let analyzer = pipeline.analyze(Analyzer::new(AnalysisNeeds::Findings), |_| {}).unwrap();
    for finding in analyzer.findings() {
        is_clean("finding", format!("{}: {finding}", finding.subject).as_bytes());
    }
    for registration in analyzer.registrations().of_servers(|_| true) {
        for step in &registration.steps {
            is_clean("explain", step.text.as_bytes());
        }
    }
}

fn ladders(file: &[u8]) {
    let mut drawn: Vec<(MessageHeader, String)> = Vec::new();
    let mut reading = Reading::default();
    each(file, |message| {
        let CapturedMessage { header, payload } = *message;
        reading.read_message(header.entry, payload);
        let decoded =
            Rendered::new(&reading, payload, Secrets::Masked).in_colours(reading.colours());
        let runs = decoded.summary_runs(header.entry, header.missing);
        let text: String = runs.into_iter().map(|run| run.text).collect();
        is_clean("summary", text.as_bytes());
        is_clean("escaped", escaped(&latin(payload)).to_string().as_bytes());
        if drawn.len() < 100 {
            drawn.push((header, text));
        }
    });
    let arrows = drawn.iter().map(|(header, text)| {
        let MessageHeader { number, time, direction, source, destination, name, .. } = *header;
        Arrow { number, time, direction, source, destination, name, text, outcome: None }
    });
    let arrows: Vec<_> = arrows.collect();
    let Some(first) = arrows.first() else { return };
    let mut diagram = Diagram::default();
    for arrow in &arrows {
        if diagram.takes(arrow) {
            diagram.push(arrow);
        }
    }
    for form in [DiagramForm::Svg, DiagramForm::Mermaid, DiagramForm::Text] {
        is_clean("diagram", diagram.draw(form, "fuzz").as_bytes());
    }
    let heads = RoleHeads::from_arrows(arrows.iter().copied());
    let hosts = HostLifelines::from_arrows(arrows.iter().copied());
    for columns in [20, 80, 200] {
        for from in [0, 1, 50] {
            for lifelines in [Lifelines::ByRole(heads), Lifelines::ByHost(&hosts)] {
                let times = LadderTimes::with_dates(first.time);
                let ladder = Ladder::from_lifeline(lifelines, times, columns, from);
                let lines = arrows.iter().map(|arrow| ladder.arrow(arrow));
                for line in lines.chain(ladder.head()) {
                    let text: String = line.into_iter().map(|run| run.text).collect();
                    is_clean("ladder", text.as_bytes());
                }
            }
        }
    }
}

/// Filters that together use every kind of value.
const FILTERS: [&str; 6] = [
    r#"field.sv_maxclients > 8 || field.hostname contains "a""#,
    "exchange.state == timeout || finding",
    "server == 192.0.2.7 && time > 0",
    r#"name matches "get.*" || text contains x"#,
    "length > 5 && !(source == 192.0.2.0/24)",
    "field.challenge == 1 || port == 27950",
];

fn filters(file: &[u8]) {
    for text in FILTERS {
        let Ok(filter) = Filter::parse(text) else { continue };
        let Some(mut pipeline) = open(file) else { return };
        let mut index = FrameIndex::default();
        if filter.needs_analysis() {
            let add = |exchange: &Exchange| {
                index.add_exchange(ExchangeRef::from(exchange), exchange.numbers());
            };
            let analyzer = pipeline.analyze(Analyzer::with_frames(), add).unwrap();
            index.finish(&analyzer);
        }
        let (mut room, mut first) = (EvalScratch::new(Secrets::Masked), None);
        each(file, |message| {
            let first = *first.get_or_insert(message.header.time);
            let _ = filter.matches(&Subject::new(message, first).with(&index), &mut room);
        });
    }
}

/// The store of the interface has the same messages as the stream.
fn store(file: &[u8]) {
    let Ok((mut session, mut loader)) = Session::open(&[input(file)], Vec::new()) else { return };
    while loader.load(&mut session, 3) {}
    let (mut index, mut payload) = (0, Vec::new());
    each(file, |streamed| {
        let stored = session.message(index, &mut payload).unwrap().expect("as many messages");
        assert_eq!(stored.payload, streamed.payload);
        let of =
            |m: &CapturedMessage<'_>| (m.header.number, m.header.name, m.header.verdict.game.id);
        assert_eq!(of(&stored), of(streamed));
        index += 1;
    });
    assert_eq!(index, session.len(), "as many messages");
}
