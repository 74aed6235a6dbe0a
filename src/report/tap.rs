//! Entries in the Test Anything Protocol, version 14: a line each, and what was wrong beneath it as
//! a block of YAML.

use std::io::{self, Write};

use super::text::told;
use super::{Line, Mark, Outcome, Verdict};
use crate::dump::escaped;

/// A list that is being written.
#[derive(Default)]
pub(super) struct Tap {
    count: u64,
}

impl Tap {
    pub fn write(&mut self, out: &mut impl Write, line: &Line<'_>) -> io::Result<()> {
        if self.count == 0 {
            writeln!(out, "TAP version 14")?;
        }
        self.count += 1;
        let bad = matches!(line.mark.outcome(), Outcome::Failed | Outcome::Broken);
        let known = matches!(line.mark, Mark::Judged { verdict: Verdict::Fail, expected: true });
        let skipped = line.mark.outcome() == Outcome::Skipped && !known;
        let word = if bad || known { "not ok" } else { "ok" };
        let end = match (known, skipped) {
            (true, _) => " # TODO announced".to_owned(),
            (_, true) => format!(" # SKIP {}", hashless(line.text)),
            _ => String::new(),
        };
        writeln!(out, "{word} {} - {}{end}", self.count, hashless(line.id))?;
        if skipped || line.text.is_empty() && !bad {
            return Ok(());
        }
        writeln!(out, "  ---")?;
        writeln!(out, "  verdict: {}", line.mark.word())?;
        for (key, text) in [("message", told(line)), ("citation", escaped(line.citation).into())] {
            writeln!(out, "  {key}: {}", serde_json::to_string(&text)?)?;
        }
        writeln!(out, "  ...")
    }

    pub fn finish(self, out: &mut impl Write) -> io::Result<()> {
        if self.count == 0 {
            writeln!(out, "TAP version 14")?;
        }
        writeln!(out, "1..{}", self.count)
    }
}

/// Escaped, and without the character that begins a directive.
fn hashless(text: &str) -> String {
    escaped(text).replace('\\', "\\\\").replace('#', "\\#")
}
