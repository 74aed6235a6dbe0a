//! Community ID: one text for a flow in the output of many programs.
//!
//! Version 1 of the specification (<https://github.com/corelight/community-id-spec>): SHA-1 of a
//! seed, both endpoints with the lower one first, and the protocol, as base64 after `1:`. The seed is
//! 0, which is the default of Zeek, Suricata and Wireshark.

use std::fmt;
use std::net::{IpAddr, SocketAddr};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha1::{Digest as _, Sha1};

use super::Transport;

/// How many characters an id has: two, and 20 bytes in base64.
const LENGTH: usize = 2 + 28;

/// The Community ID of a flow, the same for both directions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CommunityId([u8; LENGTH]);

impl CommunityId {
    /// Of the flow between two endpoints.
    pub fn new(transport: Transport, one: SocketAddr, other: SocketAddr) -> Self {
        let order = |end: SocketAddr| (end.ip(), end.port());
        let (low, high) = if order(one) <= order(other) { (one, other) } else { (other, one) };
        let protocol = match transport {
            Transport::Tcp => 6,
            Transport::Udp => 17,
        };
        let mut hash = Sha1::new();
        hash.update([0, 0]);
        for end in [low, high] {
            match end.ip() {
                IpAddr::V4(ip) => hash.update(ip.octets()),
                IpAddr::V6(ip) => hash.update(ip.octets()),
            }
        }
        hash.update([protocol, 0]);
        hash.update(low.port().to_be_bytes());
        hash.update(high.port().to_be_bytes());
        let mut text = *b"1:............................";
        if let Some(digits) = text.get_mut(2..) {
            // It fits: 20 bytes are 28 characters.
            _ = STANDARD.encode_slice(hash.finalize(), digits);
        }
        Self(text)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for CommunityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for CommunityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first three are published with the specification; the others have equal addresses, and
    /// were computed by its rules with Python's hashlib.
    #[test]
    fn ids_are_those_of_the_specification() {
        for (transport, one, other, id) in [
            (
                Transport::Tcp,
                "128.232.110.120:34855",
                "66.35.250.204:80",
                "1:LQU9qZlK+B5F3KDmev6m5PMibrg=",
            ),
            (Transport::Udp, "192.168.1.52:54585", "8.8.8.8:53", "1:d/FP5EW3wiY1vCndhwleRRKHowQ="),
            (
                Transport::Tcp,
                "[2001:470:e5bf:dead:4957:2174:e82c:4887]:63943",
                "[2607:f8b0:400c:c03::1a]:25",
                "1:/qFaeAR+gFe1KYjMzVDsMv+wgU4=",
            ),
            (Transport::Udp, "192.0.2.1:7", "192.0.2.1:5", "1:eidkaI4M23sBj4Pos1wBjg9kuXs="),
            (
                Transport::Udp,
                "[2001:db8::1]:27960",
                "[2001:db8::1]:27950",
                "1:6VgOMq4Wyem9G8Fh4MmEl1cNm7I=",
            ),
        ] {
            let [one, other] = [one, other].map(|end| end.parse().unwrap());
            assert_eq!(CommunityId::new(transport, one, other).to_string(), id);
            assert_eq!(CommunityId::new(transport, other, one).as_str(), id, "the other direction");
        }
    }
}
