//! Malformed datagrams: empty, truncated, over-long, random, and floods. A master has to survive
//! them: the documents expect hackers and floods (003 Appendix B).

use crate::{Done, TestContext, TestEndpoint};
use random::SeededRandom;

/// The maximum of UDP over IPv4.
pub const LONGEST: usize = 65_507;
/// Heartbeats of a flood.
pub const FLOOD: usize = 2000;
/// Datagrams between two barriers: more would overflow the target's socket buffer.
const BURST: usize = 100;
/// Random datagrams.
const NOISE: usize = 400;

/// An empty datagram, marks alone, and these messages truncated after every byte.
pub fn truncations(messages: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut cut = vec![Vec::new(), vec![0], vec![0xff; 2], vec![0xff; 4], vec![0xff; 5]];
    for message in messages {
        cut.extend((1..message.len()).filter_map(|n| message.get(..n)).map(<[u8]>::to_vec));
    }
    cut
}

/// Datagrams of the maximum length: of one byte throughout, and with these beginnings.
pub fn longest<B: AsRef<[u8]>>(beginnings: &[B]) -> Vec<Vec<u8>> {
    let marks: [&[u8]; 4] = [b"", b"\xff\xff", b"\xff\xff\xff\xff", b"\\"];
    let all: Vec<_> = marks.into_iter().chain(beginnings.iter().map(AsRef::as_ref)).collect();
    longest_with(&all)
}

/// Datagrams of the maximum length with these beginnings.
pub fn longest_with<B: AsRef<[u8]>>(beginnings: &[B]) -> Vec<Vec<u8>> {
    let drawn_out = |beginning: &B| {
        let mut bytes = beginning.as_ref().to_vec();
        bytes.resize(LONGEST, b'x');
        bytes
    };
    beginnings.iter().map(drawn_out).collect()
}

/// Random datagrams, the same in each run, some of them with these beginnings.
pub fn noise<B: AsRef<[u8]>>(beginnings: &[B]) -> Vec<Vec<u8>> {
    let mut random = SeededRandom::new(0x9e37_79b9_7f4a_7c15);
    let mut datagrams = Vec::new();
    for n in 0..NOISE {
        let begun = beginnings.get(n % (beginnings.len() + 1)).map_or(&[][..], AsRef::as_ref);
        let bytes = (0..random.below(1400)).map(|_| random.byte()).collect::<Vec<_>>();
        datagrams.push([begun, &bytes].concat());
    }
    datagrams
}

/// Sends these datagrams, and waits after each burst until the target has read them.
pub fn send(end: &TestEndpoint<'_>, service: &str, datagrams: &[Vec<u8>]) -> Done {
    in_bursts(end, datagrams, || end.ctx().sync(service))
}

/// A client sends these datagrams to a service; after each burst `answers` checks that the service
/// answers as before.
pub fn survives(
    ctx: &TestContext<'_>,
    service: &str,
    datagrams: &[Vec<u8>],
    mut answers: impl FnMut() -> Done,
) -> Done {
    let end = ctx.client(service)?;
    in_bursts(&end, datagrams, || {
        answers()?;
        // The answers have to be received, so that the socket's buffer does not fill.
        end.drain().map(drop)
    })
}

/// Sends these datagrams in bursts that fit into a socket buffer, and calls `pause` after each.
fn in_bursts(
    end: &TestEndpoint<'_>,
    datagrams: &[Vec<u8>],
    mut pause: impl FnMut() -> Done,
) -> Done {
    bursts(datagrams).try_for_each(|burst| {
        burst.iter().try_for_each(|datagram| end.send_bytes(datagram))?;
        pause()
    })
}

/// These datagrams in bursts that fit into a socket buffer.
pub fn bursts(datagrams: &[Vec<u8>]) -> impl Iterator<Item = &[Vec<u8>]> {
    let bytes = |burst: &[Vec<u8>]| burst.iter().map(Vec::len).sum::<usize>();
    let mut rest = datagrams;
    std::iter::from_fn(move || {
        let mut burst = rest.len().min(BURST);
        while burst > 1 && rest.get(..burst).is_some_and(|some| bytes(some) > LONGEST) {
            burst -= 1;
        }
        let (some, others) = rest.split_at(burst);
        rest = others;
        (!some.is_empty()).then_some(some)
    })
}
