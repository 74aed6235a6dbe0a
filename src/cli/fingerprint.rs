//! `fragshark fingerprint`: what a master's answers tell of its implementation.

use std::io::Write as _;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::conform::At;
use super::{COULD_NOT_RUN, DONE};
use crate::conform::cases::FAMILIES;
use crate::conform::{Seen, fingerprint};
use crate::dump::escaped;
use crate::export::Output;

/// tell from a master's answers what it is: how it ends, packs and orders lists, what it asks
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark fingerprint                              the reference master\n  \
    fragshark fingerprint --target 127.0.0.1:27950")]
pub(super) struct Fingerprint {
    #[command(flatten)]
    at: At,
    /// text (the default), ndjson
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    format: As,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum As {
    Text,
    Ndjson,
}

/// A trait as it is printed.
#[derive(Serialize)]
struct Line<'a> {
    target: &'a str,
    kind: &'a str,
    #[serde(rename = "trait")]
    name: &'a str,
    seen: bool,
    what: &'a str,
}

impl Fingerprint {
    /// The status: 2 where nothing was seen.
    pub fn run(self) -> anyhow::Result<u8> {
        let mut out = Output::standard();
        let mut any = false;
        let profile = self.at.profile.map(|profile| profile.name);
        for mut place in self.at.places(false)? {
            let seen = fingerprint(FAMILIES, &mut place.env, profile);
            any |= seen.iter().any(|seen| seen.value.is_some());
            let target = place.env.target().to_string();
            if self.format == As::Text && self.at.target.len() > 1 {
                writeln!(out, "{}", escaped(&target))?;
            }
            let mut heading = "";
            for Seen { kind, name, value, why } in &seen {
                let what = value.as_deref().unwrap_or("not seen");
                let is_seen = &value.is_some();
                let _ = why;
                match self.format {
                    As::Text => {
                        if heading != *kind {
                            writeln!(out, "{kind}")?;
                            heading = kind;
                        }
                        writeln!(out, "  {name:28} {}", escaped(what))?;
                    }
                    As::Ndjson => {
                        let line = Line { target: &target, kind, name, seen: *is_seen, what };
                        serde_json::to_writer(&mut out, &line)?;
                        writeln!(out)?;
                    }
                }
            }
        }
        out.finish()?;
        Ok(if any { DONE } else { COULD_NOT_RUN })
    }
}
