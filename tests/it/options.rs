//! Help, manual pages and completions: all have every command and every option.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use regex::Regex;

const SHELLS: [&str; 4] = ["bash", "zsh", "fish", "powershell"];

/// Standard output and standard error of a run with this exit status.
fn run(arguments: &[&str], status: i32) -> [String; 2] {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    let output = command.args(arguments).stdin(Stdio::null()).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {err}");
    [out, err]
}

fn printed(arguments: &[&str]) -> String {
    let [out, err] = run(arguments, 0);
    assert!(err.is_empty(), "{arguments:?}: {err}");
    out
}

/// The commands that the help lists.
fn commands() -> Vec<String> {
    commands_of(&[])
}

/// The commands under another one that its help lists.
fn commands_of(command: &[String]) -> Vec<String> {
    let words: Vec<_> = command.iter().map(String::as_str).collect();
    let help = printed(&[&["help"][..], &words].concat());
    let Some(listed) = help.split("\nCommands:\n").nth(1) else { return Vec::new() };
    let listed = listed.split("\n\n").next().unwrap();
    let name = Regex::new("(?m)^  ([a-z]+) ").unwrap();
    let names = name.captures_iter(listed).map(|found| found[1].to_owned());
    names.filter(|name| name != "help").collect()
}

/// All commands, those under others too, as the words after the program's name.
fn all_commands() -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    let mut at = 0;
    while let Some(command) = all.get(at).cloned() {
        all.extend(commands_of(&command).into_iter().map(|name| [&command[..], &[name]].concat()));
        at += 1;
    }
    all.split_off(1)
}

/// The long options in a help.
fn options(help: &str) -> BTreeSet<String> {
    let option = Regex::new("(?m)^ {2,6}(?:-., )?--([a-z][a-z-]*)").unwrap();
    option.captures_iter(help).map(|found| found[1].to_owned()).collect()
}

#[test]
fn every_option_of_every_command_is_in_the_manual_and_in_completions() {
    let scripts = SHELLS.map(|shell| (shell, printed(&["completions", shell])));
    let commands = all_commands();
    assert!(commands.len() > 16, "{commands:?}");
    let mut count = 0;
    for command in [&Vec::new()].into_iter().chain(&commands) {
        let words: Vec<_> = command.iter().map(String::as_str).collect();
        let help = printed(&[&["help"][..], &words].concat());
        let man = printed(&[&["man"][..], &words].concat()).replace("\\-", "-");
        assert!(man.contains("EXIT STATUS") && man.contains("incomplete"), "{command:?}");
        for option in options(&help) {
            count += 1;
            assert!(man.contains(&format!("--{option}")), "{command:?}: man lacks --{option}");
            for (shell, script) in &scripts {
                let dashes = format!("--{option}");
                let written = if *shell == "fish" { format!("-l {option}") } else { dashes };
                assert!(script.contains(&written), "{command:?}: {shell} lacks --{option}");
            }
        }
        let Some(command) = command.last() else { continue };
        for (shell, script) in &scripts {
            assert!(script.contains(command), "{shell} lacks {command}");
        }
    }
    assert!(count > 150, "{count}");
}

#[test]
fn all_pages_are_written_to_a_directory() {
    let folder = tempfile::tempdir().unwrap();
    // It makes the directory.
    let pages = folder.path().join("share/man1");
    assert_eq!(printed(&["man", "--output-dir", pages.to_str().unwrap()]), "");
    let written = std::fs::read_dir(&pages).unwrap();
    let names: BTreeSet<_> =
        written.map(|page| page.unwrap().file_name().into_string().unwrap()).collect();
    let of_commands = all_commands().into_iter().map(|of| format!("fragshark-{}.1", of.join("-")));
    let expected: BTreeSet<_> = of_commands.chain(["fragshark.1".to_owned()]).collect();
    assert_eq!(names, expected);
    let refers = Regex::new(r"(fragshark[a-z\\-]*)\(1\)").unwrap();
    for command in [&["decode"][..], &["wireshark"], &["wireshark", "lua"]] {
        let page = pages.join(format!("fragshark-{}.1", command.join("-")));
        let page = std::fs::read_to_string(page).unwrap();
        assert_eq!(page, printed(&[&["man"], command].concat()));
        // Pages refer to others as they are called.
        for found in refers.captures_iter(&page) {
            let name = format!("{}.1", found[1].replace('\\', ""));
            assert!(names.contains(&name), "{command:?} refers to {name}");
        }
    }
    let [_, err] = run(&["man", "--output-dir", "/proc/none"], 2);
    assert!(err.starts_with("fragshark: cannot create /proc/none: "), "{err}");
}

#[test]
fn the_page_has_the_exit_statuses_of_the_manual() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/commands.md");
    let page = std::fs::read_to_string(page).unwrap();
    let man = printed(&["man", "check"]);
    let statuses = man.split("EXIT STATUS\"\n").nth(1).unwrap();
    let row = Regex::new("(?m)^\\| ([0-9]) \\| (.+) \\|$").unwrap();
    let rows: Vec<_> = row.captures_iter(&page).collect();
    assert_eq!(rows.len(), statuses.matches(".TP\n").count());
    for found in rows {
        assert!(statuses.contains(&format!("\\fB{}\\fR\n{}\n", &found[1], &found[2])), "{found:?}");
    }
}

#[test]
fn the_page_of_a_command_has_its_other_letters() {
    let page = printed(&["man", "decode"]).replace("\\-", "-");
    assert!(page.contains("and its full time; -V is the same\n"), "{page}");
}

#[test]
fn examples_fit_into_80_columns() {
    for command in commands() {
        let help = printed(&["help", &command]);
        // One word may be longer than the line.
        let fits = |line: &str| line.len() <= 80 || line.contains("bash-completion");
        let wide = help.lines().find(|line| line.starts_with("  fragshark") && !fits(line));
        assert_eq!(wide, None, "{command}: an example is too wide");
    }
}

#[test]
fn times_have_their_letters_in_tcpdump_and_tshark() {
    let tour = concat!(env!("CARGO_MANIFEST_DIR"), "/captures/tour.pcapng");
    for (theirs, ours) in [
        ("-ttt", "delta"),
        ("-tttt", "local"),
        ("-ttttt", "relative"),
        ("-tad", "local"),
        ("-tud", "utc"),
        ("-td", "delta"),
    ] {
        let expected = printed(&["decode", "-t", ours, tour]);
        assert_eq!(printed(&["decode", theirs, tour]), expected, "{theirs}");
    }
}

#[test]
fn a_mistyped_command_is_corrected() {
    for (arguments, message) in [
        (&["decod", "x"][..], "no command and no file is named decod; did you mean decode?"),
        (&["chek"], "no command and no file is named chek; did you mean check?"),
        (&["man", "exprot"], "no command is named exprot; did you mean export?"),
        (&["man", "x"], "no command is named x; the commands are open, decode, "),
        (&["help", "decod"], "unrecognized subcommand 'decod'"),
        (&["completions", "bas"], "invalid value 'bas' for '<SHELL>'"),
    ] {
        let [out, err] = run(arguments, 2);
        assert!(out.is_empty() && err.contains(message), "{arguments:?}: {err}");
    }
}

#[test]
fn a_word_like_a_command_may_be_a_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("decod"), "").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    let output = command.arg("decod").current_dir(&folder).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("the interface needs a terminal"), "{err}");
}

#[test]
fn help_of_a_command_is_that_of_the_option() {
    for command in commands() {
        assert_eq!(printed(&["help", &command]), printed(&[&command, "--help"]), "{command}");
    }
}
