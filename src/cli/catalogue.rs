//! `fragshark catalogue`: every known message.

use std::io::Write as _;

use clap::{Args, ValueEnum};

use super::destination::{Destination, write_json};
use crate::export;

/// list every known message with its sections, directions, ports and fields
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark catalogue | less\n  \
    fragshark catalogue --format json | jq '.[].id'\n  \
    fragshark catalogue --format markdown -o docs/catalogue.md")]
pub(super) struct CatalogueArgs {
    /// output format: text (the default), json, markdown
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    format: CatalogueFormat,
    #[command(flatten)]
    destination: Destination,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CatalogueFormat {
    Text,
    Json,
    Markdown,
}

impl CatalogueArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let catalogue = export::Catalogue::default();
        let mut out = self.destination.open(&[])?;
        match self.format {
            CatalogueFormat::Text => write!(out, "{catalogue}")?,
            CatalogueFormat::Markdown => write!(out, "{}", catalogue.markdown())?,
            CatalogueFormat::Json => write_json(&mut out, &catalogue)?,
        }
        Ok(out.finish()?)
    }
}
