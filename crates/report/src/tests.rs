use super::*;

const LIST: FindingEntry<'_> = FindingEntry {
    id: "list.end-missing",
    severity: ReportSeverity::Warning,
    citation: "document 001, section 1.1.2",
    messages: &[7, 8],
    text: "the list ends without its end mark",
};
const PORT: FindingEntry<'_> = FindingEntry {
    id: "list.port-swapped",
    severity: ReportSeverity::Error,
    citation: "",
    messages: &[1, 2, 3, 4, 5, 6, 7, 8],
    text: "a\u{1b}[31m\n<b>&\"\u{0}\u{ffff}]]>",
};
const NOTE: FindingEntry<'_> =
    FindingEntry { id: "heartbeat.often", severity: ReportSeverity::Note, messages: &[9], ..LIST };
const CASE: CaseEntry<'_> = CaseEntry {
    id: "quake3/list/end-mark",
    title: "ask for the list",
    citation: "document 001, section 1.1.2",
    verdict: CaseVerdict::Fail,
    expected: false,
    text: "no end mark came",
    messages: &[],
};

fn written<E: ReportEntry>(form: ReportForm, entries: &[E]) -> String {
    painted(form, (Colour::Plain, None), entries)
}

fn text<E: ReportEntry>(columns: Option<usize>, entries: &[E]) -> String {
    painted(ReportForm::Text, (Colour::Plain, columns), entries)
}

fn painted<E: ReportEntry>(
    form: ReportForm,
    paint: (Colour, Option<usize>),
    entries: &[E],
) -> String {
    let mut report = Report::new(Vec::new(), form, "findings", paint);
    for entry in entries {
        report.write(entry).unwrap();
    }
    String::from_utf8(report.finish().unwrap()).unwrap()
}

#[test]
fn findings_are_lines_and_counts() {
    let all = text(None, &[LIST, PORT, NOTE]);
    let lines: Vec<_> = all.lines().collect();
    assert_eq!(
        lines,
        [
            "warning  list.end-missing  frames 7, 8  the list ends without its end mark  \
             [document 001, section 1.1.2]",
            "error    list.port-swapped  frames 1, 2, 3, 4, 5, 6 and 2 more  \
             a\\x1b[31m\\n<b>&\"\\0\u{ffff}]]>",
            "note     heartbeat.often    frame 9  the list ends without its end mark  \
             [document 001, section 1.1.2]",
            "3 findings: 1 error, 1 warning, 1 note",
        ]
    );
    assert_eq!(text::<FindingEntry<'_>>(None, &[]), "");
    assert_eq!(text(None, &[LIST, LIST]).lines().last(), Some("2 findings: 2 warnings"));
}

#[test]
fn long_lines_are_folded() {
    assert_eq!(
        text(Some(80), &[LIST]),
        "warning  list.end-missing  frames 7, 8\n         \
         the list ends without its end mark  [document 001, section 1.1.2]\n\
         1 finding: 1 warning\n"
    );
    for columns in [40, 60, 80, 120] {
        for line in text(Some(columns), &[LIST, PORT, NOTE]).lines() {
            // The heads of entries fit into the narrowest common terminals.
            let limit = if line.starts_with(' ') { columns } else { columns.max(64) };
            assert!(::text::width(line) <= limit, "{columns}: {line}");
        }
    }
}

#[test]
fn colours_only_paint() {
    let painted = painted(ReportForm::Text, (Colour::Ansi, None), &[LIST, PORT, NOTE]);
    let mut plain = String::new();
    for part in painted.split("\u{1b}[").enumerate() {
        match part {
            (0, part) => plain.push_str(part),
            (_, part) => plain.push_str(part.split_once('m').unwrap().1),
        }
    }
    assert_eq!(plain, text(None, &[LIST, PORT, NOTE]));
}

#[test]
fn cases_use_the_same_writer() {
    let cases = [
        CaseEntry { verdict: CaseVerdict::Pass, text: "", ..CASE },
        CASE,
        CaseEntry { expected: true, ..CASE },
        CaseEntry { verdict: CaseVerdict::Skipped, ..CASE },
        CaseEntry { verdict: CaseVerdict::Error, ..CASE },
    ];
    let all = text(None, &cases);
    let lines: Vec<_> = all.lines().collect();
    assert_eq!(
        lines.first(),
        Some(&"pass     quake3/list/end-mark  ask for the list  [document 001, section 1.1.2]")
    );
    assert_eq!(
        lines.last(),
        Some(&"5 cases: 1 passed, 1 failed, 1 failed as expected, 1 skipped, 1 not judged")
    );
}

#[test]
fn json_is_a_list_of_objects() {
    assert_eq!(written::<FindingEntry<'_>>(ReportForm::Json, &[]), "[]\n");
    let json = written(ReportForm::Json, &[LIST, PORT]);
    let read: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        read[0],
        serde_json::json!({
            "id": "list.end-missing", "severity": "warning",
            "citation": "document 001, section 1.1.2", "messages": [7, 8],
            "text": "the list ends without its end mark",
        })
    );
    assert_eq!(read[1]["text"], PORT.text);
    assert_eq!(read.as_array().unwrap().len(), 2);
    let cases: serde_json::Value =
        serde_json::from_str(&written(ReportForm::Json, &[CASE])).unwrap();
    assert_eq!((&cases[0]["verdict"], &cases[0]["expected"]), (&"fail".into(), &false.into()));
}

#[test]
fn junit_has_a_test_case_for_each_id() {
    let mut report = Report::new(Vec::new(), ReportForm::Junit, "findings", (Colour::Plain, None));
    report.checked("list.end-missing", "document 001, section 1.1.2");
    report.checked("server.quiet", "document 001");
    for entry in [LIST, PORT, NOTE, LIST] {
        report.write(&entry).unwrap();
    }
    let xml = String::from_utf8(report.finish().unwrap()).unwrap();
    for part in [
        "<testsuite name=\"findings\" tests=\"4\" skipped=\"0\" errors=\"0\" failures=\"2\">",
        "<testcase name=\"end-missing\" classname=\"list\">",
        "<failure message=\"warning: frames 7, 8: the list ends without its end mark\" \
         type=\"warning\">",
        "<testcase name=\"quiet\" classname=\"server\"/>",
    ] {
        assert!(xml.contains(part), "{part} is not in\n{xml}");
    }
    assert_eq!(xml.matches("<failure").count(), 2, "a note is no failure:\n{xml}");
    assert!(xml.chars().all(is_xml), "{xml}");
    assert!(!xml.contains("<b>"), "{xml}");
}

/// The characters that XML 1.0 allows.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

#[test]
fn junit_keeps_a_bounded_number_of_lines() {
    let xml = written(ReportForm::Junit, &vec![LIST; 1000]);
    assert!(xml.contains("and 900 more"), "{xml}");
    assert!(xml.len() < 12_000, "{}", xml.len());
}

#[test]
fn the_worst_verdict_counts() {
    for (verdicts, element) in [
        (&[(CaseVerdict::Pass, false), (CaseVerdict::Fail, false)][..], "<failure"),
        (&[(CaseVerdict::Fail, false), (CaseVerdict::Pass, false)], "<failure"),
        (&[(CaseVerdict::Error, false), (CaseVerdict::Fail, false)], "<error"),
        (&[(CaseVerdict::Fail, true), (CaseVerdict::Info, false)], "<skipped"),
        (&[(CaseVerdict::Skipped, false)], "<skipped"),
        (&[(CaseVerdict::Warn, false), (CaseVerdict::Pass, false)], "<system-out"),
    ] {
        let cases = verdicts.iter().map(|(verdict, expected)| CaseEntry {
            verdict: *verdict,
            expected: *expected,
            ..CASE
        });
        let xml = written(ReportForm::Junit, &cases.collect::<Vec<_>>());
        let found = ["<failure", "<error", "<skipped", "<system-out"];
        let found: Vec<_> = found.into_iter().filter(|e| xml.contains(e)).collect();
        assert_eq!(found, [element], "{xml}");
    }
}

#[test]
fn a_blocked_case_is_no_failure() {
    let blocked = CaseEntry { verdict: CaseVerdict::Blocked, text: "nobody listens", ..CASE };
    let xml = written(ReportForm::Junit, &[blocked]);
    assert!(
        xml.contains("<skipped message=\"blocked: ask for the list: nobody listens\""),
        "{xml}"
    );
    assert!(xml.contains("type=\"blocked\""), "{xml}");
    let lines = text(None, &[blocked, CaseEntry { verdict: CaseVerdict::Pass, ..CASE }]);
    assert!(lines.ends_with("\n2 cases: 1 passed, 1 blocked\n"), "{lines}");
}

#[test]
fn ndjson_has_an_object_a_line() {
    let lines = written(ReportForm::Ndjson, &[CASE; 7]);
    assert_eq!(lines.lines().count(), 7);
    for line in lines.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(value["id"].is_string());
    }
}

/// An expected failure is shown as such; every other expected case counts as what it is.
#[test]
fn only_failures_can_be_expected() {
    let all = [CaseVerdict::Pass, CaseVerdict::Fail, CaseVerdict::Skipped, CaseVerdict::Warn];
    let cases = all.map(|verdict| CaseEntry { verdict, expected: true, ..CASE });
    let lines =
        text(None, &[&cases[..], &[CaseEntry { verdict: CaseVerdict::Pass, ..CASE }]].concat());
    let sum = "5 cases: 2 passed, 1 failed as expected, 1 with a warning, 1 skipped\n";
    assert!(lines.ends_with(sum), "{lines}");
}
