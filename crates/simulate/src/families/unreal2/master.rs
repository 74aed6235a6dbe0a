//! Watching the master of Unreal Tournament 2004: servers and clients log in over TCP, and a server
//! stays connected.

use std::net::SocketAddr;

use super::frames::{
    self, CLIENT, ListFrames, MasterFrame, SERVER, UnrealFilter, VERDICT_APPROVED,
    VERDICT_VERIFIED, VERSION,
};
use super::query::SERVER_QUERY;
use crate::families::master_messages::PROBE_NAME;
use crate::families::{
    ListMessages, ListSelection, MasterMessages, RegistrationMessages, StreamStep, StreamTurn,
};
use protocols::unreal2::UT2004;

/// The comparison of a filter that wants the same value.
const EQUAL: u8 = 0;

/// The master of Unreal Tournament 2004.
pub static UT2004_MASTER: MasterMessages = MasterMessages {
    profile: UT2004.id,
    port: 28902,
    variant_of: None,
    ipv4_only: Some("the records of these lists hold IPv4 addresses only"),
    list: ListMessages::Connection(list),
    registration: RegistrationMessages::Connection { log_in, heartbeat },
    servers: &SERVER_QUERY,
};

/// The login of a program, behind the master's challenge.
fn logged_in<T>(turn: StreamTurn<'_>, program: &str) -> StreamStep<T> {
    match MasterFrame::all(turn.received).next() {
        Some(MasterFrame::Challenge(_)) => StreamStep::Send(frames::login(program, VERSION)),
        _ => StreamStep::Wait,
    }
}

/// What is sent behind this verdict.
fn behind_verdict<T>(turn: StreamTurn<'_>, expected: &[u8], next: Vec<u8>) -> StreamStep<T> {
    match MasterFrame::all(turn.received).next() {
        Some(MasterFrame::Verdict(verdict, _)) if verdict == expected => StreamStep::Send(next),
        Some(MasterFrame::Verdict(..)) => StreamStep::Refused,
        _ => StreamStep::Wait,
    }
}

/// A client logs in, and asks for all servers, or for those of the selected type of game.
fn list(selection: &ListSelection, turn: StreamTurn<'_>) -> StreamStep<Vec<SocketAddr>> {
    match turn.sent {
        0 => logged_in(turn, CLIENT),
        1 => behind_verdict(turn, VERDICT_APPROVED, frames::approved_response()),
        2 => {
            let value = &selection.game;
            let wanted = [UnrealFilter { field: "gametype", value, comparison: EQUAL }];
            let wanted = if value.is_empty() { &[] } else { &wanted[..] };
            behind_verdict(turn, VERDICT_VERIFIED, frames::list_request(wanted))
        }
        _ => match ListFrames::split_off(turn.received) {
            Some((_, list)) if list.servers.len() >= list.count as usize => {
                StreamStep::Done(list.servers.into_iter().map(|server| server.address).collect())
            }
            Some(_) => StreamStep::Begun,
            None => StreamStep::Wait,
        },
    }
}

/// A server logs in, says how it is connected, and is told at which ports it is seen.
fn log_in(_: &ListSelection, turn: StreamTurn<'_>) -> StreamStep<()> {
    match turn.sent {
        0 => logged_in(turn, SERVER),
        1 => behind_verdict(turn, VERDICT_APPROVED, frames::uplink()),
        _ => {
            let is_seen = |frame| matches!(frame, MasterFrame::DetectedPorts(_));
            let is_seen = MasterFrame::all(turn.received).any(is_seen);
            if is_seen { StreamStep::Done(()) } else { StreamStep::Wait }
        }
    }
}

/// The heartbeat of a server without players.
fn heartbeat(selection: &ListSelection, server: SocketAddr) -> Vec<u8> {
    let info = frames::server_info().with("name", PROBE_NAME).with("players", "0");
    let game = &selection.game;
    let info = if game.is_empty() { info } else { info.with("game type", game) };
    frames::heartbeat(server.port(), &info)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame of a text, and of what is behind it.
    fn text(text: &str, behind: &[u8]) -> Vec<u8> {
        let body = [&[text.len() as u8 + 1][..], text.as_bytes(), b"\0", behind].concat();
        [&(body.len() as u32).to_le_bytes()[..], &body].concat()
    }

    #[test]
    fn a_client_goes_on_with_each_verdict_and_reads_the_list() {
        let selection = ListSelection::default();
        let step =
            |sent, received: &[u8]| list(&selection, StreamTurn { sent, received, is_over: false });
        let challenge = text("123456", b"");
        let login = StreamStep::Send(frames::login(CLIENT, VERSION));
        let head = |count| [b"\x05\0\0\0", &[count, 0, 0, 0, 1][..]].concat();
        for (sent, received, expected) in [
            (0, challenge[..5].to_vec(), StreamStep::Wait),
            (0, challenge, login),
            (0, b"GET / HTTP/1.1".to_vec(), StreamStep::Wait),
            (1, text("DENIED", b""), StreamStep::Refused),
            (1, text("APPROVED", b"\x03\0\0\0"), StreamStep::Send(frames::approved_response())),
            (2, text("VERIFIED", b""), StreamStep::Send(frames::list_request(&[]))),
            (2, text("APPROVED", b""), StreamStep::Refused),
            (3, head(0), StreamStep::Done(Vec::new())),
            (3, head(1), StreamStep::Begun),
            (3, head(1)[..6].to_vec(), StreamStep::Wait),
        ] {
            assert_eq!(step(sent, &received), expected, "{sent}: {}", received.escape_ascii());
        }
    }
}
