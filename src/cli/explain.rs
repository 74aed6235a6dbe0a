//! `fragshark explain`: why a server is not listed.

mod json;

use std::io::Write as _;
use std::net::{IpAddr, SocketAddr};

use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};

use super::captures::Captures;
use super::destination::Destination;
use super::judged;
use crate::dump::{Colour, escaped};
use crate::export::Output;
use crate::session::{Account, Inquiry, Ledger, Left, Outcome, Wanted};

/// walk a server's registration step by step, and name the step that failed
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark explain --server 192.0.2.10 capture.pcapng\n  \
    fragshark explain --server '[2001:db8::10]:27960' capture.pcapng\n\n\
    the status is 0 where no step failed, 1 where one did or the server was never seen")]
pub(super) struct Explain {
    #[command(flatten)]
    captures: Captures,
    /// the server, at the port on which it is asked; without a port, every server at the address
    #[arg(long, value_name = "ADDRESS[:PORT]", value_parser = wanted)]
    server: Wanted,
    /// text (the default), json
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
}

impl Explain {
    /// The status: 1 unless every step of every registration was passed, or may have been.
    pub fn run(self, colour: Colour) -> anyhow::Result<u8> {
        let mut out = self.destination.open(&self.captures.files)?;
        let colour = self.destination.colour(colour);
        let (mut pipeline, mut sieve) = self.captures.open(&self.destination.needs(&out))?;
        let mut inquiry = Inquiry::new(self.server);
        let ledger = pipeline
            .ledger_of(|message| sieve.takes(message), |exchange| inquiry.hear(&exchange))?;
        let accounts = inquiry.conclude(&ledger);
        match self.format {
            As::Json => json::write(&mut out, &accounts, &ledger)?,
            As::Text if accounts.is_empty() => writeln!(out, "{}", unseen(self.server, &ledger))?,
            As::Text => {
                for (n, account) in accounts.iter().enumerate() {
                    if n > 0 {
                        writeln!(out)?;
                    }
                    write(&mut out, account, &ledger, colour)?;
                }
            }
        }
        out.finish()?;
        if inquiry.left_out() > 0 {
            let n = inquiry.left_out();
            pipeline.complain([format!("{n} exchanges were not looked at: there are too many")]);
        }
        let is_good =
            !accounts.is_empty() && accounts.iter().all(|account| account.failed().is_none());
        Ok(self.captures.conclude(&pipeline, judged(is_good)))
    }
}

fn write(
    out: &mut Output,
    account: &Account,
    ledger: &Ledger,
    colour: Colour,
) -> std::io::Result<()> {
    let Account { server, master, steps, left } = account;
    let known = ledger.hosts().server(*server);
    let game = known.and_then(|s| s.verdict).map(|v| v.game.title);
    let name = known.and_then(|s| s.name.as_deref()).map(|name| {
        let text = String::from_utf8_lossy(name);
        format!(" \"{}\"", escaped(&text))
    });
    let game = game.map(|game| format!(" ({game})")).unwrap_or_default();
    writeln!(out, "{server}{}{game} at master {master}", name.unwrap_or_default())?;
    for verdict in steps {
        let style = colour.style(match verdict.outcome {
            Outcome::Passed => AnsiColor::Green.on_default(),
            Outcome::Failed => AnsiColor::Red.on_default().bold(),
            Outcome::Unknown => Style::new().dimmed(),
        });
        let frames = frames(&verdict.messages);
        let (step, outcome, text) = (verdict.step, verdict.outcome, &verdict.text);
        writeln!(out, "  {style}{outcome:<6}{style:#}  {step:<9}  {text}{frames}")?;
    }
    let verdict = verdict(account);
    writeln!(out, "  {verdict}")?;
    match left {
        Some(Left::Goodbye(at)) => writeln!(out, "  it said goodbye in frame {}", at.number()),
        Some(Left::Silence(at)) => {
            writeln!(out, "  it is silent since its heartbeat in frame {}", at.number())
        }
        None => Ok(()),
    }
}

/// What became of a registration.
fn verdict(account: &Account) -> String {
    match account.failed() {
        Some(failed) => format!("it failed at the {}", failed.step),
        None if account.is_listed() => "it is listed".to_owned(),
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

/// What there is instead of the server.
fn unseen(wanted: Wanted, ledger: &Ledger) -> String {
    let Wanted { address, port } = wanted;
    let servers = ledger.hosts().servers();
    let others = servers.iter().filter(|s| s.address.ip() == address && s.heartbeats() > 0);
    let others: Vec<_> = others.map(|s| s.address.to_string()).take(4).collect();
    let asked = match port {
        Some(port) => SocketAddr::new(address, port).to_string(),
        None => address.to_string(),
    };
    if others.is_empty() {
        format!("no heartbeat of {asked} was captured, and no list has it")
    } else {
        let others = others.join(", ");
        format!("no heartbeat of {asked} was captured, and no list has it; there are {others}")
    }
}

/// Reads `ADDRESS[:PORT]`.
fn wanted(text: &str) -> Result<Wanted, String> {
    if let Ok(end) = text.parse::<SocketAddr>() {
        return Ok(Wanted { address: end.ip(), port: Some(end.port()) });
    }
    let bare = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')).unwrap_or(text);
    match bare.parse::<IpAddr>() {
        Ok(address) => Ok(Wanted { address, port: None }),
        Err(_) => {
            Err("an address is wanted, as 192.0.2.10, 192.0.2.10:27960 or [2001:db8::1]:27960"
                .to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_wanted_with_or_without_its_port() {
        for (text, port) in [
            ("192.0.2.10", None),
            ("192.0.2.10:27960", Some(27960)),
            ("2001:db8::1", None),
            ("[2001:db8::1]", None),
            ("[2001:db8::1]:1", Some(1)),
        ] {
            assert_eq!(wanted(text).map(|w| w.port), Ok(port), "{text}");
        }
        for text in ["", "example.org", "192.0.2.10:", "192.0.2:1", "192.0.2.10:65536"] {
            assert!(wanted(text).is_err(), "{text}");
        }
    }
}
