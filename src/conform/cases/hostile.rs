//! What somebody sends who means no good, or whose program is broken. A master has to bear it: the
//! documents expect hackers and floods (003 Appendix B).

use crate::conform::{Done, End};

/// The most that UDP over IPv4 takes.
pub const LONGEST: usize = 65_507;
/// Heartbeats of a flood, and how many go before the master is waited for: what overflows its
/// queue it never hears.
pub const FLOOD: usize = 2000;
const BURST: usize = 100;

/// An empty datagram, marks with nothing behind them, and every beginning of these messages.
pub fn stumps(messages: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut stumps = vec![Vec::new(), vec![0], vec![0xff; 2], vec![0xff; 4], vec![0xff; 5]];
    for message in messages {
        stumps.extend((1..message.len()).filter_map(|n| message.get(..n)).map(<[u8]>::to_vec));
    }
    stumps
}

/// The longest datagrams that there are: of one byte, and with these beginnings.
pub fn longest(beginnings: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let filled = |beginning: &[u8]| {
        let mut bytes = beginning.to_vec();
        bytes.resize(LONGEST, b'x');
        bytes
    };
    let marks: [&[u8]; 4] = [b"", b"\xff\xff", b"\xff\xff\xff\xff", b"\\"];
    marks.into_iter().chain(beginnings.iter().map(Vec::as_slice)).map(filled).collect()
}

/// Datagrams of any bytes, some of them behind these beginnings; always the same ones.
pub fn random(beginnings: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut datagrams = Vec::new();
    for n in 0..400 {
        let beginning = match n % 2 {
            0 => beginnings.get(n / 2 % beginnings.len().max(1)).cloned().unwrap_or_default(),
            _ => Vec::new(),
        };
        let length = usize::try_from(next() % 1400).unwrap_or_default();
        let bytes = (0..length).map(|_| next().to_le_bytes()[3]);
        datagrams.push(beginning.into_iter().chain(bytes).collect());
    }
    datagrams
}

/// Sends all of them, and waits for the target now and then.
pub fn send(end: &End<'_>, service: &str, datagrams: &[Vec<u8>]) -> Done {
    let bytes = |burst: &[Vec<u8>]| burst.iter().map(Vec::len).sum::<usize>();
    let mut rest = datagrams;
    while !rest.is_empty() {
        let mut burst = rest.len().min(BURST);
        while burst > 1 && rest.get(..burst).is_some_and(|some| bytes(some) > LONGEST) {
            burst -= 1;
        }
        let (some, others) = rest.split_at(burst);
        some.iter().try_for_each(|datagram| end.say(datagram))?;
        end.stand().settle(service)?;
        rest = others;
    }
    Ok(())
}
