//! What cannot be written.

use super::*;

#[test]
fn what_cannot_be_written_is_an_error_and_leaves_no_part() {
    let (folder, tables) = directory();
    let file = folder.path().join("file");
    fs::write(&file, "old").unwrap();
    let (status, notes) = exported(&[TOUR, "--what", "all", "-o", file.to_str().unwrap()]);
    assert!(status == Some(2) && notes.contains("is a file"), "{notes}");
    assert_eq!(fs::read(&file).unwrap(), b"old");
    for arguments in [&["--what", "all"][..], &["--each"], &["--what", "flows,messages", "-o", "-"]]
    {
        let (status, notes) = exported(&[&[TOUR], arguments].concat());
        assert!(status == Some(2) && notes.contains("needs a directory: -o DIR"), "{notes}");
    }
    let (status, notes) = exported(&[TOUR, "--each", "--format", "pcapng", "-o", &tables]);
    assert!(status == Some(2) && notes.contains("pcapng"), "{notes}");
    let (status, notes) = exported(&[TOUR, "--each", "-Y", "no.such.name", "-o", &tables]);
    assert!(status == Some(2) && notes.contains("filter"), "{notes}");
    assert!(!Path::new(&tables).exists());

    // The disk is full: files may have 1 KB at most.
    let mut shell = Command::new("sh");
    let limited = "trap '' XFSZ; ulimit -f 2; exec \"$@\"";
    shell.args(["-c", limited, "sh", BINARY, "export", TOUR, "--what", "all", "--each"]);
    let rest = ["--format", "csv", "-o", &tables];
    let (status, notes) = ended(&shell.args(rest).current_dir(ROOT).output().unwrap());
    assert_eq!(status, Some(2), "{notes}");
    assert!(notes.contains("cannot write"), "{notes}");
    assert!(files(&tables).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn only_the_directory_can_be_written() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, tables) = directory();
    let log = folder.path().join("log");
    let arguments = [TOUR, "--what", "all", "--each", "-o", &tables, "--log"];
    let (status, notes) = exported(&[&arguments[..], &[log.to_str().unwrap()]].concat());
    assert_eq!(status, Some(0), "{notes}");
    let log = fs::read_to_string(log).unwrap();
    if log.contains("files written") {
        assert!(log.contains(&format!("files written {tables}")), "{log}");
    }
    if !nix::unistd::geteuid().is_root() {
        return;
    }
    // Root writes to the directory of another user.
    let (others, tables) = directory();
    fs::set_permissions(others.path(), fs::Permissions::from_mode(0o700)).unwrap();
    std::os::unix::fs::chown(others.path(), Some(65_534), Some(65_534)).unwrap();
    let mut command = export();
    command.args([TOUR, "--what", "all", "--each", "-o", &tables]);
    command.env("SUDO_UID", "65533").env("SUDO_GID", "65533");
    let (status, notes) = ended(&command.output().unwrap());
    assert_eq!(status, Some(0), "{notes}");
    assert_eq!(files(&tables).len(), TABLES.len());
}

#[test]
fn a_directory_that_cannot_be_written_is_an_error() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    let (folder, tables) = directory();
    fs::create_dir(&tables).unwrap();
    for path in [folder.path(), Path::new(&tables)] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o555)).unwrap();
    }
    // Root may write everywhere, so it becomes nobody, who must reach program and capture.
    let reached = tempfile::tempdir().unwrap();
    fs::set_permissions(reached.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let [program, capture] = ["fragshark", "tour.pcapng"].map(|name| reached.path().join(name));
    if fs::hard_link(BINARY, &program).is_err() {
        fs::copy(BINARY, &program).unwrap();
    }
    fs::copy(Path::new(ROOT).join(TOUR), &capture).unwrap();
    for to in [tables.clone(), format!("{tables}/new")] {
        let mut command = Command::new(&program);
        command.arg("export").arg(&capture).args(["--what", "all", "-o", &to]).current_dir("/");
        if nix::unistd::geteuid().is_root() {
            command.uid(65_534).gid(65_534);
        }
        let (status, notes) = ended(&command.output().unwrap());
        assert_eq!(status, Some(2), "{notes}");
        assert!(
            notes.contains("cannot write") && notes.to_lowercase().contains("permission denied"),
            "{notes}"
        );
    }
    assert_eq!(fs::read_dir(&tables).unwrap().count(), 0);
    for path in [folder.path(), Path::new(&tables)] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}
