//! The framers alone: the messages of a stream do not depend on how its bytes are divided.
//!
//! The input is a list of pieces: a byte whose low bit is the side, the second says that the piece
//! was lost, and the others its length; then its bytes.

use fragshark::protocol::{Carrier, Direction, Framer, Side, StreamStart};
use fragshark::protocols::registry;

use super::laws::Laws;

/// The bytes begin anywhere, on ports that no game documents.
const PLACE: StreamStart = StreamStart::Middle([0, 0]);

pub fn run(bytes: &[u8]) {
    let pieces = pieces(bytes);
    let whole = messages(&pieces, usize::MAX);
    hold(&whole);
    if begins_at_once(&pieces) {
        for size in [1, 7] {
            assert_eq!(messages(&pieces, size), whole, "in pieces of {size} bytes");
        }
    }
}

/// HTTP: requests and replies, a line or two of which are given.
pub fn http(bytes: &[u8]) {
    let Some((pick, rest)) = bytes.split_first() else { return };
    let at = (usize::from(pick >> 2) * 4).min(rest.len());
    let (request, reply) = rest.split_at(at);
    let begun = |begin: &str, rest: &[u8]| [begin.as_bytes(), rest].concat();
    let request = match pick & 1 {
        0 => begun("GET /UpdateServer/utmotd451.html HTTP/1.1\r\nHost: ", request),
        _ => begun("GET ", request),
    };
    let reply = match pick & 2 {
        0 => begun("HTTP/1.1 200 OK\r\nContent-Length: ", reply),
        _ => begun("HTTP/1.1 ", reply),
    };
    let pieces = [
        Piece { side: Side::Here, lost: false, bytes: &request },
        Piece { side: Side::There, lost: false, bytes: &reply },
    ];
    let whole = messages(&pieces, usize::MAX);
    hold(&whole);
    if begins_at_once(&pieces) {
        assert_eq!(messages(&pieces, 1), whole, "byte by byte");
    }
}

struct Piece<'a> {
    side: Side,
    lost: bool,
    bytes: &'a [u8],
}

/// A message: its side, its bytes, how many are missing and where.
type Message = (Side, Vec<u8>, u64, Option<usize>);

fn pieces(mut bytes: &[u8]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    while let [head, rest @ ..] = bytes {
        let (piece, behind) = rest.split_at(usize::from(head >> 2).min(rest.len()));
        let side = if head & 1 == 0 { Side::Here } else { Side::There };
        if !piece.is_empty() {
            pieces.push(Piece { side, lost: head & 2 != 0, bytes: piece });
        }
        bytes = behind;
    }
    pieces
}

/// The messages of the pieces, passed on in parts of at most `size` bytes.
fn messages(pieces: &[Piece<'_>], size: usize) -> Vec<Message> {
    let mut found: Vec<Message> = Vec::new();
    let mut sent = [Vec::new(), Vec::new()];
    let mut cutter = Framer::new(registry(), PLACE);
    let mut out = |m: fragshark::protocol::FramedMessage<'_, usize>| {
        assert!(m.first <= m.last);
        assert!(m.gap.is_none_or(|gap| gap <= m.bytes.len()));
        assert_eq!(m.gap.is_some(), m.missing > 0);
        found.push((m.side, m.bytes.to_vec(), m.missing, m.gap));
    };
    for (now, piece) in pieces.iter().enumerate() {
        if piece.lost {
            cutter.lose(piece.side, piece.bytes.len() as u64, now);
            continue;
        }
        let sent = &mut sent[usize::from(piece.side == Side::There)];
        for part in parts(sent, piece.bytes, size) {
            cutter.push(piece.side, part, now, &mut out);
        }
        sent.extend_from_slice(piece.bytes);
    }
    cutter.end(Side::Here, &mut out);
    cutter.end(Side::There, &mut out);
    found
}

/// Parts of at most `size` bytes of what follows `sent`, or more: none ends where a message of
/// GameSpy's may.
fn parts<'a>(sent: &[u8], piece: &'a [u8], size: usize) -> Vec<&'a [u8]> {
    let (whole, mut begin, mut parts) = ([sent, piece].concat(), 0, Vec::new());
    for end in 1..=piece.len() {
        let is_long = end - begin >= size && !may_go_on(&whole[..sent.len() + end]);
        if is_long || end == piece.len() {
            parts.push(&piece[begin..end]);
            begin = end;
        }
    }
    parts
}

/// Whether bytes end behind `\final\` or in the `\queryid\1.1` that belongs to it where it follows,
/// and for which nobody waits.
fn may_go_on(bytes: &[u8]) -> bool {
    const FINAL: &[u8] = br"\final\";
    let last = bytes.windows(FINAL.len()).rposition(|window| window == FINAL);
    let tail = last.map(|at| &bytes[at + FINAL.len()..]);
    tail.is_some_and(|tail| tail.iter().all(|b| br"\queryid.0123456789".contains(b)))
}

/// Whether the same protocol is known from the first byte on, and decided at the end of the first
/// piece: what comes before a message is dropped, and how much depends on how the bytes are divided.
fn begins_at_once(pieces: &[Piece<'_>]) -> bool {
    let Some(first) = pieces.first() else { return false };
    let protocol =
        |length| registry().frame(&first.bytes[..length], PLACE).map(|(protocol, _)| protocol.id);
    let whole = protocol(first.bytes.len());
    let mut framer = Framer::new(registry(), PLACE);
    framer.push(first.side, first.bytes, 0, &mut |_| {});
    let is_decided = framer.protocol().map(|protocol| protocol.id) == whole;
    !first.lost
        && whole.is_some()
        && is_decided
        && (1..first.bytes.len()).all(|length| protocol(length) == whole)
}

fn hold(found: &[Message]) {
    let mut laws = Laws::default();
    for (_, bytes, ..) in found {
        for entry in registry().recognise_all(Carrier::Stream, bytes, Direction::default()) {
            laws.hold(entry, bytes);
        }
    }
}
