//! Frames of a master's connection: a length of four bytes and so much more. No frame says which
//! message it is; its content does. Sources: OpenSpy, and qstat's client.

use super::heartbeat;
use codec::Counting::Unreal;
use protocol::FrameBoundary;

/// The longest frame that is read; a heartbeat with many players has less.
const LONGEST: usize = 16_384;
/// The most digits of a challenge: those of a number of 32 bits.
const CHALLENGE_DIGITS: usize = 10;
/// The digits of an MD5.
const HASH_DIGITS: usize = 32;
/// The digits of an approved client's response.
const RESPONSE_DIGITS: usize = 32;

/// Which message a frame is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameKind {
    Challenge,
    Login,
    Verdict,
    ApprovedResponse,
    Uplink,
    DetectedPorts,
    HeartbeatRequest,
    Heartbeat,
    Statistics,
    Number,
    PackagesVersion,
    Packages,
    ListRequest,
    ListHead,
    ListRecord,
    MotdRequest,
    Text,
}

/// The frame at the beginning of a stream. Of a frame that has not come whole, only the challenge at
/// the beginning of a connection is recognised.
pub(super) fn cut(bytes: &[u8], _: usize) -> FrameBoundary {
    let open = FrameBoundary::Open { searched: 0 };
    let Some((head, rest)) = bytes.split_first_chunk::<4>() else {
        return if opens(bytes) { open } else { FrameBoundary::Foreign };
    };
    let length = u32::from_le_bytes(*head) as usize;
    match rest.get(..length) {
        _ if !(1..=LONGEST).contains(&length) => FrameBoundary::Foreign,
        Some(frame) if kind(frame).is_some() => FrameBoundary::At(4 + length),
        None if opens(bytes) => open,
        _ => FrameBoundary::Foreign,
    }
}

/// Whether a connection begins, as far as it is there: with a master's challenge, or, where a program
/// does not wait for it, with a login, whose first text is an MD5. The other messages are so short, or
/// so free, that other protocols' numbers look like them.
pub(super) fn opens(bytes: &[u8]) -> bool {
    let Some((head, rest)) = bytes.split_first_chunk::<4>() else {
        return bytes.get(2).is_none_or(|byte| *byte == 0);
    };
    let length = u32::from_le_bytes(*head) as usize;
    let Some((count, text)) = rest.split_first() else {
        return (3..=LONGEST).contains(&length);
    };
    let count = usize::from(*count);
    let letters = text.get(..count.saturating_sub(1)).unwrap_or(text);
    if count + 1 == length {
        let is_whole = rest.len() >= length;
        return if is_whole {
            is(bytes, FrameKind::Challenge)
        } else {
            count <= CHALLENGE_DIGITS + 1 && letters.iter().all(u8::is_ascii_digit)
        };
    }
    let is_hash = count == HASH_DIGITS + 1 && letters.iter().all(u8::is_ascii_hexdigit);
    is_hash && length > 2 * count && (rest.len() < length || is(bytes, FrameKind::Login))
}

/// Whether the first frame is one that only this protocol has: with several texts or an MD5, or with a
/// word of the master. The others are a number or a text.
pub(super) fn resumes(bytes: &[u8], _: u16) -> bool {
    use FrameKind::{
        ApprovedResponse, Heartbeat, ListRecord, ListRequest, Login, Packages, Verdict,
    };
    let filters = bytes.get(5).copied().unwrap_or_default();
    [Verdict, Login, ApprovedResponse, Heartbeat, ListRecord, Packages]
        .into_iter()
        .any(|kind| is(bytes, kind))
        || filters > 0 && is(bytes, ListRequest)
}

/// Whether the first frame is of this kind.
pub(super) fn is(bytes: &[u8], wanted: FrameKind) -> bool {
    let frame = bytes
        .split_first_chunk::<4>()
        .and_then(|(length, rest)| rest.get(..u32::from_le_bytes(*length) as usize));
    frame.and_then(kind) == Some(wanted)
}

/// What follows so many texts; `None` if they are not there.
pub(super) fn behind_texts(mut left: &[u8], count: usize) -> Option<&[u8]> {
    for _ in 0..count {
        let text = Unreal.split_off(left).ok()?;
        left = left.get(text.len(Unreal)..)?;
    }
    Some(left)
}

/// Which message a frame is; `None` if it is none.
fn kind(frame: &[u8]) -> Option<FrameKind> {
    if let Some(kind) = short(frame) {
        return Some(kind);
    }
    if let Some([] | [_, 0, 0, 0]) = behind_texts(frame, 1)
        && let Ok(text) = Unreal.split_off(frame)
        && !text.text.is_empty()
    {
        return Some(match text.text {
            b"APPROVED" | b"DENIED" | b"VERIFIED" => FrameKind::Verdict,
            text if text.len() <= CHALLENGE_DIGITS && text.iter().all(u8::is_ascii_digit) => {
                FrameKind::Challenge
            }
            text if text.len() == RESPONSE_DIGITS && text.iter().all(u8::is_ascii_hexdigit) => {
                FrameKind::ApprovedResponse
            }
            _ => FrameKind::Text,
        });
    }
    let (first, rest) = frame.split_first()?;
    let by_command = match first {
        0 => is_list_request(rest).then_some(FrameKind::ListRequest),
        1 => heartbeat::is_heartbeat(rest).then_some(FrameKind::Heartbeat),
        2 => (behind_texts(rest, 1) == Some(&[])).then_some(FrameKind::Statistics),
        4 => is_packages(rest).then_some(FrameKind::Packages),
        _ => None,
    };
    let by_form = || {
        let is_login = super::login::is_login(frame);
        is_login.then_some(FrameKind::Login).or_else(|| {
            let tail = behind_texts(frame.get(8..)?, 3)?.get(2..)?;
            let is_record = match tail {
                [] | [_] => true,
                _ => behind_texts(tail.get(4..)?, 1) == Some(&[]),
            };
            is_record.then_some(FrameKind::ListRecord)
        })
    };
    by_command.or_else(by_form)
}

/// A frame whose length and first bytes say what it is.
fn short(frame: &[u8]) -> Option<FrameKind> {
    Some(match frame {
        [1] => FrameKind::MotdRequest,
        [_, _, 0, 0, 1] => FrameKind::ListHead,
        [3, _, _, _, _] => FrameKind::Number,
        [4, _, _, _, _] => FrameKind::PackagesVersion,
        [0, 0..=2, _, _, _, _] => FrameKind::HeartbeatRequest,
        [1, 0, _, _, _, _] => FrameKind::DetectedPorts,
        [1, 120, 0, 0, 0, ports @ ..] if ports.len() == 12 => FrameKind::DetectedPorts,
        [0 | 1, 0, 0, 0, 0 | 1, 0, 0, 0] => FrameKind::Uplink,
        _ => return None,
    })
}

/// A number of filters, each with two texts and a byte.
fn is_list_request(rest: &[u8]) -> bool {
    let Some((count, mut left)) = rest.split_first() else {
        return false;
    };
    for _ in 0..*count {
        let Some(behind) = behind_texts(left, 2).and_then(|left| left.get(1..)) else {
            return false;
        };
        left = behind;
    }
    left.is_empty()
}

/// A number of packages, each with two texts and four bytes.
fn is_packages(rest: &[u8]) -> bool {
    let Some((count, mut left)) = rest.split_first() else {
        return false;
    };
    for _ in 0..*count {
        let Some(behind) = behind_texts(left, 2).and_then(|left| left.get(4..)) else {
            return false;
        };
        left = behind;
    }
    *count > 0 && left.is_empty()
}
