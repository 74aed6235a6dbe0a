//! QuakeWorld's and HexenWorld's masters (document 001, sections 6 and 7).
//!
//! The protocol has no challenge: a heartbeat is trusted. HexenWorld's programs put another FF
//! before uncompressed datagrams, both to and from a master.

use super::defect::Defect;
use super::desk::{IncomingRequest, MasterState, ReplySink};
use super::registry::{ListKey, Namespace, ServerKey, ServerQuery};
use super::service::Speaks;
use crate::codec::{Addrs, Scratch};
use crate::protocol::{Carrier, Direction};
use crate::protocols::quakeworld::{Ack, PROTOCOL, QuakeWorld, Servers};

/// The second spelling of the mark.
const FIVE: u8 = 1;
/// HexenWorld's list request, as quakestat sends it; no document has it.
const HEXENWORLD_QUERY: &[u8] = b"\xffc\0";

pub(super) fn handle(
    desk: &mut MasterState,
    heard: &IncomingRequest<'_>,
    scratch: &mut Scratch,
    out: ReplySink<'_>,
) {
    let (realm, mark) = match heard.service.speaks {
        Speaks::HexenWorld if desk.has(Defect::FourBytesMark) => (Namespace::HexenWorld, 0),
        Speaks::HexenWorld => (Namespace::HexenWorld, FIVE),
        _ => (Namespace::QuakeWorld, 0),
    };
    if realm == Namespace::HexenWorld && heard.payload == HEXENWORLD_QUERY {
        return list(desk, heard, realm, mark, out);
    }
    let payload = match heard.payload {
        [0xff, rest @ ..] if realm == Namespace::HexenWorld && !rest.starts_with(b"\xff") => rest,
        payload => payload,
    };
    let Some(entry) = PROTOCOL.recognise(Carrier::Datagram, payload, Direction::default()) else {
        return;
    };
    let Some(decoded) = QuakeWorld::decode(entry, payload, scratch) else {
        return;
    };
    if decoded.fault.is_some() {
        return desk.note(heard.service, heard.from, "not understood");
    }
    let seat = ServerKey { realm, address: heard.from };
    match decoded.message {
        QuakeWorld::Heartbeat(_) => desk.list_plain(heard, seat),
        QuakeWorld::Shutdown(_) => desk.unregister(heard, &seat),
        QuakeWorld::ServerPing(_) | QuakeWorld::Ping(_) if !desk.has(Defect::NeverAcknowledges) => {
            desk.send(heard.from, Ack { mark, ..Ack::default() }, out);
        }
        QuakeWorld::GetServers(_) => list(desk, heard, realm, mark, out),
        _ => {}
    }
}

/// All servers of a namespace, in one datagram.
fn list(
    desk: &mut MasterState,
    heard: &IncomingRequest<'_>,
    realm: Namespace,
    mark: u8,
    out: ReplySink<'_>,
) {
    if !desk.may_list(heard) {
        return;
    }
    let wanted = ServerQuery { realm, protocol: None, game: None };
    let found = desk.find(wanted, |kind: &ListKey| !kind.six);
    let raw = desk.records(Servers::FORM, &found);
    desk.give_back(found);
    desk.send(heard.from, Servers { mark, servers: Addrs::new(&raw) }, out);
}
