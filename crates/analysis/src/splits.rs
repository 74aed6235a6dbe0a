//! Joins messages that their senders split over several datagrams.

use std::collections::VecDeque;
use std::net::SocketAddr;

use protocol::{SplitForms, SplitResult};
use text::since;

/// How many split messages may wait for parts.
const OPEN: usize = 256;
/// How many bytes of parts may wait.
const BYTES: usize = 16 << 20;
/// How many parts a message has at most.
const PARTS: usize = 255;
/// How long a message waits for its parts, in nanoseconds.
const TIMEOUT: i64 = 30_000_000_000;

/// Sender, receiver, and the sender's number for the message.
type SplitKey = (SocketAddr, SocketAddr, u32);

/// Split messages whose parts are being collected, the oldest first.
#[derive(Debug, Default)]
pub struct Splits {
    open: VecDeque<OpenSplit>,
    bytes: usize,
    /// Messages that were given up because a part was missing.
    given_up: u64,
    /// Messages whose length or checksum was wrong.
    damaged: u64,
    /// Messages that are longer than is read.
    too_long: u64,
}

/// The parts of a message so far.
#[derive(Debug)]
struct OpenSplit {
    key: SplitKey,
    since: i64,
    datagrams: Vec<Box<[u8]>>,
    bytes: usize,
}

/// A joined message.
#[derive(Debug)]
pub struct JoinedSplit {
    /// Its bytes, unpacked.
    pub bytes: Vec<u8>,
    /// How many datagrams it came in.
    pub datagrams: u16,
}

/// All parts of a message came, and its length or its checksum is wrong.
#[derive(Debug, PartialEq, Eq)]
pub struct DamagedSplit;

impl Splits {
    /// Adds a datagram of a sender to a receiver that came at this time, in nanoseconds, if it is a
    /// part in one of these forms; returns the message that it completes, or that it is damaged.
    pub fn add_part(
        &mut self,
        time: i64,
        (source, destination): (SocketAddr, SocketAddr),
        bytes: &[u8],
        forms: &SplitForms,
    ) -> Option<Result<JoinedSplit, DamagedSplit>> {
        let id = forms.forms.iter().find_map(|form| form(bytes))?.id;
        self.make_room(time);
        let key = (source, destination, id);
        let at = self.open.iter().position(|open| open.key == key).unwrap_or_else(|| {
            let (since, datagrams) = (time, Vec::new());
            self.open.push_back(OpenSplit { key, since, datagrams, bytes: 0 });
            self.open.len() - 1
        });
        let open = self.open.get_mut(at)?;
        if open.datagrams.iter().any(|known| **known == *bytes) {
            return None;
        }
        open.datagrams.push(bytes.into());
        open.bytes += bytes.len();
        self.bytes += bytes.len();
        let joined = forms.join(&open.datagrams);
        let datagrams = u16::try_from(open.datagrams.len()).unwrap_or(u16::MAX);
        match joined {
            SplitResult::Incomplete if open.datagrams.len() <= PARTS => return None,
            SplitResult::Incomplete => self.given_up += 1,
            SplitResult::Damaged => self.damaged += 1,
            SplitResult::TooLong => self.too_long += 1,
            SplitResult::Message(_) => {}
        }
        let removed = self.open.remove(at);
        self.bytes -= removed.map_or(0, |open| open.bytes);
        match joined {
            SplitResult::Message(bytes) => Some(Ok(JoinedSplit { bytes, datagrams })),
            SplitResult::Damaged => Some(Err(DamagedSplit)),
            SplitResult::Incomplete | SplitResult::TooLong => None,
        }
    }

    /// How many messages lack a part.
    pub fn incomplete(&self) -> u64 {
        self.given_up + self.open.len() as u64
    }

    /// How many messages have a wrong length or checksum.
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    /// How many messages are longer than is read.
    pub fn too_long(&self) -> u64 {
        self.too_long
    }

    /// Gives up what has waited too long, and the oldest where too much waits.
    fn make_room(&mut self, time: i64) {
        while let Some(oldest) = self.open.front() {
            let is_late = since(oldest.since, time).is_some_and(|waited| waited > TIMEOUT);
            if !is_late && self.open.len() < OPEN && self.bytes < BYTES {
                return;
            }
            self.bytes -= oldest.bytes;
            self.given_up += 1;
            self.open.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;
    use protocols::registry;

    const SERVER: ([u8; 4], u16) = ([192, 0, 2, 15], 27015);
    const CLIENT: ([u8; 4], u16) = ([198, 51, 100, 15], 40015);

    /// A reply with many settings.
    fn reply() -> Vec<u8> {
        let rules: Vec<u8> =
            (0..300).flat_map(|n| format!("rule_{n}\0{n}\0").into_bytes()).collect();
        [&b"\xff\xff\xff\xffE\x2c\x01"[..], &rules].concat()
    }

    fn compressed(reply: &[u8]) -> Vec<u8> {
        let mut coder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
        coder.write_all(reply).unwrap();
        coder.finish().unwrap()
    }

    /// The parts of a body in the form of `header`, which gets the number of each and how many
    /// there are.
    fn parts(body: &[u8], header: impl Fn(u8, u8) -> Vec<u8>) -> Vec<Vec<u8>> {
        let chunks: Vec<_> = body.chunks(600).collect();
        let total = u8::try_from(chunks.len()).unwrap();
        let part = |(number, chunk): (u8, &&[u8])| {
            [&b"\xfe\xff\xff\xff"[..], &header(number, total), chunk].concat()
        };
        (0..).zip(&chunks).map(part).collect()
    }

    fn forms() -> Vec<(&'static str, Vec<Vec<u8>>)> {
        let reply = reply();
        let numbers = {
            let length = u32::try_from(reply.len()).unwrap().to_le_bytes();
            [length, crc32fast::hash(&reply).to_le_bytes()].concat()
        };
        vec![
            ("Source", parts(&reply, |n, all| vec![7, 0, 0, 0, all, n, 0x58, 2])),
            ("GoldSrc", parts(&reply, |n, all| vec![7, 0, 0, 0, n << 4 | all])),
            ("old", parts(&reply, |n, all| vec![7, 0, 0, 0, all, n])),
            (
                "bzip2",
                parts(&compressed(&reply), |n, all| {
                    let head = vec![7, 0, 0, 0x80, all, n, 0x58, 2];
                    if n == 0 { [head, numbers.clone()].concat() } else { head }
                }),
            ),
        ]
    }

    fn join(splits: &mut Splits, time: i64, bytes: &[u8]) -> Option<Vec<u8>> {
        let forms = registry().splits(bytes)?;
        let joined = splits.add_part(time, (SERVER.into(), CLIENT.into()), bytes, forms)?;
        joined.ok().map(|joined| joined.bytes)
    }

    #[test]
    fn parts_are_joined_in_any_order_and_each_once() {
        for (form, parts) in forms() {
            let count = parts.len();
            for first in 0..count {
                let (mut splits, mut joined) = (Splits::default(), Vec::new());
                // From each part on, backwards, and every part twice.
                for n in (0..count).map(|n| (first + count - n) % count) {
                    joined.extend(join(&mut splits, 0, &parts[n]));
                    if joined.is_empty() {
                        assert_eq!(join(&mut splits, 0, &parts[n]), None);
                    }
                }
                assert!(joined == [reply()], "{form} from {first}");
                assert_eq!((splits.incomplete(), splits.bytes), (0, 0), "{form}");
            }
        }
    }

    #[test]
    fn what_lacks_a_part_is_counted_and_no_other_reply_fills_the_gap() {
        for (form, parts) in forms() {
            let mut splits = Splits::default();
            for part in parts.iter().skip(1) {
                assert_eq!(join(&mut splits, 0, part), None, "{form}");
            }
            let mut other = parts[0].clone();
            other[4] = 8;
            let other = join(&mut splits, 0, &other);
            assert!(other.is_none() || parts.len() == 1, "{form}");
            assert_eq!(splits.incomplete(), if parts.len() == 1 { 0 } else { 2 }, "{form}");
            // Too late.
            assert_eq!(join(&mut splits, TIMEOUT + 1, &parts[0]).is_some(), parts.len() == 1);
        }
    }

    #[test]
    fn a_wrong_checksum_and_hostile_lengths_give_no_message() {
        let (_, parts) = forms().remove(3);
        for at in 12..20 {
            let (mut splits, mut parts) = (Splits::default(), parts.clone());
            parts[0][at] ^= 1;
            assert!(parts.iter().all(|part| join(&mut splits, 0, part).is_none()), "{at}");
            assert_eq!((splits.incomplete(), splits.damaged()), (0, 1), "{at}");
        }
        let mut splits = Splits::default();
        // A megabyte in fifty bytes.
        let bomb = [b"\xff\xff\xff\xffE".to_vec(), vec![b'a'; 1_000_000]].concat();
        let packed = compressed(&bomb);
        let numbers = [(bomb.len() as u32).to_le_bytes(), crc32fast::hash(&bomb).to_le_bytes()];
        let (first, second) = packed.split_at(packed.len() / 2);
        for (number, part) in
            [[numbers.as_flattened(), first].concat(), second.to_vec()].iter().enumerate()
        {
            let head = [7, 0, 0, 0x80, 2, number as u8, 0x58, 2];
            let part = [b"\xfe\xff\xff\xff", &head[..], part].concat();
            assert_eq!(join(&mut splits, 0, &part), None);
        }
        assert_eq!((splits.incomplete(), splits.damaged(), splits.too_long()), (0, 0, 1));
        let mut splits = Splits::default();
        for id in 0..2 * OPEN as u32 {
            let (id, head) = (id.to_le_bytes(), b"\xff\0\xe0\x04\xff\xff\xff\xffE");
            let part = [b"\xfe\xff\xff\xff", &id[..], head, &vec![b'x'; 60_000]].concat();
            assert_eq!(join(&mut splits, 0, &part), None);
        }
        assert!(splits.open.len() <= OPEN && splits.bytes <= BYTES + 70_000);
        assert_eq!(splits.incomplete(), 2 * OPEN as u64);
    }
}
