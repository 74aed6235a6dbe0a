//! `fragshark interfaces`: what can be captured.

use std::fmt::Write as _;
use std::io::Write as _;

use anyhow::bail;
use clap::Args;

use super::complain;
use super::output::Output;
use crate::capture::live::{self, Device, LiveError};
use crate::dump;
use crate::net;

/// list the devices that can be captured: name, link type, addresses
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark interfaces\n  \
    sudo fragshark interfaces\n\n\
    docs/capture.md tells which rights capturing takes")]
pub(super) struct Interfaces {}

impl Interfaces {
    #[expect(clippy::unused_self, reason = "as every command")]
    pub fn run(self) -> anyhow::Result<()> {
        let devices = live::devices()?;
        if devices.is_empty() {
            bail!("there is no device that could be captured; it may take rights to see one");
        }
        let mut refusal = None;
        let mut rows = Vec::new();
        let mut is_any_open = false;
        for device in devices {
            let link = match live::link_of(&device.name) {
                Ok(link) => {
                    is_any_open = true;
                    link_name(link)
                }
                Err(LiveError::Denied { .. }) if refusal.is_some() => "not permitted".to_owned(),
                Err(denied @ LiveError::Denied { .. }) => {
                    refusal = Some(denied);
                    "not permitted".to_owned()
                }
                Err(LiveError::Device { why, .. }) => why,
                Err(error) => return Err(error.into()),
            };
            rows.push((device, link));
        }
        let mut out = Output::standard();
        let width = |cell: &dyn Fn(&(Device, String)) -> usize| rows.iter().map(cell).max();
        let names = width(&|(device, _)| device.name.chars().count()).unwrap_or(0);
        let links = width(&|(_, link)| link.chars().count()).unwrap_or(0);
        for (device, link) in &rows {
            let mut line = format!("{:names$}  {:links$}", device.name, link);
            for address in &device.addresses {
                _ = write!(line, "  {address}");
            }
            let state = if device.is_up { "" } else { "  (down)" };
            let what = device.description.as_ref().map_or(String::new(), |d| format!("  {d}"));
            writeln!(out, "{}", dump::escaped(&format!("{line}{state}{what}")).trim_end())?;
        }
        out.finish()?;
        if let Some(refusal) = refusal {
            complain(&refusal.to_string());
            if !is_any_open {
                bail!("nothing can be captured with the rights that this user has");
            }
        }
        Ok(())
    }
}

/// The registry's name for a link type, where it is one that is read.
fn link_name(link: u16) -> String {
    let known = net::LINKS.iter().find(|(number, _)| *number == link);
    known.map_or(format!("link type {link}, which is not read"), |(_, name)| (*name).to_owned())
}
