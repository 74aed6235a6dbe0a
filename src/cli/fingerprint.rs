//! `fragshark fingerprint`: what a master's answers tell of its implementation.

use std::io::{self, Write as _};

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::conform::At;
use super::destination::Destination;
use super::{DONE, INCOMPLETE};
use crate::conform::cases::FAMILIES;
use crate::conform::{Seen, fingerprint};
use crate::dump::escaped;

/// tell from a master's answers what it is: how it ends, packs and orders lists, what it asks
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark fingerprint                              the reference master\n  \
    fragshark fingerprint --target 127.0.0.1:27950")]
pub(super) struct Fingerprint {
    #[command(flatten)]
    at: At,
    /// text (the default), json, ndjson
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    format: As,
    #[command(flatten)]
    destination: Destination,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum As {
    Text,
    Json,
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
    /// The status: 3 where nothing was seen.
    pub fn run(self) -> anyhow::Result<u8> {
        let mut out = self.destination.open(&[])?;
        let profile = self.at.profile.map(|profile| profile.name);
        let mut all = Vec::new();
        for mut place in self.at.places(false)? {
            let seen = fingerprint(FAMILIES, &mut place.venue, profile);
            all.push((place.venue.target().to_string(), seen));
        }
        let lines =
            all.iter().flat_map(|(target, seen)| seen.iter().map(|seen| line(target, seen)));
        match self.format {
            As::Text => text(&mut out, &all)?,
            As::Json => {
                serde_json::to_writer_pretty(&mut out, &lines.collect::<Vec<_>>())?;
                writeln!(out)?;
            }
            As::Ndjson => {
                for line in lines {
                    serde_json::to_writer(&mut out, &line)?;
                    writeln!(out)?;
                }
            }
        }
        out.finish()?;
        let any = all.iter().flat_map(|(_, seen)| seen).any(|seen| seen.is_seen);
        Ok(if any { DONE } else { INCOMPLETE })
    }
}

fn line<'a>(target: &'a str, seen: &'a Seen) -> Line<'a> {
    let Seen { kind, name, what, is_seen } = seen;
    Line { target, kind, name, seen: *is_seen, what }
}

/// Traits under the kind of master that has them; where there are several targets, under theirs.
fn text(out: &mut impl io::Write, all: &[(String, Vec<Seen>)]) -> io::Result<()> {
    for (target, seen) in all {
        if all.len() > 1 {
            writeln!(out, "{}", escaped(target))?;
        }
        let mut heading = "";
        for Seen { kind, name, what, .. } in seen {
            if heading != *kind {
                writeln!(out, "{kind}")?;
                heading = kind;
            }
            writeln!(out, "  {name:28} {}", escaped(what))?;
        }
    }
    Ok(())
}
