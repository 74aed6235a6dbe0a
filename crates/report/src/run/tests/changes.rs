//! Reading runs again, and comparing them.

use super::*;

fn recorded_run(run: &Run, form: RunForm) -> Recorded {
    Recorded::parse(&written(run, form)).unwrap()
}

#[test]
fn json_and_ndjson_can_be_read_again() {
    for run in [run(), hostile()] {
        let recorded = recorded_run(&run, RunForm::Json);
        assert_eq!(recorded, recorded_run(&run, RunForm::Ndjson));
        assert_eq!(recorded.head, run.head);
        let changes = Changes::between(&recorded, &recorded);
        assert_eq!(changes.same, run.cases.len() as u64);
        assert!(!changes.is_worse() && changes.head.is_empty());
    }
}

#[test]
fn changes_are_grouped() {
    use CaseVerdict::{Blocked, Error, Fail, Info, Pass, Skipped, Warn};
    for (was, is, group) in [
        (Pass, Fail, "newly_failing"),
        (Warn, Fail, "newly_failing"),
        (Blocked, Fail, "newly_failing"),
        (Fail, Pass, "fixed"),
        (Fail, Info, "fixed"),
        (Pass, Blocked, "newly_blocked"),
        (Fail, Error, "newly_blocked"),
        (Blocked, Error, "other"),
        (Fail, Warn, "other"),
        (Pass, Skipped, "other"),
        (Blocked, Pass, "other"),
    ] {
        let of = |verdict| Run { cases: vec![tried("a/b", verdict, "why")], ..Run::default() };
        let [before, after] = [was, is].map(|verdict| recorded_run(&of(verdict), RunForm::Json));
        let changes = Changes::between(&before, &after);
        let value = serde_json::to_value(&changes).unwrap();
        for name in ["newly_failing", "fixed", "newly_blocked", "other"] {
            let count = value[name].as_array().unwrap().len();
            assert_eq!(count, usize::from(name == group), "{was:?} {is:?}: {name}");
        }
        assert_eq!(changes.is_worse(), group == "newly_failing");
    }
}

#[test]
fn a_failure_that_is_no_longer_expected_is_new() {
    let of = |expected| {
        let case = Tried { expected, ..tried("a/b", CaseVerdict::Fail, "why") };
        recorded_run(&Run { cases: vec![case], ..Run::default() }, RunForm::Ndjson)
    };
    let changes = Changes::between(&of(true), &of(false));
    assert_eq!(
        (changes.newly_failing[0].before, changes.newly_failing[0].after),
        ("known", "fail")
    );
    assert!(!Changes::between(&of(false), &of(true)).is_worse());
}

#[test]
fn changes_are_written_as_text() {
    let mut after = run();
    after.head.target = "127.0.0.2".to_owned();
    after.head.settings.remove("server-timeout");
    after.cases[0].verdict = CaseVerdict::Pass;
    after.cases[0].text.clear();
    after.cases[1].verdict = CaseVerdict::Fail;
    after.cases[1].text = "expected order; came\u{1b} none".to_owned();
    after.cases.remove(9);
    after.cases.push(tried("new/one", CaseVerdict::Pass, ""));
    let changes = Changes::between(
        &recorded_run(&run(), RunForm::Json),
        &recorded_run(&after, RunForm::Json),
    );
    let mut out = Vec::new();
    changes.write_text(&mut out, Colour::Plain).unwrap();
    let report = String::from_utf8(out).unwrap();
    let expected = [
        "before: 127.0.0.1:27950, [::1]:27950, dpmaster, fragshark 0.1.0, 2026-11-22T08:25:04Z",
        "after:  127.0.0.2, [::1]:27950, dpmaster, fragshark 0.1.0, 2026-11-22T08:25:04Z",
        "  target: 127.0.0.1:27950 -> 127.0.0.2",
        "  server-timeout: 2s -> (none)",
        "",
        "newly failing",
        "  quake3/list/order  pass -> fail",
        "      expected order; came\\x1b none",
        "",
        "fixed",
        "  quake3/list/end-mark  fail -> pass",
        "      expected an end mark; came none",
        "",
        "only before",
        "  hexenworld/list/z  error",
        "",
        "only after",
        "  new/one  pass",
        "",
        "9 cases in both: 7 as before, 1 newly failing, 1 fixed; 1 only before; 1 only after",
    ];
    assert_eq!(report.lines().collect::<Vec<_>>(), expected);
    let mut out = Vec::new();
    serde_json::to_writer(&mut out, &changes).unwrap();
    let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(value["head"][0]["after"], "127.0.0.2");
    assert_eq!(value["newly_failing"][0]["id"], "quake3/list/order");
}

#[test]
fn other_files_are_refused() {
    let (json, lines) = (written(&run(), RunForm::Json), written(&run(), RunForm::Ndjson));
    let twice = Run { cases: vec![tried("a/b", CaseVerdict::Pass, ""); 2], ..Run::default() };
    let cut = lines.rsplit_once("{\"type\":\"summary\"").unwrap().0;
    for (text, why) in [
        ("", "not a report of `fragshark conform`; one is"),
        ("[]", "not a report of"),
        ("{}", "not a report of"),
        ("{\"a\": 1}\n{\"b\": 2}\n", "not a report of"),
        ("<?xml", "not a report of"),
        (&json[..json.len() / 2], "not a whole report of"),
        (&json.replace("\"pass\"", "\"passed\""), "not a whole report of"),
        (&lines.replace("\"verdict\"", "\"outcome\""), "not a whole report of"),
        (cut, "the report ends before its summary"),
        (&written(&twice, RunForm::Json), "the report has the case a/b twice"),
    ] {
        let error = Recorded::parse(text).unwrap_err().to_string();
        assert!(error.starts_with(why), "{error}");
    }
}
