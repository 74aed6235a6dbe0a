mod changes;

use super::*;
use crate::CaseVerdict;

/// Text that would break out of a line, a string, an element or a terminal.
const EVIL: &str = "a\u{1b}[31m\n#<b>\\\u{202e}]]>\"'&<script>alert(1)</script>";

fn tried(id: &str, verdict: CaseVerdict, text: &str) -> Tried {
    Tried {
        id: id.to_owned(),
        title: "ask for the list".to_owned(),
        requires: "a list is answered".to_owned(),
        citation: "001 1.1.2, 000 getserversResponse".to_owned(),
        sources: Vec::new(),
        level: "MUST",
        verdict,
        expected: false,
        blocked_by: None,
        text: text.to_owned(),
        first_try: None,
        unstable: false,
        dump: String::new(),
        milliseconds: 3,
        exchange: Vec::new(),
        left_out: 0,
        detail: String::new(),
    }
}

fn head() -> RunHead {
    RunHead {
        version: "0.1.0".to_owned(),
        target: "127.0.0.1:27950".to_owned(),
        also: Some("[::1]:27950".to_owned()),
        profile: Some("dpmaster".to_owned()),
        settings: [("server-timeout", "2s"), ("timeout", "2s")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        started: "2026-11-22T08:25:04Z".to_owned(),
    }
}

fn datagram(what: &str) -> CaseDatagram {
    CaseDatagram {
        time: "+0.012 s".to_owned(),
        ends: "client 127.0.0.1:7 → the master".to_owned(),
        what: what.to_owned(),
        dump: "  0000  ff ff ff ff  │....│".to_owned(),
        at_fault: true,
    }
}

/// One case of every verdict, and one that was expected to fail and passed.
fn run() -> Run {
    let mut failed =
        tried("quake3/list/end-mark", CaseVerdict::Fail, "expected an end mark; came none");
    failed.dump = "> 0000  41  │A│".to_owned();
    failed.detail = "MUST: a list is answered\n> 0000  41\n".to_owned();
    failed.first_try = Some("expected an end mark; came nothing in 2s".to_owned());
    failed.exchange = vec![datagram("getservers, 24 bytes")];
    failed.left_out = 2;
    let announced = |id, verdict| Tried { expected: true, ..tried(id, verdict, "silence") };
    let blocked = |id| Tried {
        blocked_by: Some("quake3/listed".to_owned()),
        ..tried(id, CaseVerdict::Blocked, "")
    };
    Run {
        head: head(),
        causes: vec![Cause {
            id: "quake3/listed".to_owned(),
            says: "no server is listed".to_owned(),
            text: "expected a list; came nothing in 2s".to_owned(),
            dump: "  0000  42  │B│".to_owned(),
            detail: "  0000  42  │B│\n".to_owned(),
            cases: vec!["quake3/shutdown/gone".to_owned(), "quake3/shutdown/back".to_owned()],
        }],
        cases: vec![
            failed,
            tried("quake3/list/order", CaseVerdict::Pass, ""),
            announced("quake3/list/announced", CaseVerdict::Pass),
            tried("quake3/heartbeat/asked", CaseVerdict::Warn, "silence"),
            announced("quake3/heartbeat/known", CaseVerdict::Fail),
            blocked("quake3/shutdown/gone"),
            blocked("quake3/shutdown/back"),
            tried("hexenworld/list/x", CaseVerdict::Skipped, EVIL),
            tried("hexenworld/list/y", CaseVerdict::Info, "seven bytes"),
            tried("hexenworld/list/z", CaseVerdict::Error, "no socket"),
        ],
        notes: vec!["the target may still hold 180 servers".to_owned()],
    }
}

/// A run whose every text is hostile.
fn hostile() -> Run {
    let evil = || EVIL.to_owned();
    let all = [
        CaseVerdict::Pass,
        CaseVerdict::Fail,
        CaseVerdict::Warn,
        CaseVerdict::Info,
        CaseVerdict::Skipped,
    ];
    let all = all.into_iter().chain([CaseVerdict::Blocked, CaseVerdict::Error]).enumerate();
    let cases = all.map(|(n, verdict)| Tried {
        id: format!("{n}/{EVIL}/x"),
        title: evil(),
        requires: evil(),
        citation: evil(),
        blocked_by: (verdict == CaseVerdict::Blocked).then(evil),
        first_try: Some(evil()),
        dump: evil(),
        exchange: vec![CaseDatagram { time: evil(), ends: evil(), dump: evil(), ..datagram(EVIL) }],
        ..tried("", verdict, EVIL)
    });
    let cause = || Cause {
        id: evil(),
        says: evil(),
        text: evil(),
        dump: evil(),
        detail: String::new(),
        cases: vec![evil()],
    };
    Run {
        head: RunHead {
            version: evil(),
            target: evil(),
            also: Some(evil()),
            profile: Some(evil()),
            settings: [(evil(), evil())].into(),
            started: evil(),
        },
        causes: vec![cause()],
        cases: cases.collect(),
        notes: vec![evil()],
    }
}

fn written(run: &Run, form: RunForm) -> String {
    let mut out = Vec::new();
    Run::write_all(std::slice::from_ref(run), &mut out, form, Colour::Plain).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn text_has_sections_causes_notes_and_a_summary() {
    let text = written(&run(), RunForm::Text);
    let expected = [
        "quake3",
        "  list",
        "    fail    end-mark  ask for the list",
        "            expected an end mark; came none",
        "            at the first try: expected an end mark; came nothing in 2s",
        "            MUST: a list is answered",
        "            > 0000  41",
        "    pass    order  ask for the list",
        "    pass    announced  ask for the list",
        "            silence",
        "  heartbeat",
        "    warn    asked  ask for the list",
        "            silence",
        "    known   known  ask for the list",
        "            silence",
        "",
        "hexenworld",
        "  list",
        "    skipped x  ask for the list",
        "            a\\x1b[31m",
        "            #<b>\\\\u{202e}]]>\"'&<script>alert(1)</script>",
        "    info    y  ask for the list",
        "            seven bytes",
        "    error   z  ask for the list",
        "            no socket",
        "",
        "no server is listed: 2 cases could not be judged (expected a list; came nothing in 2s)",
        "    0000  42  │B│",
        "the target may still hold 180 servers",
        "10 cases: 2 passed, 1 failed, 1 failed as expected, 1 with a warning, 1 info, 1 skipped, \
         2 blocked, 1 not judged",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    let mut painted = Vec::new();
    Run::write_all(&[run()], &mut painted, RunForm::Text, Colour::Ansi).unwrap();
    let painted = String::from_utf8(painted).unwrap();
    assert!(painted.contains("\u{1b}[") && !painted.contains("\u{1b}[31m\n"));
}

#[test]
fn a_target_that_is_down_is_one_line_and_the_summary() {
    let Run { head, causes, cases, .. } = run();
    let cases: Vec<_> =
        cases.into_iter().filter(|tried| tried.verdict == CaseVerdict::Blocked).collect();
    let text = written(&Run { head, causes, cases, notes: Vec::new() }, RunForm::Text);
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(lines[1..], ["2 cases: 2 blocked"]);
    assert!(lines[0].starts_with("no server is listed: 2 cases could not be judged"));
}

#[test]
fn every_case_is_counted_once() {
    let summary = run().summary();
    let Summary { total, pass, fail, known, warn, info, skipped, blocked, error, .. } = summary;
    assert_eq!(pass + fail + known + warn + info + skipped + blocked + error, total);
    assert_eq!((total, pass, known, blocked), (10, 2, 1, 2));
    assert_eq!(summary.expected_but_passed, ["quake3/list/announced"]);
    assert_eq!(summary.counts().map(|(_, count)| count).sum::<u64>(), total);
    let twice = Summary::from_cases(run().cases.iter().chain(&run().cases));
    assert_eq!((twice.total, twice.counts().map(|(_, n)| n).sum::<u64>()), (20, 20));
    assert_eq!(Summary::default().line(), "0 cases");
}

#[test]
fn tap_has_a_line_each_and_a_plan() {
    let tap = written(&run(), RunForm::Tap);
    let lines: Vec<_> = tap.lines().filter(|line| !line.starts_with([' ', '#'])).collect();
    assert_eq!(
        lines,
        [
            "TAP version 14",
            "not ok 1 - quake3/list/end-mark",
            "ok 2 - quake3/list/order",
            "ok 3 - quake3/list/announced",
            "ok 4 - quake3/heartbeat/asked",
            "not ok 5 - quake3/heartbeat/known # TODO announced",
            "ok 6 - quake3/shutdown/gone # SKIP blocked: no server is listed",
            "ok 7 - quake3/shutdown/back # SKIP blocked: no server is listed",
            "ok 8 - hexenworld/list/x # SKIP a\\\\x1b[31m\\\\n\\#<b>\\\\\\\\u{202e}]]>\"'&<script>\
             alert(1)</script>",
            "ok 9 - hexenworld/list/y",
            "not ok 10 - hexenworld/list/z",
            "1..10",
        ]
    );
    for part in [
        "# target: 127.0.0.1:27950\n# also: [::1]:27950\n# profile: dpmaster\n",
        "  ---\n  verdict: fail\n  level: MUST\n  message: \"ask for the list: expected an end",
        "# no server is listed: 2 cases could not be judged (expected a list; came nothing in 2s)\n",
        "# the target may still hold 180 servers\n# 10 cases: 2 passed, ",
    ] {
        assert!(tap.contains(part), "{part} is not in\n{tap}");
    }
    assert!(written(&Run::default(), RunForm::Tap).ends_with("# 0 cases\n1..0\n"));
    for line in written(&hostile(), RunForm::Tap).lines() {
        let known = ["TAP ", "# ", "  ", "ok ", "not ok ", "1.."];
        assert!(known.iter().any(|begin| line.starts_with(begin)), "{line}");
    }
}

#[test]
fn json_is_one_document_with_a_head_and_a_summary() {
    for run in [run(), hostile(), Run::default()] {
        let value: serde_json::Value = serde_json::from_str(&written(&run, RunForm::Json)).unwrap();
        assert_eq!(value["run"], serde_json::to_value(&run.head).unwrap());
        assert_eq!(value["cases"].as_array().unwrap().len(), run.cases.len());
        assert_eq!(value["causes"].as_array().unwrap().len(), run.causes.len());
        assert_eq!(value["notes"].as_array().unwrap().len(), run.notes.len());
        assert_eq!(value["summary"]["total"], run.cases.len());
    }
    let value: serde_json::Value = serde_json::from_str(&written(&run(), RunForm::Json)).unwrap();
    assert_eq!(value["run"]["settings"]["server-timeout"], "2s");
    assert_eq!(value["causes"][0]["cases"][1], "quake3/shutdown/back");
    assert_eq!(value["cases"][5]["blocked_by"], "quake3/listed");
    assert_eq!(value["cases"][0]["exchange"][0]["what"], "getservers, 24 bytes");
    assert_eq!(value["notes"][0], "the target may still hold 180 servers");
}

#[test]
fn ndjson_has_its_types_in_order() {
    let lines = written(&run(), RunForm::Ndjson);
    let kinds = lines.lines().map(|line| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        value["type"].as_str().unwrap().to_owned()
    });
    let mut kinds: Vec<_> = kinds.collect();
    kinds.dedup();
    assert_eq!(kinds, ["run", "cause", "case", "note", "summary"]);
}

#[test]
fn junit_has_time_level_citation_dump_and_exchange() {
    let xml = written(&run(), RunForm::Junit);
    for part in [
        "tests=\"10\" skipped=\"4\" errors=\"1\" failures=\"1\" time=\"0.030\"",
        "<property name=\"profile\" value=\"dpmaster\"/>",
        "<testcase name=\"end-mark\" classname=\"quake3/list\" time=\"0.003\">",
        "<property name=\"level\" value=\"MUST\"/>",
        "<property name=\"citation\" value=\"001 1.1.2, 000 getserversResponse\"/>",
        "<failure message=\"expected an end mark; came none\" type=\"fail\">",
        "at the first try: expected an end mark; came nothing in 2s\n&gt; 0000  41  │A│</failure>",
        "+0.012 s  client 127.0.0.1:7 → the master  getservers, 24 bytes  (at fault)\n",
        "1 datagram, and 2 more that are not shown</system-out>",
        "<skipped message=\"no server is listed\" type=\"blocked\">",
        "<skipped message=\"silence\" type=\"known\">",
        "<error message=\"no socket\" type=\"error\">",
        "the target may still hold 180 servers\n10 cases: 2 passed",
    ] {
        assert!(xml.contains(part), "{part} is not in\n{xml}");
    }
    assert_eq!(xml.matches("<testcase ").count(), xml.matches(" time=\"0.003\"").count());
    let xml = written(&hostile(), RunForm::Junit);
    assert!(!xml.contains("<b>") && !xml.contains("<script"), "{xml}");
    let is_xml = |c| matches!(c, '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}');
    assert!(xml.chars().all(is_xml), "{xml}");
}

#[test]
fn text_on_a_page_is_escaped() {
    let page = written(&hostile(), RunForm::Html);
    assert!(!page.contains("<b>") && !page.contains("<script>alert"), "{page}");
    assert_eq!(page.matches("<script").count(), 1);
    assert!(!page.contains('\u{1b}') && !page.contains('\u{202e}'));
    assert!(!page.contains("://"), "the page needs nothing beside itself");
}

#[test]
fn a_page_has_causes_and_failures_first() {
    let page = written(&run(), RunForm::Html);
    let order = [
        "<td>127.0.0.1:27950</td>",
        "<th scope=\"row\">server-timeout</th><td>2s</td>",
        "10 cases: 2 passed",
        "<p>the target may still hold 180 servers</p>",
        "no server is listed: 2 cases could not be judged",
        "Failed (2)",
        "<h3>quake3/list/end-mark</h3>",
        "at the first try: expected an end mark",
        "1 datagram, and 2 more that are not shown",
        "With a warning (1)",
        "Not judged (3)",
        "<p class=\"why\">no server is listed</p>",
        "Passed (3)",
        "<td class=\"id\">quake3/list/order</td>",
        "Not tried (1)",
    ];
    let mut rest = page.as_str();
    for part in order {
        let Some((_, behind)) = rest.split_once(part) else { panic!("{part} is not in\n{rest}") };
        rest = behind;
    }
}

#[test]
fn citations_lead_to_the_sections_at_the_end_of_the_page() {
    let source = |cited, anchor| CitedSection {
        cited,
        document: "the protocol of <Q3Master>",
        page: "docs/protocols/quake3.md".to_owned(),
        anchor,
        text: "### 4.2 getserversResponse\n\nThe <answer>.",
    };
    let mut run = run();
    for tried in &mut run.cases {
        tried.sources = vec![source("000 getserversResponse", "getservers-response")];
    }
    let page = written(&run, RunForm::Html);
    let anchor = "source-docs-protocols-quake3-md-getservers-response";
    assert_eq!(page.matches(&format!("href=\"#{anchor}\"")).count(), run.cases.len());
    assert_eq!(page.matches(&format!("<article id=\"{anchor}\">")).count(), 1);
    assert!(page.contains("document 000: the protocol of &lt;Q3Master&gt;"), "{page}");
    assert!(page.contains("The &lt;answer&gt;.</pre>"), "{page}");
}

#[test]
fn runs_stand_side_by_side_on_a_page() {
    let mut other = run();
    other.head.target = "127.0.0.2".to_owned();
    other.cases.remove(0);
    let page = page(&[run(), other]);
    for part in
        ["<td>127.0.0.1:27950</td><td>127.0.0.2</td>", "9 cases: 2 passed", "127.0.0.2: no s"]
    {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    let row = "<td class=\"id\">quake3/list/order</td><td class=\"pass\">pass</td>";
    assert!(page.contains(&format!("{row}<td class=\"pass\">pass</td>")), "{page}");
}
