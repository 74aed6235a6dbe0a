//! Authorization of players: clients show their keys, servers pending about clients (document 001,
//! 1.1.3, 1.2.11, 1.2.12, 8.3, 8.4).
//!
//! No key is stored, compared or shown: the master only records that an address sent one of the
//! documented form.

use std::net::IpAddr;

use crate::{Authorize, Defect, IncomingRequest, MasterState, ReplySink};
use codec::Scratch;
use protocols::quake3::{GetIpAuthorize, GetKeyAuthorize, IpAuthorize, PROTOCOL, Quake3};

/// The second spelling of "nothing or a blank".
const BLANK: u8 = 1;
/// The maximum number of addresses that are stored.
const ADDRESSES: usize = 65_536;

pub(crate) fn handle(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    scratch: &mut Scratch,
    out: ReplySink<'_>,
) {
    match state.message(incoming, &PROTOCOL, scratch, Quake3::decode) {
        Some(Quake3::GetKeyAuthorize(shown)) => show(state, incoming, shown),
        Some(Quake3::GetIpAuthorize(question)) => verdict(state, incoming, question, out),
        _ => {}
    }
}

/// Stores that an address has sent a key. There is no response (001 1.1.3).
fn show(state: &mut MasterState, incoming: &IncomingRequest<'_>, shown: GetKeyAuthorize<'_>) {
    // Quake III's have 16 characters, Elite Force's 18 (001 1.1.3, 4.1.3).
    let is_key = matches!(shown.key.len(), 16..=18);
    if !is_key || !shown.key.iter().all(u8::is_ascii_alphanumeric) {
        return state.note(incoming.service, incoming.from, "refused: not the form of a key");
    }
    if state.keys_sent.len() >= ADDRESSES {
        state.keys_sent.pop_first();
    }
    let due = incoming.now.saturating_add(state.settings.authorize_timeout);
    state.keys_sent.insert(incoming.from.ip(), (), due);
    state.note(incoming.service, incoming.from, "sent a key");
}

pub(crate) fn verdict(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    question: GetIpAuthorize<'_>,
    out: ReplySink<'_>,
) {
    let address = std::str::from_utf8(question.address).ok();
    let address: Option<IpAddr> = address.and_then(|text| text.parse().ok());
    let accepts = match state.settings.authorize {
        Authorize::All => true,
        Authorize::Nobody => false,
        Authorize::Shown => address.is_some_and(|ip| state.keys_sent.get(&ip).is_some()),
    };
    let accepts = accepts || state.has(Defect::AcceptsAnyKey);
    let (verdict, reason) = if accepts {
        (&b"accept"[..], &b"KEY_IS_GOOD"[..])
    } else {
        (&b"deny"[..], &b"INVALID_CDKEY"[..])
    };
    let challenge = question.challenge;
    let answer = IpAuthorize { challenge, verdict, blank: BLANK, reason, ..IpAuthorize::default() };
    state.send(incoming.from, answer, out);
}
