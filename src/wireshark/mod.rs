//! A dissector for Wireshark, in Lua, made from the declarations of all protocols.
//!
//! What the declarations say is written as one Lua table (`table`). The rest is a runtime in Lua,
//! the same for every protocol. It knows no protocol but where a declaration is a function; these
//! functions stand in `lua/matches*.lua`.

mod lua;
mod steps;
mod table;

use std::io;

/// The parts of the runtime, each with the name under which the others use it.
static PARTS: &[(&str, &str)] = &[
    ("text", include_str!("lua/text.lua")),
    ("reader", include_str!("lua/reader.lua")),
    ("bzip2", include_str!("lua/bzip2.lua")),
    ("crc32", include_str!("lua/crc32.lua")),
    ("lists", include_str!("lua/lists.lua")),
    ("texts", include_str!("lua/texts.lua")),
    ("tables", include_str!("lua/tables.lua")),
    ("matches", include_str!("lua/matches.lua")),
    ("matches_gamespy", include_str!("lua/matches_gamespy.lua")),
    ("matches_frames", include_str!("lua/matches_frames.lua")),
    ("conditions", include_str!("lua/conditions.lua")),
    ("candidates", include_str!("lua/candidates.lua")),
    ("recognise", include_str!("lua/recognise.lua")),
    ("streams", include_str!("lua/streams.lua")),
];

/// The part that registers the dissector.
static DISSECTOR: &str = include_str!("lua/dissector.lua");

/// Writes the dissector.
///
/// # Errors
/// Those of the output.
pub fn write_dissector(out: &mut impl io::Write) -> io::Result<()> {
    writeln!(out, "-- Dissector of game and master server protocols for Wireshark 4.0 and later.")?;
    writeln!(out, "-- Made by `fragshark wireshark lua`, version {}.", env!("CARGO_PKG_VERSION"))?;
    table::write(out)?;
    for (name, part) in PARTS {
        writeln!(out, "\nlocal {name} = (function()\n{part}end)()")?;
    }
    writeln!(out, "\n{DISSECTOR}")
}
