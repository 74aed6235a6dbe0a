//! Other requests of clients: the message of the day (document 001, 1.1.4, 8.6, 11.3), and whether
//! their program is up to date (001 11.1).

use super::challenge::ChallengeForm;
use super::defect::Defect;
use super::desk::{IncomingRequest, MasterState, ReplySink};
use crate::codec::{Info, Scratch};
use crate::protocol::{Carrier, Direction};
use crate::protocols::quake3::{GetMotd, Motd, PROTOCOL, Quake3, UpdateResponse};

/// The second spelling of "nothing or a blank".
const BLANK: u8 = 1;

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
        Some(Quake3::GetMotd(request)) => motd(desk, heard, request, out),
        Some(Quake3::GetUpdateInfo(_)) => {
            let files = desk.settings.update_files.clone();
            let available = i64::from(!files.is_empty()).into();
            let blank = if files.is_empty() { 0 } else { BLANK };
            let files = files.as_bytes();
            let answer = UpdateResponse { available, blank, files, ..UpdateResponse::default() };
            desk.send(heard.from, answer, out);
        }
        _ => {}
    }
}

/// The request's challenge and a text, in the form of id's masters: a backslash at the end and none
/// in front (001 1.1.5).
fn motd(
    desk: &mut MasterState,
    heard: &IncomingRequest<'_>,
    request: GetMotd<'_>,
    out: ReplySink<'_>,
) {
    let Some(mut challenge) = request.info.get(b"challenge").map(<[u8]>::to_vec) else {
        return desk.note(heard.service, heard.from, "refused: a request without a challenge");
    };
    if desk.has(Defect::WrongMotdChallenge) {
        challenge = desk.challenge(ChallengeForm::Number).unwrap_or_default();
    }
    let text = [b"challenge\\", &challenge[..], b"\\motd\\", desk.settings.motd.as_bytes(), b"\\"];
    let text = text.concat();
    desk.send(heard.from, Motd { info: Info::new(&text), ..Motd::default() }, out);
}
