//! Runs that go on where earlier ones ended, and runs beside each other.

use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;

use super::*;
use crate::process::{Process, until};

#[test]
fn resumed_captures_are_left_and_changed_ones_are_not() {
    let (folder, tables) = directory();
    let path = folder.path().join("x.pcapng");
    fs::copy(Path::new(ROOT).join(TOUR), &path).unwrap();
    let path = path.to_str().unwrap();
    let rest = ["--what", "all", "--format", "csv", "--each", "--resume", "-o", &tables];
    let run = |more: &[&str]| {
        let (status, notes) =
            exported(&[&[path, "captures/noise.pcapng"], &rest[..], more].concat());
        assert_eq!(status, Some(0), "{notes}");
        notes
    };
    assert!(!run(&[]).contains("resumed"));
    let identities = |files: &BTreeMap<PathBuf, Vec<u8>>| -> Vec<_> {
        files
            .keys()
            .map(|file| fs::metadata(Path::new(&tables).join(file)).unwrap().ino())
            .collect()
    };
    let (first, lines) = (files(&tables), manifest(&tables));
    let inodes = identities(&first);
    assert!(run(&[]).contains("; 2 resumed"));
    assert_eq!((identities(&files(&tables)), manifest(&tables)), (inodes, lines));

    // A file that is missing is written again, and only that capture is read.
    let set = manifest(&tables)[path]["set"].as_str().unwrap().to_owned();
    fs::remove_file(Path::new(&tables).join(format!("flows/{set}.csv"))).unwrap();
    assert!(run(&[]).contains("; 1 resumed"));
    assert!(files(&tables) == first);

    // Another capture under the same path: its line is replaced, its tables are new.
    fs::copy(cut(folder.path()), path).unwrap();
    let notes = run(&[]);
    assert!(notes.contains(&format!("{path} has changed: the tables {set} stay")), "{notes}");
    assert_ne!(manifest(&tables)[path]["set"], set.as_str());
    assert_eq!(files(&tables).len(), 3 * TABLES.len());
    // The tables that belong to no capture any more are removed on request.
    fs::copy(Path::new(ROOT).join(TOUR), path).unwrap();
    run(&["--force"]);
    assert!(files(&tables) == first);
}

#[test]
fn a_run_that_was_killed_can_be_resumed() {
    let (folder, tables) = directory();
    let pipe = folder.path().join("pipe.pcap");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    // Opened for reading and writing, it has a writer from the beginning, and never ends.
    let _open = fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
    let captures = captures();
    let (before, behind) = captures.split_at(captures.len() / 2);
    let rest = ["--what", "all", "--format", "csv", "--each", "-o", &tables];
    let mut command = export();
    command.args(before).arg(&pipe).args(behind).args(rest).stderr(Stdio::null());
    let mut process = Process::start(&mut command);
    let done = Path::new(&tables).join("manifest.ndjson");
    until("the captures before the pipe", || {
        let text = fs::read_to_string(&done).ok()?;
        (text.lines().count() == before.len()).then_some(())
    });
    process.end();
    let (_folder, undisturbed) = directory();
    let all = |to: &str, more: &[&str]| {
        let mut command = export();
        command.args(&captures).args(&rest[..5]).args(["-o", to]).args(more);
        ended(&command.output().unwrap())
    };
    assert_eq!(all(&undisturbed, &[]).0, Some(0));
    let whole = files(&undisturbed);
    let left = files(&tables);
    assert_eq!(left.len(), TABLES.len() * before.len());
    assert!(left.iter().all(|(name, contents)| whole.get(name) == Some(contents)));
    // It was writing a line.
    let mut file = fs::OpenOptions::new().append(true).open(&done).unwrap();
    file.write_all(b"{\"path\":\"captures/").unwrap();
    let (status, notes) = all(&tables, &["--resume"]);
    assert_eq!(status, Some(0), "{notes}");
    assert!(notes.contains(&format!("; {} resumed", before.len())), "{notes}");
    assert!(files(&tables) == whole);
    assert_eq!(manifest(&tables).len(), captures.len());
}

#[test]
fn a_run_that_was_interrupted_leaves_no_empty_folders() {
    let (folder, tables) = directory();
    let pipe = folder.path().join("pipe.pcap");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let mut open = fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
    open.write_all(&fs::read(Path::new(ROOT).join(TOUR)).unwrap()[..2000]).unwrap();
    let mut command = export();
    command.arg(&pipe).args(["--what", "all", "--each", "-o", &tables]).stderr(Stdio::null());
    let mut process = Process::start(&mut command);
    // The lock is made when the run begins; the signal may come before it has a handler.
    let lock = Path::new(&tables).join(".manifest.lock");
    until("the run", || lock.exists().then_some(()));
    let id = process.0.id().to_string();
    let masked = format!("/proc/{id}/status");
    until("its handler", || {
        let status = fs::read_to_string(&masked).ok()?;
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        let caught = u64::from_str_radix(caught.trim(), 16).ok()?;
        (caught >> (signal_hook::consts::SIGINT - 1) & 1 == 1).then_some(())
    });
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let status = until("its end", || process.ended());
    assert_eq!(status.code(), Some(130));
    let left = fs::read_dir(&tables).map(Iterator::count).unwrap_or_default();
    assert_eq!(left, 0);
}

#[test]
fn two_processes_write_to_one_directory() {
    let (_folder, undisturbed) = directory();
    let (_other, tables) = directory();
    let captures = captures();
    let command = |to: &str| {
        let mut command = export();
        command.args(&captures).args(["--what", "all", "--format", "csv", "--each", "-o", to]);
        command.stderr(Stdio::piped()).stdout(Stdio::null());
        command
    };
    assert!(command(&undisturbed).output().unwrap().status.success());
    let processes = [(); 3].map(|()| command(&tables).spawn().unwrap());
    for process in processes {
        let (status, notes) = ended(&process.wait_with_output().unwrap());
        assert_eq!(status, Some(0), "{notes}");
    }
    assert!(files(&tables) == files(&undisturbed));
    assert_eq!(manifest(&tables).len(), captures.len());
}
