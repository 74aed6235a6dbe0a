//! A frame with pseudonyms: known harmless bytes are copied, everything else becomes zero.

use super::{Redactor, Sum};
use net::{FrameLayout, PacketAt};
use std::net::IpAddr;
use std::ops::Range;

impl Redactor {
    /// The frame with other addresses and with `payload` as its payload, or zeros if that is `None` or
    /// of another length. Checksums are updated; `beyond` is the change in other frames that this
    /// one's checksum covers.
    pub(crate) fn frame(
        &mut self,
        layout: &FrameLayout,
        frame: &[u8],
        payload: Option<&[u8]>,
        beyond: Sum,
    ) -> Vec<u8> {
        let mut new = vec![0; frame.len()];
        for range in &layout.headers {
            copy(frame, &mut new, range);
        }
        for range in &layout.hardware {
            copy(frame, &mut new, range);
            if let Some(address) = new.get_mut(range.clone()) {
                self.secret.hardware(address);
            }
        }
        for range in layout.packets.iter().flat_map(|p| [&p.source, &p.destination]) {
            self.address(frame, &mut new, range);
        }
        let carried = layout.carrier().and_then(|p| p.transport_payload.clone());
        if let (Some(payload), Some(target)) =
            (payload, carried.and_then(|range| new.get_mut(range)))
            && payload.len() == target.len()
        {
            target.copy_from_slice(payload);
        }
        // From the inside out: an outer checksum covers the packet in a tunnel or in an ICMP error.
        for (at, packet) in layout.packets.iter().enumerate().rev() {
            let beyond = if at == layout.tunnels { beyond } else { Sum::default() };
            check(packet, frame, &mut new, beyond);
        }
        new
    }

    fn address(&mut self, frame: &[u8], new: &mut [u8], range: &Range<usize>) {
        let Some(bytes) = frame.get(range.clone()) else { return };
        let Some(ip) = address_of(bytes) else { return };
        let Some(target) = new.get_mut(range.clone()) else { return };
        match self.addresses.ip(ip) {
            IpAddr::V4(ip) => target.copy_from_slice(&ip.octets()),
            IpAddr::V6(ip) => target.copy_from_slice(&ip.octets()),
        }
    }
}

/// An address of 4 or 16 bytes.
pub(crate) fn address_of(bytes: &[u8]) -> Option<IpAddr> {
    let four = <[u8; 4]>::try_from(bytes).map(IpAddr::from);
    four.or_else(|_| <[u8; 16]>::try_from(bytes).map(IpAddr::from)).ok()
}

fn copy(from: &[u8], to: &mut [u8], range: &Range<usize>) {
    if let (Some(from), Some(to)) = (from.get(range.clone()), to.get_mut(range.clone())) {
        to.copy_from_slice(from);
    }
}

/// Corrects the checksums of one packet.
fn check(packet: &PacketAt, old: &[u8], new: &mut [u8], beyond: Sum) {
    let change = |new: &[u8], range: &Range<usize>| {
        let both = old.get(range.clone()).zip(new.get(range.clone()));
        both.map_or(Sum::default(), |(old, new)| Sum::change(old, new))
    };
    if let Some((header, at)) = &packet.header {
        let sum = change(new, header);
        put(new, *at, sum, false);
    }
    let Some(at) = packet.checksum else { return };
    let lacks = old.get(at..at + 2) == Some(&[0, 0]);
    if lacks && packet.may_lack_checksum {
        return;
    }
    let mut sum = change(new, &packet.payload).and(beyond);
    if packet.covers_addresses {
        sum = sum.and(change(new, &packet.source)).and(change(new, &packet.destination));
    }
    put(new, at, sum, packet.may_lack_checksum);
}

/// Corrects the checksum at `at`; one that is never zero uses another form of zero.
fn put(new: &mut [u8], at: usize, sum: Sum, never_zero: bool) {
    if let Some(target) = new.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<2>) {
        *target = match sum.apply(*target) {
            [0, 0] if never_zero => [0xff, 0xff],
            checksum => checksum,
        };
    }
}
