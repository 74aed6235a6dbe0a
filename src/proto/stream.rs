//! From the bytes of a stream to its messages.
//!
//! A stream has no edges of its own: a protocol says where a message ends, or it ends where the
//! other side speaks, or with the stream. Nothing here knows TCP; whoever puts segments together
//! says which side said what.

use super::{PROTOCOLS, Protocol};

/// How many bytes of one message are kept; what a longer one has more is dropped and counted.
const LONGEST: usize = 64 << 10;

/// Where the first message of a stream ends, as far as a protocol can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// No message of the protocol begins so.
    Foreign,
    /// Its end is not here yet, or only the other side or the stream's end tells.
    Open,
    /// Behind so many bytes, at least one.
    At(usize),
}

/// One of the two directions of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Who opened the conversation, or was heard first.
    Here,
    There,
}

/// A message that a stream held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cutting<'a, T> {
    pub side: Side,
    pub bytes: &'a [u8],
    /// Bytes of the message that are not here: lost on the way, or past its 64 KiB.
    pub missing: u64,
    /// Where in `bytes` the first of them would stand.
    pub gap: Option<usize>,
    /// What came with its first and its last byte.
    pub first: T,
    pub last: T,
}

/// Cuts both directions of one conversation into messages. `T` is whatever shall be known of a
/// message's first and last byte: a frame's number and time.
#[derive(Debug)]
pub struct Cutter<T> {
    protocol: Option<&'static Protocol>,
    sides: [Buffer<T>; 2],
}

#[derive(Debug)]
struct Buffer<T> {
    bytes: Vec<u8>,
    missing: u64,
    gap: Option<usize>,
    /// Nothing until a byte is here, or known to be lost.
    when: Option<[T; 2]>,
}

impl<T: Copy> Cutter<T> {
    /// Nothing has been said, and the protocol is not known.
    pub fn new() -> Self {
        let empty = || Buffer { bytes: Vec::new(), missing: 0, gap: None, when: None };
        Self { protocol: None, sides: [empty(), empty()] }
    }

    /// Whether any protocol knows how a conversation that begins with `bytes` goes on. What comes
    /// before that is let go, so that nothing need be kept of it.
    pub fn begins(bytes: &[u8]) -> bool {
        PROTOCOLS.iter().any(|protocol| (protocol.cut)(bytes) != Cut::Foreign)
    }

    /// The protocol that the first message of either side was cut by, or began as.
    pub fn protocol(&self) -> Option<&'static Protocol> {
        self.protocol
    }

    /// One side says `bytes`: what the other has said until now is a message, and so is everything
    /// of this side's that is whole. Where no protocol knows how the conversation begins, its bytes
    /// are let go.
    pub fn say(
        &mut self,
        side: Side,
        mut bytes: &[u8],
        now: T,
        out: &mut impl FnMut(Cutting<'_, T>),
    ) {
        if bytes.is_empty() {
            return;
        }
        self.end(side.other(), out);
        while !bytes.is_empty() {
            let buffer = self.buffer(side);
            let room = LONGEST.saturating_sub(buffer.bytes.len());
            let (fits, over) = bytes.split_at(bytes.len().min(room));
            buffer.bytes.extend_from_slice(fits);
            buffer.seen(now);
            let cut = self.cut_whole(side, now, out);
            if !cut && !over.is_empty() {
                return self.lose(side, over.len() as u64, now);
            }
            bytes = over;
        }
    }

    /// Gives every whole message of one side; whether there was one.
    fn cut_whole(&mut self, side: Side, now: T, out: &mut impl FnMut(Cutting<'_, T>)) -> bool {
        let mut any = false;
        loop {
            let cut = self.cut(side);
            let buffer = self.buffer(side);
            match cut {
                Cut::At(len) if len > 0 && len <= buffer.bytes.len() => {
                    let rest = buffer.bytes.split_off(len);
                    buffer.give(side, out);
                    any = true;
                    if rest.is_empty() {
                        return any;
                    }
                    buffer.bytes = rest;
                    buffer.seen(now);
                }
                Cut::Foreign if self.protocol.is_none() => {
                    self.buffer(side).clear();
                    return true;
                }
                _ => return any,
            }
        }
    }

    /// So many bytes of one side are lost.
    pub fn lose(&mut self, side: Side, count: u64, now: T) {
        if self.protocol.is_some() {
            let buffer = self.buffer(side);
            buffer.missing = buffer.missing.saturating_add(count);
            buffer.gap.get_or_insert(buffer.bytes.len());
            buffer.seen(now);
        }
    }

    /// One side says no more, or the other one speaks: what it has said is a message.
    pub fn end(&mut self, side: Side, out: &mut impl FnMut(Cutting<'_, T>)) {
        self.buffer(side).give(side, out);
    }

    fn buffer(&mut self, side: Side) -> &mut Buffer<T> {
        let [here, there] = &mut self.sides;
        match side {
            Side::Here => here,
            Side::There => there,
        }
    }

    /// Asks the protocol that the conversation is in, or the first that knows how it begins.
    fn cut(&mut self, side: Side) -> Cut {
        let known = self.protocol;
        let bytes = self.buffer(side).bytes.as_slice();
        if let Some(protocol) = known {
            return (protocol.cut)(bytes);
        }
        let mut cuts = PROTOCOLS.iter().map(|p| (*p, (p.cut)(bytes)));
        let Some((protocol, cut)) = cuts.find(|(_, cut)| *cut != Cut::Foreign) else {
            return Cut::Foreign;
        };
        self.protocol = Some(protocol);
        cut
    }
}

impl<T: Copy> Default for Cutter<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy> Buffer<T> {
    fn seen(&mut self, now: T) {
        match &mut self.when {
            Some([_, last]) => *last = now,
            when => *when = Some([now, now]),
        }
    }

    fn give(&mut self, side: Side, out: &mut impl FnMut(Cutting<'_, T>)) {
        if let Some([first, last]) = self.when {
            let (bytes, missing, gap) = (self.bytes.as_slice(), self.missing, self.gap);
            out(Cutting { side, bytes, missing, gap, first, last });
            self.clear();
        }
    }

    fn clear(&mut self) {
        self.bytes.clear();
        (self.missing, self.gap, self.when) = (0, None, None);
    }
}

impl Side {
    /// The one that is answered.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Here => Self::There,
            Self::There => Self::Here,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Side::{Here, There};

    /// Every message with its side, in order, and what is missing of it.
    fn cut(said: &[(Side, &[u8])]) -> Vec<(Side, String, u64)> {
        let mut found = Vec::new();
        let mut cutter = Cutter::new();
        let mut out = |m: Cutting<'_, usize>| {
            assert!(m.first <= m.last);
            found.push((m.side, m.bytes.escape_ascii().to_string(), m.missing));
        };
        for (at, (side, bytes)) in said.iter().enumerate() {
            match bytes {
                [] => cutter.lose(*side, 10, at),
                bytes => cutter.say(*side, bytes, at, &mut out),
            }
        }
        cutter.end(Here, &mut out);
        cutter.end(There, &mut out);
        found
    }

    const TALK: [(Side, &[u8]); 4] = [
        (There, br"\basic\\secure\wookie"),
        (Here, br"\gamename\ut\location\0\validate\2/TYFMRc\final\"),
        (Here, br"\list\\gamename\ut\final\"),
        (There, br"\ip\192.0.2.7:7778\ip\198.51.100.9:8789\final\"),
    ];

    #[test]
    fn messages_do_not_depend_on_segments() {
        let whole: Vec<_> =
            TALK.iter().map(|(side, m)| (*side, m.escape_ascii().to_string(), 0)).collect();
        for size in [1, 2, 3, 7, 20, 1000] {
            let said: Vec<_> = TALK
                .iter()
                .flat_map(|(side, m)| m.chunks(size).map(|part| (*side, part)))
                .collect();
            assert_eq!(cut(&said), whole, "in pieces of {size}");
        }
        let client = [TALK[1].1, TALK[2].1].concat();
        assert_eq!(cut(&[TALK[0], (Here, &client), TALK[3]]), whole, "two in one segment");
    }

    #[test]
    fn http_is_cut_by_its_length_or_its_end() {
        let request = b"GET /UpdateServer/utmotd451.html HTTP/1.1\r\nHost: a\r\n\r\n";
        let reply = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
        let two = [&reply[..], b"HTTP/1.1 200 OK\r\n\r\nrest"].concat();
        let found = cut(&[(Here, request), (There, &two)]);
        let texts: Vec<_> = found.iter().map(|(_, text, _)| text.as_str()).collect();
        assert_eq!(texts.len(), 3);
        assert!(texts[1].ends_with("hi") && texts[2].ends_with("rest"), "{texts:?}");
    }

    #[test]
    fn what_no_protocol_knows_is_let_go() {
        let mut cutter = Cutter::new();
        let mut out = |m: Cutting<'_, ()>| panic!("{m:?}");
        for _ in 0..1000 {
            cutter.say(Here, b"\x16\x03\x01", (), &mut out);
            cutter.say(There, b"SSH-2.0\r\n", (), &mut out);
            cutter.lose(There, 9, ());
        }
        assert_eq!(cutter.protocol().map(|p| p.id), None);
        assert!(cutter.sides.iter().all(|s| s.bytes.capacity() < 2000));
    }

    #[test]
    fn a_message_is_bounded_and_says_what_is_missing() {
        let long = [b"\\ip\\1".as_slice(), &vec![b'1'; 3 * LONGEST]].concat();
        let found = cut(&[(There, &long), (There, br"\final\")]);
        assert_eq!((found.len(), found[0].1.len()), (1, (LONGEST - 5) + r"\\ip\\1".len()));
        assert_eq!(found[0].2, (2 * LONGEST + 5 + 7) as u64);
        let found = cut(&[(There, br"\ip\1.2.3.4:5"), (There, b""), (There, br"\final\")]);
        assert_eq!(found, [(There, r"\\ip\\1.2.3.4:5\\final\\".to_owned(), 10)]);
    }

    #[test]
    fn a_compressed_list_ends_too() {
        let list = b"\xc0\0\x02\x07\x1e\x62\xc6\x33\x64\x09\x22\x55\\final\\";
        let said = [TALK[0], TALK[1], (Here, br"\list\cmp\gamename\ut\final\"), (There, list)];
        let found = cut(&said);
        assert_eq!(found.last().unwrap().1, list.escape_ascii().to_string());
    }
}
