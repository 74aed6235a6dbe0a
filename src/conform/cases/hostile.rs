//! What a master has to live through, whatever it speaks: datagrams that are empty, cut short,
//! over-long or noise, and very many of them. It is said by one who has done nothing else, and
//! behind each few the master has to answer others.

use crate::conform::{Done, Stand};

/// Datagrams behind which the master is asked whether it is still there: few enough for the system
/// to keep while it is busy.
const AT_ONCE: usize = 32;
/// What UDP takes over IPv4.
const LONGEST: usize = 65_507;
/// Datagrams of noise.
const NOISE: usize = 1000;

/// Says all of these to a service, and sees now and then that it answers others as before, which
/// is what `answers` does.
pub fn survives<D: AsRef<[u8]>>(
    stand: &Stand<'_>,
    service: &str,
    datagrams: &[D],
    mut answers: impl FnMut() -> Done,
) -> Done {
    let end = stand.client(service)?;
    for few in datagrams.chunks(AT_ONCE) {
        let long = few.iter().any(|datagram| datagram.as_ref().len() > LONGEST / 4);
        for datagram in few {
            end.say(datagram.as_ref())?;
            if long {
                answers()?;
            }
        }
        answers()?;
        // What it answers to all this is of no interest, but has to be taken.
        end.heard()?;
    }
    Ok(())
}

/// Every beginning of some messages, from nothing to all but the last byte.
pub fn cut_short(messages: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let beginnings = |message: &Vec<u8>| {
        (0..message.len())
            .filter_map(|end| message.get(..end).map(<[u8]>::to_vec))
            .collect::<Vec<_>>()
    };
    messages.iter().flat_map(beginnings).collect()
}

/// A beginning, drawn out with one letter to the longest datagram that there is.
pub fn drawn_out(beginning: &[u8]) -> Vec<u8> {
    let mut long = beginning.to_vec();
    long.resize(LONGEST, b'x');
    long
}

/// The same noise each time, in datagrams that begin as messages do or do not.
pub fn noise(beginnings: &[&[u8]]) -> Vec<Vec<u8>> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move || {
        // xorshift64, which needs no more than to be noise.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let datagram = |n: usize| {
        let length = next() % 300;
        let begun = beginnings.get(n % (beginnings.len() + 1)).copied().unwrap_or_default();
        let bytes = (0..length).map(|_| next().to_le_bytes()[3]);
        begun.iter().copied().chain(bytes).collect()
    };
    (0..NOISE).map(datagram).collect()
}
