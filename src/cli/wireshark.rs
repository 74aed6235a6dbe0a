//! `fragshark wireshark`: what Wireshark loads.

use clap::{Args, Subcommand};

use super::DONE;
use super::destination::Destination;
use crate::wireshark;

/// make a dissector for Wireshark
#[derive(Args)]
#[command(subcommand_required = true, arg_required_else_help = true)]
#[command(after_help = "examples:\n  \
    fragshark wireshark lua -o fragshark.lua\n  \
    tshark -X lua_script:fragshark.lua -r captures/tour.pcapng -Y fragshark.quake3.getservers\n\n\
    where Wireshark looks for the file, and the names for its filters: docs/wireshark.md")]
pub(super) struct WiresharkArgs {
    #[command(subcommand)]
    what: WiresharkCommand,
}

#[derive(Subcommand)]
enum WiresharkCommand {
    Lua(LuaArgs),
}

/// write a dissector in Lua, for Wireshark and tshark 4.0 and later
#[derive(Args)]
#[command(after_help = "example:\n  fragshark wireshark lua -o fragshark.lua")]
struct LuaArgs {
    #[command(flatten)]
    destination: Destination,
}

impl WiresharkArgs {
    /// Runs the command under it.
    pub fn run(self) -> anyhow::Result<u8> {
        let WiresharkCommand::Lua(LuaArgs { destination }) = self.what;
        let mut out = destination.open(&[])?;
        wireshark::write_dissector(&mut out)?;
        out.finish()?;
        Ok(DONE)
    }
}
