//! A run as JUnit XML: a test case for each case, with its time, its level, its source, and the
//! traffic if it did not pass.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use quick_junit::{Property, Report, TestCase, TestSuite};

use super::{Run, Tried};
use crate::CaseVerdict;
use crate::junit::{escaped, test_case};
use text::escaped_lines;

/// The name of the report and of its one suite.
const NAME: &str = "fragshark conform";

pub(super) fn write(run: &Run, out: &mut impl Write) -> io::Result<()> {
    let mut suite = TestSuite::new(NAME);
    for (name, value) in run.head.rows() {
        suite.add_property(Property::new(escaped(name), escaped(value)));
    }
    let mut took = Duration::ZERO;
    for tried in &run.cases {
        took += Duration::from_millis(tried.milliseconds);
        suite.add_test_case(case(run, tried));
    }
    suite.set_time(took).set_system_out(run_output(run));
    let mut report = Report::new(NAME);
    report.set_time(took);
    report.add_test_suite(suite);
    report.serialize(&mut *out).map_err(io::Error::other)?;
    out.write_all(b"\n")
}

/// Output that belongs to no single case.
fn run_output(run: &Run) -> String {
    let mut text = String::new();
    for cause in &run.causes {
        _ = writeln!(text, "{}", escaped(&cause.line()));
        _ = writeln!(text, "{}", escaped_lines(&cause.dump));
    }
    for note in &run.notes {
        _ = writeln!(text, "{}", escaped(note));
    }
    text + &run.summary().line()
}

fn case(run: &Run, tried: &Tried) -> TestCase {
    let (mark, why) = (tried.mark(), escaped(run.why(tried)));
    let (id, word) = (escaped(&tried.id), (mark.word(), why.as_str()));
    let mut case = test_case(&id, mark.outcome(), word, || description(run, tried));
    case.set_time(Duration::from_millis(tried.milliseconds));
    let places: Vec<_> = tried.sources.iter().map(super::CitedSection::place).collect();
    let places = places.join(" ");
    for (name, value) in [
        ("verdict", mark.word()),
        ("level", tried.level),
        ("citation", &tried.citation),
        ("specification", &places),
        ("requires", &tried.requires),
    ] {
        if !value.is_empty() {
            case.add_property(Property::new(name, escaped(value)));
        }
    }
    let out = output(tried);
    if !out.is_empty() {
        case.set_system_out(out);
    }
    case
}

/// Why it did not pass, in lines.
fn description(run: &Run, tried: &Tried) -> String {
    let mut text = format!("{}\n", escaped(&tried.title));
    let (requires, citation) = (escaped(&tried.requires), escaped(&tried.citation));
    _ = writeln!(text, "{}: {requires} [{citation}]", tried.level);
    let cause = run.cause_of(tried);
    let (why, dump) = cause
        .map_or_else(|| (tried.text.clone(), &tried.dump), |cause| (cause.line(), &cause.dump));
    _ = writeln!(text, "{}", escaped(&why));
    if let Some(first) = &tried.first_try {
        _ = writeln!(text, "at the first try: {}", escaped(first));
    }
    text + &escaped_lines(dump)
}

/// The traffic of a case; for a case that passed, what was observed.
fn output(tried: &Tried) -> String {
    let mut text = String::new();
    if matches!(tried.verdict, CaseVerdict::Pass | CaseVerdict::Info | CaseVerdict::Warn)
        && !tried.text.is_empty()
    {
        _ = writeln!(text, "{}: {}", tried.mark().word(), escaped(&tried.text));
    }
    if !tried.is_bad() || tried.exchange.is_empty() {
        return text;
    }
    for datagram in &tried.exchange {
        let mark = if datagram.at_fault { "  (at fault)" } else { "" };
        _ = writeln!(text, "{}{mark}", escaped(&datagram.head()));
        _ = writeln!(text, "{}", escaped_lines(&datagram.dump));
    }
    text + &tried.datagram_count()
}
