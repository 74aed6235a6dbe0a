//! Teeworlds' master (document 011): it checks whether a server can be reached before it lists it.
//! A check has no challenge in it; the released master sends it from its second port, this one from
//! its first.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use crate::{
    ChallengeForm, ClaimedServer, Defect, IncomingRequest, ListKey, MasterState, Namespace,
    ReplySink, ServerKey, ServerQuery, Service, Settings,
};
use codec::{Addrs, PLAIN_BIG6, PLAIN_LITTLE, Scratch};
use protocols::teeworlds::{
    Check, Count, Count5, List, List5, Listed, PROTOCOL, TEEWORLDS, Teeworlds,
};

/// Its services.
pub static SERVICES: &[Service] = &[Service {
    means: "servers of Teeworlds",
    source: "011 mastersrv.cpp",
    ..Service::udp(&TEEWORLDS, 8300, handle)
}];

/// How many servers a packet of the released master has.
const SERVERS: usize = 75;
/// How long the released master lists a server after a heartbeat, in nanoseconds.
const NINETY_SECONDS: i64 = 90_000_000_000;

static TEEWORLDS_SERVERS: Namespace = Namespace {
    lists_ipv6: true,
    timeout: |settings: &Settings| settings.server_timeout.min(NINETY_SECONDS),
    ..Namespace::new(TEEWORLDS.id)
};

pub(crate) fn handle(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    scratch: &mut Scratch,
    out: ReplySink<'_>,
) {
    let Some(message) = state.message(incoming, &PROTOCOL, scratch, Teeworlds::decode) else {
        return;
    };
    let server = ServerKey { namespace: &TEEWORLDS_SERVERS, address: incoming.from };
    match message {
        Teeworlds::Heartbeat(_) | Teeworlds::Heartbeat5(_) => {
            if state.has(Defect::ListsUnverified) {
                state.list_plain(incoming, server);
            }
            let claim = ClaimedServer::default();
            if state.challenge_for(incoming, server, ChallengeForm::Number, claim).is_some() {
                state.send(server.address, Check::default(), out);
            }
        }
        Teeworlds::CheckResponse(_) => {
            let open = state.open(&server).map(|pending| pending.challenge.clone());
            let is_right =
                open.is_some_and(|open| state.answered(incoming, server, &open).is_some());
            if is_right || state.has(Defect::AnyChallenge) {
                state.list_plain(incoming, server);
                if !state.has(Defect::NeverAcknowledges) {
                    state.send(server.address, Listed::default(), out);
                }
            }
        }
        Teeworlds::ListRequest(_) if state.may_list(incoming) => list(state, incoming, out),
        Teeworlds::ListRequest5(_) if state.may_list(incoming) => list5(state, incoming, out),
        Teeworlds::CountRequest(_) => {
            let count = count(state);
            state.send(incoming.from, Count { count, ..Count::default() }, out);
        }
        Teeworlds::CountRequest5(_) => {
            let count = count(state);
            state.send(incoming.from, Count5 { count, ..Count5::default() }, out);
        }
        _ => {}
    }
}

fn find(state: &mut MasterState, fits: impl Fn(&ListKey) -> bool) -> Vec<SocketAddr> {
    let query = ServerQuery { namespace: &TEEWORLDS_SERVERS, protocol: None, game: None };
    state.find(query, |kind: &ListKey| fits(kind))
}

fn count(state: &mut MasterState) -> u16 {
    let found = find(state, |_| true);
    let count = u16::try_from(found.len()).unwrap_or(u16::MAX);
    state.recycle(found);
    count.saturating_sub(state.has(Defect::WrongCount).into())
}

/// All servers, those with IPv4 addresses too, in as many packets as needed.
fn list(state: &mut MasterState, incoming: &IncomingRequest<'_>, out: ReplySink<'_>) {
    let found = find(state, |_| true);
    for part in found.chunks(SERVERS) {
        let mut raw = Vec::new();
        for server in part {
            let ip = match server.ip() {
                IpAddr::V4(ip) if state.has(Defect::UnmappedAddresses) => {
                    Ipv6Addr::from_bits(u128::from(ip.to_bits()) << 96)
                }
                IpAddr::V4(ip) => ip.to_ipv6_mapped(),
                IpAddr::V6(ip) => ip,
            };
            state.push(PLAIN_BIG6, SocketAddr::from((ip, server.port())), &mut raw);
        }
        state.send(incoming.from, List { servers: Addrs::new(&raw) }, out);
    }
    state.recycle(found);
}

fn list5(state: &mut MasterState, incoming: &IncomingRequest<'_>, out: ReplySink<'_>) {
    let found = find(state, |kind| !kind.six);
    for part in found.chunks(SERVERS) {
        let mut raw = Vec::new();
        for server in part {
            state.push(PLAIN_LITTLE, *server, &mut raw);
        }
        state.send(incoming.from, List5 { servers: Addrs::new(&raw) }, out);
    }
    state.recycle(found);
}
