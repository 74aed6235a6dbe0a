//! `fragshark explain`: why a server is not listed.

mod json;
mod wanted;

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};

use super::captures::Captures;
use super::destination::Destination;
use super::judged;
use crate::analysis::{Analyzer, Left, Registration, StepReport, StepState};
use crate::render::Colour;
use crate::text::escaped;
use wanted::{WantedServer, plain_name};

/// walk a server's registration step by step, and name the step that failed
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark explain --server 192.0.2.10 capture.pcapng\n  \
    fragshark explain --server '[2001:db8::10]:27960' capture.pcapng\n  \
    fragshark explain --server 192.0.2 capture.pcapng\n  \
    fragshark explain --server 'longest yard' --format json capture.pcapng\n\n\
    the status is 0 where no step failed, 1 where one did or no such server was seen")]
pub(super) struct Explain {
    #[command(flatten)]
    captures: Captures,
    /// the server: its address, with or without the port on which it is asked, a part of them, or
    /// a part of its name, in any case and without colour codes; all servers that fit are explained
    #[arg(long, value_name = "SERVER", value_parser = wanted::parse)]
    server: WantedServer,
    /// text (the default), json
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    format: ExplainFormat,
    #[command(flatten)]
    destination: Destination,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExplainFormat {
    Text,
    Json,
}

impl Explain {
    /// The status: 1 unless every step of every registration passed, or may have passed.
    pub fn run(self, colour: Colour) -> anyhow::Result<u8> {
        let mut out = self.destination.open(&self.captures.files)?;
        let colour = self.destination.colour(colour);
        let (mut pipeline, mut sieve) = self.captures.open(&self.destination.needs(&out))?;
        let focus = self.server.focus();
        let ledger = pipeline.analyze_where(
            Analyzer::about(&focus),
            |message| sieve.takes(message),
            |_| {},
        )?;
        let registrations = ledger.registrations_of(|server| self.server.fits(server));
        match self.format {
            ExplainFormat::Json => json::write(&mut out, &registrations, &ledger)?,
            ExplainFormat::Text => self.write(&mut out, &registrations, &ledger, colour)?,
        }
        out.finish()?;
        let is_good =
            !registrations.is_empty() && registrations.iter().all(|r| r.failed().is_none());
        Ok(self.captures.conclude(&pipeline, judged(is_good)))
    }

    fn write(
        &self,
        out: &mut impl Write,
        registrations: &[Registration],
        ledger: &Analyzer,
        colour: Colour,
    ) -> io::Result<()> {
        if registrations.is_empty() {
            return writeln!(out, "{}", self.server.unseen(ledger.hosts()));
        }
        let mut servers: Vec<_> = registrations.iter().map(|r| r.server).collect();
        servers.dedup();
        if servers.len() > 1 {
            writeln!(out, "{} servers fit {}\n", servers.len(), self.server)?;
        }
        for (n, registration) in registrations.iter().enumerate() {
            if n > 0 {
                writeln!(out)?;
            }
            write(out, registration, ledger, colour)?;
        }
        Ok(())
    }
}

fn write(
    out: &mut impl Write,
    registration: &Registration,
    ledger: &Analyzer,
    colour: Colour,
) -> io::Result<()> {
    let Registration { server, master, steps, left, .. } = registration;
    let known = ledger.hosts().server(*server);
    let game = known.and_then(|s| s.verdict).map(|v| format!(" ({})", v.game.title));
    let name = known.and_then(plain_name).map(|name| format!(" \"{}\"", escaped(&name)));
    let (name, game) = (name.unwrap_or_default(), game.unwrap_or_default());
    writeln!(out, "{server}{name}{game} at master {master}")?;
    let failed = registration.failed().map(|step| step.name);
    // Steps after the failed one are shown if they were captured nevertheless.
    let is_told = |step: &&StepReport| {
        step.state != StepState::Unseen || failed.is_none_or(|f| step.name < f)
    };
    for step in steps.iter().filter(is_told) {
        let (style, state) = match step.state {
            StepState::Ok => (AnsiColor::Green.on_default(), "ok"),
            StepState::Failed => (AnsiColor::Red.on_default().bold(), "FAILED"),
            StepState::Unseen => (Style::new().dimmed(), "unseen"),
        };
        let (style, frames) = (colour.style(style), frames(&step.frames));
        writeln!(out, "  {style}{state:<6}{style:#}  {:<9}  {}{frames}", step.name, step.text)?;
    }
    writeln!(out, "  {}", verdict(registration))?;
    match left {
        Some(Left::Shutdown(at)) => {
            writeln!(out, "  the server shut down: it says so in frame {}", at.number())
        }
        Some(Left::Silence(at)) => {
            writeln!(out, "  it is silent since its heartbeat in frame {}", at.number())
        }
        None => Ok(()),
    }
}

/// The outcome of a registration.
fn verdict(registration: &Registration) -> String {
    match registration.failed() {
        Some(failed) => format!("it failed at the {}", failed.name),
        None if registration.is_listed() => "it is listed".to_owned(),
        None => "nothing failed in what was captured".to_owned(),
    }
}

/// `  (frames 1, 2)`.
fn frames(numbers: &[u64]) -> String {
    let listed: Vec<_> = numbers.iter().map(ToString::to_string).collect();
    match numbers.len() {
        0 => String::new(),
        1 => format!("  (frame {})", listed.join(", ")),
        _ => format!("  (frames {})", listed.join(", ")),
    }
}
