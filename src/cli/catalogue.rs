//! `fragshark catalogue`: every known message.

use std::io::Write as _;

use clap::{Args, ValueEnum};

use super::destination::{Destination, write_json};
use super::file_format::{FileFormat, JSON, MARKDOWN, TEXT};

/// list every known message with its sections, directions, ports and fields
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark catalogue | less\n  \
    fragshark catalogue --format json | jq '.[].id'\n  \
    fragshark catalogue --format markdown -o catalogue.md")]
pub(super) struct CatalogueArgs {
    /// output format: text, json, markdown; by default that of the ending of the -o file, else text
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    format: Option<CatalogueFormat>,
    #[command(flatten)]
    destination: Destination,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CatalogueFormat {
    Text,
    Json,
    Markdown,
}

impl FileFormat for CatalogueFormat {
    const USUAL: Self = Self::Text;
    const ENDINGS: &'static [(Self, &'static [&'static str])] =
        &[(Self::Text, TEXT), (Self::Json, JSON), (Self::Markdown, MARKDOWN)];
}

impl CatalogueArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let format = self.destination.format(self.format, &[])?;
        let catalogue = export::Catalogue::default();
        let mut out = self.destination.open(&[])?;
        match format {
            CatalogueFormat::Text => write!(out, "{catalogue}")?,
            CatalogueFormat::Markdown => write!(out, "{}", catalogue.markdown())?,
            CatalogueFormat::Json => write_json(&mut out, &catalogue)?,
        }
        Ok(out.finish()?)
    }
}
