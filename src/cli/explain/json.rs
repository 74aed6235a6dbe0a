//! The steps of registrations as JSON.

use std::io::{self, Write};
use std::net::SocketAddr;

use serde::Serialize;

use super::verdict;
use crate::session::{Account, Ledger, Left, Outcome};

/// A registration of a server with a master.
#[derive(Serialize)]
struct Registration<'a> {
    server: SocketAddr,
    master: SocketAddr,
    /// The server's name, where it told one; bytes that are no UTF-8 are replaced.
    name: Option<String>,
    game: Option<&'static str>,
    steps: Vec<Step<'a>>,
    /// What became of it, in words.
    verdict: String,
    listed: bool,
    /// How the server went: `goodbye`, `silence`; and the frame in which it was last heard.
    left: Option<Leaving>,
}

#[derive(Serialize)]
struct Step<'a> {
    #[serde(rename = "step")]
    name: String,
    outcome: &'static str,
    text: &'a str,
    frames: &'a [u64],
}

#[derive(Serialize)]
struct Leaving {
    by: &'static str,
    frame: u64,
}

/// Writes a list of registrations; an empty one where the server was not seen.
pub(super) fn write(out: &mut impl Write, accounts: &[Account], ledger: &Ledger) -> io::Result<()> {
    let all: Vec<_> = accounts.iter().map(|account| registration(account, ledger)).collect();
    serde_json::to_writer_pretty(&mut *out, &all)?;
    out.write_all(b"\n")
}

fn registration<'a>(account: &'a Account, ledger: &Ledger) -> Registration<'a> {
    let known = ledger.hosts().server(account.server);
    let name = known.and_then(|server| server.name.as_deref());
    let steps = account.steps.iter().map(|step| Step {
        name: step.step.to_string(),
        outcome: match step.outcome {
            Outcome::Passed => "passed",
            Outcome::Failed => "failed",
            Outcome::Unknown => "unknown",
        },
        text: &step.text,
        frames: &step.messages,
    });
    Registration {
        server: account.server,
        master: account.master,
        name: name.map(|name| String::from_utf8_lossy(name).into_owned()),
        game: known.and_then(|server| server.verdict).map(|verdict| verdict.game.id),
        steps: steps.collect(),
        verdict: verdict(account),
        listed: account.is_listed(),
        left: account.left.as_ref().map(|left| match left {
            Left::Goodbye(at) => Leaving { by: "goodbye", frame: at.number() },
            Left::Silence(at) => Leaving { by: "silence", frame: at.number() },
        }),
    }
}
