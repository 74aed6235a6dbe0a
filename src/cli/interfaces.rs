//! `fragshark interfaces`: the devices that can be captured.

use std::fmt::Write as _;
use std::io;
use std::net::IpAddr;

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::destination::{Destination, TextOrJson, write_json};
use super::notify;
use capture::live::{self, Device, LiveError};

/// list network devices with name, link type and addresses
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark interfaces\n  \
    sudo fragshark interfaces\n\n\
    required privileges: docs/capture.md")]
pub(super) struct Interfaces {
    /// output format: text, json; by default that of the ending of the -o file, else text
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    format: Option<TextOrJson>,
    #[command(flatten)]
    destination: Destination,
}

/// A device in the output.
#[derive(Serialize)]
struct InterfaceRow {
    name: String,
    description: Option<String>,
    addresses: Vec<IpAddr>,
    /// The link type; `None` if it cannot be captured.
    link: Option<String>,
    /// Why it cannot be captured.
    why: Option<String>,
}

impl Interfaces {
    pub fn run(self) -> anyhow::Result<()> {
        let format = self.destination.format(self.format, &[])?;
        let devices = live::devices()?;
        if devices.is_empty() {
            bail!("no device found; listing devices may need more privileges");
        }
        let mut refusal = None;
        let mut rows = Vec::new();
        let mut is_any_open = false;
        for device in devices {
            let (link, why) = match live::link_of(&device.name) {
                Ok(link) => (Some(link_name(link)), None),
                Err(denied @ LiveError::Denied { .. }) => {
                    refusal.get_or_insert(denied);
                    (None, Some("not permitted".to_owned()))
                }
                Err(LiveError::Device { why, .. }) => (None, Some(why)),
                Err(error) => return Err(error.into()),
            };
            is_any_open |= why.is_none();
            let Device { name, description, addresses, .. } = device;
            rows.push(InterfaceRow { name, description, addresses, link, why });
        }
        let mut out = self.destination.open(&[])?;
        match format {
            TextOrJson::Text => text(&mut out, &rows)?,
            TextOrJson::Json => write_json(&mut out, &rows)?,
        }
        out.finish()?;
        if let Some(refusal) = refusal {
            notify(&refusal.to_string());
            if !is_any_open {
                bail!("this user is not permitted to capture on any device");
            }
        }
        Ok(())
    }
}

/// One line per device, in columns.
fn text(out: &mut impl io::Write, rows: &[InterfaceRow]) -> io::Result<()> {
    let widest =
        |cell: fn(&InterfaceRow) -> &str| rows.iter().map(|row| cell(row).chars().count()).max();
    let names = widest(|row| &row.name).unwrap_or(0);
    let links = widest(|row| row.link.as_deref().unwrap_or("-")).unwrap_or(0);
    for InterfaceRow { name, description, addresses, link, why } in rows {
        let mut line = format!("{name:names$}  {:links$}", link.as_deref().unwrap_or("-"));
        for address in addresses {
            _ = write!(line, "  {address}");
        }
        for text in description.iter().chain(why) {
            _ = write!(line, "  {text}");
        }
        writeln!(out, "{}", text::escaped(line.trim_end()))?;
    }
    Ok(())
}

/// The registered name of a link type, if it is supported.
fn link_name(link: u16) -> String {
    let known = net::LINKS.iter().find(|(number, _)| *number == link);
    known.map_or(format!("{link} (not read)"), |(_, name)| (*name).to_owned())
}
