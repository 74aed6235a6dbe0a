//! The file of the history, which several instances write.

use std::thread;

use super::*;

fn keep(_: &File) -> io::Result<()> {
    Ok(())
}

fn opened(folder: &Path) -> HistoryFile {
    HistoryFile::open(folder, keep)
}

#[test]
fn entries_are_newest_last_and_not_twice() {
    let mut history = History::default();
    for (text, is_added) in [
        ("rtcw", true),
        (" udp ", true),
        ("udp", false),
        ("rtcw", true),
        ("", false),
        ("  ", false),
        (&"x".repeat(1001), false),
        (&"é".repeat(1000), true),
    ] {
        assert_eq!(history.add_text(HistoryKind::Filter, text), is_added, "{text}");
    }
    assert_eq!(history.filters, ["udp", "rtcw", &"é".repeat(1000)]);
    assert_eq!(history.texts_of(HistoryKind::Search), [""; 0]);
    for n in 0..300 {
        history.add_text(HistoryKind::Search, &n.to_string());
    }
    let kept: Vec<_> = (100..300).map(|n| n.to_string()).collect();
    assert_eq!(history.searches, kept);
}

#[test]
fn what_is_added_is_there_in_the_next_run() {
    let state = tempfile::tempdir().unwrap();
    let folder = state.path().join("a/fragshark");
    let first = opened(&folder);
    assert_eq!((first.warning(), first.begin()), (None, &History::default()));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    let odd = "udp == \"\u{1b}[31m\\\" \n日本";
    first.add_text(HistoryKind::Filter, odd).unwrap();
    first.add_text(HistoryKind::Search, "q3dm").unwrap();
    let history = opened(&folder).begin().clone();
    assert_eq!(
        history,
        History {
            filters: vec![odd.to_owned()],
            searches: vec!["q3dm".to_owned()],
            views: Vec::new()
        }
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let modes = [&state.path().join("a"), &folder, &folder.join(NAME)].map(|path| mode(path));
        assert_eq!(modes, [0o700, 0o700, 0o600]);
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no temporary file is left");
}

#[test]
fn no_instance_loses_the_entries_of_another() {
    let state = tempfile::tempdir().unwrap();
    let (a, b) = (opened(state.path()), opened(state.path()));
    a.add_text(HistoryKind::Filter, "rtcw").unwrap();
    b.add_text(HistoryKind::Filter, "udp").unwrap();
    a.add_text(HistoryKind::Filter, "udp").unwrap();
    a.add_text(HistoryKind::Filter, "rtcw").unwrap();
    assert_eq!(opened(state.path()).begin().filters, ["udp", "rtcw"]);
    if cfg!(unix) {
        thread::scope(|scope| {
            for name in ["a", "b", "c", "d"] {
                let file = opened(state.path());
                scope.spawn(move || {
                    for n in 0..25 {
                        file.add_text(HistoryKind::Search, &format!("{name}{n}")).unwrap();
                    }
                });
            }
        });
        assert_eq!(opened(state.path()).begin().searches.len(), 100);
    }
}

#[test]
fn a_damaged_file_stays_until_something_is_added() {
    for damage in [
        &b"filters = [\"udp\""[..],
        b"filters = 3\n",
        b"searches = [1]\n",
        b"\xff\xfe",
        b"not toml",
    ] {
        let state = tempfile::tempdir().unwrap();
        let path = state.path().join(NAME);
        fs::write(&path, damage).unwrap();
        let file = opened(state.path());
        let warning = file.warning().unwrap();
        assert!(warning.contains("history.toml: the history is damaged: "), "{warning}");
        assert!(!warning.contains('\n'), "{warning}");
        assert_eq!(file.begin(), &History::default());
        assert_eq!(fs::read(&path).unwrap(), damage);
        file.add_text(HistoryKind::Filter, "rtcw").unwrap();
        let file = opened(state.path());
        assert_eq!((file.warning(), &file.begin().filters[..]), (None, &["rtcw".to_owned()][..]));
    }
}

#[test]
fn what_others_wrote_into_the_file_is_limited() {
    let state = tempfile::tempdir().unwrap();
    let long = "x".repeat(1001);
    let many: Vec<_> = (0..500).map(|n| format!("\"{n}\"")).collect();
    let text = format!(
        "filters = [\"a\", \"\", \"b\", \"a\", \"{long}\"]\nsearches = [{}]\n",
        many.join(", ")
    );
    fs::write(state.path().join(NAME), text).unwrap();
    let history = opened(state.path()).begin().clone();
    assert_eq!(history.filters, ["b", "a"]);
    assert_eq!((history.searches.len(), &*history.searches[0]), (200, "300"));
}

#[test]
fn without_a_folder_nothing_is_kept() {
    let state = tempfile::tempdir().unwrap();
    let path = state.path().join("file");
    fs::write(&path, "").unwrap();
    let file = opened(&path.join("fragshark"));
    let warning = file.warning().unwrap();
    assert!(warning.starts_with("the history is not kept: "), "{warning}");
    file.add_text(HistoryKind::Filter, "rtcw").unwrap();
    assert_eq!(file.folder(), None);
    HistoryFile::default().add_text(HistoryKind::Filter, "rtcw").unwrap();
}
