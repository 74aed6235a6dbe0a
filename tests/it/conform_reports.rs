//! The reports of `conform` for build servers and people: every format, of targets that are
//! correct, broken or down, and what changed between two runs.

use std::net::UdpSocket;
use std::path::PathBuf;
use std::process::Command;

use crate::browser::Browser;
use masters::families::services;
use masters::{Config, Defect, RunningMaster};
use quick_xml::Reader;
use quick_xml::events::Event;
use report::Summary;
use serde_json::Value;
use tempfile::TempDir;

const FORMS: [&str; 6] = ["text", "json", "ndjson", "junit", "tap", "html"];

/// A directory for reports.
struct Reports(TempDir);

/// The result of a run of the program.
struct Ran {
    status: Option<i32>,
    out: String,
    err: String,
}

impl Reports {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs `conform` with these arguments, with its report in a file of that name.
    fn conform(&self, arguments: &[&str], name: &str) -> (Ran, String) {
        let path = self.path(name);
        let ran = fragshark(&[arguments, &["-o", path.to_str().unwrap()]].concat());
        (ran, std::fs::read_to_string(path).unwrap_or_default())
    }

    fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.path(name), text).unwrap();
        self.path(name).to_str().unwrap().to_owned()
    }
}

fn fragshark(arguments: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    let output = command.args(arguments).env_remove("NO_COLOR").output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    Ran { status: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
}

/// A master with defects, and its address.
fn master(defects: &[Defect]) -> (RunningMaster, String) {
    let mut config = Config::new(services()).anywhere();
    config.defects = defects.iter().copied().collect();
    let running = RunningMaster::start(config).unwrap();
    let at = running.addresses()[0].address.to_string();
    (running, at)
}

/// A closed port.
fn nobody() -> String {
    UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// How many elements of that name an XML text has; a parser has to accept all of it.
fn elements(xml: &str, name: &str) -> usize {
    let mut reader = Reader::from_str(xml);
    let mut count = 0;
    loop {
        match reader.read_event().unwrap_or_else(|e| panic!("{e}\n{xml}")) {
            Event::Start(element) | Event::Empty(element) => {
                for attribute in element.attributes() {
                    attribute.unwrap();
                }
                count += usize::from(element.name().as_ref() == name.as_bytes());
            }
            Event::Eof => return count,
            _ => {}
        }
    }
}

#[test]
fn a_target_that_is_down_is_reported_in_every_form() {
    let reports = Reports::new();
    let target = nobody();
    let base = ["conform", "--target", &target, "--profile", "rtcw", "--format"];
    for form in FORMS {
        let (ran, report) = reports.conform(&[&base[..], &[form]].concat(), form);
        assert_eq!((ran.status, ran.out.as_str()), (Some(3), ""), "{form}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        let says = format!("nothing listens at {target}");
        assert!(report.contains(&says), "{form}: {report}");
    }
    let (_, json) = reports.conform(&[&base[..], &["json"]].concat(), "json");
    let run: Value = serde_json::from_str(&json).unwrap();
    let summary: Summary = serde_json::from_value(run["summary"].clone()).unwrap();
    // Cases for another port than the target's are skipped.
    assert_eq!(summary.blocked + summary.skipped, summary.total);
    assert!(summary.blocked > summary.skipped, "{}", summary.line());
    assert_eq!(run["causes"][0]["cases"].as_array().unwrap().len() as u64, summary.blocked);
    let (_, text) = reports.conform(&[&base[..], &["text"]].concat(), "text");
    let causes = text.lines().filter(|line| line.contains("could not be judged"));
    assert_eq!(causes.count(), 1, "{text}");
    assert!(!text.contains("  blocked "), "{text}");
    let (_, xml) = reports.conform(&[&base[..], &["junit"]].concat(), "junit");
    assert!(xml.contains("failures=\"0\"") && xml.contains("errors=\"0\""), "{xml}");
    assert_eq!(elements(&xml, "testcase") as u64, summary.total);
}

#[test]
fn a_failure_has_its_exchange_in_every_form_that_can_hold_it() {
    let reports = Reports::new();
    let (_running, target) = master(&[Defect::SwappedPort, Defect::ShortChallenge]);
    let cases = ["quake3/getserversResponse/records", "dpmaster/getinfo/length"];
    let base = ["conform", "--target", &target, cases[0], cases[1], "--format"];
    for (form, parts) in [
        (
            "text",
            &[
                "fail    records",
                "warn    length",
                "came one that holds its port with the two bytes swapped",
            ][..],
        ),
        ("json", &["\"what\":\"getserversResponse, ", "\"at_fault\":true", "\"level\":\"SHOULD\""]),
        ("ndjson", &["{\"type\":\"case\",\"id\":\"quake3/getserversResponse/records\""]),
        ("tap", &["not ok 1 - quake3/getserversResponse/records", "  verdict: warn"]),
        (
            "junit",
            &[
                "<testcase name=\"records\" classname=\"quake3/getserversResponse\" time=\"",
                "<property name=\"citation\" value=\"001 1.1.2",
                "docs/protocols/quake3.md#getservers-response",
                "&gt; 00",
                "heartbeat, ",
                "getserversResponse, ",
                "(at fault)",
                "warn: expected",
            ],
        ),
        (
            "html",
            &[
                "<h3>quake3/getserversResponse/records</h3>",
                "<pre class=\"fault\">",
                "href=\"#source-docs-protocols-quake3-md-getservers-response\"",
                "id=\"source-docs-protocols-quake3-md-getservers-response\"",
                "### 4.2 getserversResponse",
            ],
        ),
    ] {
        let (ran, report) = reports.conform(&[&base[..], &[form]].concat(), form);
        assert_eq!(ran.status, Some(1), "{form}: {}", ran.err);
        for part in parts {
            assert!(report.contains(part), "{form}: {part} is not in\n{report}");
        }
        if form == "junit" {
            assert_eq!([elements(&report, "testcase"), elements(&report, "failure")], [2, 1]);
        }
    }
}

#[test]
fn the_head_says_what_was_judged_and_how() {
    let reports = Reports::new();
    let arguments = ["conform", "quake3/getmotd", "--profile", "quake3", "--strict"];
    let more = ["--assume", "server-timeout=2s,flood=50", "--format", "json"];
    let (ran, json) = reports.conform(&[&arguments[..], &more].concat(), "run.json");
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let run: Value = serde_json::from_str(&json).unwrap();
    let head = &run["run"];
    assert_eq!(head["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(
        (&head["target"], &head["profile"]),
        (&"the reference master".into(), &"quake3".into())
    );
    for (name, value) in [
        ("server-timeout", "2s"),
        ("flood", "50"),
        ("list-form", "id"),
        ("strict", "on"),
        ("cases", "quake3/getmotd"),
    ] {
        assert_eq!(head["settings"][name], value, "{name}");
    }
    let started = head["started"].as_str().unwrap();
    assert!(
        started.starts_with("20") && started.ends_with('Z') && started.len() == 20,
        "{started}"
    );
}

/// Whatever failures are expected, every case is counted once.
#[test]
fn the_sum_adds_up() {
    let reports = Reports::new();
    let (_running, target) = master(&[Defect::SilentOnLineFeed]);
    let known = reports.write("known", "quake3/getservers/line-feed\nquake3/getservers/empty\n");
    let base = ["conform", "--target", &target, "quake3/getservers", "--timeout", "500ms"];
    let base = [&base[..], &["--expect-failures", &known, "--format"]].concat();
    let (ran, json) = reports.conform(&[&base[..], &["json"]].concat(), "json");
    assert_eq!(ran.status, Some(0), "{json}");
    assert_eq!(ran.err, "fragshark: quake3/getservers/empty was expected to fail, but passed\n");
    let run: Value = serde_json::from_str(&json).unwrap();
    let summary: Summary = serde_json::from_value(run["summary"].clone()).unwrap();
    assert_eq!(summary.known, 1);
    assert_eq!(summary.expected_but_passed, ["quake3/getservers/empty"]);
    assert_eq!(summary.total, run["cases"].as_array().unwrap().len() as u64);
    assert_eq!(summary.counts().map(|(_, count)| count).sum::<u64>(), summary.total);
    let (_, text) = reports.conform(&[&base[..], &["text"]].concat(), "text");
    let sum = text.lines().last().unwrap();
    let numbers = sum.split(' ').filter_map(|word| word.parse::<u64>().ok());
    let numbers: Vec<_> = numbers.collect();
    assert_eq!(numbers[0], numbers[1..].iter().sum::<u64>(), "{sum}");
    assert_eq!(sum.matches("passed").count(), 1, "{sum}");
}

#[test]
fn a_page_of_a_run_that_passes_is_small_and_its_links_lead_somewhere() {
    let reports = Reports::new();
    let (ran, html) = reports.conform(&["conform", "--format", "html"], "all.html");
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(html.len() < 1_000_000, "{} bytes", html.len());
    let links: Vec<_> = html.split("href=\"#").skip(1).collect();
    assert!(links.len() > 300, "{} links", links.len());
    for link in links {
        let anchor = link.split('"').next().unwrap();
        assert_eq!(html.matches(&format!("<article id=\"{anchor}\">")).count(), 1, "{anchor}");
    }
    assert!(!html.contains("src=") && !html.contains("url("), "it needs nothing beside itself");
}

/// At 400 pixels only hexdumps are wider than the window, and the filter hides what it should.
#[test]
fn a_page_is_read_at_400_pixels() {
    let Some(browser) = Browser::new("a narrow page") else { return };
    let reports = Reports::new();
    let (_running, target) = master(&[Defect::SwappedPort]);
    let base = ["conform", "--target", &target, "quake3/getserversResponse", "--format", "html"];
    let (ran, html) = reports.conform(&base, "page.html");
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    let script = "
        const width = page.documentElement.scrollWidth;
        const one = (id) => [...page.querySelectorAll('.case')]
            .find((one) => one.textContent.includes('getserversResponse/' + id));
        const seen = (id) => one(id).getClientRects().length > 0;
        page.getElementById('show-failed').checked = true;
        const kept = seen('records'), hidden = seen('nobody');
        page.getElementById('show-all').checked = true;
        const find = page.getElementById('find');
        find.value = 'GETSERVERSRESPONSE/NOBODY';
        find.dispatchEvent(new Event('input', {bubbles: true}));
        const found = seen('nobody'), lost = seen('records');
        return {width, kept, hidden, found, lost};
    ";
    let seen = browser.script(&html, 400, script);
    let width = seen["width"].as_u64().unwrap_or(u64::MAX);
    assert!(width <= 400, "{seen}");
    assert_eq!((&seen["kept"], &seen["hidden"]), (&true.into(), &false.into()), "{seen}");
    assert_eq!((&seen["found"], &seen["lost"]), (&true.into(), &false.into()), "{seen}");
}

#[test]
fn two_runs_are_compared() {
    let reports = Reports::new();
    let base = ["conform", "quake3/getservers/line-feed", "quake3/getservers/neither"];
    let report = |defects: &[Defect], form, name: &str| {
        let (_running, target) = master(defects);
        let more = ["--target", &target, "--timeout", "500ms", "--format", form];
        reports.conform(&[&base[..], &more].concat(), name);
        reports.path(name).to_str().unwrap().to_owned()
    };
    let sound = report(&[], "json", "sound.json");
    let broken = report(&[Defect::SilentOnLineFeed], "ndjson", "broken.ndjson");

    let ran = fragshark(&["conform", "diff", &sound, &broken]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(1), ""), "{}", ran.out);
    let newly = "\nnewly failing\n  quake3/getservers/line-feed  pass -> fail\n";
    assert!(ran.out.contains(newly), "{}", ran.out);
    assert!(ran.out.ends_with("2 cases in both: 1 as before, 1 newly failing\n"), "{}", ran.out);

    let ran = fragshark(&["conform", "diff", &broken, &sound]);
    assert_eq!(ran.status, Some(0), "{}", ran.out);
    assert!(ran.out.contains("\nfixed\n  quake3/getservers/line-feed  fail -> pass\n"));

    let (ran, json) =
        reports.conform(&["conform", "diff", &sound, &broken, "--format", "json"], "diff.json");
    assert_eq!(ran.status, Some(1));
    let changes: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(changes["newly_failing"][0]["id"], "quake3/getservers/line-feed");
    assert_eq!(changes["same"], 1);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let reports = Reports::new();
    let list = reports.write("list.json", "[{\"id\":\"a\"}]");
    let (_, page) = reports.conform(&["conform", "quake3/getmotd", "--format", "html"], "page");
    let page = reports.write("page.html", &page);
    let missing = reports.path("missing").to_str().unwrap().to_owned();
    for (arguments, why) in [
        (
            &[&*list, &*list][..],
            "list.json: not a report of `fragshark conform`; one is written by",
        ),
        (&[&page, &page], "page.html: not a report of `fragshark conform`"),
        (&[&missing, &page], "cannot read "),
        (&[&page], "required arguments were not provided"),
        (&[&page, &page, "--strict"], "unexpected argument '--strict'"),
    ] {
        let ran = fragshark(&[&["conform", "diff"], arguments].concat());
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(ran.err.contains(why), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn an_unwritable_report_is_an_error_before_any_case() {
    let ran = fragshark(&["conform", "rtcw", "-o", "/no/such/folder/report"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("cannot write /no/such/folder/report"), "{}", ran.err);
}

/// The option's earlier name.
#[test]
fn report_is_another_name_of_format() {
    let ran = fragshark(&["conform", "quake3/getmotd", "--report", "tap"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("TAP version 14\n"), "{}", ran.out);
}

#[test]
fn what_a_fingerprint_tells_is_a_list_or_lines() {
    let reports = Reports::new();
    let (_running, target) = master(&[]);
    let base = ["fingerprint", "--target", &target, "--profile", "quake3", "--format"];
    let (ran, json) = reports.conform(&[&base[..], &["json"]].concat(), "traits.json");
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let list: Vec<Value> = serde_json::from_str(&json).unwrap();
    let (_, lines) = reports.conform(&[&base[..], &["ndjson"]].concat(), "traits.ndjson");
    let [only] = list.as_slice() else { panic!("{json}") };
    assert_eq!(only["target"], target.as_str());
    let length = |key: &str| only[key].as_array().unwrap().len();
    assert!(length("traits") > 10 && length("implementations") >= 1, "{json}");
    assert_eq!(lines.lines().count(), length("traits") + length("implementations"), "{lines}");
    let best = &only["implementations"][0];
    assert_eq!((&best["name"], &best["confidence"]), (&"fragshark master".into(), &100.into()));
    assert!(
        only["traits"].as_array().unwrap().iter().all(|one| one["value"].is_string()),
        "{json}"
    );
}
