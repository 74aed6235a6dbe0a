//! The arguments of commands that can replace names by pseudonyms.

use anyhow::Context as _;
use clap::Args;

use export::Redactor;

/// Whether names, addresses and secrets are replaced.
#[derive(Args)]
pub(super) struct Redaction {
    /// replace addresses, names, GUIDs, keys and passwords with pseudonyms
    #[arg(long)]
    pub redact: bool,
    /// derive pseudonyms from this text, so that each run gives the same ones [default: random]
    #[arg(long, value_name = "TEXT", requires = "redact")]
    redact_key: Option<String>,
}

impl Redaction {
    /// What replaces them; nothing unless it is asked for.
    pub fn redactor(&self) -> anyhow::Result<Option<Redactor>> {
        Ok(match &self.redact_key {
            _ if !self.redact => None,
            Some(key) => Some(Redactor::with_key(key)),
            None => Some(Redactor::random().context("no random key for pseudonyms")?),
        })
    }
}
