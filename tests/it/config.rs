//! The configuration as the program finds, prints and judges it, and what it keeps between runs.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const NAMES: [&str; 6] =
    ["FRAGSHARK_CONFIG", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME", "SUDO_UID", "SUDO_GID"];

/// `fragshark config` with only these variables.
fn config(arguments: &[&str], environment: &[(&str, &Path)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    command.arg("config").args(arguments);
    for name in NAMES {
        command.env_remove(name);
    }
    command.envs(environment.iter().copied()).output().unwrap()
}

/// Standard output of a run without a complaint.
fn printed(arguments: &[&str], environment: &[(&str, &Path)]) -> String {
    let output = config(arguments, environment);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.is_empty(), "{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// The same without the comment on where it is from.
fn settings(printed: &str) -> &str {
    let (comment, settings) = printed.split_once('\n').unwrap();
    assert!(comment.starts_with("# "), "{comment}");
    settings
}

#[test]
fn the_configuration_is_found_in_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    let (usual, named) = (home.join("xdg/fragshark/config.toml"), home.join("named.toml"));
    fs::create_dir_all(usual.parent().unwrap()).unwrap();
    let defaults = printed(&[], &[("HOME", home)]);
    assert!(defaults.contains("config.toml does not exist\n"), "{defaults}");
    assert!(defaults.contains("\ntheme = \"16-colours\"\n"), "{defaults}");
    assert!(printed(&[], &[]).starts_with("# the defaults; there is no home for a file\n"));
    fs::write(&usual, "screen = 'servers'").unwrap();
    fs::write(&named, "screen = 'masters'").unwrap();
    let xdg = home.join("xdg");
    let missing = home.join("missing.toml");
    for (arguments, environment, file, screen) in [
        (&[][..], &[("XDG_CONFIG_HOME", &*xdg)][..], &usual, "servers"),
        (&[], &[("XDG_CONFIG_HOME", &xdg), ("FRAGSHARK_CONFIG", &named)], &named, "masters"),
        (
            &["--config", named.to_str().unwrap()],
            &[("FRAGSHARK_CONFIG", &missing)],
            &named,
            "masters",
        ),
    ] {
        let printed = printed(arguments, environment);
        assert!(printed.starts_with(&format!("# read from {}\n", file.display())), "{printed}");
        assert!(printed.contains(&format!("\nscreen = \"{screen}\"\n")), "{printed}");
    }
}

#[test]
fn what_is_printed_is_a_file_that_means_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    let page = include_str!("../../docs/configuration.md");
    let examples = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    for text in examples.chain([""]) {
        fs::write(&file, text).unwrap();
        let once = printed(&[], &[("FRAGSHARK_CONFIG", &file)]);
        fs::write(&file, &once).unwrap();
        let twice = printed(&[], &[("FRAGSHARK_CONFIG", &file)]);
        assert_eq!(settings(&once), settings(&twice));
    }
}

#[test]
fn mistakes_are_on_standard_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    fs::write(&file, "# mine\ntheme = 'drak'\nscreen = 'servers'\nmouse = \x1b[31m\n").unwrap();
    let output = config(&[], &[("FRAGSHARK_CONFIG", &file)]);
    let (stdout, stderr) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<_> = stderr.lines().collect();
    let place = format!("fragshark: {}: line ", file.display());
    assert_eq!(lines.len(), 2, "{stderr}");
    let first = "2: theme: no theme is named \"drak\"; did you mean dark?";
    assert_eq!(lines[0], format!("{place}{first}"));
    assert!(lines[1].starts_with(&format!("{place}4: mouse: ")), "{stderr}");
    assert!(!stderr.contains('\x1b'), "{stderr}");
    assert!(stdout.contains("\nscreen = \"servers\"\n"), "{stdout}");
    let missing = folder.path().join("missing.toml");
    let output = config(&[], &[("FRAGSHARK_CONFIG", &missing)]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr.contains("missing.toml: cannot read it: "), "{stderr}");
}
