//! The recorder on the captures of all findings, as if they came from a device.

use std::fs;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use super::*;
use analysis::{AnalysisNeeds, Analyzer, Pipeline, PipelineItem};
use capture::write::{FrameRecord, PcapNg};
use capture::{Frames, Input};

#[test]
fn an_argument_names_rules() {
    let ids = |text| rules(text).map(|rules| rules.0.iter().map(|rule| rule.id).collect());
    assert_eq!(ids("list.end-missing"), Ok(vec!["list.end-missing"]));
    let heartbeats: Vec<_> =
        RULES.iter().map(|rule| rule.id).filter(|id| id.starts_with("heartbeat.")).collect();
    assert!(heartbeats.len() > 2);
    assert_eq!(ids("heartbeat.*"), Ok(heartbeats));
    let any = ids("any").unwrap();
    assert!(any.contains(&"port.zero") || any.contains(&"list.port-zero"), "{any:?}");
    assert!(!any.contains(&"message.nonstandard"), "{any:?}");
    let wrong = ids("list.end-mising").unwrap_err();
    assert_eq!(wrong, "no rule has this id; did you mean list.end-missing?");
}

#[test]
fn a_name_has_the_time_and_the_rule() {
    let rule = RULES.iter().find(|rule| rule.id == "list.end-missing").unwrap();
    assert_eq!(label(1_795_656_249_123_456_789, rule), "20261126T012409Z-list.end-missing");
}

/// Where the captures of findings are.
fn captures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("captures/findings")
}

fn settings(folder: &Path) -> TriggerSettings {
    TriggerSettings {
        path: folder.join("x.pcapng"),
        keep: Duration::from_hours(24),
        keep_size: 1_000_000,
        after: Duration::from_secs(10),
        files: 3,
    }
}

/// Passes a capture on as a device does, once and in order, and returns the files that were written.
fn recorded(capture: &Path, rules: Vec<&'static Rule>, settings: TriggerSettings) -> Vec<PathBuf> {
    let folder = folder_of(&settings.path);
    let temporary = tempfile::tempfile_in(&folder).unwrap();
    let mut recorder = FindingRecorder::new(settings, rules, temporary, &[]);
    let (out, mut into) = io::pipe().unwrap();
    let bytes = fs::read(capture).unwrap();
    let writer = thread::spawn(move || into.write_all(&bytes).unwrap());
    let pipe = Arc::new(File::from(OwnedFd::from(out)));
    let pipe = Input::Held { name: "pipe".to_owned(), file: pipe };
    let mut pipeline = Pipeline::open(vec![pipe], Vec::new()).unwrap();
    let ended = pipeline.packets(|item, flows| {
        let done = match item {
            PipelineItem::Frame(_) => Ok(()),
            PipelineItem::Message(message) => {
                recorder.message(message, flows);
                Ok(())
            }
            PipelineItem::FrameEnd(frame) => recorder.frame(frame, flows, Vec::new),
        };
        done.map_or_else(ControlFlow::Break, ControlFlow::Continue)
    });
    assert!(ended.unwrap().is_none());
    writer.join().unwrap();
    recorder.finish(pipeline.flows(), &[]).unwrap();
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files
}

/// The rules of the findings in a file.
fn found(file: &Path) -> Vec<&'static str> {
    let mut pipeline = Pipeline::open(vec![Input::File(file.to_owned())], Vec::new()).unwrap();
    let analyzer = pipeline.analyze(Analyzer::new(AnalysisNeeds::Findings), |_| {}).unwrap();
    analyzer.findings().iter().map(|finding| finding.rule.id).collect()
}

/// The numbers of the frames of a file, with their comments.
fn frames(file: &Path) -> Vec<(i64, String)> {
    let mut frames = Frames::open(&[Input::File(file.to_owned())]).unwrap();
    let mut all = Vec::new();
    while let Some(frame) = frames.next() {
        let comments: Vec<_> = frame.comments.iter().map(String::from_utf8_lossy).collect();
        all.push((frame.time, comments.join("\n")));
    }
    assert_eq!(frames.warnings(), []);
    all
}

/// In their healthy captures the first request is lost and a later one answered, which is not known
/// when the time for the first is over.
const ANSWERED_LATER: [&str; 1] = ["list.unanswered"];

#[test]
fn every_finding_is_recorded_and_a_healthy_capture_is_not() {
    for rule in RULES {
        let capture = captures().join(format!("{}.pcapng", rule.id));
        let folder = tempfile::tempdir().unwrap();
        let files = recorded(&capture, vec![rule], settings(folder.path()));
        let Some(file) = files.first() else { panic!("{}: no file", rule.id) };
        assert!(found(file).contains(&rule.id), "{}: {:?}", rule.id, found(file));
        let comment = format!("{} ({}): ", rule.id, rule.severity.name());
        let with: Vec<_> = frames(file).into_iter().filter(|f| f.1.contains(&comment)).collect();
        assert!(!with.is_empty(), "{}", rule.id);

        if ANSWERED_LATER.contains(&rule.id) {
            continue;
        }
        let healthy = captures().join(format!("{}.healthy.pcapng", rule.id));
        let folder = tempfile::tempdir().unwrap();
        let files = recorded(&healthy, vec![rule], settings(folder.path()));
        assert!(files.is_empty(), "{}: {files:?}", rule.id);
    }
}

/// Records a capture with the same faulty request at these times, in seconds.
fn faulty_requests(folder: &Path, settings: TriggerSettings, seconds: &[u16]) -> Vec<PathBuf> {
    let capture = folder.join("made.pcapng");
    let mut out = PcapNg::new(File::create(&capture).unwrap()).unwrap();
    let payload = b"\xff\xff\xff\xffgetservers 40000000000000000000";
    for second in seconds {
        let mut bytes = vec![0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2];
        let length = payload.len() as u16 + 8;
        bytes[2..4].copy_from_slice(&(length + 20).to_be_bytes());
        // The identification differs: these are no copies of one packet.
        bytes[4..6].copy_from_slice(&second.to_be_bytes());
        for number in [40_000, 27_950, length, 0] {
            bytes.extend(number.to_be_bytes());
        }
        bytes.extend(payload);
        out.write(&FrameRecord::ip(i64::from(*second) * SECOND, &bytes, "")).unwrap();
    }
    out.finish().unwrap();
    let rule = RULES.iter().find(|rule| rule.id == "message.faulty").unwrap();
    recorded(&capture, vec![rule], settings)
}

const SECOND: i64 = 1_000_000_000;

/// The times of the frames of each file, in seconds.
fn seconds(files: &[PathBuf]) -> Vec<Vec<i64>> {
    let times = |file: &PathBuf| frames(file).iter().map(|(time, _)| time / SECOND).collect();
    files.iter().map(times).collect()
}

#[test]
fn a_file_has_what_was_kept_and_what_follows_and_the_same_finding_gives_one_file() {
    let (source, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let keep = Duration::from_secs(20);
    let settings = || TriggerSettings { keep, ..settings(folder.path()) };
    // The first is a finding; the next are too soon after it, and one follows within ten seconds.
    let files = faulty_requests(source.path(), settings(), &[100, 105, 111, 119, 120, 131, 170]);
    assert_eq!(seconds(&files), [vec![100, 105], vec![100, 105, 111, 119, 120], vec![170]]);
}

#[test]
fn the_oldest_file_makes_room() {
    let (source, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let keep = Duration::from_secs(20);
    let settings = TriggerSettings { keep, files: 2, ..settings(folder.path()) };
    let files = faulty_requests(source.path(), settings, &[100, 200, 300, 400]);
    assert_eq!(seconds(&files), [vec![300], vec![400]]);
    let names: Vec<_> = files.iter().map(|file| file.file_name().unwrap().to_owned()).collect();
    assert_eq!(
        names,
        ["x-19700101T000500Z-message.faulty.pcapng", "x-19700101T000640Z-message.faulty.pcapng"]
    );
}

#[test]
fn a_name_that_is_taken_gets_a_number() {
    let (source, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(folder.path().join("x-19700101T000140Z-message.faulty.pcapng"), "other").unwrap();
    let files = faulty_requests(source.path(), settings(folder.path()), &[100]);
    assert_eq!(files.len(), 2);
    assert_eq!(fs::read(&files[1]).unwrap(), b"other");
    assert!(files[0].ends_with("x-19700101T000140Z-message.faulty-2.pcapng"), "{files:?}");
    assert_eq!(seconds(&files[..1]), [[100]]);
}
