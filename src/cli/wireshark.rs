//! `fragshark wireshark`: what Wireshark loads, and what it starts.

mod extcap;

use std::ffi::OsString;
use std::path::Path;

use clap::{Args, Subcommand};

use super::DONE;
use super::destination::Destination;
use super::file_format::check_ending;
use crate::wireshark;

/// make a dissector for Wireshark, or capture for it
#[derive(Args)]
#[command(subcommand_required = true, arg_required_else_help = false)]
#[command(after_help = "examples:\n  \
    fragshark wireshark lua -o fragshark.lua\n  \
    fragshark wireshark extcap --extcap-interfaces\n\n\
    where Wireshark looks for both, and the names for its filters: docs/wireshark.md")]
pub(super) struct WiresharkArgs {
    #[command(subcommand)]
    what: WiresharkCommand,
}

#[derive(Subcommand)]
enum WiresharkCommand {
    Lua(LuaArgs),
    Extcap(extcap::ExtcapArgs),
}

/// write a dissector in Lua, for Wireshark and tshark 4.0 and later
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark wireshark lua -o fragshark.lua\n  \
    tshark -X lua_script:fragshark.lua -r captures/tour.pcapng -Y fragshark.quake3.getservers")]
struct LuaArgs {
    #[command(flatten)]
    destination: Destination,
}

impl WiresharkArgs {
    /// Runs the command under it.
    pub fn run(self) -> anyhow::Result<u8> {
        match self.what {
            WiresharkCommand::Lua(LuaArgs { destination }) => {
                check_ending(destination.file(), &[], &["lua"])?;
                let mut out = destination.open(&[])?;
                wireshark::write_dissector(&mut out)?;
                out.finish()?;
                Ok(DONE)
            }
            WiresharkCommand::Extcap(extcap) => extcap.run(),
        }
    }
}

/// The name under which Wireshark starts the program from its folder of capture programs, where it
/// gives no command.
const EXTCAP_NAME: &str = "fragshark-extcap";

/// The arguments with the command that the program's name stands for.
pub(super) fn join_extcap_name(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<_> = arguments.into_iter().collect();
    let stem = arguments.first().and_then(|name| Path::new(name).file_stem());
    if stem.is_some_and(|stem| stem == EXTCAP_NAME) {
        arguments.splice(1..1, ["wireshark", "extcap"].map(OsString::from));
    }
    arguments
}
