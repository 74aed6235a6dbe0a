//! The list over TCP (document 008): the client names its game and sends its half of a key, the
//! master answers with the other half, and enciphers all that it sends behind that.

use std::net::{IpAddr, SocketAddrV4};

use super::filter::BrowseFilter;
use super::{QR2_SERVERS, known};
use crate::{Defect, IncomingRequest, ListKey, MasterState, ServerKey, ServerQuery, StreamSession};
use codec::{PLAIN_BIG, RawBytes as _, Scratch, encode};
use protocols::gamespy::key_of;
use protocols::gamespy_list::{
    BrowseRequest, Cipher, CryptHeader, KeyTypes, ListBody, NewServer, PopularValues, Servers,
    cipher, header, key_types,
};
use simulate::families::qr2::messages::{game_named, query_port};

/// The bytes of a client's message: its length, and a type behind it.
const SHORTEST: usize = 3;
const LONGEST: usize = 0x7ff;
/// The type of a request for a list.
const LIST: u8 = 0;
/// The types of a client's other messages, which are read and not answered.
const OTHERS: std::ops::RangeInclusive<u8> = 1..=5;
/// How many random bytes stand before a list, behind the flags of the game, and how many the master's
/// half of the key has.
const RANDOM: usize = 6;
const CHALLENGE: usize = 16;
/// The default port of an answer that is an error.
const NO_LIST: u16 = 0xffff;
/// The options of a request.
const HEAD_ALONE: u32 = 2;
const LIMITED: u32 = 128;
/// The most keys that a list tells of each server.
const MOST_KEYS: usize = 64;

/// The state of one client's connection.
struct BrowseSession {
    received: Vec<u8>,
    /// The cipher of what the master sends, from the first list on.
    cipher: Option<Cipher>,
    over: bool,
}

/// Starts a connection; the client speaks first.
pub(crate) fn open(_: &mut MasterState, _: &mut Vec<u8>) -> Box<dyn StreamSession> {
    Box::new(BrowseSession { received: Vec::new(), cipher: None, over: false })
}

impl StreamSession for BrowseSession {
    fn handle_bytes(
        &mut self,
        state: &mut MasterState,
        incoming: &IncomingRequest<'_>,
        out: &mut Vec<u8>,
    ) {
        self.received.extend_from_slice(incoming.payload);
        while let Some(length) = self.received.first_chunk().copied().filter(|_| !self.over) {
            let length = usize::from(u16::from_be_bytes(length));
            if !(SHORTEST..=LONGEST).contains(&length) {
                self.over = true;
            } else if length > self.received.len() {
                self.over = state.has(Defect::OnePiece);
                return;
            } else {
                let rest = self.received.split_off(length);
                let message = std::mem::replace(&mut self.received, rest);
                self.handle(state, &IncomingRequest { payload: &message, ..*incoming }, out);
            }
        }
    }

    fn is_over(&self) -> bool {
        self.over
    }
}

impl BrowseSession {
    fn handle(
        &mut self,
        state: &mut MasterState,
        incoming: &IncomingRequest<'_>,
        out: &mut Vec<u8>,
    ) {
        let kind = incoming.payload.get(2).copied().unwrap_or(u8::MAX);
        if kind != LIST {
            self.over = !OTHERS.contains(&kind);
            return;
        }
        let mut scratch = Scratch::default();
        let request =
            protocol::decode::<BrowseRequest<'_>, _>(incoming.payload, &mut scratch, &mut ());
        if request.fault.is_some() || !self.begin(state, &request.message, out) {
            self.over = true;
            state.note(incoming.service, incoming.from, "refused: not a valid request");
            return;
        }
        let mut plain = list(state, incoming, &request.message);
        if let Some(cipher) = &mut self.cipher {
            cipher.encipher(&mut plain);
        }
        out.extend(plain);
    }

    /// Sends the master's half of the key, once for each connection. Returns whether the key of the
    /// asking game is published.
    fn begin(
        &mut self,
        state: &mut MasterState,
        request: &BrowseRequest<'_>,
        out: &mut Vec<u8>,
    ) -> bool {
        if self.cipher.is_some() {
            return true;
        }
        let random = state.random.word(RANDOM).unwrap_or_default();
        let challenge = state.random.word(CHALLENGE).unwrap_or_default();
        let head = header(&[&[0, 0], &random[..]].concat(), &challenge);
        let split = CryptHeader::split(&head);
        self.cipher = split.and_then(|(head, _)| cipher(request.from, request, head));
        if self.cipher.is_some() {
            out.extend(head);
        }
        self.cipher.is_some()
    }
}

/// The servers of the requested game that match the filter, with the values of the requested keys.
fn list(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    request: &BrowseRequest<'_>,
) -> Vec<u8> {
    let address = match incoming.from.ip() {
        IpAddr::V4(ip) => ip.octets(),
        IpAddr::V6(_) => [0; 4],
    };
    let mut out = Vec::new();
    if key_of(request.gamename).is_none() {
        let reason = b"no such game";
        // A message made here always encodes.
        _ = encode(ListBody { address, port: NO_LIST, reason, ..ListBody::default() }, &mut out);
        return out;
    }
    let port = query_port(game_named(request.gamename));
    if request.options & HEAD_ALONE != 0 {
        out.extend(address);
        out.extend(port.to_be_bytes());
        return out;
    }
    let names = request.fields.split(|byte| *byte == b'\\').filter(|name| !name.is_empty());
    let names: Vec<_> = names.take(MOST_KEYS).collect();
    let keys = key_types(&names);
    let is_limited = request.options & LIMITED != 0 && !state.has(Defect::IgnoresMaximum);
    let most = if is_limited { request.most } else { u32::MAX };
    let servers = records(state, request, &names, most as usize);
    let end = u8::from(state.has(Defect::NoFinal));
    let body = ListBody {
        address,
        port,
        keys: KeyTypes::from_raw(&keys),
        popular: PopularValues::from_raw(b"\0"),
        servers: Servers::from_raw(&servers),
        end,
        ..ListBody::default()
    };
    _ = encode(body, &mut out);
    out
}

/// The records of the servers.
fn records(
    state: &mut MasterState,
    request: &BrowseRequest<'_>,
    names: &[&[u8]],
    most: usize,
) -> Vec<u8> {
    let filter = BrowseFilter::new(request.filter);
    let game = Some(request.gamename);
    let query = ServerQuery { namespace: &QR2_SERVERS, protocol: Some(0), game };
    let found = state.find(query, |kind: &ListKey| !kind.six);
    let lacks_fields = state.has(Defect::LacksFields);
    let is_filtered = !state.has(Defect::IgnoresFilter);
    let mut raw = Vec::new();
    let mut count = 0;
    for address in &found {
        let server = ServerKey { namespace: &QR2_SERVERS, address: *address };
        let settings = known(state, &server).map(|(_, settings)| settings);
        let value = |name: &[u8]| settings.and_then(|settings| settings.get(name));
        if count >= most || (is_filtered && !filter.fits(value)) {
            continue;
        }
        count += 1;
        let shown = |name: &&[u8]| value(name).filter(|_| !lacks_fields).unwrap_or_default();
        let values: Vec<_> = names.iter().map(shown).collect();
        let negotiates = value(b"natneg") == Some(b"1");
        let private = private(value).filter(|_| negotiates);
        let mut at = Vec::new();
        state.push(PLAIN_BIG, *address, &mut at);
        NewServer { negotiates, private, values: &values }.push(&at, &mut raw);
    }
    state.recycle(found);
    raw
}

/// The address of a server in its own network.
fn private<'s>(value: impl Fn(&[u8]) -> Option<&'s [u8]>) -> Option<SocketAddrV4> {
    let text = |key: &[u8]| std::str::from_utf8(value(key)?).ok();
    let (ip, port) = (text(b"localip0")?.parse().ok()?, text(b"localport")?.parse().ok()?);
    Some(SocketAddrV4::new(ip, port))
}
