//! The master of UT2003 and UT2004 over TCP (document 009, utmaster): both clients and servers log in;
//! a server is listed from its first heartbeat on. Who has which CD key is not checked.

use std::net::SocketAddr;

use crate::codec::{CountedText, Records, Scratch, encode};
use crate::master::{
    ChallengeForm, Defect, IncomingRequest, ListKey, MasterState, Namespace, ServerKey,
    ServerQuery, StreamSession,
};
use crate::protocol::{Carrier, Direction, Role};
use crate::protocols::unreal2::{
    DetectedPorts, Heartbeat, ListCount, ListRecord, Login, MasterChallenge, Match, PROTOCOL,
    PortsForm, RecordEnd, TextFrame, UT2004, Unreal2, Verified,
};

/// The maximum bytes of a frame.
const LONGEST: usize = 16_384;
/// The first version of UT2004.
const UT2004_VERSION: u32 = 3000;
/// How long a server is listed that sends no heartbeat, in nanoseconds: OpenSpy ends a connection on
/// which nothing came for so long.
const TWO_MINUTES: i64 = 120_000_000_000;
/// What OpenSpy sends behind the approval of UT2004's clients.
const APPROVAL: u32 = 3;
const GAMESPY_PORTS_ABOVE: u32 = 10;

pub(super) static UNREAL_SERVERS: Namespace = Namespace {
    timeout: |settings| settings.server_timeout.min(TWO_MINUTES),
    ..Namespace::new(UT2004.id)
};

/// How far a connection has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Login,
    Approved,
    Verified,
}

/// The state of one connection.
#[derive(Debug)]
struct UnrealSession {
    received: Vec<u8>,
    stage: Stage,
    is_server: bool,
    version: u32,
    over: bool,
}

/// Starts a connection with a challenge.
pub(crate) fn open(state: &mut MasterState, out: &mut Vec<u8>) -> Box<dyn StreamSession> {
    let challenge = state.challenge(ChallengeForm::Number).unwrap_or_default();
    let challenge = CountedText::of(&challenge);
    let over = encode(MasterChallenge { challenge, ..MasterChallenge::default() }, out).is_err();
    Box::new(UnrealSession {
        received: Vec::new(),
        stage: Stage::Login,
        is_server: false,
        version: 0,
        over,
    })
}

impl StreamSession for UnrealSession {
    fn handle_bytes(
        &mut self,
        state: &mut MasterState,
        incoming: &IncomingRequest<'_>,
        out: &mut Vec<u8>,
    ) {
        self.received.extend_from_slice(incoming.payload);
        while let Some(length) = self.received.first_chunk().copied().filter(|_| !self.over) {
            let length = u32::from_le_bytes(length) as usize;
            if !(1..=LONGEST).contains(&length) {
                self.over = true;
            } else if 4 + length > self.received.len() {
                return;
            } else {
                let rest = self.received.split_off(4 + length);
                let frame = std::mem::replace(&mut self.received, rest);
                self.handle(state, &IncomingRequest { payload: &frame, ..*incoming }, out);
            }
        }
    }

    fn is_over(&self) -> bool {
        self.over
    }
}

impl UnrealSession {
    fn handle(
        &mut self,
        state: &mut MasterState,
        incoming: &IncomingRequest<'_>,
        out: &mut Vec<u8>,
    ) {
        let (frame, mut scratch) = (incoming.payload, Scratch::default());
        let from = if self.is_server { Role::Server } else { Role::Client };
        let direction = Direction { from: Some(from), to: Some(Role::Master) };
        let entry = PROTOCOL.recognise(Carrier::Stream, frame, direction);
        let decoded = entry.and_then(|entry| Unreal2::decode(entry, frame, &mut scratch));
        let message = decoded.map(|decoded| decoded.message);
        match (self.stage, message) {
            (Stage::Login, Some(Unreal2::Login(login))) => self.log_in(state, &login, out),
            // What a client sends here is in no document.
            (Stage::Approved, _) => {
                self.stage = Stage::Verified;
                self.verify(incoming.from, out);
            }
            (Stage::Verified, Some(message)) if self.is_server => {
                self.serve_server(state, incoming, message, out);
            }
            (Stage::Verified, Some(message)) => {
                self.over = true;
                self.serve_client(state, incoming, message, out);
            }
            (Stage::Login | Stage::Verified, _) => {
                self.over = true;
                state.note(incoming.service, incoming.from, "refused: not a valid message");
            }
        }
    }

    fn is_newer(&self) -> bool {
        self.version >= UT2004_VERSION
    }

    fn log_in(&mut self, state: &MasterState, login: &Login<'_>, out: &mut Vec<u8>) {
        let program = login.program.text;
        self.is_server = program.ends_with(b"SERVER");
        self.version = login.version;
        self.over = !self.is_server && !program.ends_with(b"CLIENT");
        self.stage =
            if self.is_server || self.is_newer() { Stage::Approved } else { Stage::Verified };
        if state.has(Defect::NeverAcknowledges) {
            return;
        }
        let verdict = if self.over { &b"DENIED"[..] } else { b"APPROVED" };
        let has_number = !self.is_server && self.is_newer();
        // Messages made here always encode.
        _ = encode(
            Verified {
                verdict: CountedText::of(verdict),
                has_number,
                number: if has_number { APPROVAL } else { 0 },
                ..Verified::default()
            },
            out,
        );
    }

    /// A server is told at which ports it is seen; a client that it may ask.
    fn verify(&self, from: SocketAddr, out: &mut Vec<u8>) {
        if !self.is_server {
            let verdict = CountedText::of(b"VERIFIED");
            _ = encode(Verified { verdict, ..Verified::default() }, out);
            return;
        }
        let port = u32::from(from.port());
        let form = if self.is_newer() { PortsForm::Three } else { PortsForm::One };
        _ = encode(
            DetectedPorts {
                form,
                number: 120,
                query_port: port + 1,
                port,
                gamespy_port: port + GAMESPY_PORTS_ABOVE,
                ..DetectedPorts::default()
            },
            out,
        );
    }

    fn serve_server(
        &mut self,
        state: &mut MasterState,
        incoming: &IncomingRequest<'_>,
        message: Unreal2<'_>,
        out: &mut Vec<u8>,
    ) {
        match message {
            Unreal2::Heartbeat(heartbeat) => register(state, incoming, &heartbeat),
            Unreal2::PackagesVersion(_) => _ = encode(Match { number: 1, ..Match::default() }, out),
            Unreal2::Statistics(_) => {}
            _ => self.over = true,
        }
    }

    fn serve_client(
        &self,
        state: &mut MasterState,
        incoming: &IncomingRequest<'_>,
        message: Unreal2<'_>,
        out: &mut Vec<u8>,
    ) {
        match message {
            Unreal2::MasterListRequest(request) if state.may_list(incoming) => {
                self.list(state, request.filters, out);
            }
            Unreal2::MotdRequest(_) => {
                let text = CountedText::of(b"A reference master");
                let has_number = self.is_newer();
                _ = encode(TextFrame { text, has_number, ..TextFrame::default() }, out);
            }
            _ => {}
        }
    }

    /// The number of servers, then a frame for each.
    fn list(&self, state: &mut MasterState, filters: Records<'_>, out: &mut Vec<u8>) {
        let query = ServerQuery { namespace: &UNREAL_SERVERS, protocol: Some(0), game: None };
        let found = state.find(query, |kind: &ListKey| !kind.six);
        let known = |address: &SocketAddr| {
            let server = ServerKey { namespace: &UNREAL_SERVERS, address: *address };
            state.details(&server).map(<[u8]>::to_vec)
        };
        let servers: Vec<_> =
            found.iter().filter_map(|address| Some((*address, known(address)?))).collect();
        _ = filters;
        let count = servers.len() as u32;
        _ = encode(ListCount { count, ..ListCount::default() }, out);
        for (address, heartbeat) in servers {
            let mut scratch = Scratch::default();
            let decoded = crate::codec::decode::<Heartbeat<'_>, _>(&heartbeat, &mut scratch, &mut ());
            let SocketAddr::V4(v4) = address else { continue };
            let said = decoded.message;
            let record = ListRecord {
                address: v4.ip().octets(),
                port: v4.port(),
                query_port: v4.port().wrapping_add(1),
                name: said.name,
                map: said.map,
                game_type: said.game_type,
                players: said.players as u8,
                max_players: said.max_players as u8,
                has_more: true,
                end: if self.is_newer() { RecordEnd::Long } else { RecordEnd::Short },
                skill: said.skill,
                ..ListRecord::default()
            };
            _ = encode(record, out);
        }
        state.recycle(found);
    }
}

/// Lists a server at the port that it says.
fn register(state: &mut MasterState, incoming: &IncomingRequest<'_>, heartbeat: &Heartbeat<'_>) {
    let Ok(port) = u16::try_from(heartbeat.port) else {
        return state.note(incoming.service, incoming.from, "refused: not a valid port");
    };
    let address = SocketAddr::from((incoming.from.ip(), port));
    let server = ServerKey { namespace: &UNREAL_SERVERS, address };
    state.list_plain(incoming, server);
    state.describe(incoming, server, incoming.payload);
}
