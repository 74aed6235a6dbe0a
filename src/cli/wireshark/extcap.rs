//! `fragshark wireshark extcap`: the program as a capture interface of Wireshark.
//!
//! Wireshark asks in turn for the interfaces, the link types of one, and its options; then it has
//! the program write pcapng to a pipe. The capture itself is that of `fragshark capture`, which
//! takes the place of this process, so that Wireshark's signals reach it.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, bail};
use clap::Args;

use super::super::DONE;
#[cfg(not(unix))]
use super::super::FAILED;
use capture::live::{self, Live, LiveError, LiveOptions};
use export::Output;
use text::escaped;

/// What the names of interfaces begin with, so that they differ from Wireshark's own.
const PREFIX: &str = "fragshark-";

/// be a capture interface of Wireshark, which starts this command itself
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark wireshark extcap --extcap-interfaces\n  \
    ln -s \"$(command -v fragshark)\" ~/.local/lib/wireshark/extcap/fragshark-extcap\n\n\
    under the name fragshark-extcap the program is this command")]
#[expect(clippy::struct_excessive_bools, reason = "options of the command line are flags")]
pub(super) struct ExtcapArgs {
    /// list the interfaces
    #[arg(long, conflicts_with_all = ["extcap_dlts", "extcap_config", "capture"])]
    extcap_interfaces: bool,
    /// list the link types of the interface
    #[arg(long, requires = "extcap_interface", conflicts_with = "extcap_config")]
    extcap_dlts: bool,
    /// list the options of the interface
    #[arg(long, requires = "extcap_interface")]
    extcap_config: bool,
    /// capture
    #[arg(long, requires = "extcap_interface", requires = "fifo")]
    capture: bool,
    /// the interface: fragshark- and the name of a device
    #[arg(long, value_name = "INTERFACE")]
    extcap_interface: Option<String>,
    /// write pcapng to this pipe
    #[arg(long, value_name = "PIPE")]
    fifo: Option<PathBuf>,
    /// capture filter as in tcpdump [default: as of `fragshark capture`]
    #[arg(long, value_name = "BPF")]
    extcap_capture_filter: Option<String>,
    /// Wireshark's version; nothing depends on it
    #[arg(long = "extcap-version", value_name = "VERSION")]
    _extcap_version: Option<String>,
    /// add decoded messages to the packets as comments
    #[arg(long)]
    annotate: bool,
    /// pass on only packets that carry, or complete, a message
    #[arg(long)]
    only_messages: bool,
    /// capture only documented ports, and ICMP errors
    #[arg(long, conflicts_with = "extcap_capture_filter")]
    known_ports: bool,
}

impl ExtcapArgs {
    /// Answers one of Wireshark's questions, or captures.
    pub fn run(self) -> anyhow::Result<u8> {
        if self.capture {
            return self.record();
        }
        let mut out = Output::standard()?;
        if self.extcap_interfaces {
            out.write_all(interfaces()?.as_bytes())?;
        } else if self.extcap_dlts {
            out.write_all(link_of(self.device()?)?.as_bytes())?;
        } else if self.extcap_config {
            out.write_all(OPTIONS.as_bytes())?;
        } else {
            // Wireshark also asks for a capture filter to be checked.
            let Some(filter) = &self.extcap_capture_filter else {
                bail!("ask with --extcap-interfaces; the answer names the interfaces");
            };
            out.write_all(refusal_of(self.device()?, filter).as_bytes())?;
        }
        out.finish()?;
        Ok(DONE)
    }

    /// The device of the interface.
    fn device(&self) -> anyhow::Result<&str> {
        let name = self.extcap_interface.as_deref().unwrap_or_default();
        let device = name.strip_prefix(PREFIX).filter(|device| !device.is_empty());
        device.with_context(|| {
            format!("no interface is named {}; --extcap-interfaces lists them", escaped(name))
        })
    }

    fn record(&self) -> anyhow::Result<u8> {
        let device = self.device()?;
        let Some(fifo) = &self.fifo else { bail!("name a pipe with --fifo") };
        let pipe = OpenOptions::new().write(true).open(fifo);
        let pipe = pipe.with_context(|| format!("cannot write to {}", fifo.display()))?;
        let program = std::env::current_exe().context("cannot find the program itself")?;
        let mut capture = Command::new(program);
        capture.args(["capture", "--quiet", "--write", "-", "--interface", device]);
        if let Some(filter) = self.extcap_capture_filter.as_ref().filter(|text| !text.is_empty()) {
            capture.args(["--capture-filter", filter]);
        } else if self.known_ports {
            capture.arg("--known-ports");
        }
        let chosen = [("--annotate", self.annotate), ("--only-messages", self.only_messages)];
        capture.args(chosen.into_iter().filter(|(_, is_set)| *is_set).map(|(option, _)| option));
        capture.stdout(pipe);
        replace(capture)
    }
}

/// Runs the command in place of this process.
#[cfg(unix)]
fn replace(mut capture: Command) -> anyhow::Result<u8> {
    use std::os::unix::process::CommandExt as _;
    Err(capture.exec()).context("cannot start the capture")
}

/// Runs the command and waits for it.
#[cfg(not(unix))]
fn replace(mut capture: Command) -> anyhow::Result<u8> {
    let status = capture.status().context("cannot start the capture")?;
    Ok(if status.success() { DONE } else { FAILED })
}

/// The options that Wireshark shows: check boxes.
const OPTIONS: &str = "\
    arg {number=0}{call=--only-messages}{display=Only messages}{type=boolflag}{default=true}\
    {tooltip=Pass on only packets that carry or complete a message}\n\
    arg {number=1}{call=--annotate}{display=Comments}{type=boolflag}{default=true}\
    {tooltip=Add decoded messages to the packets as comments}\n\
    arg {number=2}{call=--known-ports}{display=Documented ports only}{type=boolflag}\
    {default=false}{tooltip=Capture only documented ports and ICMP errors}\n";

/// Every device as an interface.
fn interfaces() -> anyhow::Result<String> {
    let version = env!("CARGO_PKG_VERSION");
    let mut lines = format!("extcap {{version={version}}}{{display=fragshark}}\n");
    for device in live::devices()? {
        let name = escaped(&device.name);
        let about = format!("{{value={PREFIX}{name}}}{{display=Game traffic on {name}}}");
        _ = writeln!(lines, "interface {about}");
    }
    Ok(lines)
}

/// The link type of a device.
fn link_of(device: &str) -> anyhow::Result<String> {
    let link = live::link_of(device)?;
    let known = net::LINKS.iter().find(|(number, _)| *number == link);
    let name = known.map_or("unknown", |(_, name)| *name);
    Ok(format!("dlt {{number={link}}}{{name={name}}}{{display={name}}}\n"))
}

/// What is wrong with a capture filter; nothing if it is right, or if the device cannot be opened.
fn refusal_of(device: &str, filter: &str) -> String {
    let options = LiveOptions { filter: filter.to_owned(), ..LiveOptions::default() };
    match Live::open(&[device.to_owned()], &options) {
        Err(error @ LiveError::Filter { .. }) => format!("{error}\n"),
        Ok(_) | Err(_) => String::new(),
    }
}
