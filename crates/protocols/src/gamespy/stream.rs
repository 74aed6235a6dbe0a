//! Messages between a client and the master over TCP, on port 28900.
//!
//! The master sends the first message, a challenge; the client answers it and requests a list.
//! Messages end at `\final\`, but for the challenge, which ends when the client sends.

use super::super::{C2M, M2C, NOTHING, SERVERS};
use super::pairs::{BARE_FINAL, BARE_FINALS, NUL, NULS};
use super::server::{challenge, proof, validation};
use super::{PAIRS, PairList, begins, has, keys, pairs_message};
use codec::{
    Addrs, Anomaly, Endpoints, Field, FieldRole, IP_PAIRS, PLAIN_FINAL, Pass, Spelling, Walk,
};
use protocol::{ExchangeKind, FrameBoundary, Message, Refusal, Spec};

pub(super) static END: Field = Field::separator("end", "says that the list is complete")
    .role(FieldRole::End)
    .values(&[("\\final\\", "the list is complete")]);
pub(super) static ENDS: [Spelling; 2] =
    [Spelling::new(FINAL), Spelling::odd(NOTHING.bytes, Anomaly::EndMark)];

pub(super) const FINAL: &[u8] = b"\\final\\";

pairs_message! {
    /// The master's challenge, at the beginning.
    SecureChallenge = Spec::new(
        "TCP secure challenge", &["001 5.6"], M2C, b"\\basic\\\\secure\\wookie",
    )
    .id("secure-challenge")
    .stream()
    .content_match(b"\\", |bytes| matches!(keys(bytes).next(), Some(b"basic" | b"secure")) && has(bytes, b"secure"))
    .challenge(challenge).exchange(ExchangeKind::Validation);
    /// The client proves that it is the game, or a browser with a key.
    Validate = Spec::new(
        "TCP validate", &["001 5.6"], C2M,
        b"\\gamename\\ut\\location\\0\\validate\\2/TYFMRc\\final\\",
    )
    .id("validate")
    .stream()
    .content_match(b"\\", |bytes| begins(bytes, b"gamename") && has(bytes, b"validate"))
    .validation(validation)
    .proof(proof)
    .echo_keys(&["validate"])
    .answers(&["secure-challenge"]);
    /// A client's list request.
    ListRequest = Spec::new(
        "TCP list request", &["001 5.6"], C2M, b"\\list\\\\gamename\\ut\\final\\",
    )
    .id("list-request")
    .stream()
    .content_match(b"\\", |bytes| begins(bytes, b"list")).exchange(ExchangeKind::List);
    /// A master refuses a client, says why and closes. In no document.
    ErrorMessage = Spec::new(
        "TCP error", &["001 5.6"], M2C, b"\\echo\\You failed to authenticate.\\final\\",
    )
    .id("error")
    .stream()
    .content_match(b"\\", |bytes| begins(bytes, b"echo") && has(bytes, b"final"))
    .answers(&["validate", "list-request"])
    .refusal(Refusal::Always)
    .undocumented();
}

/// A master's list, with a pair per server.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ServerList<'a> {
    pub servers: Endpoints<'a>,
    pub more: bool,
    /// `final`, and servers in another notation.
    pub pairs: PairList<'a>,
}

impl<'a> Message<'a> for ServerList<'a> {
    const SPEC: Spec = Spec::new(
        "TCP server list",
        &["001 5.6"],
        M2C,
        b"\\ip\\192.0.2.7:7778\\ip\\198.51.100.9:8789\\final\\",
    )
    .id("server-list")
    .stream()
    .content_match(b"\\", |bytes| matches!(keys(bytes).next(), Some(b"ip" | b"final")))
    .answers(&["list-request"])
    .has_end_mark();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.view(&SERVERS, IP_PAIRS, &mut self.servers)?;
        p.more(&mut self.more, "behind the servers", |p| p.view(&PAIRS, (), &mut self.pairs))
    }
}

/// A master's list with six bytes per server, requested with `cmp`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CompressedList<'a> {
    pub servers: Addrs<'a>,
    pub end: u8,
}

impl<'a> Message<'a> for CompressedList<'a> {
    const SPEC: Spec = Spec::new(
        "TCP compressed list",
        &["001 5.6"],
        M2C,
        b"\xc0\0\x02\x07\x1e\x62\xc6\x33\x64\x09\x22\x55\\final\\",
    )
    .id("compressed-list")
    .stream()
    .weak()
    .content_match(b"", is_compressed)
    .answers(&["list-request"])
    .has_end_mark();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.view(&SERVERS, PLAIN_FINAL, &mut self.servers)?;
        p.one_of(&END, &ENDS, &mut self.end)
    }
}

/// Complete records and then the end mark, without a pair at the beginning.
pub(super) fn is_compressed(bytes: &[u8]) -> bool {
    let end = memchr::memmem::find(bytes, FINAL);
    end.is_some_and(|at| at > 0 && at % 6 == 0) && !is_pair(bytes)
}

/// Whether bytes begin with a key, or may do so when more of them have come.
pub(super) fn is_pair(bytes: &[u8]) -> bool {
    let [b'\\', key @ ..] = bytes else { return false };
    key.first().is_none_or(u8::is_ascii_lowercase)
}

/// A message ends after `\final\`. GameSpy's own clients append a `\queryid\`, which belongs to it
/// and not to the next message (observed in open-source programs).
pub(super) fn cut(bytes: &[u8], searched: usize) -> FrameBoundary {
    let found = memchr::memmem::find(bytes.get(searched..).unwrap_or_default(), FINAL);
    let Some(at) = found.map(|at| searched + at) else {
        let searched = bytes.len().saturating_sub(FINAL.len() - 1);
        return if is_pair(bytes) {
            FrameBoundary::Open { searched }
        } else {
            FrameBoundary::Foreign
        };
    };
    let end = at + FINAL.len();
    let behind = bytes.get(end..).unwrap_or_default();
    let word = behind.strip_prefix(b"\\").unwrap_or(behind);
    let Some(number) = word.strip_prefix(b"queryid\\") else {
        let begun = !behind.is_empty() && b"queryid\\".starts_with(word);
        return if begun { FrameBoundary::Open { searched: at } } else { FrameBoundary::At(end) };
    };
    let digits = number.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    let tail = number.get(digits..).unwrap_or_default();
    let closed = tail == b"\\" || tail.starts_with(b"\\\\");
    FrameBoundary::At(bytes.len() - tail.len() + usize::from(closed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_end_at_final() {
        for (bytes, cut_at) in [
            (&br"\basic\\secure\wookie"[..], FrameBoundary::Open { searched: 15 }),
            (br"\", FrameBoundary::Open { searched: 0 }),
            (br"\list\\gamename\ut\final\", FrameBoundary::At(25)),
            (br"\list\\gamename\ut\fina", FrameBoundary::Open { searched: 17 }),
            (br"\validate\x\final\\list\", FrameBoundary::At(18)),
            (br"\validate\x\final\\queryid\1.1\", FrameBoundary::At(31)),
            (br"\validate\x\final\\queryid\1.1\\list\", FrameBoundary::At(31)),
            (br"\validate\x\final\\queryid\1.1\list\", FrameBoundary::At(30)),
            (br"\validate\x\final\queryid\1.1\list\", FrameBoundary::At(29)),
            (br"\validate\x\final\\quer", FrameBoundary::Open { searched: 11 }),
            (b"\xc0\0\x02\x07\x1e\x62\\final\\", FrameBoundary::At(13)),
            (b"\xc0\0\x02\x07\x1e\x62", FrameBoundary::Foreign),
            (b"GET / HTTP/1.1", FrameBoundary::Foreign),
        ] {
            assert_eq!(cut(bytes, 0), cut_at, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn a_compressed_list_is_whole_records() {
        for (bytes, is) in [
            (&b"\xc0\0\x02\x07\x1e\x62\\final\\"[..], true),
            (b"\xc0\0\x02\x07\x1e\\final\\", false),
            (b"\\final\\", false),
            (br"\ip\92.\final\", false),
        ] {
            assert_eq!(is_compressed(bytes), is, "{}", bytes.escape_ascii());
        }
    }
}
