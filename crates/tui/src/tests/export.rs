//! Exports from the interface: the line for the name, and the files.

use std::fs;
use std::net::SocketAddr;
use std::sync::Arc;

use parking_lot::Mutex;

use super::user::{CLIENT, MASTER, SERVER, User, capture, documented, frames, story, tour};
use crate::export::{NameState, Saves};
use crate::export_thread::ExportThread;
use analysis::{Analyzer, Exchange, FrameIndex, Pipeline, Session};
use capture::Input;
use export::{ExportForm, Selection, SessionExport, TableFormat};
use filter::{EvalScratch, ExchangeRef, Filter, Subject};
use render::Colour;
use render::ladder::DiagramForm;
use text::Secrets;

impl User {
    /// The written file; the directory has no other.
    fn file(&mut self, name: &str) -> String {
        self.saved();
        let all: Vec<_> = fs::read_dir(self.folder.path()).unwrap().map(Result::unwrap).collect();
        let names: Vec<_> = all.iter().map(fs::DirEntry::file_name).collect();
        assert_eq!(names, [name], "{}", self.screen());
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }
}

#[test]
fn the_export_line_shows_what_is_written() {
    let mut user = User::on(tour(), (80, 24));
    insta::assert_snapshot!("export_messages", user.keys("e").screen());
    insta::assert_snapshot!("export_servers", user.keys("<Esc>3e").screen());
    insta::assert_snapshot!("export_wrong", user.keys("<Backspace>").screen());
    let mut user = User::on(tour(), (80, 24));
    user.keys("fserver and not master<Enter>e<C-u>x.pcapng");
    insta::assert_snapshot!("export_packets", user.screen());
    assert_eq!(fs::read_dir(user.folder.path()).unwrap().count(), 0);
}

#[test]
fn a_wrong_name_is_refused_with_a_reason() {
    let mut user = User::on(tour(), (80, 24));
    fs::create_dir(user.folder.path().join("folder.csv")).unwrap();
    for (screen, name, why) in [
        ("1", "x", "must end in .csv, .ndjson, .parquet, .arrows, .pcapng"),
        ("1", "", "must end in"),
        ("1", "x.csv.", "must end in"),
        ("2", "x.pcapng", "only messages can be exported as packets; press 1"),
        ("5", "X.PCAPNG", "only messages can be exported as packets"),
        ("2", "x.svg", "only messages can be drawn as a diagram; press 1"),
        ("3", "x.MMD", "only messages can be drawn as a diagram"),
        ("5", "x.txt", "only messages can be drawn as a diagram"),
        ("1", "../x.csv", "outside of the folder for exports; --save-in"),
        ("1", "/x.csv", "outside of the folder for exports"),
        ("1", "nowhere/x.csv", "the folder does not exist"),
        ("1", "folder.csv", "the name exists and is not a file"),
    ] {
        let screen = user.keys(&format!("{screen}e<C-u>{name}<Enter>")).screen();
        assert!(screen.contains(why), "{name}: {screen}");
        assert!(screen.contains("export to: "), "{name}: {screen}");
        assert!(!user.app.is_saving(), "{name}");
        user.keys("<Esc>");
    }
    assert_eq!(fs::read_dir(user.folder.path()).unwrap().count(), 1);
}

#[test]
fn exports_contain_what_is_shown() {
    for (keys, name, rows, expected) in [
        ("e<Enter>", "story-messages.csv", 27, "27 messages written to story-messages.csv"),
        ("frtcw<Enter>e<Enter>", "story-messages.csv", 0, "0 messages written"),
        ("fquake3.heartbeat<Enter><Esc>e<Enter>", "story-messages.csv", 27, "27 messages written"),
        ("fserver == 192.0.2.10<Enter>e<Enter>", "story-messages.csv", 19, "19 messages written"),
        ("3e<Enter>", "story-servers.csv", 1, "1 server written to story-servers.csv"),
        ("4e<Enter>", "story-masters.csv", 1, "1 master written"),
        ("5e<Enter>", "story-findings.csv", 1, "1 finding written"),
        ("6e<Enter>", "story-sequence.csv", 27, "27 messages written"),
        ("2Le<Enter>", "story-sequence.csv", 3, "3 messages written"),
        ("fquake3.getinfo<Enter>2e<Enter>", "story-exchanges.csv", 5, "5 exchanges written"),
        ("fserver == 192.0.2.12<Enter>7e<Enter>", "story-flows.csv", 1, "1 flow written"),
        ("fexchange.kind == \"registration\"<Enter>3e<Enter>", "story-servers.csv", 1, "1 server"),
        ("fquake3.motd<Enter>5e<Enter>", "story-findings.csv", 0, "0 findings written"),
        ("e<C-u>a.ndjson<Enter>", "a.ndjson", 26, "27 messages written to a.ndjson"),
    ] {
        let mut user = User::on(tour(), (100, 24));
        let text = user.keys(keys).file(name);
        assert_eq!(text.lines().count(), rows + 1, "{keys}: {text}");
        assert!(user.screen().contains(expected), "{keys}: {}", user.screen());
    }
}

/// Diagrams of the ladder and of filtered messages; secrets are masked in all.
#[test]
fn messages_are_saved_as_diagrams() {
    for (keys, name, expected) in [
        ("6", "a.svg", "27 messages written to a.svg"),
        ("6", "a.mmd", "27 messages written to a.mmd"),
        ("6", "a.txt", "27 messages written to a.txt"),
        ("2L", "exchange.txt", "3 messages written to exchange.txt"),
        ("fquake3.getinfo and client<Enter>", "query.mmd", "3 messages written to query.mmd"),
        ("fudp.port == 27952<Enter>", "secret.txt", "3 messages written to secret.txt"),
    ] {
        let mut user = User::on(tour(), (100, 24));
        let text = user.keys(&format!("{keys}e<C-u>{name}<Enter>")).file(name);
        assert!(user.screen().contains(expected), "{keys}: {}", user.screen());
        assert!(!text.contains("0123456789ABCDEF"), "{text}");
        if ExportForm::from_name(name.as_ref()) == Some(ExportForm::Diagram(DiagramForm::Svg)) {
            // As in the documents.
            assert!(text == include_str!("../../../../docs/sequence.svg"), "{text}");
        } else {
            insta::assert_snapshot!(format!("saved_{}", name.replace('.', "_")), text);
        }
    }
}

#[test]
fn a_long_diagram_says_what_is_left_out() {
    let messages: Vec<_> =
        (0..1100).map(|_| (documented("quake3/1.2.9/1"), SERVER, MASTER)).collect();
    let mut user = User::on(capture(&messages), (100, 24));
    let text = user.keys("e<C-u>a.txt<Enter>").file("a.txt");
    let note = "100 messages are left out: a diagram has at most 1000 messages of 50 hosts\n";
    assert!(text.ends_with(note), "{text}");
    let screen = user.screen();
    assert!(screen.contains("1,000 messages written to a.txt; 100 messages are left out"));
}

#[test]
fn an_existing_file_needs_confirmation() {
    let mut user = User::on(story(), (80, 24));
    fs::write(user.folder.path().join("x.csv"), "old").unwrap();
    let screen = user.keys("e<C-u>x.csv<Enter>").screen();
    assert!(screen.contains("Enter overwrites the file"), "{screen}");
    assert!(!user.app.is_saving());
    // Another name needs another confirmation.
    user.keys("<Backspace>v<Enter>");
    assert!(user.screen().contains("Enter overwrites the file"), "{}", user.screen());
    assert_eq!(user.keys("<Esc>").file("x.csv"), "old");
    assert!(user.keys("e<C-u>x.csv<Enter><Enter>").file("x.csv").starts_with("file,number,"));
}

#[test]
fn names_wait_until_everything_has_been_read() {
    let messages: Vec<_> =
        (0..400).map(|_| (documented("quake3/1.2.9/1"), SERVER, MASTER)).collect();
    let mut user = User::unread(capture(&messages), (80, 24), Colour::Ansi);
    user.load(100);
    let screen = user.keys("e<Enter>").screen();
    assert!(screen.contains("wait until everything has been read"), "{screen}");
    user.load(usize::MAX);
    assert_eq!(user.keys("<Enter>").file("story-messages.csv").lines().count(), 401);
}

#[test]
fn secrets_stay_masked() {
    let mut user = User::on(tour(), (80, 24));
    let text = user.keys("e<Enter>").file("story-messages.csv");
    assert!(text.contains("********") && text.contains("cl_guid"), "{text}");
    assert!(!text.contains("0123456789ABCDEF0123456789ABCDEF"), "{text}");
}

/// A stopped export ends and leaves no file.
#[test]
fn a_stopped_export_leaves_nothing() {
    let input = Input::Memory { name: "tour".to_owned(), bytes: tour() };
    let (session, loader) = Session::open(&[input], Vec::new()).unwrap();
    let session = Arc::new(Mutex::new(session));
    loader.run(&session);
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().to_owned();
    let saves = Saves { folder: place, stem: String::new(), inputs: Vec::new() };
    for form in [
        ExportForm::Table(TableFormat::Csv),
        ExportForm::Packets,
        ExportForm::Diagram(DiagramForm::Svg),
    ] {
        let shared = Arc::clone(&session);
        let kept = SessionExport::of_messages("messages", Selection::All(0..27)).unwrap();
        // It cannot read a message until the session is unlocked.
        let locked = session.lock();
        let mut writer =
            ExportThread::start(&saves, "x", (kept, form), shared, Secrets::Masked).unwrap();
        writer.stop();
        drop(locked);
        let ended = loop {
            match writer.ended() {
                Some(ended) => break ended,
                None => std::thread::yield_now(),
            }
        };
        assert_eq!(ended, Err("stopped; x was not written".to_owned()));
        drop(writer);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[test]
#[cfg(unix)]
fn a_link_counts_as_its_target() {
    use std::os::unix::fs::symlink;
    let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (folder, other) = (inside.path(), outside.path());
    fs::write(folder.join("input.pcap"), "").unwrap();
    fs::write(other.join("there"), "").unwrap();
    symlink(other.join("there"), folder.join("out.csv")).unwrap();
    symlink(other.join("gone"), folder.join("dangling.csv")).unwrap();
    symlink(folder.join("input.pcap"), folder.join("in.csv")).unwrap();
    symlink(other, folder.join("folder")).unwrap();
    let inputs = vec![folder.join("input.pcap").into()];
    let saves = Saves { folder: folder.into(), stem: String::new(), inputs };
    let absolute = folder.join("x.csv");
    for (name, spot) in [
        ("x.csv", NameState::Free),
        (absolute.to_str().unwrap(), NameState::Free),
        ("out.csv", NameState::Outside),
        ("folder/x.csv", NameState::Outside),
        ("dangling.csv", NameState::NoFile),
        ("in.csv", NameState::Input),
        ("input.pcap", NameState::Input),
    ] {
        assert_eq!(saves.check(name), spot, "{name}");
    }
}

#[test]
fn a_long_live_capture_shows_the_kept_messages() {
    let messages: Vec<_> =
        (0..40).map(|_| (documented("quake3/1.2.9/1"), SERVER, MASTER)).collect();
    let mut user = User::unread(capture(&messages), (80, 24), Colour::Ansi);
    user.keep_last(10);
    user.load(usize::MAX);
    let screen = user.keys("2").screen();
    assert!(!screen.contains("no exchanges"), "{screen}");
    assert_eq!(user.keys("1e<Enter>").file("story-messages.csv").lines().count(), 11);
}

/// A finding names 16 frames, and the filter matches all.
#[test]
fn a_filter_knows_every_message_at_fault() {
    let (client, master) = (SocketAddr::from(CLIENT), SocketAddr::from(MASTER));
    let list =
        b"\xff\xff\xff\xffgetserversResponse\\\xc0\x00\x02\x0a\x6d\x38\\\xc0\x00\x02\x0b\x00\x00";
    let messages: Vec<_> = (0..80)
        .map(|n| match n % 2 {
            0 => (client, master, b"\xff\xff\xff\xffgetservers 68 empty full".to_vec()),
            _ => (master, client, list.to_vec()),
        })
        .collect();
    let bytes = frames(&messages);
    let mut user = User::on(Arc::clone(&bytes), (80, 24));
    assert!(user.keys("ffinding<Enter>").screen().contains("40 of 80"), "{}", user.screen());

    let filter = Filter::parse("finding.id == \"list.port-zero\"").unwrap();
    let input = Input::Memory { name: "lists".to_owned(), bytes };
    let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
    let mut index = FrameIndex::default();
    let add =
        |exchange: &Exchange| index.add_exchange(ExchangeRef::from(exchange), exchange.numbers());
    let analyzer = pipeline.analyze(Analyzer::with_frames(), add).unwrap();
    assert!(analyzer.findings().iter().all(|finding| finding.messages.len() <= 16));
    index.finish(&analyzer);
    let (mut space, mut found) = (EvalScratch::new(Secrets::Masked), Vec::new());
    let read = pipeline.messages(|message| {
        if filter.matches(&Subject::new(message, 0).with(&index), &mut space) {
            found.push(message.header.number);
        }
        std::ops::ControlFlow::<()>::Continue(())
    });
    read.unwrap();
    assert_eq!(found, (1..=40).map(|n| 2 * n).collect::<Vec<_>>());
}
