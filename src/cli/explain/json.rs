//! The steps of registrations as JSON.

use std::io::{self, Write};
use std::net::SocketAddr;

use serde::Serialize;

use super::selector::plain_name;
use crate::cli::destination::write_json;
use analysis::{self, Analyzer, ShutdownKind};
use text::utc;

/// A registration of a server with a master.
#[derive(Serialize)]
struct RegistrationJson<'a> {
    server: SocketAddr,
    master: SocketAddr,
    /// The server's name as it sent it, and without colour codes, if it sent one.
    name: Option<String>,
    plain_name: Option<String>,
    game: Option<&'static str>,
    steps: Vec<StepJson<'a>>,
    /// The first step that failed.
    failed: Option<&'static str>,
    /// Why, as in the table of registrations.
    cause: Option<&'static str>,
    /// The outcome, in words.
    verdict: String,
    listed: bool,
    heartbeats: u64,
    /// Heartbeats without a response though the capture continued.
    unanswered: u64,
    /// The number of ICMP errors for heartbeats, and the first of them.
    errors: u64,
    error: Option<&'a str>,
    /// The times of the first and the last heartbeat, in UTC.
    first_heartbeat: Option<String>,
    last_heartbeat: Option<String>,
    /// How the server left: `message`, `silence`; and the frame of its last message.
    left: Option<Leaving>,
}

#[derive(Serialize)]
struct StepJson<'a> {
    name: &'static str,
    state: &'static str,
    text: &'a str,
    frames: Vec<u64>,
}

#[derive(Serialize)]
struct Leaving {
    by: &'static str,
    frame: u64,
}

/// Writes a list of registrations; an empty one if the server was not seen.
pub fn write(
    out: &mut impl Write,
    registrations: &[analysis::Registration],
    analyzer: &Analyzer,
) -> io::Result<()> {
    let all: Vec<_> = registrations.iter().map(|of| registration(of, analyzer)).collect();
    write_json(out, &all)
}

fn text(bytes: &[u8]) -> String {
    text::latin(bytes).into_owned()
}

fn registration<'a>(of: &'a analysis::Registration, analyzer: &Analyzer) -> RegistrationJson<'a> {
    let known = analyzer.hosts().server(of.server);
    let steps = of.steps.iter().map(|step| StepJson {
        name: step.name.name(),
        state: step.state.name(),
        text: &step.text,
        frames: step.frames.iter().map(|frame| frame.number).collect(),
    });
    RegistrationJson {
        server: of.server,
        master: of.master,
        name: known.and_then(|server| server.name.as_deref()).map(text),
        plain_name: known.and_then(plain_name),
        game: known.and_then(|server| server.verdict).map(|verdict| verdict.game.id),
        steps: steps.collect(),
        failed: of.failed().map(|step| step.name.name()),
        cause: of.failed().and_then(|step| step.cause).map(analysis::FailureCause::name),
        verdict: of.verdict(),
        listed: of.is_listed(),
        heartbeats: of.heartbeats,
        unanswered: of.unanswered,
        errors: of.errors,
        error: of.error.as_deref(),
        first_heartbeat: of.first.map(utc),
        last_heartbeat: of.last.map(utc),
        left: of.shutdown.as_ref().map(|left| match left {
            ShutdownKind::Shutdown(at) => Leaving { by: "message", frame: at.number() },
            ShutdownKind::Silence(at) => Leaving { by: "silence", frame: at.number() },
        }),
    }
}
