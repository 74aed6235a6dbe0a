//! `decode --as MESSAGE`: bytes of a hexdump as a message that the user names.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};

use anyhow::{Context as _, bail};

use capture::hexdump;
use export::Output;
use net::{Packet, Stack};
use protocol::{Entry, Reading};
use render::{self, DumpStyle};

/// The hexdumps of these files, open but not read; `-` is standard input.
pub(super) struct Hexdumps(Vec<(String, Box<dyn Read>)>);

impl Hexdumps {
    pub fn open(files: &[OsString]) -> anyhow::Result<Self> {
        let open = |file: &OsString| {
            let name = file.to_string_lossy().into_owned();
            if file == "-" {
                return Ok(("standard input".to_owned(), Box::new(io::stdin()) as Box<dyn Read>));
            }
            let opened = File::open(file).with_context(|| format!("cannot open {name}"))?;
            Ok((name, Box::new(opened) as Box<dyn Read>))
        };
        files.iter().map(open).collect::<anyhow::Result<_>>().map(Self)
    }

    /// Writes the annotated bytes of every packet as a message of `entry`. Returns whether the message
    /// covers all bytes of every packet.
    pub fn write(self, entry: &Entry, out: &mut Output, style: DumpStyle) -> anyhow::Result<bool> {
        let (mut reading, mut text) = (Reading::default(), String::new());
        let (mut number, mut is_whole) = (0, true);
        for (name, file) in self.0 {
            let packets = hexdump::read_packets(file);
            let packets = packets.with_context(|| format!("cannot read {name}"))?;
            if packets.is_empty() {
                bail!("{name} has no hexdump; --as decodes bytes that are given as text");
            }
            for packet in &packets {
                let mut stack = Stack::default();
                let payload = payload(packet, &mut stack);
                number += 1;
                let (protocol, message) = (entry.protocol.id, entry.spec.name_of(payload, None));
                reading.read_message(entry, payload);
                is_whole &= reading.fault().is_none();
                text.clear();
                render::annotated(&mut text, &reading, payload, 0..0, style);
                writeln!(out, "#{number}  {protocol} {message}, {} bytes\n{text}", payload.len())?;
            }
        }
        Ok(is_whole)
    }
}

/// The payload of a packet: what follows the headers of a UDP datagram, or else everything.
fn payload<'a>(packet: &'a [u8], stack: &'a mut Stack) -> &'a [u8] {
    let ip = hexdump::ip_packet(packet).unwrap_or_default();
    match stack.read_frame(hexdump::LINK_RAW, 0, 0, ip, ip.len() as u32) {
        Packet::Datagram(datagram) => datagram.payload,
        _ => packet,
    }
}

/// A message by the name that filters have for it, `quake3.getservers`, or by its name alone where
/// only one protocol has it.
pub(super) fn message_named(name: &str) -> Result<&'static Entry, String> {
    query::message_named(name, &[])
}
