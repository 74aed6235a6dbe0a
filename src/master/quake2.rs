//! Quake 2's and Heretic 2's masters (document 001, sections 2 and 3).
//!
//! The protocol has no challenge: a heartbeat has all data, and its source address is trusted.

use super::defect::Defect;
use super::desk::{IncomingRequest, MasterState, ReplySink};
use super::registry::{ListKey, Namespace, ServerKey, ServerQuery};
use super::service::Speaks;
use crate::codec::{Addrs, Scratch};
use crate::protocol::{Carrier, Direction};
use crate::protocols::quake2::{Ack, PROTOCOL, Quake2, Servers};

pub(super) fn handle(
    desk: &mut MasterState,
    heard: &IncomingRequest<'_>,
    scratch: &mut Scratch,
    out: ReplySink<'_>,
) {
    let Some(entry) = PROTOCOL.recognise(Carrier::Datagram, heard.payload, Direction::default())
    else {
        return;
    };
    let Some(decoded) = Quake2::decode(entry, heard.payload, scratch) else {
        return;
    };
    if decoded.fault.is_some() {
        return desk.note(heard.service, heard.from, "not understood");
    }
    let realm = match heard.service.speaks {
        Speaks::Heretic2 => Namespace::Heretic2,
        _ => Namespace::Quake2,
    };
    let seat = ServerKey { realm, address: heard.from };
    match decoded.message {
        Quake2::Heartbeat(_) => desk.list_plain(heard, seat),
        Quake2::Shutdown(_) => desk.unregister(heard, &seat),
        Quake2::Ping(_) if !desk.has(Defect::NeverAcknowledges) => {
            desk.send(heard.from, Ack::default(), out);
        }
        Quake2::Query(_) if desk.may_list(heard) => {
            let wanted = ServerQuery { realm, protocol: None, game: None };
            let found = desk.find(wanted, |kind: &ListKey| !kind.six);
            let raw = desk.records(Servers::FORM, &found);
            desk.give_back(found);
            let list = Servers { servers: Addrs::new(&raw), ..Servers::default() };
            desk.send(heard.from, list, out);
        }
        _ => {}
    }
}
