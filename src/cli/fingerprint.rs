//! `fragshark fingerprint`: identifies a master's implementation by its responses.

use std::io;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::conform::TargetArgs;
use super::destination::{Destination, write_json};
use super::file_format::{FileFormat, JSON, NDJSON, TEXT};
use super::{DONE, PARTIAL, confine, notify};
use conform::families::suites;
use conform::{Match, ObservedTrait, fingerprint, identify};
use text::escaped;

/// identify a master's implementation by its responses
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark fingerprint                              the reference master\n  \
    fragshark fingerprint --target 127.0.0.1:27950")]
pub(super) struct Fingerprint {
    #[command(flatten)]
    at: TargetArgs,
    /// output format: text, json, ndjson; by default that of the ending of the -o file, else text
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    format: Option<FingerprintFormat>,
    #[command(flatten)]
    destination: Destination,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FingerprintFormat {
    Text,
    Json,
    Ndjson,
}

impl FileFormat for FingerprintFormat {
    const USUAL: Self = Self::Text;
    const ENDINGS: &'static [(Self, &'static [&'static str])] =
        &[(Self::Text, TEXT), (Self::Json, JSON), (Self::Ndjson, NDJSON)];
}

/// A target in the output.
#[derive(Serialize)]
struct TargetRecord {
    #[serde(rename = "target")]
    name: String,
    /// The implementations that match the traits, the best first.
    implementations: Vec<Match>,
    traits: Vec<ObservedTrait>,
}

/// One line of NDJSON.
#[derive(Serialize)]
struct FingerprintRecord<'a, T> {
    #[serde(rename = "type")]
    kind: &'static str,
    target: &'a str,
    #[serde(flatten)]
    of: &'a T,
}

impl Fingerprint {
    /// The status: 3 if nothing was observed.
    pub fn run(self) -> anyhow::Result<u8> {
        let format = self.destination.format(self.format, &[])?;
        let mut out = self.destination.open(&[])?;
        confine(&self.destination.needs_with_sockets(&out, None))?;
        let profile = self.at.profile()?.map(|profile| profile.name);
        let mut all = Vec::new();
        for mut tested in self.at.targets(false)? {
            let traits = fingerprint(suites(), &mut tested.env, profile);
            let name = tested.env.target().to_string();
            let implementations = identify(suites(), &traits);
            all.push(TargetRecord { name, implementations, traits });
        }
        let mut status = PARTIAL;
        for TargetRecord { name, traits, .. } in &all {
            if traits.iter().any(|seen| seen.value.is_some()) {
                status = DONE;
            } else {
                let why = traits.first().map_or("nothing was seen", |seen| seen.why.as_str());
                notify(&format!("{name}: {why}"));
            }
        }
        match format {
            FingerprintFormat::Text => all.iter().try_for_each(|target| target.text(&mut out))?,
            FingerprintFormat::Json => write_json(&mut out, &all)?,
            FingerprintFormat::Ndjson => {
                all.iter().try_for_each(|target| target.lines(&mut out))?;
            }
        }
        out.finish()?;
        Ok(status)
    }
}

impl TargetRecord {
    /// The implementations, then the traits by kind of master.
    fn text(&self, out: &mut impl io::Write) -> io::Result<()> {
        writeln!(out, "{}", escaped(&self.name))?;
        if self.implementations.is_empty() {
            writeln!(out, "  implementation: unknown")?;
        }
        for Match { kind, name, confidence, fits, of, source } in &self.implementations {
            writeln!(
                out,
                "  implementation: {name}, {confidence} % ({fits} of {of} traits of {kind}, {source})"
            )?;
        }
        let mut heading = "";
        for ObservedTrait { kind, name, value, .. } in &self.traits {
            if heading != *kind {
                writeln!(out, "{kind}")?;
                heading = kind;
            }
            writeln!(out, "  {name:40} {}", escaped(value.as_deref().unwrap_or("not seen")))?;
        }
        Ok(())
    }

    fn lines(&self, out: &mut impl io::Write) -> io::Result<()> {
        let target = self.name.as_str();
        for of in &self.implementations {
            serde_json::to_writer(
                &mut *out,
                &FingerprintRecord { kind: "implementation", target, of },
            )?;
            writeln!(out)?;
        }
        for of in &self.traits {
            serde_json::to_writer(&mut *out, &FingerprintRecord { kind: "trait", target, of })?;
            writeln!(out)?;
        }
        Ok(())
    }
}
