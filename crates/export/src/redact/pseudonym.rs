//! Pseudonyms from a key: the same for the same bytes, without revealing anything of them.

use std::net::IpAddr;

/// How many letters or digits distinguish a pseudonym; the rest is filler. Filler keeps coded
/// ranges short: a code has short symbols for repeated letters.
const DISTINCT: usize = 12;

/// The key of all pseudonyms.
#[derive(Clone, Copy)]
pub(super) struct Secret([u8; 32]);

/// Random numbers derived from some bytes.
pub(super) struct KeyStream(blake3::OutputReader);

impl Secret {
    pub fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    pub fn of_text(key: &str) -> Self {
        Self(blake3::derive_key("fragshark 2026-11 export pseudonyms", key.as_bytes()))
    }

    /// The numbers of `bytes`, separate for each `purpose`.
    pub fn stream(&self, purpose: &str, bytes: &[u8]) -> KeyStream {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(purpose.as_bytes()).update(b"\0").update(bytes);
        KeyStream(hasher.finalize_xof())
    }

    /// A pseudonym as long as `text` and of its kind: digits for digits, hex digits for a GUID,
    /// letters for everything else. Never the text itself.
    pub fn text(&self, text: &[u8]) -> Vec<u8> {
        let kind = Alphabet::from_text(text);
        let mut stream = self.stream("text", text);
        loop {
            let mut pseudonym = kind.word(&mut stream, text.len());
            // A number keeps its width, which a leading zero would hide.
            if kind == Alphabet::Digits
                && text.first() != Some(&b'0')
                && let Some(first @ b'0') = pseudonym.first_mut()
            {
                *first = b'1';
            }
            if pseudonym != text || text.is_empty() {
                return pseudonym;
            }
        }
    }

    /// Filler without information that takes the least space in a coded range.
    pub fn filler(text: &[u8]) -> Vec<u8> {
        let digits = Alphabet::from_text(text) == Alphabet::Digits;
        vec![if digits { b'1' } else { b'_' }; text.len()]
    }

    /// A link-layer address: zero and broadcast stay, a machine's becomes a locally administered
    /// one, a group's keeps its group bit.
    pub fn hardware(&self, address: &mut [u8]) {
        let kept = match address {
            [0x33, 0x33, ..] => 2,
            [0x01, 0x00, 0x5e, ..] => 3,
            _ => 0,
        };
        if address.iter().all(|b| *b == 0) || address.iter().all(|b| *b == 0xff) {
            return;
        }
        let before = address.to_vec();
        let mut stream = self.stream("hardware", &before);
        address.iter_mut().skip(kept).for_each(|b| *b = stream.byte());
        if let (0, Some(first), Some(old)) = (kept, address.first_mut(), before.first()) {
            *first = *first & 0xfc | 2 | old & 1;
        }
    }
}

impl KeyStream {
    pub fn byte(&mut self) -> u8 {
        let mut byte = [0];
        self.0.fill(&mut byte);
        byte[0]
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        (u64::from_le_bytes(bytes) % (count.max(1) as u64)) as usize
    }

    /// A permutation of `count` items in a single cycle, so that none keeps its place (Sattolo's
    /// shuffle).
    pub fn permutation(&mut self, count: usize) -> Vec<usize> {
        let mut parts: Vec<_> = (0..count).collect();
        // All numbers at once: each request costs more than making a number.
        let mut numbers = vec![0; size_of::<u64>() * count.saturating_sub(1)];
        self.0.fill(&mut numbers);
        let (numbers, _) = numbers.as_chunks();
        for (last, number) in (1..count).rev().zip(numbers) {
            parts.swap(last, (u64::from_le_bytes(*number) % last as u64) as usize);
        }
        parts
    }
}

/// The characters of a pseudonym.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    Digits,
    Hex { capital: bool },
    Letters,
}

impl Alphabet {
    fn from_text(text: &[u8]) -> Self {
        let has = |is: fn(&u8) -> bool| text.iter().any(is);
        if text.iter().all(u8::is_ascii_digit) {
            Self::Digits
        } else if text.len() >= 8 && text.iter().all(u8::is_ascii_hexdigit) {
            Self::Hex { capital: !has(u8::is_ascii_lowercase) }
        } else {
            Self::Letters
        }
    }

    fn word(self, stream: &mut KeyStream, length: usize) -> Vec<u8> {
        let letter = |at: usize, stream: &mut KeyStream| {
            let alphabet: &[u8] = match (self, at % 2) {
                _ if at >= DISTINCT => match self {
                    Self::Letters => b"_",
                    Self::Digits | Self::Hex { .. } => b"0",
                },
                (Self::Digits, _) => b"0123456789",
                (Self::Hex { capital: false }, _) => b"0123456789abcdef",
                (Self::Hex { capital: true }, _) => b"0123456789ABCDEF",
                (Self::Letters, 0) => b"bdfghjklmnprstvwz",
                (Self::Letters, _) => b"aeiou",
            };
            alphabet.get(stream.below(alphabet.len())).copied().unwrap_or(b'_')
        };
        (0..length).map(|at| letter(at, stream)).collect()
    }
}

/// Whether an address identifies nobody: unspecified, loopback, broadcast, multicast.
pub(super) fn is_common(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => {
            let [first, ..] = ip.octets();
            first == 0 || ip.is_loopback() || first >= 224
        }
        IpAddr::V6(ip) => ip.is_unspecified() || ip.is_loopback(),
    }
}
