//! A connection: the client's requests, each with its length in front, and the master's answer up to
//! the end.

use super::GAMESPY_LIST;
use super::cipher::{Cipher, session_key};
use super::list::{CryptHeader, is_plain};
use super::request::{BrowseRequest, HEAD};
use crate::gamespy::key_of;
use codec::Scratch;
use protocol::{FrameBoundary, Role, decode};

/// The longest request.
const LONGEST: u16 = 0x7ff;

/// A request ends by its length; what the master sends is one message, because nobody else can tell
/// its parts before they are deciphered.
pub(super) fn cut(bytes: &[u8], _: usize) -> FrameBoundary {
    let open = FrameBoundary::Open { searched: 0 };
    if opens(bytes) {
        let Some((length, behind)) = bytes.split_first_chunk() else { return open };
        let length = u16::from_be_bytes(*length);
        return if behind.len() < HEAD.len() { open } else { FrameBoundary::At(length.into()) };
    }
    match CryptHeader::split(bytes) {
        Some(_) => FrameBoundary::Endless,
        None if CryptHeader::may_begin(bytes) => open,
        None => FrameBoundary::Foreign,
    }
}

/// Whether a connection begins, as far as it is there: with a request. What a master sends begins with
/// lengths of random bytes, as much of others does.
pub(super) fn opens(bytes: &[u8]) -> bool {
    let Some((length, behind)) = bytes.split_first_chunk() else {
        return bytes.first().is_none_or(|first| *first <= LONGEST.to_be_bytes()[0]);
    };
    let begins = behind.iter().zip(HEAD).all(|(byte, expected)| byte == expected);
    begins && (HEAD.len() as u16 + 2..=LONGEST).contains(&u16::from_be_bytes(*length))
}

/// Whether a connection goes on with a request, or with a list from a master on its documented port.
pub(super) fn resumes(bytes: &[u8], sender: u16) -> bool {
    let is_list = || CryptHeader::split(bytes).is_some_and(|(_, body)| !body.is_empty());
    opens(bytes) || GAMESPY_LIST.listens(sender) == Some(Role::Master) && is_list()
}

/// The answer to a request, deciphered with the published key of the asking game, or of the game that
/// is asked for.
pub(super) fn decipher(asked: &[u8], bytes: &[u8]) -> Option<Vec<u8>> {
    let (header, body) = CryptHeader::split(bytes).filter(|(_, body)| !is_plain(body))?;
    let mut scratch = Scratch::default();
    let request = decode::<BrowseRequest<'_>, _>(asked, &mut scratch, &mut ());
    let request = request.fault.is_none().then_some(request.message)?;
    let mut plain = [request.from, request.gamename].into_iter().filter_map(|game| {
        let mut plain = body.to_vec();
        cipher(game, &request, header)?.decipher(&mut plain);
        Some(plain)
    });
    let plain = plain.find(|plain| is_plain(plain))?;
    let head = bytes.get(..bytes.len() - body.len())?;
    Some([head, &plain].concat())
}

/// The reverse: a plain answer enciphered for a request, with the published key of the asking game,
/// else of the game that is asked for.
pub(super) fn encipher(asked: &[u8], plain: &[u8]) -> Option<Vec<u8>> {
    let (header, body) = CryptHeader::split(plain).filter(|(_, body)| is_plain(body))?;
    let mut scratch = Scratch::default();
    let request = decode::<BrowseRequest<'_>, _>(asked, &mut scratch, &mut ());
    let request = request.fault.is_none().then_some(request.message)?;
    let mut ciphers = [request.from, request.gamename].into_iter();
    let mut cipher = ciphers.find_map(|game| cipher(game, &request, header))?;
    let mut body = body.to_vec();
    cipher.encipher(&mut body);
    let head = plain.get(..plain.len() - body.len())?;
    Some([head, &body].concat())
}

/// The cipher of a connection: of the answer to its first request, and of all that the master sends
/// behind it. `None` if the game's key is not published.
pub fn cipher(game: &[u8], request: &BrowseRequest<'_>, header: CryptHeader<'_>) -> Option<Cipher> {
    key_of(game).map(|key| Cipher::new(session_key(key, request.challenge, header.challenge())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gamespy_list::List;
    use protocol::Message as _;

    /// A master's answer to the request of the example.
    const LIST: &[u8] =
        b"\xe4\0\0\x31\x41\x59\x26\x53\x58\xe0\x9b\x07\xe3\x44\x12\xfa\x60\x2d\x81\x5c\
        \x6e\x40\xb1\x1f\xd2\x67\x39\x5d\x69\xba\xb4\x2e\x6b\xcd\x09\x06\xd9\x15\x57\xd3\xdb\x77\
        \x73\x30\x06\x2d\xe5\x15\xfc\x59\x77\xec\xfd\x7f\x96\xce\x49\xa9\x19\x32\x28\x42\xda\xa0\
        \xdb\x3d\x75\xd0\x76\x09\xca\x9f\x09\x02\x5e\x2c\x9a\xca\xeb\x2e\xa5\x16\x82\x47\x80\xa8\
        \x6f\x54\x66\xb1\xc7\x30\x36\xae\xb5\x99\xb6\x8f\xcc\xe2\xb9";

    #[test]
    fn lists_are_deciphered_with_their_request() {
        let request = BrowseRequest::SPEC.example;
        let plain = decipher(request, LIST).unwrap();
        assert_eq!(
            plain.get(20..),
            Some(
                &b"\xc6\x33\x64\x07\x74\xcc\x03\0hostname\0\x01numplayers\0\x01maxplayers\0\0\
                   \x51\xc0\0\x02\x0a\x74\xcd\xffLab One\0\x03\x40\
                   \x41\xc0\0\x02\x0b\xffLab Two\0\0\x20\0\xff\xff\xff\xff"[..]
            )
        );
        assert_eq!(decipher(request, &plain), None, "it is not deciphered again");
        assert_eq!(encipher(request, &plain).as_deref(), Some(LIST));
        assert_eq!(encipher(request, LIST), None, "it is not enciphered again");
        assert_eq!(encipher(b"", &plain), None);
        assert_eq!(decipher(b"", LIST), None);
        assert_eq!(decipher(request, List::SPEC.example), None);
    }

    #[test]
    fn requests_end_by_their_length_and_lists_with_the_stream() {
        let open = FrameBoundary::Open { searched: 0 };
        for (bytes, cut_at) in [
            (BrowseRequest::SPEC.example, FrameBoundary::At(68)),
            (b"\0", open),
            (b"\0\x44", open),
            (b"\0\x44\0\x01", open),
            (b"\0\x44\0\x01\x03", FrameBoundary::At(68)),
            (b"\0\x44\0\x01\x04", FrameBoundary::Foreign),
            (b"\0\x04\0\x01\x03", FrameBoundary::Foreign),
            (LIST, FrameBoundary::Endless),
            (&LIST[..10], open),
            (&LIST[..1], open),
            (b"\xe4\x41", FrameBoundary::Foreign),
            (b"\\basic\\", FrameBoundary::Foreign),
            (b"GET / HTTP/1.1", FrameBoundary::Foreign),
        ] {
            assert_eq!(cut(bytes, 0), cut_at, "{}", bytes.escape_ascii());
        }
    }
}
