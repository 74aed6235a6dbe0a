//! What servers and clients send.

use super::protocol::{
    GAME, MadeUp, MadeUpFind, MadeUpHeartbeat, MadeUpList, MadeUpStop, PROTOCOL, decode_made_up,
};
use codec::Scratch;
use protocol::Game;
use simulate::families::{
    HeartbeatMessages, ListMessages, ListPart, MasterMessages, RegistrationMessages,
    ServerQuestions,
};
use simulate::{KnownValue, PacketRecords, written};

/// What servers and clients say to its master.
pub static MASTER: MasterMessages = MasterMessages {
    profile: GAME.id,
    port: 47_000,
    variant_of: None,
    ipv4_only: Some("the records of these lists hold IPv4 addresses only"),
    list: ListMessages::Datagrams { request: |_, _| query(), read: read_list_packet },
    registration: RegistrationMessages::Heartbeats(HeartbeatMessages {
        port: None,
        are_answered: false,
        can_register: |_| true,
        start: Some(heartbeat),
        heartbeat: |_, _| heartbeat(),
        answer: |_, _| None,
        shutdown: Some(|_, _| shutdown()),
        last_answer: None,
    }),
    servers: &QUESTIONS,
};

/// Clients ask its servers nothing.
static QUESTIONS: ServerQuestions = ServerQuestions {
    proof: None,
    protocol: &PROTOCOL,
    games: &[],
    port_above: 0,
    questions: &[],
    follow: |_| None,
};

fn read_list_packet(packet: &[u8]) -> Option<ListPart> {
    match decode_made_up(packet, &mut Scratch::default())? {
        MadeUp::MadeUpList(list) => {
            let servers = list.servers.iter(MadeUpList::FORM);
            Some(ListPart::new(PacketRecords::new(b"list".len(), 6, servers), false))
        }
        _ => None,
    }
}

pub fn heartbeat() -> Vec<u8> {
    written(MadeUpHeartbeat::default())
}

pub fn shutdown() -> Vec<u8> {
    written(MadeUpStop::default())
}

pub fn query() -> Vec<u8> {
    written(MadeUpFind::default())
}

/// No master asks a server anything.
pub fn server(_: &Game, _: &[KnownValue], _: &[u8]) -> Option<Vec<u8>> {
    None
}
