//! Quake III's lists: which servers a request selects, and which requests get a response.

use std::net::SocketAddr;

use super::{NAMED, NUMBERED, REJECTED};
use crate::{
    Defect, EOT, IncomingRequest, ListFilter, ListForm, MasterState, OLD_END, ReplySink,
    ServerQuery, Split,
};
use codec::{AddrForm, Tokens};
use protocols::quake3::{
    GameSelector, GetServers, GetServersExt, GetServersExtResponse, GetServersResponse, game_of,
};
use simulate::families::number;

/// Sends the servers of a request; one without a protocol gets no response, as with dpmaster.
pub(crate) fn servers(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    request: GetServers<'_>,
    out: ReplySink<'_>,
) {
    let GetServers { gamename, filters, newline, .. } = request;
    let Some(protocol) = request.number() else { return };
    if newline != 0 && state.has(Defect::SilentOnLineFeed) {
        return;
    }
    let query = is_whole(filters).then(|| query(gamename, protocol));
    let Some(query) = query.filter(|query| may_answer(state, incoming, *query)) else {
        return;
    };
    let defects = state.defects;
    let filter = ListFilter::parse(filters, defects).of_game(query.game);
    let found = state.find(query, |kind| !kind.six && filter.fits(defects, kind));
    let header = b"\xff\xff\xff\xffgetserversResponse";
    let split = match state.settings.list_form {
        ListForm::Id => Split::by_records(112, EOT),
        ListForm::Raven => Split::of_raven(),
        ListForm::Daemon => Split::of_daemon(state, header),
        ListForm::Dpmaster => Split::by_bytes(state, header),
    };
    // Up to protocol 45, lists end otherwise, and so does each packet (000 getserversResponse).
    let old = gamename.is_empty() && matches!(protocol, 43 | 45);
    let split = if old && !state.has(Defect::NewEndMark) {
        Split { between: OLD_END, end: OLD_END, ..split }
    } else {
        split
    };
    let mut head = ListHead::new(state, split, &found, GetServersResponse::FORM);
    split.each(state, &found, GetServersResponse::FORM, |state, servers, end| {
        let ListHead { spelling, index, count } = head.next();
        let list = GetServersResponse {
            head: spelling,
            index: index.into(),
            count: count.into(),
            servers,
            end,
            ..GetServersResponse::default()
        };
        state.send(incoming.from, list, out);
    });
    state.recycle(found);
}

/// The same for addresses of both families.
pub(crate) fn servers_ext(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    request: GetServersExt<'_>,
    out: ReplySink<'_>,
) {
    let GetServersExt { filters, newline, .. } = request;
    if newline != 0 && state.has(Defect::SilentOnLineFeed) {
        return;
    }
    let Some(query) = query_ext(&request).filter(|query| may_answer(state, incoming, *query))
    else {
        return;
    };
    let defects = state.defects;
    let filter = ListFilter::parse(filters, defects).of_game(query.game);
    let found = state.find(query, |kind| {
        let six = filter.six && !defects.has(Defect::NoIpv6);
        let family = if kind.six { six } else { filter.four };
        family && filter.fits(defects, kind)
    });
    let header = b"\xff\xff\xff\xffgetserversExtResponse";
    let split = match state.settings.list_form {
        ListForm::Daemon => Split::of_daemon(state, header),
        _ => Split::by_bytes(state, header),
    };
    let mut head = ListHead::new(state, split, &found, GetServersExtResponse::FORM);
    split.each(state, &found, GetServersExtResponse::FORM, |state, servers, end| {
        let ListHead { spelling, index, count } = head.next();
        let list = GetServersExtResponse {
            head: spelling,
            index: index.into(),
            count: count.into(),
            servers,
            end,
            ..GetServersExtResponse::default()
        };
        state.send(incoming.from, list, out);
    });
    state.recycle(found);
}

/// What stands before the records of a list's packets.
#[derive(Debug, Clone, Copy, Default)]
struct ListHead {
    spelling: u8,
    /// The packet's number, and how many there are; used if the spelling has them.
    index: i64,
    count: i64,
}

impl ListHead {
    /// The spelling with a line feed and a NUL, and that with numbers.
    const RAVEN: u8 = 1;
    const NUMBERS: u8 = 3;

    /// Before the first packet of these servers.
    fn new(state: &mut MasterState, split: Split, servers: &[SocketAddr], form: AddrForm) -> Self {
        let extended = form == GetServersExtResponse::FORM;
        let spelling = match state.settings.list_form {
            ListForm::Raven if !extended => Self::RAVEN,
            ListForm::Daemon => Self::NUMBERS,
            _ => return Self::default(),
        };
        let more = i64::from(state.has(Defect::WrongPacketCount));
        let mut head = Self { spelling, count: more, ..Self::default() };
        split.each(state, servers, form, |_, _, _| head.count += 1);
        head
    }

    /// That of the next packet.
    fn next(&mut self) -> Self {
        self.index += 1;
        *self
    }
}

/// A number alone requests the servers of the game with that protocol, or of every game that is
/// requested so (dpmaster 2.2 takes one of them); a name takes precedence (004, 4) getservers).
fn query(gamename: &[u8], protocol: i64) -> ServerQuery<'_> {
    let game =
        if gamename.is_empty() { game_of(protocol).map(str::as_bytes) } else { Some(gamename) };
    let namespace = if game.is_some() { &NAMED } else { &NUMBERED };
    ServerQuery { namespace, protocol: Some(protocol), game }
}

/// The extended form always names the game, as in dpmaster; a name may be a number too.
fn query_ext<'a>(request: &GetServersExt<'a>) -> Option<ServerQuery<'a>> {
    let GetServersExt { target, gamename, protocol, filters, .. } = *request;
    let (game, protocol) = match target {
        GameSelector::Named if !is_whole(filters) => return None,
        GameSelector::Named => (gamename, request.number()?),
        GameSelector::Numbered => (protocol.digits(), filters.iter().next().and_then(number)?),
    };
    Some(ServerQuery { namespace: &NAMED, protocol: Some(protocol), game: Some(game) })
}

/// Whether a protocol number ends before these words: `3x` is none.
fn is_whole(filters: Tokens<'_>) -> bool {
    filters.raw().first().is_none_or(|b| *b == b' ')
}

/// Whether a request for these servers gets a response.
fn may_answer(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    query: ServerQuery<'_>,
) -> bool {
    if query.game.is_some_and(|game| !state.settings.game_policy.accepts(game)) {
        state.note(incoming.service, incoming.from, REJECTED);
        return false;
    }
    state.may_list(incoming)
}
