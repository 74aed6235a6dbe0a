//! Every command that README prints works as printed.

use std::fs;
use std::path::Path;
use std::process::Command;

const FRAGSHARK: &str = "cargo run --release -- ";

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

#[test]
fn commands_work_as_printed() {
    let readme = readme();
    let commands: Vec<_> = readme.lines().filter_map(|line| line.strip_prefix(FRAGSHARK)).collect();
    assert!(commands.len() >= 4, "README prints {} commands", commands.len());
    let folder = tempfile::tempdir().unwrap();
    let captures = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures");
    std::os::unix::fs::symlink(captures, folder.path().join("captures")).unwrap();
    for command in commands {
        let mut run = Command::new(env!("CARGO_BIN_EXE_fragshark"));
        let output = run.args(command.split(' ')).current_dir(&folder).output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && complaint.is_empty(), "{command}: {complaint}");
        let written = command.split(' ').skip_while(|word| *word != "-o").nth(1);
        let output = match written {
            Some(file) => fs::read(folder.path().join(file)).unwrap(),
            None => output.stdout,
        };
        assert!(!output.is_empty(), "{command} says nothing");
    }
}

#[test]
fn the_annotated_message_is_the_real_one() {
    let transcript = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures/tour.dump");
    let transcript = fs::read_to_string(transcript).unwrap();
    let readme = readme();
    let shown: Vec<_> = readme.lines().skip_while(|line| !line.starts_with("#3  ")).collect();
    let shown: Vec<_> = shown.into_iter().take_while(|line| *line != "```").collect();
    assert!(shown.len() > 5, "README shows no message");
    assert!(transcript.contains(&shown.join("\n")), "the message that README shows is another now");
}
