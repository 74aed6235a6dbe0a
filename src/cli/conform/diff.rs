//! `fragshark conform diff`: what changed between two runs.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::text_file::TextFile;
use crate::cli::destination::{Destination, TextOrJson, write_json};
use crate::cli::{confine, judged};
use render::Colour;
use report::{Changes, Recorded};

/// compare two reports; the exit status is 1 if a case fails that did not fail before
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark conform --target 127.0.0.1 --profile dpmaster --format json -o before.json\n  \
    fragshark conform --target 127.0.0.1 --profile dpmaster --format json -o after.json\n  \
    fragshark conform diff before.json after.json")]
pub(super) struct Diff {
    /// the earlier report, written by --format json or ndjson
    #[arg(value_name = "BEFORE")]
    before: PathBuf,
    /// the later report
    #[arg(value_name = "AFTER")]
    after: PathBuf,
    /// output format: text, json; by default that of the ending of the -o file, else text
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    format: Option<TextOrJson>,
    #[command(flatten)]
    destination: Destination,
}

impl Diff {
    pub fn run(&self, colour: Colour) -> anyhow::Result<u8> {
        let inputs = [self.before.clone().into(), self.after.clone().into()];
        let format = self.destination.format(self.format, &inputs)?;
        let mut out = self.destination.open(&inputs)?;
        let [before, after] = [TextFile::open(&self.before)?, TextFile::open(&self.after)?];
        confine(&self.destination.needs(&out))?;
        let changes = Changes::between(&read_run(before)?, &read_run(after)?);
        match format {
            TextOrJson::Text => changes.write_text(&mut out, self.destination.colour(colour))?,
            TextOrJson::Json => write_json(&mut out, &changes)?,
        }
        out.finish()?;
        Ok(judged(!changes.is_worse()))
    }
}

fn read_run(file: TextFile<'_>) -> anyhow::Result<Recorded> {
    let name = file.path.display().to_string();
    Recorded::parse(&file.read_text()?).context(name)
}
