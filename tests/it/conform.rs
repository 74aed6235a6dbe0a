//! Conformance tests: the reference master passes all cases of its games, whatever runs at the same
//! time, and every defect is found by the case that is meant to find it.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use crate::browser::Browser;
use crate::{bench, documents, golden, needs, netns, process};
use bench::{Bench, bad, side_by_side, skipped};
use conform::families::{profiles, suites};
use conform::servers::server_suites;
use conform::{record, shown, tables};
use fragshark::render::Colour;
use masters::families::services;
use masters::{Config, DEFECTS, Defect, RunningMaster};
use netns::Net;
use process::Process;
use report::{CaseVerdict, Run, RunHead, page};
use simulate::SERVER_DEFECTS;

#[test]
fn the_reference_master_passes_what_it_owes() {
    let all: Vec<_> = profiles().collect();
    side_by_side(&all, 8, |profile| {
        let bench = Bench::new(&["flood-loopback=on", profile.assumes], None);
        let judged = bench.judge(Some(profile), &[]);
        assert_eq!(bad(&judged), [""; 0], "{}", profile.name);
        assert_eq!(skipped(&judged), [""; 0], "{}", profile.name);
        let passed = judged.iter().filter(|case| case.verdict == CaseVerdict::Pass).count();
        let all = judged.len();
        assert!(2 * passed > all, "{}: {passed} of {all} passed", profile.name);
    });
}

#[test]
fn time_outs_are_waited_for_where_they_are_short() {
    let bench = Bench::in_memory(&["server-timeout=2s,gamespy-timeout=2s"], None);
    let judged = bench.judge(None, &["*/timeout/*"]);
    let slow: Vec<_> = judged.iter().filter(|judged| judged.case.slow.is_some()).collect();
    assert!(slow.len() > 10, "{}", slow.len());
    for case in slow {
        assert_eq!(case.verdict, CaseVerdict::Pass, "{:?}: {}", case.case, case.text);
    }
}

/// Several runs over real sockets, in parallel, so that they disturb each other: of all cases but
/// those that wait for seconds, of which only a few wait at a time, so that a run of all takes 40 s.
/// `FRAGSHARK_ROUNDS` is the number of runs.
#[test]
fn no_case_is_flaky() {
    let rounds = std::env::var("FRAGSHARK_ROUNDS").map_or(5, |rounds| rounds.parse().unwrap());
    let rounds: Vec<u32> = (0..rounds).collect();
    let first: Mutex<Option<Vec<(&str, CaseVerdict)>>> = Mutex::new(None);
    side_by_side(&rounds, 4, |round| {
        let bench = Bench::new(&["flood-loopback=on"], None);
        let judged = bench.judge_quick(None);
        assert_eq!(bad(&judged), [""; 0], "run {round}");
        let verdicts: Vec<_> = judged.iter().map(|case| (case.case.id, case.verdict)).collect();
        let mut first = first.lock().unwrap();
        let first = first.get_or_insert_with(|| verdicts.clone());
        assert_eq!(*first, verdicts, "run {round}");
    });
}

/// `UPDATE=1` writes the tables again.
#[test]
fn the_pages_have_every_profile_case_requirement_and_defect() {
    let [profiles, (_, preconditions), (_, cases), (_, requirements), (_, implementations)] =
        tables(suites());
    let [(_, of_servers), (_, server_preconditions), (_, server_cases), (_, server_needs), _] =
        tables(server_suites());
    golden::check_parts("docs/conformance.md", [profiles, ("server profiles", of_servers)]);
    let cases_of_servers =
        format!("## Preconditions\n\n{server_preconditions}\n## Cases\n{server_cases}");
    documents::check_reference("server-cases.md", &cases_of_servers);
    documents::check_reference("server-requirements.md", &server_needs);
    documents::check_reference("server-defects.md", &server_defects());
    let cases = format!("## Preconditions\n\n{preconditions}\n## Cases\n{cases}");
    documents::check_reference("conformance-cases.md", &cases);
    documents::check_reference("conformance-requirements.md", &requirements);
    documents::check_reference("implementations.md", &implementations);
    let [.., (_, all)] = masters::tables(services());
    let text = format!("## Defects\n\n{all}\n## Cases that fail\n\n{}", defects());
    documents::check_reference("defects.md", &text);
}

/// The cases that find each defect of a simulated server, from the golden data of
/// `crates/conform/src/servers/tests.rs`.
fn server_defects() -> String {
    let mut table = "| defect | what it breaks | profile | cases that do not pass |\n".to_owned();
    table += "|---|---|---|---|\n";
    let golden = include_str!("../../crates/conform/src/servers/defects.txt");
    for (_, name, breaks) in SERVER_DEFECTS {
        let mut rows: Vec<(&str, Vec<String>)> = Vec::new();
        let mut is_own = false;
        for line in golden.lines() {
            match (line.strip_prefix("  "), line.split_once(" / ")) {
                (Some(line), _) if is_own => {
                    let id = line.strip_prefix("Fail ").map(|id| format!("`{id}`"));
                    if let Some((_, ids)) = rows.last_mut() {
                        ids.extend(id);
                    }
                }
                (None, Some((defect, profile))) => {
                    is_own = defect == *name;
                    rows.extend(is_own.then(|| (profile, Vec::new())));
                }
                _ => {}
            }
        }
        for (profile, ids) in rows {
            let ids = ids.join(", ");
            writeln!(table, "| `{name}` | {breaks} | `{profile}` | {ids} |").unwrap();
        }
    }
    table
}

/// The cases that find each defect, from the golden data of tests/conform_verdicts.rs.
fn defects() -> String {
    let mut table = "| defect | what it breaks | profile | cases that do not pass |\n".to_owned();
    table += "|---|---|---|---|\n";
    let golden = include_str!("../data/defects.txt");
    for (_, name, breaks) in DEFECTS {
        let mut cases: Vec<(String, Vec<&str>)> = Vec::new();
        for line in golden.lines() {
            match line.strip_prefix("  ") {
                None => cases.push((line.to_owned(), Vec::new())),
                Some(line) => {
                    let (word, id) = line.split_once(' ').unwrap_or_default();
                    if let Some((_, ids)) = cases.last_mut().filter(|_| word == "Fail") {
                        ids.push(id);
                    }
                }
            }
        }
        if *name == "accepts-loopback" {
            cases.push((format!("{name} / dpmaster"), vec!["quake3/heartbeat/loopback"]));
        }
        for (head, ids) in cases {
            let mut parts = head.split(" / ");
            if parts.next() != Some(name) || ids.is_empty() {
                continue;
            }
            let ids: Vec<_> = ids.iter().map(|id| format!("`{id}`")).collect();
            let profile = parts.next().unwrap_or_default();
            writeln!(table, "| `{name}` | {breaks} | `{profile}` | {} |", ids.join(", ")).unwrap();
        }
    }
    table
}

/// A master without loopback addresses, in its own network: all cases share one address, and
/// servers on loopback addresses must not be listed.
#[test]
fn a_target_beyond_loopback_is_judged_too() {
    let Some(net) = Net::new("conform beyond loopback") else { return };
    if !net.is_own() {
        return;
    }
    let add = ["addr", "add", "10.9.0.1/32", "dev", "lo"];
    assert!(net.command("ip").args(add).status().unwrap().success());
    for (defects, status) in [(&[][..], 0), (&["--defect", "accepts-loopback"], 1)] {
        let mut command = net.command(env!("CARGO_BIN_EXE_fragshark"));
        command.args(["master", "--listen", "10.9.0.1", "--only", "quake3", "--port", "quake3=0"]);
        command.args(["--set", "max-per-address=4096"]).args(defects);
        let mut master = Process::start(command.stdout(Stdio::piped()));
        let mut lines = BufReader::new(master.0.stdout.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        let at = line.rsplit(' ').next().unwrap();
        let mut command = net.command(env!("CARGO_BIN_EXE_fragshark"));
        // Few of them: beyond loopback, datagrams are sent at a limited rate.
        command.args(["conform", "--target", at, "--profile", "dpmaster"]);
        command.args(["quake3/heartbeat/*", "dpmaster/getinfo/*"]);
        command.args(["--assume", "max-per-address=4096"]);
        let output = command.output().unwrap();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(status), "{stdout}{stderr}");
        let word = if status == 0 { "pass" } else { "fail" };
        let judged = stdout.lines().find(|line| line.contains(" loopback ")).unwrap_or_default();
        assert!(judged.trim_start().starts_with(word), "{stdout}");
    }
}

/// In a network namespace, servers and clients have addresses of all networks: a master that reads
/// their first byte as a signed number is found.
#[test]
fn a_namespace_has_servers_of_all_networks() {
    let program = env!("CARGO_BIN_EXE_fragshark");
    let case = "quake3/getserversResponse/high-addresses";
    for (defects, status, word) in
        [(&[][..], 0, "pass"), (&["--defect", "signed-octets"], 1, "fail")]
    {
        for target in ["127.0.0.1", "[::1]"] {
            let mut command = Command::new(program);
            command.args(["conform", "--namespace", "--profile", "dpmaster"]);
            command.args(["--target", target, case, "quake3/heartbeat/listed", "--", program]);
            command.args([
                "master",
                "--only",
                "quake3",
                "--listen",
                target.trim_matches(['[', ']']),
            ]);
            let output = command.args(defects).output().unwrap();
            let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
            if stderr.contains("no network namespace can be made") {
                needs::not_run("conform in a namespace", "netns", "it is not permitted");
                return;
            }
            let is_four = target == "127.0.0.1";
            let status = if is_four { status } else { 0 };
            assert_eq!(output.status.code(), Some(status), "{target} {defects:?} {stdout}{stderr}");
            let judged = stdout.lines().find(|line| line.contains(" high-addresses "));
            let judged = judged.unwrap_or_default();
            let word = if is_four { word } else { "skip" };
            assert!(judged.trim_start().starts_with(word), "{target} {defects:?} {stdout}");
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A master with a defect, and one without, side by side on a page, in a browser.
#[test]
fn the_page_is_seen_in_a_browser() {
    let words = ["quake3/getservers", "quake3/getserversResponse", "dpmaster/getinfo"];
    let broken = [Some(Defect::SwappedPort), None];
    let runs: Vec<Run> = broken
        .iter()
        .map(|defect| {
            let bench = Bench::in_memory(&[], *defect);
            let judged = bench.judge(None, &words);
            let cases = judged.iter().map(|judged| shown(judged, false, Colour::Plain)).collect();
            let target = defect.map_or("sound", |_| "swapped").to_owned();
            Run { head: RunHead { target, ..RunHead::default() }, cases, ..Run::default() }
        })
        .collect();
    let html = page(&runs);
    let [swapped, sound] = &runs[..] else { unreachable!() };
    assert!(swapped.cases.iter().any(|tried| tried.verdict == CaseVerdict::Fail));
    let Some(browser) = Browser::new("the page in a browser") else { return };
    let picture = browser.picture("conform", &html, [1_200, 4_000]);
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 50_000, "{}", picture.len());
    // The page as the browser shows it: every case is on it, in full or as a line.
    let dom = browser.dom(&html);
    browser.check_access("the page of conform", &html);
    for tried in &sound.cases {
        let full = dom.matches(&format!("<h3>{}</h3>", tried.id)).count();
        let line = dom.matches(&format!("<td class=\"id\">{}</td>", tried.id)).count();
        assert_eq!(full + line, 1, "{}", tried.id);
    }
    assert!(dom.contains("<pre class=\"fault\">"));
}

#[test]
fn a_run_is_kept_as_a_capture_whose_comments_name_the_cases() {
    let bench = Bench::new(&[], None);
    let judged = bench.judge(None, &["quake3/getservers"]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.pcapng");
    record(std::fs::File::create(&path).unwrap(), &judged).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    for case in &judged {
        let comment = format!("{}: ", case.case.id);
        let found = bytes.windows(comment.len()).any(|part| part == comment.as_bytes());
        assert!(found, "{comment}");
    }
    let decoded = Command::new(env!("CARGO_BIN_EXE_fragshark")).arg("decode").arg(&path).output();
    let decoded = text(&decoded.unwrap().stdout);
    let stderr: usize = judged.iter().map(|case| case.log.entries.len()).sum();
    assert_eq!(decoded.lines().count(), stderr, "{decoded}");
}

/// The command with these arguments: its status and output.
fn conform(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    let output = command.args(arguments).output().unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_command_judges_lists_and_tells() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (status, stdout, stderr) =
        conform(&["conform", "quake3/getservers", "--record", &file("a")]);
    assert_eq!((status, stderr.as_str()), (Some(0), ""), "{stdout}");
    assert!(stdout.starts_with("quake3\n  getservers\n    pass    line-feed  "), "{stdout}");
    let bytes = std::fs::read(file("a")).unwrap();
    assert!(bytes.windows(27).any(|part| part == b"quake3/getservers/line-feed"));

    let (status, stdout, _) = conform(&["conform", "--list", "--profile", "rtcw"]);
    assert_eq!(status, Some(0));
    assert!(stdout.lines().all(|line| line.starts_with("rtcw/")) && stdout.lines().count() > 5);

    for (form, begins) in [
        ("json", "{\n\"run\": {"),
        ("ndjson", "{\"type\":\"run\","),
        ("tap", "TAP version 14\n# target: the reference master\n"),
        ("junit", "<?xml"),
        ("html", "<!DOCTYPE html>"),
    ] {
        let path = file(form);
        let arguments = ["conform", "--profile", "rtcw", "--report", form, "-o", &path];
        let (status, stdout, stderr) = conform(&arguments);
        assert_eq!((status, stdout.as_str(), stderr.as_str()), (Some(0), "", ""), "{form}");
        let written = std::fs::read_to_string(path).unwrap();
        assert!(written.starts_with(begins), "{form}: {}", &written[..200]);
    }

    let (status, stdout, _) = conform(&["fingerprint"]);
    assert_eq!(status, Some(0));
    let head = "the reference master\n  implementation: fragshark master, 100 % (";
    assert!(stdout.starts_with(head), "{stdout}");
    assert!(stdout.contains("\nquake3\n  order of servers  "), "{stdout}");
    assert!(
        stdout.contains("  end mark of a short list                 \\EOT\\0\\0\\0\n"),
        "{stdout}"
    );
    assert!(stdout.contains("\ngamespy\n  "), "{stdout}");
}

#[test]
fn failures_make_the_status_unless_they_were_announced() {
    let defects = [Defect::SilentOnLineFeed, Defect::ShortChallenge].into_iter().collect();
    let config = Config { defects, ..Config::new(services()).anywhere() };
    let running = RunningMaster::start(config).unwrap();
    let at = running.addresses()[0].address.to_string();
    let folder = tempfile::tempdir().unwrap();
    let known = folder.path().join("known");
    std::fs::write(&known, "# since ever\nquake3/*/line-feed  # silent\nquake3/getservers/ctf\n")
        .unwrap();
    let known = known.display().to_string();
    let base = ["conform", "--target", &at, "--timeout", "300ms", "quake3/getservers/line-feed"];
    let with = |more: &[&str]| conform(&[&base[..], more].concat());

    let (status, stdout, _) = with(&[]);
    assert_eq!(status, Some(1));
    assert!(stdout.contains("fail    line-feed") && stdout.contains("[001 1.1.1]"), "{stdout}");
    assert!(stdout.contains("expected a list of servers; came nothing in 300ms"), "{stdout}");
    let (status, stdout, stderr) = with(&["--expect-failures", &known, "quake3/getservers/ctf"]);
    assert_eq!(status, Some(0), "{stdout}");
    assert!(
        stdout.contains("known   line-feed") && stdout.ends_with("1 failed as expected\n"),
        "{stdout}"
    );
    assert_eq!(stderr, "fragshark: quake3/getservers/ctf was expected to fail, but passed\n");
    let (status, stdout, _) = with(&["--repeat", "2", "--retries", "1"]);
    assert!(status == Some(1) && stdout.contains("2 of 2 times: "), "{stdout}");

    // A failed SHOULD is a warning, and a failure with --strict; the bytes at fault are marked.
    let length = ["conform", "--target", &at, "dpmaster/getinfo/length"];
    let (status, stdout, _) = conform(&length);
    assert!(status == Some(0) && stdout.contains("> 000c  "), "{stdout}");
    assert_eq!(conform(&[&length[..], &["--strict"]].concat()).0, Some(1));
}

#[test]
fn what_cannot_be_tried_is_refused() {
    for (arguments, stderr) in [
        (&["conform", "none"][..], "no case matches none; --list shows all cases"),
        (&["conform", "--profile", "none"], "unknown profile; the profiles are quake3, dpmaster,"),
        (&["conform", "--assume", "none=1"], "no setting is called none; there are"),
        (&["conform", "--timeout", "soon"], "expected a duration from 1ms to 1h"),
        (&["conform", "--target", "127.0.0.1:9"], "127.0.0.1:9 names one port; choose a profile"),
        (&["conform", "--target", "192.0.2.1", "rtcw"], "192.0.2.1 is neither on this machine"),
        (&["conform", "--expect-failures", "/nowhere/x"], "cannot read /nowhere/x"),
        (
            &["conform", "--target", "127.0.0.1", "--target", "127.0.0.2"],
            "several targets need --format html",
        ),
        (&["conform", "rtcw", "--profile", "quake3"], "no case is selected"),
    ] {
        let (status, stdout, complaint) = conform(arguments);
        assert_eq!((status, stdout.as_str()), (Some(2), ""), "{arguments:?}: {complaint}");
        assert!(complaint.contains(stderr), "{arguments:?}: {complaint}");
    }
}
