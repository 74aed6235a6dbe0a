//! Frames made from payloads, to record the program's own traffic as a capture: raw IP packets,
//! link type 101, with their checksums.

use std::net::SocketAddr;

use etherparse::{IpHeaders, PacketBuilder, PacketBuilderStep};

/// The link type of these frames: an IP packet without a link-layer header.
pub use super::link::RAW as LINK_RAW;

/// Hop limit (TTL) of the packets.
const HOPS: u8 = 64;
/// Payload bytes of one segment: what fits into an Internet packet with the largest headers.
const SEGMENT: usize = 1400;
const WINDOW: u16 = 65_535;

/// The frame of a datagram; none if it is too long, or if one endpoint has an IPv4 address and the
/// other has not.
pub fn datagram(from: SocketAddr, to: SocketAddr, payload: &[u8]) -> Option<Vec<u8>> {
    let builder = ip(from, to)?.udp(from.port(), to.port());
    let mut frame = Vec::with_capacity(builder.size(payload.len()));
    builder.write(&mut frame, payload).ok()?;
    Some(frame)
}

/// Both directions of a TCP connection, as one endpoint knows them.
#[derive(Debug)]
pub struct Dialogue {
    /// The client that opened it, and the server.
    ends: [SocketAddr; 2],
    /// Bytes sent in each direction, its SYN and FIN counted as one each.
    sent: [u32; 2],
}

/// The flags of a segment.
#[derive(Clone, Copy, PartialEq)]
enum TcpFlag {
    Open,
    None,
    Close,
}

impl Dialogue {
    /// Opens a connection with the three frames of the handshake.
    pub fn open(client: SocketAddr, server: SocketAddr, frame: &mut impl FnMut(&[u8])) -> Self {
        Self::open_at(0, client, server, frame)
    }

    /// Opens a connection with this sequence number: two connections with the same endpoints have
    /// to differ in it, or the second one looks like a retransmission of the first.
    pub fn open_at(
        sequence: u32,
        client: SocketAddr,
        server: SocketAddr,
        frame: &mut impl FnMut(&[u8]),
    ) -> Self {
        let mut dialogue = Self { ends: [client, server], sent: [sequence; 2] };
        dialogue.segment(0, b"", TcpFlag::Open, frame);
        dialogue.segment(1, b"", TcpFlag::Open, frame);
        dialogue.segment(0, b"", TcpFlag::None, frame);
        dialogue
    }

    /// One endpoint sends `bytes`, in as many frames as needed.
    pub fn send(&mut self, from: SocketAddr, bytes: &[u8], frame: &mut impl FnMut(&[u8])) {
        let [client, _] = self.ends;
        let end = usize::from(from != client);
        for part in bytes.chunks(SEGMENT) {
            self.segment(end, part, TcpFlag::None, frame);
        }
    }

    /// Both endpoints close the connection, the server first.
    pub fn close(mut self, frame: &mut impl FnMut(&[u8])) {
        self.segment(1, b"", TcpFlag::Close, frame);
        self.segment(0, b"", TcpFlag::Close, frame);
        self.segment(1, b"", TcpFlag::None, frame);
    }

    fn segment(&mut self, end: usize, bytes: &[u8], flag: TcpFlag, frame: &mut impl FnMut(&[u8])) {
        let ([client, server], [of_client, of_server]) = (self.ends, self.sent);
        let (from, to, sequence, acknowledged) = match end {
            0 => (client, server, of_client, of_server),
            _ => (server, client, of_server, of_client),
        };
        let length = bytes.len() as u32 + u32::from(flag != TcpFlag::None);
        if let Some(sent) = self.sent.get_mut(end) {
            *sent = sent.wrapping_add(length);
        }
        let Some(builder) = ip(from, to) else {
            return;
        };
        let mut builder = builder.tcp(from.port(), to.port(), sequence, WINDOW);
        builder = match flag {
            TcpFlag::Open => builder.syn(),
            TcpFlag::None if !bytes.is_empty() => builder.psh(),
            TcpFlag::None => builder,
            TcpFlag::Close => builder.fin(),
        };
        // The first segment has nothing to acknowledge.
        if end != 0 || flag != TcpFlag::Open {
            builder = builder.ack(acknowledged);
        }
        let mut written = Vec::with_capacity(builder.size(bytes.len()));
        if builder.write(&mut written, bytes).is_ok() {
            frame(&written);
        }
    }
}

fn ip(from: SocketAddr, to: SocketAddr) -> Option<PacketBuilderStep<IpHeaders>> {
    match (from, to) {
        (SocketAddr::V4(from), SocketAddr::V4(to)) => {
            Some(PacketBuilder::ipv4(from.ip().octets(), to.ip().octets(), HOPS))
        }
        (SocketAddr::V6(from), SocketAddr::V6(to)) => {
            Some(PacketBuilder::ipv6(from.ip().octets(), to.ip().octets(), HOPS))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DirectionEvent, Packet, Stack, StreamEnd, TcpReassembler};

    #[test]
    fn datagrams_are_read_as_they_were_sent() {
        let mut stack = Stack::default();
        for (from, to) in [("192.0.2.1:1", "192.0.2.2:2"), ("[2001:db8::1]:1", "[2001:db8::2]:2")] {
            let (from, to): (SocketAddr, SocketAddr) = (from.parse().unwrap(), to.parse().unwrap());
            let longest = vec![7; 65_507];
            for payload in [&b""[..], b"hello", &longest] {
                let frame = datagram(from, to, payload).unwrap();
                let packet = stack.read_frame(LINK_RAW, 0, 0, &frame, frame.len() as u32);
                let Packet::Datagram(read) = packet else { panic!("{packet:?}") };
                assert_eq!((read.source, read.destination), (from, to));
                assert_eq!((read.payload, read.missing), (payload, 0));
            }
            assert_eq!(datagram(from, to, &vec![0; 70_000]), None);
        }
        assert_eq!(datagram("192.0.2.1:1".parse().unwrap(), "[::1]:1".parse().unwrap(), b""), None);
    }

    #[test]
    fn dialogues_are_put_together_again() {
        let (client, server) = ("192.0.2.1:1".parse().unwrap(), "192.0.2.2:2".parse().unwrap());
        let mut frames: Vec<Vec<u8>> = Vec::new();
        let mut frame = |bytes: &[u8]| frames.push(bytes.to_vec());
        let mut dialogue = Dialogue::open(client, server, &mut frame);
        let long = vec![b'x'; 5000];
        dialogue.send(server, b"who", &mut frame);
        dialogue.send(client, b"me", &mut frame);
        dialogue.send(server, &long, &mut frame);
        dialogue.close(&mut frame);
        assert_eq!(frames.len(), 3 + 1 + 1 + 4 + 3);
        let (mut stack, mut streams) = (Stack::default(), TcpReassembler::<()>::default());
        let (mut sent, mut ends) = ([Vec::<u8>::new(), Vec::new()], Vec::new());
        for frame in &frames {
            let packet = stack.read_frame(LINK_RAW, 0, 0, frame, frame.len() as u32);
            let Packet::Segment(segment) = packet else { panic!("{packet:?}") };
            streams.add_segment(0, &segment, &mut |(), event| match event.what {
                DirectionEvent::Bytes(bytes) => {
                    sent[usize::from(event.forward)].extend(bytes);
                }
                DirectionEvent::Gap(gap) => panic!("{gap} bytes are missing"),
                DirectionEvent::End(ending) => ends.push(ending),
            });
        }
        assert_eq!(sent, [[&b"who"[..], &long].concat(), b"me".to_vec()]);
        assert_eq!(ends, [StreamEnd::Finished, StreamEnd::Finished]);
    }
}
