//! Checks of several families that challenges are unpredictable.
//!
//! Some dozens of challenges, sent to different servers one after the other, are judged by their
//! form, which positions vary and how much, and by their distance. Random values of 31 bits or of 8
//! printable characters pass; constants, a small set, counters and clocks do not.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::{Done, Failure, ReceivedDatagram, TestContext};
use text::duration_of;

/// How many challenges are judged.
pub const SAMPLES: usize = 48;
/// Challenges with fewer possible values than this can be tried one after the other while one is
/// valid.
const FEW: u128 = 1 << 16;

/// Why challenges are predictable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// The index of a challenge that shows it.
    pub at: usize,
    /// What is wrong, in words: `the same challenge for two servers`.
    pub what: String,
}

/// Judges challenges in the order in which different servers received them, as text or as bytes.
pub fn judge(challenges: &[Vec<u8>]) -> Result<(), Flaw> {
    let flaw = |at, what: String| Err(Flaw { at, what });
    let mut seen = BTreeSet::new();
    if let Some(at) = challenges.iter().position(|challenge| !seen.insert(challenge)) {
        let (distinct, count) =
            (challenges.iter().collect::<BTreeSet<_>>().len(), challenges.len());
        return flaw(at, format!("{distinct} different challenges for {count} servers"));
    }
    let Some(last) = challenges.len().checked_sub(1).filter(|last| *last > 0) else {
        return Ok(());
    };
    let values = possible_values(challenges);
    if values < FEW {
        return flaw(
            last,
            format!("challenges that differ in so few places that {values} values are possible"),
        );
    }
    for (base, digits) in [(10, "decimal"), (16, "hexadecimal"), (36, "letters and digits")] {
        let Some(numbers) = numbers(challenges, base) else { continue };
        let rises = numbers.is_sorted_by(|a, b| a < b);
        if challenges.len() > 2 && (rises || numbers.is_sorted_by(|a, b| a > b)) {
            let way = if rises { "up" } else { "down" };
            return flaw(last, format!("challenges that count {way} ({digits})"));
        }
        let (least, most) = (numbers.iter().min(), numbers.iter().max());
        let span = most.zip(least).map_or(0, |(most, least)| most - least);
        if span < FEW {
            return flaw(
                last,
                format!("{} challenges within {span} of each other ({digits})", numbers.len()),
            );
        }
    }
    Ok(())
}

/// The same as an expectation of a case: each challenge with its datagram.
pub fn cannot_be_guessed(challenges: &[(Vec<u8>, &ReceivedDatagram)]) -> Done {
    let texts: Vec<_> = challenges.iter().map(|(text, _)| text.clone()).collect();
    let Err(Flaw { at, what }) = judge(&texts) else { return Ok(()) };
    let failure = Failure::new("challenges that nobody can guess", what);
    Err(match challenges.get(at) {
        Some((_, datagram)) => failure.field(datagram, "challenge"),
        None => failure,
    })
}

/// How long the target's challenges are valid; skipped if that is not given, for families whose
/// documents have no time.
pub fn known_timeout(ctx: &TestContext<'_>) -> Result<Duration, Failure> {
    const SETTING: &str = "challenge-timeout";
    if ctx.assumed().is_given(SETTING) {
        return ctx.time(SETTING);
    }
    let why = "no document says how long a challenge is valid; --assume challenge-timeout=2s does";
    Err(Failure::skipped(why))
}

/// Skipped if the target is assumed to drop servers within this time.
pub fn keeps_longer(ctx: &TestContext<'_>, quiet: Duration) -> Done {
    let timeout = ctx.time("server-timeout")?;
    if timeout > quiet {
        return Ok(());
    }
    let timeout = duration_of(timeout);
    Err(Failure::skipped(format!("the target is assumed to forget servers after {timeout}")))
}

/// The same for texts without their datagrams.
pub fn texts_count_up<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Done {
    let texts: Vec<_> = texts.map(<[u8]>::to_vec).collect();
    judge(&texts).map_err(|flaw| Failure::new("challenges that nobody can guess", flaw.what))
}

/// How many values the challenges can have, if each position takes only the observed ones: aligned
/// at the beginning or at the end, whichever gives fewer.
fn possible_values(challenges: &[Vec<u8>]) -> u128 {
    let longest = challenges.iter().map(Vec::len).max().unwrap_or(0);
    let count = |at: &dyn Fn(&[u8], usize) -> Option<u8>| {
        (0..longest).fold(1_u128, |product, index| {
            let seen: BTreeSet<_> = challenges.iter().map(|text| at(text, index)).collect();
            product.saturating_mul(seen.len() as u128)
        })
    };
    let from_begin = count(&|text, index| text.get(index).copied());
    let from_end =
        count(&|text, index| text.len().checked_sub(index + 1).and_then(|n| text.get(n)).copied());
    from_begin.min(from_end)
}

/// The challenges as numbers in a base, without common prefix and suffix.
fn numbers(challenges: &[Vec<u8>], base: u32) -> Option<Vec<u128>> {
    let first = challenges.first()?;
    let shared = |same: &dyn Fn(&[u8], usize) -> bool| {
        (0..first.len()).take_while(|n| challenges.iter().all(|text| same(text, *n))).count()
    };
    let head = shared(&|text, n| text.get(n) == first.get(n) && !digit(text.get(n), base));
    let tail = shared(&|text, n| {
        let from_end =
            |text: &[u8]| text.len().checked_sub(n + 1).and_then(|n| text.get(n)).copied();
        let last = from_end(text);
        last == from_end(first) && !digit(last.as_ref(), base)
    });
    let number = |text: &Vec<u8>| {
        let middle = text.get(head..text.len().checked_sub(tail)?)?;
        u128::from_str_radix(std::str::from_utf8(middle).ok()?, base).ok()
    };
    challenges.iter().map(number).collect()
}

fn digit(byte: Option<&u8>, base: u32) -> bool {
    byte.is_some_and(|byte| char::from(*byte).is_digit(base))
}

/// The same text with each letter in the other case.
pub fn swapped_case(text: &[u8]) -> Vec<u8> {
    let swapped = |byte: &u8| if byte.is_ascii_alphabetic() { byte ^ 0x20 } else { *byte };
    text.iter().map(swapped).collect()
}

/// A little longer than a timeout of the target, which may count in whole seconds and check expiry
/// once per second.
pub fn beyond(time: Duration) -> Duration {
    time + time / 4 + Duration::from_millis(1050)
}

#[cfg(test)]
mod tests {
    use super::*;
    use random::SeededRandom;

    fn noise() -> impl FnMut() -> u64 {
        let mut random = SeededRandom::new(0x9e37_79b9_7f4a_7c15);
        move || random.number()
    }

    fn many(mut text: impl FnMut(u64) -> String) -> Vec<Vec<u8>> {
        (0..SAMPLES as u64).map(|n| text(n).into_bytes()).collect()
    }

    #[test]
    fn random_challenges_pass() {
        let mut next = noise();
        let printable = |n: u64| char::from(b'#' + (n % 56) as u8);
        for challenges in [
            many(|_| format!("{}", next() as u32)),
            many(|_| format!("{}", (next() as i32))),
            many(|_| format!("{:08x}", next() as u32)),
            many(|_| (0..8 + next() % 4).map(|_| printable(next() >> 20)).collect()),
            many(|_| format!("chal{}", next() >> 33)),
            many(|_| (0..6).map(|_| char::from(b'A' + (next() >> 20) as u8 % 26)).collect()),
            (0..SAMPLES).map(|_| (next() as u32).to_le_bytes().to_vec()).collect(),
        ] {
            assert_eq!(judge(&challenges), Ok(()), "{:?}", String::from_utf8_lossy(&challenges[0]));
        }
    }

    #[test]
    fn what_can_be_guessed_does_not() {
        let mut next = noise();
        for (name, challenges) in [
            ("constant", many(|_| "AAAAAAAAAA".to_owned())),
            ("few", many(|_| format!("{:x}", (next() % 16) * 0x1234_5678_9abc))),
            ("count", many(|n| format!("{}", 1000 + n))),
            ("count with a head", many(|n| format!("chal{}", 990 + n))),
            ("count with a tail", many(|n| format!("{}!chal", 990 + n))),
            ("count down", many(|n| format!("{}", 70_000_000 - 1_000_003 * n))),
            ("count in large steps", many(|n| format!("{}", 40_000_019 * n))),
            ("time in hexadecimal", many(|n| format!("{:x}", 1_795_000_000_000 + 7 * n))),
            ("near a number", many(|_| format!("{}", 1_700_000_000 + next() % 30_000))),
            ("letters that count", many(|n| format!("AAAAAAAA{}", char::from(b'A' + n as u8)))),
            ("bytes that count", (0..48_u32).map(|n| (n + 250).to_le_bytes().to_vec()).collect()),
        ] {
            let flaw = judge(&challenges);
            assert!(flaw.is_err(), "{name}");
            assert!(challenges.len() > flaw.unwrap_err().at, "{name}");
        }
    }

    #[test]
    fn one_challenge_proves_nothing() {
        assert_eq!(judge(&[]), Ok(()));
        assert_eq!(judge(&[b"a".to_vec()]), Ok(()));
    }
}
