//! The master of UT2003 and UT2004 over TCP (document 009, utmaster; document 010, ut2004.c): both
//! clients and servers log in; a server is listed from its first heartbeat on, while it is connected.
//! Who has which CD key is not checked.

mod filter;

use std::net::{SocketAddr, SocketAddrV4};

use crate::{
    ChallengeForm, Defect, Handler, IncomingRequest, ListKey, MasterState, Namespace, ServerKey,
    ServerQuery, Service, StreamSession,
};
use codec::{CountedText, Records, Scratch, Size};
use protocol::{Carrier, Direction, Role, decode, encode};
use protocols::unreal2::{
    DetectedPorts, HasNumbers, Heartbeat, ListCount, ListRecord, Login, MasterChallenge,
    NumberFrame, PROTOCOL, PortsForm, RecordEnd, TextFrame, UT2004, Unreal2, Verified,
};

/// Its services.
pub static SERVICES: &[Service] = &[Service {
    name: UT2004.id,
    game: &UT2004,
    handler: Handler::Stream(open),
    port: 28902,
    usual: true,
    means: "servers and lists of Unreal's second engine",
    source: "010 ut2004.c",
}];

/// The maximum bytes of a frame.
const LONGEST: usize = 16_384;
/// The first version of UT2004.
const UT2004_VERSION: u32 = 3000;
/// The version of Unreal II XMP, whose lists say less.
const XMP_VERSION: u32 = 2226;
/// The most digits of a challenge that qstat's client takes.
const DIGITS: usize = 8;
/// How long a server is listed that sends no heartbeat, in nanoseconds: OpenSpy ends a connection on
/// which nothing came for so long.
const TWO_MINUTES: i64 = 120_000_000_000;
/// What OpenSpy sends behind the approval of UT2004's clients.
const APPROVAL: u32 = 3;
const GAMESPY_PORTS_ABOVE: u32 = 10;
/// The port at which a server is taken to play before its first heartbeat, as OpenSpy does.
const PORT: u32 = 7777;
/// The number of every match, as OpenSpy's.
const MATCH: u32 = 1234;
/// The longest heartbeat of which the settings are kept.
const LONGEST_KEPT: usize = 1300;

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
    /// The server that was registered by this connection.
    listed: Option<ServerKey>,
    over: bool,
}

/// Starts a connection with a challenge.
pub(crate) fn open(state: &mut MasterState, out: &mut Vec<u8>) -> Box<dyn StreamSession> {
    let challenge = state.challenge(ChallengeForm::Number).unwrap_or_default();
    let digits = challenge.get(challenge.len().saturating_sub(DIGITS)..).unwrap_or_default();
    let challenge = CountedText::new(digits);
    let over = encode(MasterChallenge { challenge, ..MasterChallenge::default() }, out).is_err();
    Box::new(UnrealSession {
        received: Vec::new(),
        stage: Stage::Login,
        is_server: false,
        version: 0,
        listed: None,
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

    /// A server stays connected.
    fn silence(&self) -> Option<i64> {
        (self.is_server && self.stage == Stage::Verified).then_some(TWO_MINUTES)
    }

    /// A server that disconnects is listed no longer.
    fn closed(&mut self, state: &mut MasterState, incoming: &IncomingRequest<'_>) {
        if let Some(server) = self.listed.take() {
            state.unregister(incoming, &server);
        }
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
        let entry = protocols::recognise(&PROTOCOL, Carrier::Stream, frame, direction);
        let decoded = entry.and_then(|entry| Unreal2::decode(entry, frame, &mut scratch));
        let message = decoded.map(|decoded| decoded.message);
        match (self.stage, message) {
            (Stage::Login, Some(Unreal2::Login(login))) => self.log_in(state, &login, out),
            // What a client sends here is in no document.
            (Stage::Approved, _) => {
                self.stage = Stage::Verified;
                self.verify(out);
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
        let server_of = program.strip_suffix(b"SERVER");
        self.is_server = server_of.is_some();
        self.version = login.version;
        let game = server_of.or_else(|| program.strip_suffix(b"CLIENT"));
        self.over = !game.is_some_and(|game| game.is_empty() || game.starts_with(b"UT2K"));
        self.stage =
            if self.is_server || self.is_newer() { Stage::Approved } else { Stage::Verified };
        if state.has(Defect::NeverAcknowledges) {
            return;
        }
        let verdict = if self.over { &b"DENIED"[..] } else { b"APPROVED" };
        let has_number = !self.over && !self.is_server && self.is_newer();
        // Messages made here always encode.
        _ = encode(
            Verified {
                verdict: CountedText::new(verdict),
                has_number,
                number: if has_number { APPROVAL } else { 0 },
                ..Verified::default()
            },
            out,
        );
    }

    /// A server is told at which ports it is seen; a client that it may ask.
    fn verify(&self, out: &mut Vec<u8>) {
        if !self.is_server {
            let verdict = CountedText::new(b"VERIFIED");
            _ = encode(Verified { verdict, ..Verified::default() }, out);
            return;
        }
        let form = if self.is_newer() { PortsForm::Three } else { PortsForm::One };
        _ = encode(
            DetectedPorts {
                form,
                number: 120,
                query_port: PORT + 1,
                port: PORT,
                gamespy_port: PORT + GAMESPY_PORTS_ABOVE,
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
            Unreal2::Heartbeat(heartbeat) => self.register(state, incoming, heartbeat),
            Unreal2::PackagesVersion(_) => {
                _ = encode(NumberFrame { number: MATCH, ..NumberFrame::default() }, out);
            }
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
                let text = CountedText::new(b"A reference master");
                let has_number = self.is_newer();
                _ = encode(TextFrame { text, has_number, ..TextFrame::default() }, out);
            }
            _ => {}
        }
    }

    /// Lists a server at the port that its heartbeat has, and keeps the rest of it without players.
    fn register(
        &mut self,
        state: &mut MasterState,
        incoming: &IncomingRequest<'_>,
        heartbeat: Heartbeat<'_>,
    ) {
        let Ok(port) = u16::try_from(heartbeat.port) else {
            return state.note(incoming.service, incoming.from, "refused: not a valid port");
        };
        let address = SocketAddr::from((incoming.from.ip(), port));
        let server = ServerKey { namespace: &UNREAL_SERVERS, address };
        if let Some(before) = self.listed.replace(server).filter(|before| *before != server) {
            state.unregister(incoming, &before);
        }
        let kept = Heartbeat {
            size: Size::default(),
            address_count: 0,
            addresses: Records::default(),
            has_numbers: HasNumbers::No,
            player_count: 0,
            player_list: Records::default(),
            ..heartbeat
        };
        let mut text = Vec::new();
        if heartbeat.settings.raw().len() > LONGEST_KEPT {
            _ = encode(Heartbeat { settings: Records::new(b"\0"), ..kept }, &mut text);
        } else {
            _ = encode(kept, &mut text);
        }
        state.describe(incoming, server, &text);
        state.list_plain(incoming, server);
        state.keep_details(incoming, &server);
    }

    /// The number of servers that fit the filters, then a frame for each.
    fn list(&self, state: &mut MasterState, filters: Records<'_>, out: &mut Vec<u8>) {
        let query = ServerQuery { namespace: &UNREAL_SERVERS, protocol: Some(0), game: None };
        let found = state.find(query, |kind: &ListKey| !kind.six);
        let (mut records, mut count) = (Vec::new(), 0);
        for address in &found {
            let SocketAddr::V4(shown) = address else { continue };
            let mut registered = *address;
            if state.has(Defect::SwappedPort) {
                registered.set_port(shown.port().swap_bytes());
            }
            let server = ServerKey { namespace: &UNREAL_SERVERS, address: registered };
            let Some(kept) = state.details(&server) else { continue };
            let mut scratch = Scratch::default();
            let server = decode::<Heartbeat<'_>, _>(kept, &mut scratch, &mut ()).message;
            if !state.has(Defect::IgnoresFilter) && !filter::fits(&server, filters) {
                continue;
            }
            count += 1;
            _ = encode(self.record(*shown, &server), &mut records);
        }
        state.recycle(found);
        if state.has(Defect::WrongCount) {
            count = u32::saturating_sub(count, 1);
        }
        _ = encode(ListCount { count, ..ListCount::default() }, out);
        out.extend(records);
    }

    /// The record of a server, in the form of the client's version.
    fn record<'a>(&self, at: SocketAddrV4, server: &Heartbeat<'a>) -> ListRecord<'a> {
        let flags = flags(server, self.is_newer());
        ListRecord {
            address: at.ip().octets(),
            port: at.port(),
            query_port: at.port().wrapping_add(1),
            name: server.name,
            map: server.map,
            game_type: server.game_type,
            players: u8::try_from(server.players).unwrap_or(u8::MAX),
            max_players: u8::try_from(server.max_players).unwrap_or(u8::MAX),
            has_more: self.version != XMP_VERSION,
            end: if self.is_newer() { RecordEnd::Long } else { RecordEnd::Short },
            flags: flags.into(),
            short_flags: flags,
            skill: server.skill,
            ..ListRecord::default()
        }
    }
}

/// How a server plays, as UT2004's lists say it, or as those of the games before.
fn flags(server: &Heartbeat<'_>, is_newer: bool) -> u8 {
    let has = |key: &[u8], value: &[u8]| filter::setting(server, key) == Some(value);
    let mutates = |name: &[u8]| filter::mutators(server).any(|mutator| mutator == name);
    let bits = [
        (has(b"GamePassword", b"True"), 0, 6),
        (has(b"GameStats", b"True"), 1, 5),
        (has(b"ServerMode", b"non-dedicated"), 3, 3),
        (mutates(b"MutInstaGib"), 4, 2),
    ];
    let known = bits.into_iter().filter(|(is, ..)| *is);
    let all = known.fold(0, |all, (_, new, old)| all | 1 << if is_newer { new } else { old });
    // UT2004's standard servers, which all are, and those that play as the first game did.
    let classic = u8::from(mutates(b"MutUTClassic")) << 6;
    if is_newer { all | 1 << 5 | classic } else { all }
}
