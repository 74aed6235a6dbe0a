//! Other requests of clients: the message of the day (document 001, 1.1.4, 8.6, 11.3), and whether
//! their program is up to date (001 11.1).

use crate::{ChallengeForm, Defect, IncomingRequest, MasterState, ReplySink};
use codec::{Info, Scratch};
use protocols::quake3::{GetMotd, Motd, PROTOCOL, Quake3, UpdateResponse};

/// The second spelling of "nothing or a blank".
const BLANK: u8 = 1;

pub(crate) fn handle(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    scratch: &mut Scratch,
    out: ReplySink<'_>,
) {
    match state.message(incoming, &PROTOCOL, scratch, Quake3::decode) {
        Some(Quake3::GetMotd(request)) => motd(state, incoming, request, out),
        Some(Quake3::GetUpdateInfo(_)) => {
            let files = state.settings.update_files.clone();
            let available = i64::from(!files.is_empty()).into();
            let blank = if files.is_empty() { 0 } else { BLANK };
            let files = files.as_bytes();
            let answer = UpdateResponse { available, blank, files, ..UpdateResponse::default() };
            state.send(incoming.from, answer, out);
        }
        _ => {}
    }
}

/// The request's challenge and a text, in the form of id's masters: a backslash at the end and none
/// in front (001 1.1.5).
fn motd(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    request: GetMotd<'_>,
    out: ReplySink<'_>,
) {
    let Some(mut challenge) = request.info.get(b"challenge").map(<[u8]>::to_vec) else {
        return state.note(incoming.service, incoming.from, "refused: no challenge");
    };
    if state.has(Defect::WrongMotdChallenge) {
        challenge = state.challenge(ChallengeForm::Number).unwrap_or_default();
    }
    let text = [b"challenge\\", &challenge[..], b"\\motd\\", state.settings.motd.as_bytes(), b"\\"];
    let text = text.concat();
    state.send(incoming.from, Motd { info: Info::new(&text), ..Motd::default() }, out);
}
