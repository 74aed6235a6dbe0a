//! Completions in the shells themselves: bash, zsh and fish load the script and are asked what they
//! offer.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::needs;

/// Command lines, and all that is offered for the last word.
const OFFERS: &[(&str, &[&str])] = &[
    ("dec", &["decode"]),
    ("decode --coun", &["--count"]),
    ("decode -Y quake3.getservers-response-", &["quake3.getservers-response-hex"]),
    ("-Y quake3.getservers-response-", &["quake3.getservers-response-hex"]),
    ("decode -t ", &["delta", "local", "relative", "utc"]),
    ("decode --format ", &["json", "ndjson", "text"]),
    ("decode --as quake3.getinf", &["quake3.getinfo"]),
    ("capture --time u", &["utc"]),
    ("capture --on list.end-m", &["list.end-missing"]),
    ("open --screen mast", &["masters"]),
    ("--screen mast", &["masters"]),
    ("--color ", &["always", "auto", "never"]),
    ("export --what player", &["players"]),
    ("conform --profile dp", &["dpmaster"]),
    ("conform di", &["diff"]),
    ("conform diff --form", &["--format"]),
    ("fingerprint --profile dp", &["dpmaster"]),
    ("master --only quakew", &["quakeworld"]),
    ("master --defect lists-nob", &["lists-nobody"]),
    ("wireshark l", &["lua"]),
    ("completions z", &["zsh"]),
    ("man dec", &["decode"]),
    ("help dec", &["decode"]),
    #[cfg(feature = "watch")]
    ("watch --profile ut2", &["ut2004"]),
    ("decode a-cap", &["a-capture.pcap"]),
    ("a-cap", &["a-capture.pcap"]),
];

/// The same for bash, which makes a word of each `=`, and none of a comma.
const OFFERS_OF_BASH: &[(&str, &[&str])] = &[
    ("export --what = sess", &["sessions"]),
    ("export --what messages,sess", &["messages,sessions"]),
    ("export --what = messages,flows,sess", &["messages,flows,sessions"]),
];

/// The script for a shell.
fn script(shell: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    let output = command.args(["completions", shell]).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// A folder with a capture, where completion looks for files.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a-capture.pcap"), "").unwrap();
    folder
}

/// What a program prints for an input, in a folder.
fn answer(program: &Path, arguments: &[&str], input: &str, folder: &Path) -> String {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env("HOME", folder).env_remove("ZDOTDIR");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || to.write_all(input.as_bytes()));
        let output = child.wait_with_output().unwrap();
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && complaints.is_empty(), "{complaints}");
        String::from_utf8(output.stdout).unwrap()
    })
}

/// Compares what a shell offers, one text for each line, with what is expected. `leaves_out` are
/// the lines for which the shell has another way.
fn check(shell: &str, lines: &[(&str, &[&str])], offered: &[String], leaves_out: &[&str]) {
    assert_eq!(offered.len(), lines.len());
    let mut wrong = String::new();
    for ((line, expected), offered) in lines.iter().zip(offered) {
        let mut words: Vec<_> = offered.lines().filter(|word| !word.is_empty()).collect();
        words.sort_unstable();
        words.dedup();
        if words != *expected && !leaves_out.contains(line) {
            writeln!(wrong, "{line:?}: expected {expected:?}, offered {words:?}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{shell}:\n{wrong}");
}

#[test]
fn bash_completes_commands_options_and_values() {
    let mut input = script("bash");
    let lines = [OFFERS, OFFERS_OF_BASH].concat();
    for (line, _) in &lines {
        let words: Vec<_> = ["fragshark"].into_iter().chain(line.split(' ')).collect();
        let [.., before, last] = words[..] else { panic!("{line}") };
        let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
        writeln!(
            input,
            "COMP_WORDS=({}); COMP_CWORD={}; COMPREPLY=(); _fragshark_values fragshark '{last}' '{before}'\n\
             printf '%s\\n' \"${{COMPREPLY[@]}}\" :end",
            quoted.join(" "),
            words.len() - 1,
        )
        .unwrap();
    }
    let folder = folder();
    let printed = answer(Path::new("bash"), &["--norc"], &input, folder.path());
    let offered: Vec<_> = printed.split(":end\n").map(str::to_owned).collect();
    // Where the function offers nothing, bash itself offers files.
    check("bash", &lines, &offered[..lines.len()], &["decode a-cap", "a-cap"]);
}

#[test]
fn zsh_completes_commands_options_and_values() {
    let test = "zsh_completes_commands_options_and_values";
    let Some([zsh]) = needs::programs(test, ["zsh"]) else { return };
    let folder = folder();
    let file = folder.path().join("completions/_fragshark");
    std::fs::create_dir(file.parent().unwrap()).unwrap();
    std::fs::write(&file, script("zsh")).unwrap();
    assert_eq!(answer(&zsh, &["-n", file.to_str().unwrap()], "", folder.path()), "");
    let mut lines = String::new();
    for (line, _) in OFFERS {
        writeln!(lines, "fragshark {line}").unwrap();
    }
    let driver = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/zsh_offers.zsh");
    let of = file.parent().unwrap().to_str().unwrap();
    let printed = answer(&zsh, &["-f", driver, of], &lines, folder.path());
    let offered: Vec<_> = printed.split(":end\n").map(str::to_owned).collect();
    check("zsh", OFFERS, &offered[..OFFERS.len()], &[]);
}

#[test]
fn fish_completes_commands_options_and_values() {
    let test = "fish_completes_commands_options_and_values";
    let Some([fish]) = needs::programs(test, ["fish"]) else { return };
    let folder = folder();
    let file = folder.path().join("fragshark.fish");
    std::fs::write(&file, script("fish")).unwrap();
    let mut input = format!("source {}\n", file.display());
    for (line, _) in OFFERS {
        // Behind a tab stands the description.
        writeln!(input, "complete -C 'fragshark {line}' | string replace -r '\\t.*' ''").unwrap();
        writeln!(input, "echo :end").unwrap();
    }
    let printed = answer(&fish, &["--no-config"], &input, folder.path());
    let offered: Vec<_> = printed.split(":end\n").map(str::to_owned).collect();
    check("fish", OFFERS, &offered[..OFFERS.len()], &[]);
}
