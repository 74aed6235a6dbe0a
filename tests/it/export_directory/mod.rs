//! Tables in a directory: of all captures together, or of each by itself.

mod errors;
mod resumed;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use export::TABLES;
use serde_json::Value;
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_fragshark");
const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const TOUR: &str = "captures/tour.pcapng";
/// The formats of this build.
const FORMATS: &[&str] =
    if cfg!(feature = "parquet") { &["csv", "ndjson", "parquet"] } else { &["csv", "ndjson"] };

fn export() -> Command {
    let mut command = Command::new(BINARY);
    command.arg("export").current_dir(ROOT);
    command
}

/// Runs `export` with these arguments; returns its status and standard error.
fn exported(arguments: &[&str]) -> (Option<i32>, String) {
    ended(&export().args(arguments).output().unwrap())
}

fn ended(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A directory, and the path of one in it that does not exist yet.
fn directory() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables").to_str().unwrap().to_owned();
    (folder, path)
}

/// The files of a directory, but not the manifest and its lock, with their contents.
fn files(directory: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for folder in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        if !folder.is_dir() {
            let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
            assert!([".manifest.lock", "manifest.ndjson"].contains(&name.as_str()), "{name}");
            continue;
        }
        for file in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = file.strip_prefix(directory).unwrap().to_owned();
            files.insert(name, fs::read(file).unwrap());
        }
    }
    files
}

/// The lines of a manifest, by path.
fn manifest(directory: &str) -> BTreeMap<String, Value> {
    let text = fs::read_to_string(Path::new(directory).join("manifest.ndjson")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let by_path =
        lines.iter().map(|line| (line["path"].as_str().unwrap().to_owned(), line.clone()));
    let by_path: BTreeMap<_, _> = by_path.collect();
    assert_eq!(by_path.len(), lines.len(), "a path has one line: {text}");
    by_path
}

/// Captures of several games.
fn captures() -> Vec<String> {
    let mut captures = vec![TOUR.to_owned()];
    for folder in ["quake3", "gamespy", "quakeworld"] {
        let entries = fs::read_dir(Path::new(ROOT).join("captures").join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let is_capture = |name: &String| {
            let end = Path::new(name).extension();
            end.is_some_and(|end| end == "pcap" || end == "pcapng")
        };
        let names = names.filter(is_capture);
        captures.extend(names.map(|name| format!("captures/{folder}/{name}")));
    }
    captures.sort();
    captures
}

/// The tour without its last bytes.
fn cut(folder: &Path) -> String {
    let bytes = fs::read(Path::new(ROOT).join(TOUR)).unwrap();
    let path = folder.join("cut.pcapng");
    fs::write(&path, &bytes[..bytes.len() - 7]).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn all_tables_in_one_pass_are_the_same_as_one_by_one() {
    let captures = captures();
    let captures: Vec<_> = captures.iter().map(String::as_str).collect();
    let redacted = ["--redact", "--redact-key", "key"];
    for options in [&[][..], &["-Y", "quake3 && udp"], &redacted, &["--show-secrets"]] {
        for format in FORMATS {
            let (_folder, tables) = directory();
            let what = ["--what", "all", "--format", format, "-o", &tables];
            let (status, notes) = exported(&[&captures, options, &what].concat());
            assert_eq!(status, Some(0), "{notes}");
            let files = files(&tables);
            assert_eq!(files.len(), TABLES.len());
            for (file, contents) in files {
                let table = file.parent().unwrap().to_str().unwrap();
                let alone = ["--what", table, "--format", format];
                let alone = export().args([&captures, options, &alone].concat()).output().unwrap();
                assert!(alone.stdout == contents, "{table} as {format} with {options:?}");
            }
        }
    }
}

#[test]
fn each_capture_has_the_tables_that_it_has_alone() {
    let captures = captures();
    let (_folder, tables) = directory();
    let mut all: Vec<_> = captures.iter().map(String::as_str).collect();
    all.extend(["--what", "messages,servers", "--what", "exchanges", "--format", "csv", "--each"]);
    let (status, notes) = exported(&[&all[..], &["-o", &tables]].concat());
    assert_eq!(status, Some(0), "{notes}");
    let (files, manifest) = (files(&tables), manifest(&tables));
    assert_eq!(files.len(), 3 * captures.len());
    assert_eq!(manifest.len(), captures.len());
    assert_eq!(notes.lines().count(), 1, "{notes}");
    for capture in &captures {
        let line = &manifest[capture];
        let set = line["set"].as_str().unwrap();
        let name = Path::new(capture).file_stem().unwrap().to_str().unwrap();
        assert!(set.starts_with(&format!("{name}-")), "{set}");
        let hash = line["hash"].as_str().unwrap();
        assert!(hash.len() == 64 && set.ends_with(&hash[..16]), "{set}: {hash}");
        assert_eq!(line["bytes"], fs::metadata(Path::new(ROOT).join(capture)).unwrap().len());
        for table in ["messages", "servers", "sessions"] {
            let alone = export().args([capture, "--what", table]).output().unwrap().stdout;
            assert!(
                files[&PathBuf::from(format!("{table}/{set}.csv"))] == alone,
                "{capture}: {table}"
            );
            let rows = alone.split(|byte| *byte == b'\n').count() - 2;
            assert_eq!(line["rows"][table], rows, "{capture}: {table}");
        }
        assert_eq!(line["messages"], line["rows"]["messages"], "{capture}");
    }
}

#[test]
fn the_manifest_has_the_same_keys_in_the_same_order() {
    let (folder, tables) = directory();
    let missing = folder.path().join("missing.pcap").to_str().unwrap().to_owned();
    let rest = ["--what", "flows", "--each", "--keep-going", "-o", &tables];
    exported(&[&[TOUR, &missing], &rest[..]].concat());
    let text = fs::read_to_string(Path::new(&tables).join("manifest.ndjson")).unwrap();
    for line in text.lines() {
        let keys = [
            "path",
            "bytes",
            "hash",
            "packets",
            "messages",
            "first_time",
            "last_time",
            "whole",
            "damaged_at",
            "unreadable",
            "set",
            "rows",
            "warnings",
            "version",
            "milliseconds",
        ];
        let at = keys.map(|key| line.find(&format!("\"{key}\":")).expect(key));
        assert!(at.is_sorted(), "{line}");
    }
    let line = &manifest(&tables)[TOUR];
    assert_eq!(
        (&line["packets"], &line["messages"], &line["whole"]),
        (&35.into(), &27.into(), &true.into())
    );
    assert_eq!(line["first_time"], "2003-12-01T20:00:00.000000000Z");
    assert_eq!(line["last_time"], "2003-12-01T20:06:04.839103000Z");
}

#[test]
fn damage_is_in_the_manifest_and_can_be_a_failure() {
    let (folder, tables) = directory();
    let cut = cut(folder.path());
    for (options, status) in [(&[][..], 0), (&["--fail-on-damage"], 3)] {
        let rest = ["--what", "all", "--each", "-o", &tables];
        let (ended, notes) = exported(&[&[TOUR, &cut], options, &rest].concat());
        assert_eq!(ended, Some(status), "{notes}");
        let last = notes.lines().last().unwrap();
        assert_eq!(last, "fragshark: damaged input: 1 place; the readable part was used");
        let manifest = manifest(&tables);
        assert_eq!(
            (&manifest[TOUR]["whole"], &manifest[TOUR]["damaged_at"]),
            (&true.into(), &Value::Null)
        );
        let line = &manifest[&cut];
        assert_eq!(line["whole"], false);
        let at = line["damaged_at"].as_u64().unwrap();
        assert!(line["warnings"][0].as_str().unwrap().contains(&format!("byte {at}: ")), "{line}");
        assert!(line["rows"]["messages"].as_u64().unwrap() > 0);
    }
}

#[test]
fn captures_that_cannot_be_read_do_not_lose_the_others() {
    let (folder, tables) = directory();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [missing, empty, text] = ["missing.pcap", "empty.pcap", "text.pcap"].map(path);
    fs::write(&empty, "").unwrap();
    fs::write(&text, "no capture").unwrap();
    let folder_name = folder.path().to_str().unwrap();
    let bad = [missing.as_str(), &empty, &text, folder_name];
    let good = ["captures/noise.pcapng", TOUR];
    for each in [&["--each"][..], &[]] {
        let rest = ["--what", "servers,findings", "--keep-going", "-o", &tables];
        let (status, notes) = exported(&[&bad, &good[..], each, &rest].concat());
        assert_eq!(status, Some(3), "{notes}");
        let last = notes.lines().last().unwrap();
        assert_eq!(last, "fragshark: incomplete: 4 captures not read", "{notes}");
        let manifest = manifest(&tables);
        for bad in bad {
            let line = &manifest[bad];
            assert_eq!(
                (&line["whole"], &line["set"], &line["rows"]),
                (&false.into(), &Value::Null, &Value::Null)
            );
            assert!(line["unreadable"].as_str().unwrap().contains(bad), "{line}");
        }
        assert!(good.iter().all(|good| manifest[*good]["unreadable"].is_null()));
    }
    // Of several read together, one has the rows.
    let lines = manifest(&tables);
    let [first, second] = good.map(|good| &lines[good]);
    assert_eq!(first["set"], second["set"]);
    assert!(first["set"].as_str().unwrap().starts_with("noise+1-"), "{first}");
    assert!(first["rows"]["servers"].is_u64() && second["rows"].is_null());
    assert_eq!(second["packets"], 35);

    // Without the option, the first ends the run; what was done before stays.
    let (_folder, tables) = directory();
    let (status, notes) =
        exported(&[TOUR, &text, "captures/noise.pcapng", "--each", "-o", &tables]);
    assert_eq!(status, Some(2), "{notes}");
    let lines = manifest(&tables);
    assert!(lines[TOUR]["rows"].is_object() && lines[&text]["unreadable"].is_string());
    assert_eq!(lines.len(), 2);
    // Nothing could be read.
    let (status, notes) = exported(&[&text, "--each", "--keep-going", "-o", &tables]);
    assert_eq!(status, Some(2), "{notes}");
}

#[test]
fn names_that_come_twice_do_not_collide() {
    let (folder, tables) = directory();
    let copy = |of: &str, to: &str| {
        let path = folder.path().join(to);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(Path::new(ROOT).join(of), &path).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let one = copy(TOUR, "a/x.pcapng");
    let other = copy("captures/noise.pcapng", "b/x.pcapng");
    let same = copy(TOUR, "c/x.pcapng");
    let rest = ["--what", "flows,messages", "--each", "-o", &tables];
    let (status, notes) = exported(&[&[one.as_str(), &other, &same, &one], &rest[..]].concat());
    assert_eq!(status, Some(0), "{notes}");
    assert_eq!(files(&tables).len(), 4);
    let manifest = manifest(&tables);
    assert_ne!(manifest[&one]["set"], manifest[&other]["set"]);
    // The same contents under the same name have one set of files.
    assert_eq!(manifest[&one]["set"], manifest[&same]["set"]);
    assert_eq!(manifest[&one]["packets"], manifest[&same]["packets"]);
    let counted = |path: &str| manifest[path]["rows"].is_object();
    assert_eq!(
        [&one, &other, &same].map(|path| counted(path)).iter().filter(|has| **has).count(),
        2
    );
}

#[test]
fn redacted_tables_do_not_name_their_captures() {
    let folder = tempfile::tempdir().unwrap();
    let [tour, bad, damaged, tables] =
        ["alice-198.51.100.77.pcapng", "bob.pcap", "carol.pcapng", "tables"]
            .map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    fs::copy(Path::new(ROOT).join(TOUR), &tour).unwrap();
    fs::write(&bad, "no capture\n").unwrap();
    fs::copy(cut(folder.path()), &damaged).unwrap();
    let run = |key: &str| {
        let options = ["--what", "all", "--each", "--keep-going", "--resume", "-o", &tables];
        let redact = ["--redact", "--redact-key", key];
        let captures = [tour.as_str(), &bad, &damaged];
        let (status, notes) = exported(&[&captures[..], &options, &redact].concat());
        assert_eq!(status, Some(3), "{notes}");
        notes
    };
    run("a key");
    let (files, manifest) = (files(&tables), manifest(&tables));
    assert_eq!((files.len(), manifest.len()), (2 * TABLES.len(), 3));
    let text = fs::read(Path::new(&tables).join("manifest.ndjson")).unwrap();
    let names = files.iter().map(|(name, rows)| [name.to_str().unwrap().as_bytes(), rows].concat());
    for written in names.chain([text]) {
        for name in ["alice", "198.51.100.77", "bob", "carol", folder.path().to_str().unwrap()] {
            let is_written = written.windows(name.len()).any(|part| part == name.as_bytes());
            assert!(!is_written, "{name}: {}", String::from_utf8_lossy(&written));
        }
    }
    // The manifest has the path that is in the rows.
    let (_, rows) = files.iter().find(|(name, _)| name.starts_with("messages")).unwrap();
    assert!(!rows.is_empty());
    let unreadable = manifest.values().find_map(|line| line["unreadable"].as_str()).unwrap();
    assert!(unreadable.contains("is no capture"), "{unreadable}");
    assert!(run("a key").contains("2 resumed"));
}

#[test]
fn other_contents_are_replaced_on_request() {
    let (_folder, tables) = directory();
    let rest = [TOUR, "--what", "flows,servers", "--format", "csv", "-o", &tables];
    let filtered = [&rest[..], &["-Y", "quake3.getinfo"]].concat();
    assert_eq!(exported(&filtered).0, Some(0));
    let old = files(&tables);
    assert_eq!(exported(&filtered).0, Some(0));
    let (status, notes) = exported(&rest);
    assert_eq!(status, Some(2), "{notes}");
    assert!(notes.contains("has other contents; --force replaces it"), "{notes}");
    assert!(files(&tables) == old);
    assert_eq!(exported(&[&rest[..], &["--force"]].concat()).0, Some(0));
    assert!(files(&tables) != old);
}

#[test]
fn a_pipe_has_the_tables_of_the_file() {
    let (_folder, tables) = directory();
    for source in [TOUR, "-"] {
        let input = fs::File::open(Path::new(ROOT).join(TOUR)).unwrap();
        let mut cat = Command::new("cat").stdin(input).stdout(Stdio::piped()).spawn().unwrap();
        let mut command = export();
        command.args([source, "--what", "all", "--format", "csv", "-o", &tables]);
        let output = command.stdin(cat.stdout.take().unwrap()).output().unwrap();
        cat.wait().unwrap();
        assert!(output.status.success(), "{:?}", ended(&output));
    }
    let files = files(&tables);
    assert_eq!(files.len(), 2 * TABLES.len());
    let set = manifest(&tables)[TOUR]["set"].as_str().unwrap().to_owned();
    for table in TABLES {
        let file = |set: &str| PathBuf::from(format!("{}/{set}.csv", table.name));
        // The pipe has no name.
        let piped = &files[&file(&set.replace("tour", "stdin"))];
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let (named, piped) = (text(&files[&file(&set)]), text(piped));
        assert!(named.contains(TOUR), "{named}");
        assert_eq!(named.replace(TOUR, "-"), piped);
    }
}

#[test]
fn names_can_come_from_a_list() {
    let (folder, tables) = directory();
    let list = folder.path().join("list");
    let list_name = list.to_str().unwrap();
    let rest = ["--what", "flows", "--each", "-o", &tables];
    for text in
        [format!("{TOUR}\n\ncaptures/noise.pcapng"), format!("{TOUR}\0captures/noise.pcapng\0")]
    {
        fs::write(&list, text).unwrap();
        let (status, notes) = exported(&[&["--files-from", list_name], &rest[..]].concat());
        assert_eq!(status, Some(0), "{notes}");
        assert!(manifest(&tables).keys().eq(["captures/noise.pcapng", TOUR]));
        // From standard input, with names on the command line before them, for any command.
        let mut count = Command::new(BINARY);
        count.args(["decode", "--count", "--format", "json", TOUR, "--files-from", "-"]);
        count.current_dir(ROOT).stdin(fs::File::open(&list).unwrap());
        let counts: Value = serde_json::from_slice(&count.output().unwrap().stdout).unwrap();
        let noise = manifest(&tables)["captures/noise.pcapng"]["packets"].as_u64().unwrap();
        assert_eq!(counts["packets"], 2 * 35 + noise);
    }
    fs::write(&list, "\n").unwrap();
    for (list, why) in [(list_name, "names no captures"), ("captures/missing", "cannot read it")] {
        let (status, notes) = exported(&[&["--files-from", list], &rest[..]].concat());
        assert!(status == Some(2) && notes.contains(why), "{notes}");
    }
}
