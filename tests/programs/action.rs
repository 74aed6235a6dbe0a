//! The step of `.github/actions/conform`, run as a workflow runs it, against reference masters.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::{env, fs, iter};

use masters::families::services;
use masters::{Config, RunningMaster};

use crate::{golden, needs};

/// Runs the step for a target with these inputs beside its own, in a folder.
fn step(folder: &Path, target: &str, inputs: &[(&str, &str)]) -> Output {
    let built = Path::new(env!("CARGO_BIN_EXE_fragshark")).parent().unwrap().to_owned();
    let path = env::var_os("PATH").unwrap_or_default();
    let beyond = ["/usr/sbin", "/sbin"].map(Into::into);
    let path = iter::once(built).chain(env::split_paths(&path)).chain(beyond);
    let mut run = Command::new(golden::path(".github/actions/conform/run"));
    run.current_dir(folder).stdin(Stdio::null()).env("PATH", env::join_paths(path).unwrap());
    run.env("TARGET", target).env("PROFILE", "quake3").env("CASES", "quake3/getservers/*");
    run.env("EXPECT_FAILURES", "").env("WAIT", "0").env("GITHUB_STEP_SUMMARY", "summary.md");
    run.env("REPORT", "conform.xml").env("RECORD", "conform.pcapng").envs(inputs.iter().copied());
    run.output().unwrap()
}

/// A master of Quake III on loopback, with a defect or none.
fn master(defect: Option<&str>) -> (RunningMaster, String) {
    let defects = defect.into_iter().filter_map(masters::Defect::named).collect();
    let service = services().find(|service| service.name == "quake3").unwrap();
    let mut config = Config { allow_loopback: true, defects, ..Config::new(services()) };
    (config.listen, config.listen_if_there) = (vec!["127.0.0.1".parse().unwrap()], Vec::new());
    config.services = vec![(service, 0)];
    let running = RunningMaster::start(config).unwrap();
    let address = running.address(service).unwrap().to_string();
    (running, address)
}

#[test]
fn the_step_has_the_status_of_the_verdict_and_keeps_its_files() {
    let test = "action::the_step_has_the_status_of_the_verdict_and_keeps_its_files";
    let Some([..]) = needs::programs(test, ["bash", "ss"]) else { return };
    let end_mark = "quake3/getserversResponse/end-mark";
    let both = format!("quake3/getservers/* {end_mark}");
    for (defect, cases, expected, status) in [
        (None, &*both, "", 0),
        (Some("no-end-mark"), &*both, "", 1),
        (Some("no-end-mark"), &*both, "known.txt", 0),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("known.txt"), end_mark).unwrap();
        let (_running, target) = master(defect);
        let inputs = [("CASES", cases), ("EXPECT_FAILURES", expected)];
        let done = step(folder.path(), &target, &inputs);
        let text = String::from_utf8_lossy(&done.stdout);
        assert_eq!(done.status.code(), Some(status), "{text}");
        let report = fs::read_to_string(folder.path().join("conform.xml")).unwrap();
        assert!(report.contains(end_mark.rsplit('/').next().unwrap()), "{report}");
        assert!(folder.path().join("conform.pcapng").exists());
        let summary = fs::read_to_string(folder.path().join("summary.md")).unwrap();
        let cases = report.matches("<testcase").count();
        assert!(summary.contains(&format!("tests={cases} ")), "{summary}");
    }
}

#[test]
fn a_master_that_does_not_listen_is_named() {
    let test = "action::a_master_that_does_not_listen_is_named";
    let Some([..]) = needs::programs(test, ["bash", "ss"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (running, target) = master(None);
    drop(running);
    let done = step(folder.path(), &target, &[]);
    assert_eq!(done.status.code(), Some(2));
    let port = target.rsplit(':').next().unwrap();
    let why = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(why.starts_with(&format!("nothing listens at port {port} after 0 s")), "{why}");
}

#[test]
fn the_inputs_of_the_action_are_those_of_its_step() {
    let action = fs::read_to_string(golden::path(".github/actions/conform/action.yml")).unwrap();
    let run = fs::read_to_string(golden::path(".github/actions/conform/run")).unwrap();
    let inputs = action.split("\ninputs:\n").nth(1).unwrap().split("\nruns:").next().unwrap();
    let names = inputs.lines().filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':'));
    let names: Vec<_> = names.filter(|name| !name.starts_with(' ')).collect();
    assert!(names.len() > 6, "{names:?}");
    for name in names {
        let variable = name.to_uppercase().replace('-', "_");
        assert!(action.contains(&format!("{variable}: ${{{{ inputs.{name} }}}}")), "{name}");
        // The version is for the step that installs.
        let known = run.contains(&format!("${variable}")) || run.contains(&variable);
        assert!(known || name == "version", "{name}");
    }
}
