//! Destinations of results: what a replaced file passes on, which files are kept, devices, and a
//! standard output that is closed, full, or without a reader.

#![cfg(unix)]

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_fragshark");
const TOUR: &str = "captures/tour.pcapng";
/// A capture with findings.
const BAD: &str = "captures/findings/list.end-missing.pcapng";

/// A capture whose replay to the reference master has no differences.
const HEALTHY: &str = "captures/findings/challenge.repeated.healthy.pcapng";
const CASE: &str = "quake3/getservers/line-feed";

/// Every command that prints something and needs no device; the master ends if it cannot print its
/// addresses.
const COMMANDS: &[&[&str]] = &[
    &["decode", TOUR],
    &["decode", "-v", TOUR],
    &["decode", "--format", "ndjson", TOUR],
    &["decode", "--count", TOUR],
    &["decode", "--count", "--format", "json", TOUR],
    &["decode", "--sequence", TOUR],
    &["decode", "--sequence=svg", TOUR],
    &["export", TOUR],
    &["export", "--what", "messages", "--format", "ndjson", TOUR],
    &["export", "--format", "parquet", TOUR],
    &["export", "--format", "arrow", TOUR],
    &["export", "--format", "pcapng", TOUR],
    &["check", BAD],
    &["check", "--format", "json", BAD],
    &["check", "--format", "junit", BAD],
    &["explain", "--server", "192.0.2.10", TOUR],
    &["explain", "--server", "192.0.2.10", "--format", "json", TOUR],
    &["catalogue"],
    &["catalogue", "--format", "json"],
    &["conform", "--list"],
    &["conform", CASE],
    &["conform", CASE, "--format", "json"],
    &["conform", CASE, "--format", "ndjson"],
    &["conform", CASE, "--format", "junit"],
    &["conform", CASE, "--format", "tap"],
    &["conform", CASE, "--format", "html"],
    &["fingerprint", "--profile", "heretic2"],
    &["fingerprint", "--profile", "heretic2", "--format", "json"],
    &["replay", "--asap", HEALTHY],
    &["replay", "--asap", "--format", "ndjson", HEALTHY],
    &["replay", "--asap", "--format", "junit", HEALTHY],
    &["master", "--listen", "127.0.0.1", "--only", "quake3", "--port", "quake3=0"],
    &["--help"],
    &["export", "--help"],
    &["master", "--help"],
    &["--version"],
];

fn fragshark(arguments: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    fragshark(arguments).output().unwrap()
}

fn stderr_of(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The output of a run that succeeds.
fn done(arguments: &[&str]) -> Vec<u8> {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr_of(&output));
    output.stdout
}

/// The error of a run that must fail.
fn refused(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr_of(&output));
    stderr_of(&output)
}

fn in_folder(folder: &TempDir, name: &str) -> (PathBuf, String) {
    let path = folder.path().join(name);
    let text = path.to_str().unwrap().to_owned();
    (path, text)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn a_replaced_file_hands_down_its_mode_and_owner() {
    let folder = tempfile::tempdir().unwrap();
    let (path, name) = in_folder(&folder, "rows.csv");
    for bits in [0o600, 0o640, 0o664, 0o755] {
        fs::write(&path, "old").unwrap();
        // Only root can change the owner of files.
        let given = chown(&path, Some(65_534), Some(65_533)).is_ok();
        fs::set_permissions(&path, fs::Permissions::from_mode(bits)).unwrap();
        done(&["export", TOUR, "-o", &name, "--force"]);
        assert_eq!(mode(&path), bits, "{bits:o}");
        if given {
            let metadata = fs::metadata(&path).unwrap();
            assert_eq!((metadata.uid(), metadata.gid()), (65_534, 65_533));
        }
        assert_eq!(fs::read(&path).unwrap(), done(&["export", TOUR]));
        done(&["decode", TOUR, "--format", "text", "-o", &name]);
        assert_eq!(mode(&path), bits, "{bits:o}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn links_stay_and_what_they_lead_to_is_written() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("far")).unwrap();
    let rows = done(&["export", TOUR]);
    // One link, one to another link, and one from a directory to another.
    symlink("target.csv", folder.path().join("link.csv")).unwrap();
    symlink("link.csv", folder.path().join("second.csv")).unwrap();
    symlink("../beside.csv", folder.path().join("far/away.csv")).unwrap();
    for (link, target) in
        [("link.csv", "target.csv"), ("second.csv", "target.csv"), ("far/away.csv", "beside.csv")]
    {
        let (target, _) = in_folder(&folder, target);
        let (path, name) = in_folder(&folder, link);
        assert!(!target.exists());
        // At the first run the link's target is missing, at the second it exists.
        for _ in 0..2 {
            done(&["export", TOUR, "-o", &name]);
            assert!(fs::symlink_metadata(&path).unwrap().is_symlink(), "{link}");
            assert_eq!(fs::read(&target).unwrap(), rows, "{link}");
        }
        fs::remove_file(target).unwrap();
    }
    symlink("loop.csv", folder.path().join("loop.csv")).unwrap();
    let (_, name) = in_folder(&folder, "loop.csv");
    assert!(refused(&["export", TOUR, "-o", &name]).contains("cannot write"));
    symlink("no/such/folder.csv", folder.path().join("nowhere.csv")).unwrap();
    let (_, name) = in_folder(&folder, "nowhere.csv");
    assert!(refused(&["export", TOUR, "-o", &name]).contains("cannot write"));
}

#[test]
fn an_export_keeps_what_has_other_contents() {
    let folder = tempfile::tempdir().unwrap();
    let (path, name) = in_folder(&folder, "rows.csv");
    let rows = done(&["export", TOUR]);
    let longer = [&rows[..], b"and more"].concat();
    let shorter = rows[..rows.len() - 1].to_vec();
    let mut other = rows.clone();
    *other.last_mut().unwrap() = b'x';
    for there in [b"my thesis".to_vec(), longer, shorter, other] {
        fs::write(&path, &there).unwrap();
        for format in ["csv", "ndjson", "parquet", "arrow", "pcapng"] {
            let complaint = refused(&["export", TOUR, "--format", format, "-o", &name]);
            assert!(complaint.contains("--force replaces it"), "{format}: {complaint}");
            assert_eq!(fs::read(&path).unwrap(), there, "{format}");
        }
        done(&["export", TOUR, "-o", &name, "--force"]);
        assert_eq!(fs::read(&path).unwrap(), rows);
    }
    // Equal contents are accepted, and so is an empty file; reports replace existing files.
    done(&["export", TOUR, "-o", &name]);
    fs::write(&path, "").unwrap();
    done(&["export", TOUR, "-o", &name]);
    assert_eq!(fs::read(&path).unwrap(), rows);
    done(&["decode", TOUR, "--format", "text", "-o", &name]);
    assert_eq!(fs::read(&path).unwrap(), done(&["decode", TOUR]));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(refused(&["export", TOUR, "--force"]).contains("--output"));
}

#[test]
fn an_input_by_another_name_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let (_, name) = in_folder(&folder, "tour.pcapng");
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(TOUR), &name).unwrap();
    let (_, other) = in_folder(&folder, "hard.pcapng");
    fs::hard_link(&name, &other).unwrap();
    for force in [&[][..], &["--force"]] {
        let arguments = [&["export", &name, "-o", &other][..], force].concat();
        assert!(refused(&arguments).contains("is an input"));
    }
}

#[test]
fn a_pipe_is_not_read_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let (pipe, name) = in_folder(&folder, "pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    // Opened for reading and writing, so that no open call waits for the other end.
    let _open = File::options().read(true).write(true).open(&pipe).unwrap();
    for force in [&[][..], &["--force"]] {
        let arguments = [&["export", &name, "-o", &name][..], force].concat();
        assert!(refused(&arguments).contains("is an input"));
    }
}

/// Hard links lead to the new contents too, and a read-only directory may hold a writable file.
#[test]
fn a_file_is_written_itself_where_no_other_can_replace_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, name) = in_folder(&folder, "rows.csv");
    let rows = done(&["export", TOUR]);
    fs::write(&path, "old").unwrap();
    let (other, _) = in_folder(&folder, "other.csv");
    fs::hard_link(&path, &other).unwrap();
    done(&["export", TOUR, "-o", &name, "--force"]);
    assert_eq!((fs::read(&path).unwrap(), fs::read(&other).unwrap()), (rows.clone(), rows.clone()));

    fs::remove_file(other).unwrap();
    fs::write(&path, "much longer than before, and all of it is gone".repeat(1000)).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    // Root may write everywhere, so it becomes nobody, who must reach program and capture.
    let reached = tempfile::tempdir().unwrap();
    fs::set_permissions(reached.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let [program, capture] = ["fragshark", "tour.pcapng"].map(|name| reached.path().join(name));
    if fs::hard_link(BINARY, &program).is_err() {
        fs::copy(BINARY, &program).unwrap();
    }
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(TOUR), &capture).unwrap();
    let tries = |output: &str| {
        let mut command = Command::new(&program);
        command.arg("export").arg(&capture).args(["--force", "-o", output]).current_dir("/");
        if nix::unistd::geteuid().is_root() {
            command.uid(65_534).gid(65_534);
        }
        command.output().unwrap()
    };
    let output = tries(&name);
    assert!(output.status.success(), "{}", stderr_of(&output));
    // The rows name the capture.
    let written = fs::read_to_string(&path).unwrap().replace(capture.to_str().unwrap(), TOUR);
    assert_eq!((written.into_bytes(), mode(&path)), (rows, 0o666));
    let (new, name) = in_folder(&folder, "new.csv");
    let output = tries(&name);
    assert_eq!(output.status.code(), Some(2), "{}", stderr_of(&output));
    let complaint = format!("fragshark: cannot write {name}: permission denied\n");
    assert_eq!(stderr_of(&output), complaint);
    assert!(!new.exists());
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn names_that_promise_something_else_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for end in ["csv.gz", "ndjson.zst", "csv.LZ4", "txt.xz", "bz2"] {
        let (path, name) = in_folder(&folder, &format!("rows.{end}"));
        for command in ["export", "decode", "check"] {
            let complaint = refused(&[command, BAD, "-o", &name]);
            assert!(complaint.contains("would not be compressed"), "{complaint}");
            assert!(!path.exists());
        }
    }
    let (path, name) = in_folder(&folder, "sub/");
    assert!(refused(&["export", TOUR, "-o", &name]).contains("is a directory"));
    assert!(!path.exists());
    // The file name gives the format, unless an option does.
    for (end, format) in
        [("csv", "csv"), ("ndjson", "ndjson"), ("Parquet", "parquet"), ("arrows", "arrow")]
    {
        let (path, name) = in_folder(&folder, &format!("rows.{end}"));
        done(&["export", TOUR, "-o", &name]);
        assert_eq!(fs::read(&path).unwrap(), done(&["export", TOUR, "--format", format]), "{end}");
        done(&["export", TOUR, "-o", &name, "--format", "csv", "--force"]);
        assert_eq!(fs::read(&path).unwrap(), done(&["export", TOUR]), "{end}");
    }
}

#[test]
fn devices_and_pipes_are_written_as_they_are() {
    let rows = done(&["export", TOUR]);
    for device in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        assert_eq!(done(&["export", TOUR, "-o", device]), rows, "{device}");
    }
    assert!(done(&["export", TOUR, "-o", "/dev/null"]).is_empty());
    assert!(refused(&["export", TOUR, "-o", "/dev/full"]).contains("No space left"));
    // A file as standard output is written from its current position.
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = in_folder(&folder, "both.csv");
    let mut file = File::create(&path).unwrap();
    std::io::Write::write_all(&mut file, b"before\n").unwrap();
    let mut command = fragshark(&["export", TOUR, "-o", "/dev/stdout"]);
    assert!(command.stdout(file).status().unwrap().success());
    assert_eq!(fs::read(&path).unwrap(), [b"before\n", &rows[..]].concat());

    let (pipe, name) = in_folder(&folder, "pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let child = fragshark(&["export", TOUR, "-o", &name]).spawn().unwrap();
    assert_eq!(fs::read(&pipe).unwrap(), rows);
    assert!(child.wait_with_output().unwrap().status.success());
}

#[test]
fn closed_and_full_standard_output_is_reported() {
    for arguments in COMMANDS {
        let mut command = Command::new("sh");
        command.args(["-c", r#"exec "$0" "$@" >&-"#, BINARY]).args(*arguments);
        let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let closed = "fragshark: cannot write standard output: it is closed\n";
        assert!(stderr_of(&output).ends_with(closed), "{arguments:?}: {}", stderr_of(&output));

        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = fragshark(arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let complaint = stderr_of(&output);
        let last = complaint.lines().last().unwrap();
        assert!(last.starts_with("fragshark: cannot write"), "{arguments:?}: {complaint}");
        assert!(last.contains("No space left on device"), "{arguments:?}: {complaint}");
    }
    // Results that go elsewhere need no standard output.
    let folder = tempfile::tempdir().unwrap();
    let (path, name) = in_folder(&folder, "rows.csv");
    let mut command = Command::new("sh");
    command.args(["-c", r#"exec "$0" "$@" >&-"#, BINARY, "export", TOUR, "-o", &name]);
    assert!(command.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap().success());
    assert_eq!(fs::read(path).unwrap(), done(&["export", TOUR]));
}

#[test]
fn the_interface_wants_a_terminal() {
    for arguments in [&[][..], &["open"], &["open", TOUR], &["open", "-i", "lo"]] {
        let mut closed = Command::new("sh");
        closed.args(["-c", r#"exec "$0" "$@" >&-"#, BINARY]).args(arguments);
        closed.current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let full = File::options().write(true).open("/dev/full").unwrap();
        let [mut to_full, mut to_nobody] = [fragshark(arguments), fragshark(arguments)];
        for command in [&mut closed, to_full.stdout(full), to_nobody.stdout(writer)] {
            let output = command.output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            let complaint = stderr_of(&output);
            let wanted = "fragshark: the interface needs a terminal; ";
            assert!(complaint.starts_with(wanted), "{arguments:?}: {complaint}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    for arguments in COMMANDS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = fragshark(arguments).stdout(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr_of(&output));
        let complaint = stderr_of(&output);
        // The warning on packets comes before any is written.
        let messages = complaint.lines().filter(|line| !line.contains("--redact replaces them"));
        assert_eq!(messages.count(), 0, "{arguments:?}: {complaint}");
    }
}

#[test]
fn a_full_disk_is_reported_with_the_name_of_the_file() {
    let expected = "fragshark: cannot write /dev/full: No space left on device (os error 28)";
    let folder = tempfile::tempdir().unwrap();
    let (_, large) = in_folder(&folder, "large.pcapng");
    // Larger than what is buffered.
    fs::write(&large, fs::read(TOUR).unwrap().repeat(200)).unwrap();
    let (_, run) = in_folder(&folder, "run.json");
    done(&["conform", CASE, "--format", "json", "-o", &run]);
    let more: &[&[&str]] = &[
        &["decode", "-v", &large],
        &["decode", &large],
        &["decode", "--format", "ndjson", &large],
        &["export", "--what", "messages", &large],
        &["export", "--what", "messages", "--format", "parquet", &large],
        &["export", "--format", "pcapng", &large],
        &["report", TOUR],
        &["conform", "diff", &run, &run],
        &["wireshark", "lua"],
    ];
    let with_output = COMMANDS.iter().filter(|command| command[0] != "master");
    let with_output = with_output.filter(|command| !command.iter().any(|of| of.starts_with("--h")));
    for arguments in with_output.filter(|command| command[0] != "--version").chain(more) {
        let complaint = refused(&[arguments, &["-o", "/dev/full"][..]].concat());
        assert_eq!(complaint.lines().last(), Some(expected), "{arguments:?}");
    }
    for arguments in [&["replay", "--asap", HEALTHY][..], &["conform", CASE]] {
        let complaint = refused(&[arguments, &["--record", "/dev/full"]].concat());
        assert_eq!(complaint.lines().last(), Some(expected), "{arguments:?}");
    }
}
