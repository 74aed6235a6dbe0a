//! The arguments of a recorded master, and how it is made from a capture.

use std::ffi::OsString;
use std::path::Path;

use anyhow::bail;
use clap::Args;

use crate::cli::captures::{Captures, FilteredInput, warn};
use crate::cli::destination::with_sockets;
use crate::cli::notify;
use crate::cli::pace::{Longest, longest, speed};
use replay::{
    HostNetwork, Mapping, MasterAddress, Pace, PlayEvent, PlayOptions, RecordedMaster, Spacing,
    Transcript,
};
use sandbox::Needs;

/// How a recorded master is played.
#[derive(Args)]
pub(super) struct RecordedArgs {
    /// answer as the masters in this capture did, in place of the reference master; may be repeated
    #[arg(long, value_name = "CAPTURE", conflicts_with_all = REFERENCE_ONLY)]
    from: Vec<OsString>,
    /// with --from: play only the recorded master with this address
    #[arg(long, value_name = "ADDRESS[:PORT]", requires = "from")]
    master: Option<MasterAddress>,
    /// with --from: replace an address inside messages; OLD and NEW are ADDRESS or ADDRESS:PORT
    #[arg(long, value_name = "OLD=NEW", requires = "from")]
    map: Vec<Mapping>,
    /// with --from: replace all addresses that no --map names; of 127.0.0.0/8 the first 8 bits are
    /// put in place of theirs; one for each family
    #[arg(long, value_name = "ADDR[/BITS]", requires = "from")]
    map_others: Vec<HostNetwork>,
    /// with --from: answer after the recorded time, this many times faster, from 0.1 to 1000; without
    /// it, answers are sent at once
    #[arg(long, value_name = "FACTOR", requires = "from", value_parser = speed)]
    speed: Option<f64>,
    /// with --speed: the longest delay; `none` keeps the recorded delays [default: 1s]
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = longest)]
    #[arg(hide_default_value = true, requires = "speed")]
    max_gap: Longest,
    /// with --from: only requests that match a display filter (syntax: docs/filters.md)
    #[arg(short = 'Y', long, value_name = "FILTER", requires = "from")]
    filter: Option<String>,
}

/// The options that only the reference master has.
const REFERENCE_ONLY: [&str; 5] =
    ["only", "game_policy", "allow_register", "allow_loopback", "defect"];

/// The settings that a recorded master has too.
const LIMITS: [&str; 8] = [
    "flood",
    "flood-burst",
    "flood-loopback",
    "list-rate",
    "list-burst",
    "connections",
    "connections-per-address",
    "connection-timeout",
];

/// Refuses settings, as in `server-timeout=5s,flood=0`, that a recorded master does not have.
pub(super) fn check_settings(assignments: &[String]) -> anyhow::Result<()> {
    let all = assignments.iter().flat_map(|all| all.split(','));
    let mut names = all.filter_map(|one| Some(one.split_once('=')?.0.trim()));
    match names.find(|name| !LIMITS.contains(name)) {
        Some(name) => {
            let limits = LIMITS.join(", ");
            bail!("--set {name} has no effect with --from; these settings have one: {limits}")
        }
        None => Ok(()),
    }
}

impl RecordedArgs {
    pub fn is_given(&self) -> bool {
        !self.from.is_empty()
    }

    /// The files that are read.
    pub fn files(&self) -> &[OsString] {
        &self.from
    }

    /// Reads the captures, after unneeded privileges were dropped; `ports` are recorded ports, and
    /// those to listen on in place of them.
    pub fn read_recording(
        &self,
        ports: Vec<(u16, u16)>,
        recording: Option<&Path>,
        verbose: bool,
    ) -> anyhow::Result<RecordedMaster> {
        let families: Vec<_> = self.map_others.iter().map(|other| other.is_ipv6()).collect();
        if matches!(families[..], [false, false, ..] | [true, true, ..] | [_, _, _, ..]) {
            bail!("--map-others takes one address of each family, IPv4 and IPv6");
        }
        let captures = Captures::new(self.from.clone(), self.filter.clone());
        let needs = with_sockets(Needs::default(), recording);
        let FilteredInput { mut pipeline, mut filter } = captures.open(&needs)?;
        let transcript =
            Transcript::of_recording(&mut pipeline, |message| filter.matches(message))?;
        warn(&transcript.warnings);
        captures.integrity(&pipeline).conclude(0);
        let spacing = self.speed.map(Spacing::Recorded);
        let longest = self.max_gap.0;
        let options = PlayOptions {
            master: self.master,
            mappings: self.map.clone(),
            others: self.map_others.clone(),
            pace: spacing.map(|spacing| Pace { spacing, longest, limit: None }),
            ports,
        };
        let report = Box::new(move |event| match event {
            PlayEvent::NotAnswered(line) => notify(&line),
            PlayEvent::Played(line) if verbose => notify(&line),
            PlayEvent::Played(_) => {}
        });
        let master = RecordedMaster::new(&transcript, &options, report)?;
        for note in master.notes() {
            notify(note);
        }
        Ok(master)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use masters::SETTINGS;

    #[test]
    fn the_limits_are_settings_of_the_reference_master() {
        for name in LIMITS {
            assert!(SETTINGS.iter().any(|setting| setting.name == name), "{name}");
        }
    }
}
