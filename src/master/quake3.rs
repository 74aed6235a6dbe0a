//! Quake III's kind of master: heartbeat, getinfo, infoResponse, getservers (documents 000, 001
//! sections 1, 8 and 11, and 004). Elite Force's says the same in other words and comes here too.

use std::net::SocketAddr;

use super::authorize;
use super::challenge::Form;
use super::defect::Defect;
use super::desk::{Claim, Desk, Heard, Out};
use super::list::{EOT, Filter, OLD_END, Split};
use super::registry::{Kind, Load, Piece, Realm, Seat, Wanted};
use super::setting::ListForm;
use crate::proto::quake3::{
    GetInfo, GetServers, GetServersExt, GetServersExtResponse, GetServersResponse, Heartbeat,
    PROTOCOL, Quake3, Register, Says, TAGS, Tag, Target, game_of,
};
use crate::proto::{Carrier, Way};
use crate::wire::{Info, Scratch};

/// The second spelling of "nothing or a blank".
const BLANK: u8 = 1;
/// Names and rules that are longer are refused: dpmaster's limits.
const LONGEST_NAME: usize = 63;
const LONGEST_GAMETYPE: usize = 31;
/// Why a game has no servers here.
const REJECTED: &str = "refused: the game policy rejects the game";
/// What a long key is, to a master that cannot bear one.
const LONG_KEY: usize = 64;

pub(super) fn hear(desk: &mut Desk, heard: &Heard<'_>, scratch: &mut Scratch, out: Out<'_>) {
    let Some(entry) = PROTOCOL.recognise(Carrier::Datagram, heard.payload, Way::default()) else {
        return;
    };
    let Some(decoded) = Quake3::decode(entry, heard.payload, scratch) else {
        return;
    };
    if decoded.fault.is_some() {
        return desk.note(heard.service, heard.from, "not understood");
    }
    match decoded.message {
        Quake3::Heartbeat(beat) => heartbeat(desk, heard, beat, out),
        Quake3::InfoResponse(reply) => info(desk, heard, reply.info),
        Quake3::GetServers(request) => servers(desk, heard, request, out),
        Quake3::GetServersExt(request) => servers_ext(desk, heard, request, out),
        Quake3::Register(told) => register(desk, heard, told, out),
        // Its servers ask here or on a port of its own (001 1.2.11, 8.3).
        Quake3::GetIpAuthorize(question) => authorize::verdict(desk, heard, question, out),
        _ => {}
    }
}

fn heartbeat(desk: &mut Desk, heard: &Heard<'_>, beat: Heartbeat<'_>, out: Out<'_>) {
    let seat = Seat { realm: Realm::Named, address: heard.from };
    let any = desk.settings.unknown_tags || desk.has(Defect::AcceptsAnyTag);
    let claim = match Tag::named(beat.tag) {
        Some(tag) if tag.says == Says::Shutdown => return desk.goes(heard, &seat),
        Some(tag) => Claim {
            game: tag.game.unwrap_or_default().into(),
            numbered: tag.numbered,
            last_words: tag.says == Says::AliveOrShutdown,
            ..Claim::default()
        },
        None if any => Claim::default(),
        None => return desk.note(heard.service, heard.from, "refused: an unknown tag"),
    };
    let says_game = claim.numbered;
    if says_game && !desk.settings.game_policy.accepts(&claim.game) {
        return desk.note(heard.service, heard.from, REJECTED);
    }
    if desk.has(Defect::ListsUnverified) {
        let pieces = pieces(&claim, Vec::new(), 68, Kind::of(seat.address));
        desk.list(heard, seat, &pieces);
    }
    ask(desk, heard, seat, claim, out);
}

/// Sends a server its challenge.
fn ask(desk: &mut Desk, heard: &Heard<'_>, seat: Seat, claim: Claim, out: Out<'_>) {
    let Some(challenge) = desk.ask(heard, seat, Form::Text, claim) else {
        return;
    };
    let question = GetInfo { blank: BLANK, challenge: &challenge, ..GetInfo::default() };
    desk.say(seat.address, question, out);
}

/// One master tells another of a server (000 register). The server has to prove itself like any
/// other.
fn register(desk: &mut Desk, heard: &Heard<'_>, told: Register<'_>, out: Out<'_>) {
    if !desk.settings.allow_register && !desk.has(Defect::AcceptsRegister) {
        return desk.note(heard.service, heard.from, "refused: nobody may register others");
    }
    let seat = Seat { realm: Realm::Named, address: (told.address, told.port).into() };
    // Only Quake III's servers are registered so.
    let game = Tag::named(b"QuakeArena-1").and_then(|tag| tag.game).unwrap_or_default();
    if !desk.settings.game_policy.accepts(game.as_bytes()) {
        return desk.note(heard.service, heard.from, REJECTED);
    }
    let claim = Claim { game: game.into(), numbered: true, ..Claim::default() };
    ask(desk, heard, seat, claim, out);
}

/// Whether servers are listed whose heartbeat and answer say these games.
fn accepts(desk: &Desk, claim: &Claim, game: &[u8]) -> bool {
    // What the heartbeat said was looked at when it came.
    let says_nothing = game.is_empty() && claim.numbered;
    says_nothing || desk.settings.game_policy.accepts(game)
}

/// What an infoResponse says that a master wants to know.
pub(super) struct Said {
    pub protocol: i64,
    /// The name that the server gives its game; empty where the heartbeat's is enough.
    pub game: Vec<u8>,
    pub kind: Kind,
}

/// Takes an infoResponse: the challenge has to be right, and everything has to be there (document
/// 004, 3) infoResponse).
fn info(desk: &mut Desk, heard: &Heard<'_>, info: Info<'_>) {
    let long = info.pairs().any(|(key, _)| key.len() > LONG_KEY);
    if long && desk.has(Defect::CrashesOnLongKey) {
        desk.crashed = true;
        return;
    }
    let seat = Seat { realm: Realm::Named, address: heard.from };
    let challenge = info.get(b"challenge").unwrap_or_default();
    let Some(ask) = desk.answered(heard, seat, challenge) else {
        return;
    };
    match said(desk, heard.from, info, &ask.claim) {
        Ok(Said { game, .. }) if !accepts(desk, &ask.claim, &game) => {
            desk.counts.refused += 1;
            desk.note(heard.service, heard.from, REJECTED);
        }
        Ok(Said { protocol, game, kind }) => {
            let pieces = pieces(&ask.claim, game, protocol, kind);
            desk.list(heard, seat, &pieces);
        }
        Err(why) => {
            desk.counts.refused += 1;
            desk.note(heard.service, heard.from, why);
        }
    }
}

pub(super) fn said(
    desk: &Desk,
    from: SocketAddr,
    info: Info<'_>,
    claim: &Claim,
) -> Result<Said, &'static str> {
    let lenient = desk.has(Defect::AcceptsMissingKeys);
    let number = |key: &[u8], otherwise: i64| match info.get(key) {
        Some(digits) => number(digits),
        None => lenient.then_some(otherwise),
    };
    let protocol = number(b"protocol", 68).ok_or("refused: no number of a protocol")?;
    let places = number(b"sv_maxclients", 8).and_then(|n| u64::try_from(n).ok());
    let places = places.ok_or("refused: no number of places")?;
    if places == 0 && !desk.has(Defect::AcceptsNoPlaces) {
        return Err("refused: it has no places");
    }
    let players = number(b"clients", 0).and_then(|n| u64::try_from(n).ok());
    let players = players.ok_or("refused: no number of players")?;
    let game = match info.get(b"gamename") {
        // Nobody asks for such a game by its name.
        _ if claim.numbered && claim.game.is_empty() => Vec::new(),
        Some(game) if is_name(game) || desk.has(Defect::AcceptsBadNames) => game.to_vec(),
        Some(_) => return Err("refused: no name that a game may have"),
        None if claim.numbered || lenient => Vec::new(),
        None => return Err("refused: it does not say which game"),
    };
    let gametype = info.get(b"gametype").unwrap_or(b"0");
    if gametype.len() > LONGEST_GAMETYPE {
        return Err("refused: rules of too long a name");
    }
    let load = Load::of(players, Some(places));
    let kind = Kind { load, gametype: gametype.into(), ..Kind::of(from) };
    Ok(Said { protocol, game, kind })
}

/// A number and nothing else, of 32 bits.
pub(super) fn number(digits: &[u8]) -> Option<i64> {
    let number: i32 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some(number.into())
}

/// Whether a game may be called so: it has to fit into a request, where a blank ends it.
fn is_name(name: &[u8]) -> bool {
    (1..=LONGEST_NAME).contains(&name.len()) && name.iter().all(u8::is_ascii_graphic)
}

/// Where a server is listed: under the game that its heartbeat's tag stands for, under the name that
/// it gives itself, and, where clients may ask for its protocol's number alone, there.
fn pieces(claim: &Claim, game: Vec<u8>, protocol: i64, kind: Kind) -> Vec<Piece> {
    let has_tag = TAGS.iter().any(|tag| tag.game.is_some_and(|known| known.as_bytes() == game));
    let mut names = vec![claim.game.clone(), game];
    names.dedup();
    let mut pieces = Vec::new();
    if claim.numbered || has_tag {
        let (realm, game, kind) = (Realm::Numbered, Box::default(), kind.clone());
        pieces.push(Piece { realm, protocol, game, kind });
    }
    let names = names.into_iter().filter(|name| !name.is_empty());
    pieces.extend(names.map(|name| {
        let (realm, game, kind) = (Realm::Named, name.into(), kind.clone());
        Piece { realm, protocol, game, kind }
    }));
    pieces
}

fn servers(desk: &mut Desk, heard: &Heard<'_>, request: GetServers<'_>, out: Out<'_>) {
    let GetServers { gamename, protocol, filters, newline, .. } = request;
    if newline != 0 && desk.has(Defect::SilentOnLineFeed) {
        return;
    }
    let wanted = wanted(gamename, protocol.get());
    if !answers(desk, heard, wanted) {
        return;
    }
    let (filter, defects) = (Filter::read(filters), desk.settings.defects);
    let found = desk.find(wanted, |kind| !kind.six && filter.fits(defects, kind));
    let split = match desk.settings.list_form {
        ListForm::Id => Split::by_records(112, EOT),
        ListForm::Dpmaster => Split::by_bytes(desk, b"\xff\xff\xff\xffgetserversResponse"),
    };
    // Until protocol 45 lists end otherwise, and each packet so (000 getserversResponse).
    let old = gamename.is_empty() && matches!(protocol.get(), 43 | 45);
    let split = if old && !desk.has(Defect::NewEndMark) {
        Split { end: OLD_END, everywhere: true, ..split }
    } else {
        split
    };
    split.each(desk, &found, GetServersResponse::FORM, |desk, servers, end| {
        let list = GetServersResponse { servers, end, ..GetServersResponse::default() };
        desk.say(heard.from, list, out);
    });
    desk.give_back(found);
}

fn servers_ext(desk: &mut Desk, heard: &Heard<'_>, request: GetServersExt<'_>, out: Out<'_>) {
    let GetServersExt { filters, newline, .. } = request;
    if newline != 0 && desk.has(Defect::SilentOnLineFeed) {
        return;
    }
    let Some(wanted) = wanted_ext(&request) else {
        return desk.note(heard.service, heard.from, "not answered: no game or no protocol");
    };
    if !answers(desk, heard, wanted) {
        return;
    }
    let (filter, defects) = (Filter::read(filters), desk.settings.defects);
    let found = desk.find(wanted, |kind| {
        let six = filter.six && !defects.has(Defect::NoIpv6);
        let family = if kind.six { six } else { filter.four };
        family && filter.fits(defects, kind)
    });
    let split = Split::by_bytes(desk, b"\xff\xff\xff\xffgetserversExtResponse");
    split.each(desk, &found, GetServersExtResponse::FORM, |desk, servers, end| {
        let list = GetServersExtResponse { servers, end, ..GetServersExtResponse::default() };
        desk.say(heard.from, list, out);
    });
    desk.give_back(found);
}

/// A number alone asks for the servers of the game that has it, or of every game that is asked for
/// so (dpmaster 2.2 takes one of them); a name goes before it (004, 4) getservers).
fn wanted(gamename: &[u8], protocol: i64) -> Wanted<'_> {
    let game =
        if gamename.is_empty() { game_of(protocol).map(str::as_bytes) } else { Some(gamename) };
    let realm = if game.is_some() { Realm::Named } else { Realm::Numbered };
    Wanted { realm, protocol: Some(protocol), game }
}

/// The extended form always names the game, as dpmaster has it; a name may be a number too.
fn wanted_ext<'a>(request: &GetServersExt<'a>) -> Option<Wanted<'a>> {
    let GetServersExt { target, gamename, protocol, filters, .. } = *request;
    let (game, protocol) = match target {
        Target::Named => (gamename, protocol.get()),
        Target::Numbered => (protocol.digits(), filters.iter().next().and_then(number)?),
    };
    Some(Wanted { realm: Realm::Named, protocol: Some(protocol), game: Some(game) })
}

/// Whether a request for these servers gets an answer.
fn answers(desk: &mut Desk, heard: &Heard<'_>, wanted: Wanted<'_>) -> bool {
    if wanted.game.is_some_and(|game| !desk.settings.game_policy.accepts(game)) {
        desk.note(heard.service, heard.from, REJECTED);
        return false;
    }
    desk.may_list(heard)
}
