//! What somebody sends who means no good, or whose program is broken: datagrams that are empty, cut
//! short, over-long or noise, and very many of them. A master has to bear it: the documents expect
//! hackers and floods (003 Appendix B).

use crate::conform::{Done, Endpoint, TestContext};

/// The most that UDP over IPv4 takes.
pub const LONGEST: usize = 65_507;
/// Heartbeats of a flood.
pub const FLOOD: usize = 2000;
/// How many datagrams go before the master is waited for: what overflows its queue it never hears.
const BURST: usize = 100;
/// Datagrams of noise.
const NOISE: usize = 400;

/// An empty datagram, marks with nothing behind them, and every beginning of these messages.
pub fn truncations(messages: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut stumps = vec![Vec::new(), vec![0], vec![0xff; 2], vec![0xff; 4], vec![0xff; 5]];
    for message in messages {
        stumps.extend((1..message.len()).filter_map(|n| message.get(..n)).map(<[u8]>::to_vec));
    }
    stumps
}

/// The longest datagrams that there are: of one byte, and with these beginnings.
pub fn longest<B: AsRef<[u8]>>(beginnings: &[B]) -> Vec<Vec<u8>> {
    let drawn_out = |beginning: &[u8]| {
        let mut bytes = beginning.to_vec();
        bytes.resize(LONGEST, b'x');
        bytes
    };
    let marks: [&[u8]; 4] = [b"", b"\xff\xff", b"\xff\xff\xff\xff", b"\\"];
    marks.into_iter().chain(beginnings.iter().map(AsRef::as_ref)).map(drawn_out).collect()
}

/// The same noise each time, in datagrams of which some begin so.
pub fn noise<B: AsRef<[u8]>>(beginnings: &[B]) -> Vec<Vec<u8>> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move || {
        // xorshift64, which needs no more than to be noise.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut datagrams = Vec::new();
    for n in 0..NOISE {
        let begun = beginnings.get(n % (beginnings.len() + 1)).map_or(&[][..], AsRef::as_ref);
        let bytes = (0..next() % 1400).map(|_| next().to_le_bytes()[3]).collect::<Vec<_>>();
        datagrams.push([begun, &bytes].concat());
    }
    datagrams
}

/// Sends all of them, and waits for the target now and then.
pub fn send(end: &Endpoint<'_>, service: &str, datagrams: &[Vec<u8>]) -> Done {
    in_bursts(end, datagrams, || end.ctx().sync(service))
}

/// Somebody who has done nothing else sends all of them to a service, which now and then has to
/// answer others as before; that is what `answers` sees.
pub fn survives(
    ctx: &TestContext<'_>,
    service: &str,
    datagrams: &[Vec<u8>],
    mut answers: impl FnMut() -> Done,
) -> Done {
    let end = ctx.client(service)?;
    in_bursts(&end, datagrams, || {
        answers()?;
        // What it answers to all this is of no interest, but has to be taken.
        end.drain().map(drop)
    })
}

/// Sends all of them, with a pause wherever a queue might overflow.
fn in_bursts(end: &Endpoint<'_>, datagrams: &[Vec<u8>], mut pause: impl FnMut() -> Done) -> Done {
    let bytes = |burst: &[Vec<u8>]| burst.iter().map(Vec::len).sum::<usize>();
    let mut rest = datagrams;
    while !rest.is_empty() {
        let mut burst = rest.len().min(BURST);
        while burst > 1 && rest.get(..burst).is_some_and(|some| bytes(some) > LONGEST) {
            burst -= 1;
        }
        let (some, others) = rest.split_at(burst);
        some.iter().try_for_each(|datagram| end.send_bytes(datagram))?;
        pause()?;
        rest = others;
    }
    Ok(())
}
