//! Authorization of players: clients show their keys, servers ask about clients (document 001,
//! 1.1.3, 1.2.11, 1.2.12, 8.3, 8.4).
//!
//! No key is stored, compared or shown: the master only records that an address sent one of the
//! documented form.

use std::net::IpAddr;

use super::defect::Defect;
use super::desk::{IncomingRequest, MasterState, ReplySink};
use super::setting::Authorize;
use crate::codec::Scratch;
use crate::protocol::{Carrier, Direction};
use crate::protocols::quake3::{GetIpAuthorize, GetKeyAuthorize, IpAuthorize, PROTOCOL, Quake3};

/// The second spelling of "nothing or a blank".
const BLANK: u8 = 1;
/// The maximum number of addresses that are stored.
const ADDRESSES: usize = 65_536;

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
    let decoded = Quake3::decode(entry, heard.payload, scratch);
    match decoded.filter(|d| d.fault.is_none()).map(|d| d.message) {
        Some(Quake3::GetKeyAuthorize(shown)) => show(desk, heard, shown),
        Some(Quake3::GetIpAuthorize(question)) => verdict(desk, heard, question, out),
        _ => {}
    }
}

/// Stores that an address has sent a key. There is no response (001 1.1.3).
fn show(desk: &mut MasterState, heard: &IncomingRequest<'_>, shown: GetKeyAuthorize<'_>) {
    // Quake III's have 16 characters, Elite Force's 18 (001 1.1.3, 4.1.3).
    let is_key = matches!(shown.key.len(), 16..=18);
    if !is_key || !shown.key.iter().all(u8::is_ascii_alphanumeric) {
        return desk.note(heard.service, heard.from, "refused: no key looks so");
    }
    if desk.shown.len() >= ADDRESSES {
        desk.shown.pop_first();
    }
    let due = heard.now.saturating_add(desk.settings.authorize_timeout);
    desk.shown.insert(heard.from.ip(), (), due);
    desk.note(heard.service, heard.from, "has shown a key");
}

pub(super) fn verdict(
    desk: &mut MasterState,
    heard: &IncomingRequest<'_>,
    question: GetIpAuthorize<'_>,
    out: ReplySink<'_>,
) {
    let address = std::str::from_utf8(question.address).ok();
    let address: Option<IpAddr> = address.and_then(|text| text.parse().ok());
    let accepts = match desk.settings.authorize {
        Authorize::All => true,
        Authorize::Nobody => false,
        Authorize::Shown => address.is_some_and(|ip| desk.shown.get(&ip).is_some()),
    };
    let accepts = accepts || desk.has(Defect::AcceptsAnyKey);
    let (verdict, reason) = if accepts {
        (&b"accept"[..], &b"KEY_IS_GOOD"[..])
    } else {
        (&b"deny"[..], &b"INVALID_CDKEY"[..])
    };
    let challenge = question.challenge;
    let answer = IpAuthorize { challenge, verdict, blank: BLANK, reason, ..IpAuthorize::default() };
    desk.send(heard.from, answer, out);
}
