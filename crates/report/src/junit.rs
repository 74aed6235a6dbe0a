//! Entries as JUnit XML: a test case for each id, whose class is the group in the id.

use std::collections::BTreeMap;
use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::text::{frames, line_text};
use super::{Outcome, ReportLine};

/// The maximum number of lines kept for one id.
const KEPT: usize = 100;

/// Entries collected until the end.
pub(super) struct Junit {
    name: &'static str,
    tests: BTreeMap<String, JunitTest>,
}

/// All entries of one id.
#[derive(Default)]
struct JunitTest {
    citation: String,
    /// The worst outcome, and its word.
    worst: Option<(Outcome, &'static str)>,
    /// Each entry's text, with its outcome.
    lines: Vec<(Outcome, String)>,
    left_out: u64,
}

impl Junit {
    pub fn new(name: &'static str) -> Self {
        Self { name, tests: BTreeMap::new() }
    }

    pub fn checked(&mut self, id: &str, citation: &str) {
        let test = self.tests.entry(escaped(id)).or_default();
        test.citation = escaped(citation);
    }

    pub fn write(&mut self, line: &ReportLine<'_>) {
        let test = self.tests.entry(escaped(line.id)).or_default();
        if test.citation.is_empty() {
            test.citation = escaped(line.citation);
        }
        let outcome = line.mark.outcome();
        if test.worst.is_none_or(|(worst, _)| worst <= outcome) {
            test.worst = Some((outcome, line.mark.word()));
        }
        if test.lines.len() == KEPT {
            test.left_out += 1;
            return;
        }
        let (word, frames) = (line.mark.word(), frames(line.messages));
        let gap = if frames.is_empty() { "" } else { ": " };
        test.lines.push((outcome, format!("{word}: {frames}{gap}{}", escaped(&line_text(line)))));
    }

    pub fn finish(self, out: &mut impl Write) -> io::Result<()> {
        let mut suite = TestSuite::new(self.name);
        suite.add_test_cases(self.tests.into_iter().map(|(id, test)| test.case(&id)));
        let mut report = Report::new(self.name);
        report.add_test_suite(suite);
        let text = report.to_string().map_err(io::Error::other)?;
        out.write_all(text.as_bytes())
    }
}

impl JunitTest {
    fn case(self, id: &str) -> TestCase {
        let (outcome, word) = self.worst.unwrap_or((Outcome::Passed, ""));
        let mut texts: Vec<_> = self.lines.iter().map(|(_, text)| text.as_str()).collect();
        let more = format!("and {} more", self.left_out);
        if self.left_out > 0 {
            texts.push(&more);
        }
        texts.push(&self.citation);
        let first = self.lines.iter().find(|(of, _)| *of == outcome);
        let message = first.map_or("", |(_, text)| text.as_str());
        let mut case = test_case(id, outcome, (word, message), || texts.join("\n"));
        if outcome == Outcome::Passed && !self.lines.is_empty() {
            case.set_system_out(texts.join("\n"));
        }
        case
    }
}

/// A test case: an id, which is a path separated by dots or by slashes, its outcome, and unless it
/// passed, the outcome's word, a message and a description.
pub(super) fn test_case(
    id: &str,
    outcome: Outcome,
    (word, message): (&str, &str),
    description: impl FnOnce() -> String,
) -> TestCase {
    let mut status = match outcome {
        Outcome::Passed => TestCaseStatus::success(),
        Outcome::Skipped => TestCaseStatus::skipped(),
        Outcome::Failed => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Outcome::Broken => TestCaseStatus::non_success(NonSuccessKind::Error),
    };
    if outcome != Outcome::Passed {
        status.set_type(word).set_message(message).set_description(description());
    }
    let (group, name) = id.rsplit_once(['.', '/']).unwrap_or(("", id));
    let mut case = TestCase::new(name, status);
    if !group.is_empty() {
        case.set_classname(group);
    }
    case
}

/// Escaped, without the two characters that XML forbids and terminals accept.
pub(super) fn escaped(text: &str) -> String {
    text::escaped(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
