//! A run in the Test Anything Protocol, version 14: one line per case, and failures below it as a
//! block of YAML; what concerns the whole run stands in comments.

use std::io::{self, Write};

use super::{Run, Tried};
use crate::text::line_text;
use crate::{CaseVerdict, Outcome, ReportMark};
use text::escaped;

pub(super) fn write(run: &Run, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "TAP version 14")?;
    for (name, value) in run.head.rows() {
        writeln!(out, "# {}: {}", escaped(name), escaped(value))?;
    }
    for (number, tried) in (1_u64..).zip(&run.cases) {
        case(run, out, number, tried)?;
    }
    for cause in &run.causes {
        writeln!(out, "# {}", escaped(&cause.line()))?;
        for line in cause.dump.lines() {
            writeln!(out, "#   {}", escaped(line))?;
        }
    }
    for note in &run.notes {
        writeln!(out, "# {}", escaped(note))?;
    }
    writeln!(out, "# {}", run.summary().line())?;
    writeln!(out, "1..{}", run.cases.len())
}

fn case(run: &Run, out: &mut impl Write, number: u64, tried: &Tried) -> io::Result<()> {
    let mark = tried.mark();
    let is_known = mark == ReportMark::judged(CaseVerdict::Fail, true);
    let is_bad = matches!(mark.outcome(), Outcome::Failed | Outcome::Broken);
    let word = if is_bad || is_known { "not ok" } else { "ok" };
    let directive = match tried.verdict {
        CaseVerdict::Skipped => format!(" # SKIP {}", escaped_hash(&tried.text)),
        CaseVerdict::Blocked => format!(" # SKIP blocked: {}", escaped_hash(run.why(tried))),
        _ if is_known => " # TODO announced".to_owned(),
        _ => String::new(),
    };
    writeln!(out, "{word} {number} - {}{directive}", escaped_hash(&tried.id))?;
    let is_skipped = matches!(tried.verdict, CaseVerdict::Skipped | CaseVerdict::Blocked);
    if is_skipped || tried.text.is_empty() && !is_bad {
        return Ok(());
    }
    writeln!(out, "  ---")?;
    writeln!(out, "  verdict: {}", mark.word())?;
    writeln!(out, "  level: {}", tried.level)?;
    let first = tried.first_try.as_deref().map(|text| ("first_try", escaped(text).into_owned()));
    let texts =
        [("message", line_text(&tried.line())), ("citation", escaped(&tried.citation).into())];
    for (key, text) in texts.into_iter().chain(first) {
        writeln!(out, "  {key}: {}", serde_json::to_string(&text)?)?;
    }
    writeln!(out, "  duration_ms: {}", tried.milliseconds)?;
    writeln!(out, "  ...")
}

/// Escaped, and without the character that begins a directive.
fn escaped_hash(text: &str) -> String {
    escaped(text).replace('\\', "\\\\").replace('#', "\\#")
}
