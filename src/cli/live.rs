//! The arguments of commands that read devices, and their messages.

use std::fmt::Write as _;

use clap::Args;

use super::inform;
use capture::live::{Counters, Live, LiveDevice, LiveOptions, filter};
use protocol::{Carrier, Role};
use protocols::registry;
use sandbox::Confined;

/// Which devices are read, and what of them.
#[derive(Args)]
pub(super) struct Devices {
    /// capture on this device, `any` for all; may be repeated
    #[arg(short, long, value_name = "DEVICE")]
    pub interface: Vec<String>,
    /// capture filter as in tcpdump [default: all UDP; TCP on documented ports; ICMP errors]
    #[arg(short = 'f', long, value_name = "BPF", requires = "interface")]
    capture_filter: Option<String>,
    /// capture only documented ports, and ICMP errors
    #[arg(long, conflicts_with = "capture_filter", requires = "interface")]
    known_ports: bool,
    /// also capture packets for other machines
    #[arg(long, requires = "interface")]
    promiscuous: bool,
    /// keep at most this many bytes of each packet [default: 262144]
    #[arg(long, value_name = "BYTES", default_value = "262144", hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(64..=262_144))]
    snap_length: u32,
    /// kernel buffer of each device in MiB [default: 32]
    #[arg(long, value_name = "MIB", default_value = "32", hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=2047))]
    kernel_buffer: u32,
}

impl Devices {
    pub fn open(&self) -> anyhow::Result<Live> {
        let filter = match &self.capture_filter {
            Some(filter) => filter.clone(),
            None if self.known_ports => filter::ports(&ports_of(|_, _| true), &ports_of(over_tcp)),
            None => filter::udp_and(&ports_of(over_tcp)),
        };
        let options = LiveOptions {
            filter,
            or_tagged: self.capture_filter.is_none(),
            snap_length: self.snap_length,
            promiscuous: self.promiscuous,
            buffer: self.kernel_buffer << 20,
            ..LiveOptions::default()
        };
        Ok(Live::open(&self.interface, &options)?)
    }

    /// Whether a device was given.
    pub fn are_given(&self) -> bool {
        !self.interface.is_empty()
    }
}

/// The documented ports of all games for which `selector` holds.
fn ports_of(selector: impl Fn(&'static str, Role) -> bool) -> Vec<u16> {
    let ports = registry().games().flat_map(|game| game.ports.iter().map(|port| (game.id, *port)));
    ports.filter(|(game, port)| selector(game, port.role)).map(|(_, port)| port.number).collect()
}

/// Whether a game's protocol has messages over TCP, so that its masters may listen there.
fn over_tcp(game: &'static str, party: Role) -> bool {
    let streams = |protocol: &&protocol::Protocol| {
        protocol.messages.iter().any(|entry| entry.spec.carrier == Carrier::Stream)
    };
    let speaks = |protocol: &protocol::Protocol| protocol.games.iter().any(|g| g.id == game);
    party == Role::Master && registry().protocols().iter().copied().filter(streams).any(speaks)
}

/// Prints what is captured, and with which privileges.
pub(super) fn report_start(tapped: &[LiveDevice], confined: &Confined) {
    for LiveDevice { name, filter, .. } in tapped {
        let filter = if filter.is_empty() { "everything" } else { filter };
        inform(&format!("capturing on {name}: {filter}"));
    }
    inform(&format!("rights: {confined}"));
}

/// Prints the counters of each device.
pub(super) fn report_counters(tapped: &[LiveDevice], counters: &[Counters]) {
    for (LiveDevice { name, .. }, counters) in tapped.iter().zip(counters) {
        inform(&format!("{name}: {}", counters_text(counters)));
    }
}

/// `12 packets received, 3 dropped by the kernel, 0 by us`.
pub(super) fn counters_text(counters: &Counters) -> String {
    let Counters { received, dropped_by_kernel, dropped_by_us, dropped_by_interface, .. } =
        *counters;
    let mut text = format!(
        "{received} packets received, {dropped_by_kernel} dropped by the kernel, {dropped_by_us} by us"
    );
    if dropped_by_interface > 0 {
        _ = write!(text, ", {dropped_by_interface} by the interface");
    }
    if counters.left() > 0 {
        _ = write!(text, ", {} not read before the end", counters.left());
    }
    text
}

/// Gives files to the user who called sudo, with the mode that they would have without it.
#[cfg(unix)]
pub(super) fn chown_to_user(file: &std::fs::File) -> std::io::Result<()> {
    match sandbox::on_behalf_of() {
        Some((user, group)) => std::os::unix::fs::fchown(file, Some(user), Some(group)),
        None => Ok(()),
    }
}
#[cfg(not(unix))]
pub(super) fn chown_to_user(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}
