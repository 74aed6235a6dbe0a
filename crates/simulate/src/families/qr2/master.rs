//! What is said to a master of GameSpy's later games: servers register by datagrams, lists come enciphered
//! over TCP.

use std::net::SocketAddr;

use super::messages::{self, Qr2ListRequest, RegisteringQr2, StateChange, TEST};
use crate::families::gamespy2::query::SERVER_QUERY;
use crate::families::master_messages::PROBE_NAME;
use crate::families::{
    ClientListRequest as _, HeartbeatMessages, ListMessages, ListSelection, MasterMessages, Probe,
    RegistrationMessages, StreamStep, StreamTurn,
};
use codec::{Scratch, decode};
use protocols::gamespy::key_of;
use protocols::gamespy_list::{ListBody, ServerForm};
use protocols::qr2::QR2;

/// A master of GameSpy's later games.
pub static QR2_MASTER: MasterMessages = MasterMessages {
    profile: QR2.id,
    port: 28910,
    variant_of: None,
    ipv4_only: Some("the records of these lists hold IPv4 addresses only"),
    list: ListMessages::Connection(list),
    registration: RegistrationMessages::Heartbeats(HeartbeatMessages {
        port: Some(27900),
        can_register: |selection| key_of(game(selection).as_bytes()).is_some(),
        shutdown: Some(|selection, address| {
            let Probe { server, info } = probe(selection);
            server.heartbeat_with(StateChange::Leaves, &info, address)
        }),
        // A server that begins is asked for its proof; another one gets no answer while it is listed.
        ..HeartbeatMessages::new(|selection, address| probe(selection).heartbeat(address), answer)
    }),
    servers: &SERVER_QUERY,
};

/// The selected game, else the example program, whose key is published.
fn game(selection: &ListSelection) -> &str {
    if selection.game.is_empty() { TEST } else { &selection.game }
}

/// A server without players.
fn probe(selection: &ListSelection) -> Probe<RegisteringQr2<'_>> {
    let info = messages::server_info().with("hostname", PROBE_NAME).with("numplayers", "0");
    Probe { server: RegisteringQr2 { game: game(selection) }, info }
}

/// The answer to a challenge, an echo or a client's message.
fn answer(selection: &ListSelection, request: &[u8]) -> Option<Vec<u8>> {
    probe(selection).answer(request).or_else(|| messages::server(&QR2, &[], request))
}

/// The request, for addresses alone, and the list behind the master's half of the key.
fn list(selection: &ListSelection, turn: StreamTurn<'_>) -> StreamStep<Vec<SocketAddr>> {
    let request = Qr2ListRequest { game: game(selection), options: 0 };
    let request = request.encode(selection.over_ipv6);
    if turn.sent == 0 {
        return StreamStep::Send(request);
    }
    let Some(plain) = messages::deciphered(&request, turn.received) else {
        return StreamStep::Wait;
    };
    let mut scratch = Scratch::default();
    let decoded = decode::<ListBody<'_>, _>(&plain, &mut scratch, &mut ());
    let body = decoded.message;
    if !body.reason.is_empty() {
        return StreamStep::Refused;
    }
    if decoded.fault.is_some() || body.end != 0 {
        return StreamStep::Begun;
    }
    let records = body.servers.records(ServerForm { keys: body.keys });
    StreamStep::Done(records.map(|record| record.address(body.port).into()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Message as _;
    use protocols::gamespy_list::{BrowseRequest, CryptHeader, List, cipher};

    #[test]
    fn lists_are_deciphered_with_the_request() {
        let selection = ListSelection::default();
        let step =
            |sent, received: &[u8]| list(&selection, StreamTurn { sent, received, is_over: false });
        let StreamStep::Send(request) = step(0, b"") else { panic!("the client speaks first") };
        let mut scratch = Scratch::default();
        let asked =
            protocol::decode::<BrowseRequest<'_>, _>(&request, &mut scratch, &mut ()).message;
        let (head, plain) = CryptHeader::split(List::SPEC.example).unwrap();
        let mut all = List::SPEC.example.to_vec();
        let begin = all.len() - plain.len();
        cipher(TEST.as_bytes(), &asked, head).unwrap().encipher(&mut all[begin..]);
        let listed = vec!["192.0.2.10:29901".parse().unwrap()];
        assert_eq!(step(1, &all), StreamStep::Done(listed));
        for (received, expected) in [
            (&all[..all.len() - 1], StreamStep::Begun),
            (&all[..4], StreamStep::Wait),
            (b"GET / HTTP/1.1", StreamStep::Wait),
            (b"", StreamStep::Wait),
        ] {
            assert_eq!(step(1, received), expected, "{}", received.escape_ascii());
        }
    }

    #[test]
    fn a_server_needs_a_published_key() {
        let RegistrationMessages::Heartbeats(server) = QR2_MASTER.registration else {
            panic!("servers of qr2 use datagrams")
        };
        for (game, can) in [("", true), ("halor", true), ("made-up", false)] {
            let selection = ListSelection { game: game.to_owned(), ..ListSelection::default() };
            assert_eq!((server.can_register)(&selection), can, "{game}");
        }
    }
}
