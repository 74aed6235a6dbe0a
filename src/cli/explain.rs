//! `fragshark explain`: why a server is not listed.

mod json;
mod selector;

use std::collections::HashSet;
use std::io::{self, Write};
use std::net::SocketAddr;

use anstyle::{AnsiColor, Style};
use clap::Args;

use super::captures::{Captures, FilteredInput};
use super::destination::{Destination, Printed, TextOrJson};
use super::judged;
use analysis::{Analyzer, FrameRef, MessageHeader, Registration, ShutdownKind, StepState};
use filter::FrameSet;
use flow::Flows;
use render::Colour;
use selector::{ServerSelector, plain_name};
use text::escaped;

/// show the steps of a server's registration, and the one that failed
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark explain capture.pcapng\n  \
    fragshark explain --server 192.0.2.10 capture.pcapng\n  \
    fragshark explain --server '[2001:db8::10]:27960' capture.pcapng\n  \
    fragshark explain --server 192.0.2 capture.pcapng\n  \
    fragshark explain --server 'longest yard' --format json capture.pcapng\n\n\
    exit status: 0 no step failed, 1 a step failed or no server matches, 3 input incomplete\n\
    (--keep-going) or damaged (--fail-on-damage)")]
pub(super) struct Explain {
    #[command(flatten)]
    captures: Captures,
    /// the servers to explain: an address with or without port, a part of one, or a part of a name,
    /// ignoring case and colour codes; without it, all: those with a failed step first and whole,
    /// the others with a line each
    #[arg(long, value_name = "SERVER", value_parser = selector::parse)]
    server: Option<ServerSelector>,
    /// output format: text, json; by default that of the ending of the -o file, else text
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    format: Option<TextOrJson>,
    #[command(flatten)]
    destination: Destination,
}

impl Explain {
    /// The status: 1 unless every step of every registration passed, or may have passed.
    pub fn run(self, colour: Colour) -> anyhow::Result<u8> {
        let format = self.destination.format(self.format, &self.captures.files())?;
        let mut out = self.destination.open(&self.captures.files())?;
        let colour = self.destination.colour(colour);
        let FilteredInput { mut pipeline, mut filter } =
            self.captures.open(&self.destination.needs(&out))?;
        let server = self.server.unwrap_or(ServerSelector::All);
        let focus = server.focus();
        let progress = self.destination.progress(pipeline.meter(), Printed::AtTheEnd);
        // Registrations of selected messages are judged with all others as context.
        let is_filtered = !filter.matches_all();
        let mut selected = FilteredMessages::default();
        let analyzer = pipeline.analyze_where(
            Analyzer::about(&focus),
            |message| {
                if is_filtered && filter.matches(message) {
                    selected.count_message(&message.header);
                }
                true
            },
            |_| {},
        )?;
        drop(progress);
        let mut registrations = analyzer.registrations().of_servers(|host| server.fits(host));
        let is_there = !registrations.is_empty();
        if is_filtered {
            let pairs = selected.pairs(pipeline.flows());
            registrations.retain(|of| selected.has(of, &pairs));
        }
        match format {
            TextOrJson::Json => json::write(&mut out, &registrations, &analyzer)?,
            TextOrJson::Text if is_there && registrations.is_empty() => {
                writeln!(out, "the filter matches no message of a registration of {server}")?;
            }
            TextOrJson::Text => write_text(&mut out, &server, &registrations, (&analyzer, colour))?,
        }
        out.finish()?;
        let is_good =
            !registrations.is_empty() && registrations.iter().all(|r| r.failed().is_none());
        Ok(self.captures.conclude(&pipeline, judged(is_good)))
    }
}

/// The registrations; of all servers those that did not fail in one line each.
fn write_text(
    out: &mut impl Write,
    selected: &ServerSelector,
    registrations: &[Registration],
    (analyzer, colour): (&Analyzer, Colour),
) -> io::Result<()> {
    if registrations.is_empty() {
        return writeln!(out, "{}", selected.not_found(analyzer.hosts()));
    }
    let mut servers: Vec<_> = registrations.iter().map(|r| r.server).collect();
    servers.dedup();
    let is_whole = |of: &&Registration| *selected != ServerSelector::All || of.failed().is_some();
    if servers.len() > 1 && *selected != ServerSelector::All {
        writeln!(out, "{} servers match {selected}\n", servers.len())?;
    }
    let mut is_first = true;
    for registration in registrations.iter().filter(is_whole) {
        if !std::mem::take(&mut is_first) {
            writeln!(out)?;
        }
        write(out, registration, analyzer, colour)?;
    }
    let mut others = registrations.iter().filter(|of| !is_whole(of)).peekable();
    if !is_first && others.peek().is_some() {
        writeln!(out)?;
    }
    for registration in others {
        write_heading(out, registration, analyzer)?;
        writeln!(out, ": {}", registration.verdict())?;
    }
    Ok(())
}

/// The messages that the filter selects.
#[derive(Default)]
struct FilteredMessages {
    frames: FrameSet,
    flows: FrameSet,
}

impl FilteredMessages {
    fn count_message(&mut self, header: &MessageHeader) {
        self.frames.add_frame(header.number);
        self.flows.add_frame(header.flow.0.into());
    }

    /// The endpoints of the flows that have such messages, in either order.
    fn pairs(&self, flows: &Flows) -> HashSet<[SocketAddr; 2]> {
        let ids = flows.iter().map(|(id, _)| id).filter(|id| self.flows.has(id.0.into()));
        let ends = ids.filter_map(|id| flows.ends(id));
        ends.flat_map(|(_, [one, other])| [[one, other], [other, one]]).collect()
    }

    /// Whether a registration has such a message: between its server and its master, or in a step.
    fn has(&self, of: &Registration, pairs: &HashSet<[SocketAddr; 2]>) -> bool {
        let mut frames = of.steps.iter().flat_map(|step| &step.frames);
        pairs.contains(&[of.server, of.master]) || frames.any(|at| self.frames.has(at.number))
    }
}

fn write(
    out: &mut impl Write,
    registration: &Registration,
    analyzer: &Analyzer,
    colour: Colour,
) -> io::Result<()> {
    write_heading(out, registration, analyzer)?;
    writeln!(out)?;
    for step in registration.reached() {
        let (style, state) = match step.state {
            StepState::Ok => (AnsiColor::Green.on_default(), "ok"),
            StepState::Failed => (AnsiColor::Red.on_default().bold(), "FAILED"),
            StepState::Unseen => (Style::new().dimmed(), "unseen"),
        };
        let (style, frames) = (colour.style(style), frames(&step.frames));
        writeln!(out, "  {style}{state:<6}{style:#}  {:<9}  {}{frames}", step.name, step.text)?;
    }
    writeln!(out, "  {}", registration.verdict())?;
    match &registration.shutdown {
        Some(ShutdownKind::Shutdown(at)) => {
            writeln!(out, "  the server announced its shutdown in frame {}", at.number())
        }
        Some(ShutdownKind::Silence(at)) => {
            writeln!(out, "  no heartbeat after frame {}", at.number())
        }
        None => Ok(()),
    }
}

/// `192.0.2.10:27960 "The Longest Yard" (Quake III Arena) at master 203.0.113.1:27950`.
fn write_heading(
    out: &mut impl Write,
    registration: &Registration,
    analyzer: &Analyzer,
) -> io::Result<()> {
    let Registration { server, master, .. } = registration;
    let known = analyzer.hosts().server(*server);
    let game = known.and_then(|s| s.verdict).map(|v| format!(" ({})", v.game.title));
    let name = known.and_then(plain_name).map(|name| format!(" \"{}\"", escaped(&name)));
    let (name, game) = (name.unwrap_or_default(), game.unwrap_or_default());
    write!(out, "{server}{name}{game} at master {master}")
}

/// `  (frames 1, 2)`.
fn frames(frames: &[FrameRef]) -> String {
    let listed: Vec<_> = frames.iter().map(|frame| frame.number.to_string()).collect();
    match frames.len() {
        0 => String::new(),
        1 => format!("  (frame {})", listed.join(", ")),
        _ => format!("  (frames {})", listed.join(", ")),
    }
}
