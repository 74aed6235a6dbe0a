//! A list of servers over all of its packets: who answers, and what changed against the list before.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::SocketAddr;

use super::overlay::OverlayLine;
use super::text::counted;
use super::widgets::style;
use analysis::{AnalysisIndex, ExchangeState, ListPacket, MessageTurn, Session};
use protocol::{Colours, Entry, ExchangeKind, Reading};
use render::uncoloured;
use text::{escaped, fit};

/// How many servers are shown.
const SHOWN: usize = 16_384;
/// The columns of a name.
const NAME: usize = 40;

/// The servers of an answer, each with the frame of its packet.
type ListedServers = Vec<(SocketAddr, u64)>;

/// What is known of a server's answers to queries, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum QueryOutcome {
    Answers,
    /// A part of an answer is missing, or a challenge was not returned.
    Incomplete,
    Silent,
}

/// The list that a message belongs to; for another message the next list after it, else the first one.
///
/// # Errors
/// In words, if there is no list, or a packet cannot be read again.
pub fn whole_list(session: &Session, message: usize) -> Result<(String, Vec<OverlayLine>), String> {
    let index = session.index().ok_or("lists are known when everything has been read")?;
    let at = list_of(index, session, message).ok_or("there is no list of servers")?;
    let list = servers_of(index, session, at)?;
    let record = index.exchanges().get(at).ok_or("the list is no longer kept")?;
    let master = record.responder(session.flows());
    let request = request_of(index, session, at);
    let before = (0..at).rev().find(|earlier| {
        let other = index.exchanges().get(*earlier);
        other.is_some_and(|o| {
            o.kind() == ExchangeKind::List && o.responder(session.flows()) == master
        }) && request_of(index, session, *earlier) == request
            && servers_of(index, session, *earlier).is_ok_and(|servers| !servers.is_empty())
    });
    let before = before.map(|earlier| servers_of(index, session, earlier)).transpose()?;
    Ok(lines(index, session, (master, &list), before.as_ref()))
}

/// The index of the exchange.
fn list_of(index: &AnalysisIndex, session: &Session, message: usize) -> Option<usize> {
    let is_list = |at: &usize| {
        let record = index.exchanges().get(*at);
        record.is_some_and(|record| record.kind() == ExchangeKind::List)
            && index.steps_of(*at).any(|(_, turn)| turn == MessageTurn::Answer)
    };
    let header = session.header(message);
    let own = header.and_then(|header| {
        index.exchange_of(header.number).or_else(|| index.exchange_of(header.answers?))
    });
    own.filter(is_list).or_else(|| {
        let all = || (0..index.exchanges().len()).filter(is_list);
        let first = |at: usize| index.messages_of(at).next();
        let behind = all().find(|at| first(*at).is_some_and(|first| first >= message));
        behind.or_else(|| all().next())
    })
}

/// The message and the payload of the request of an exchange; two lists of the same are compared.
fn request_of(
    index: &AnalysisIndex,
    session: &Session,
    at: usize,
) -> Option<(&'static Entry, Vec<u8>)> {
    let (message, turn) = index.steps_of(at).next()?;
    let mut payload = Vec::new();
    let message = session.message(message, &mut payload).ok()??;
    let entry = message.header.entry;
    (turn == MessageTurn::Request).then_some((entry, payload))
}

fn servers_of(
    index: &AnalysisIndex,
    session: &Session,
    at: usize,
) -> Result<ListedServers, String> {
    let request = request_of(index, session, at).map(|(entry, _)| entry);
    let (mut servers, mut reading) = (ListedServers::new(), Reading::default());
    let mut payload = Vec::new();
    let answers = index.steps_of(at).filter(|(_, turn)| *turn == MessageTurn::Answer);
    for (message, _) in answers {
        let message = session.message(message, &mut payload);
        let message = message.map_err(|error| format!("cannot be read again: {error}"))?;
        let Some(message) = message else { continue };
        let header = message.header;
        let packet = ListPacket::new(header.entry, request, header.missing > 0);
        let listed = packet.read_servers(&mut reading, header.entry, message.payload);
        servers.extend(listed.into_iter().map(|server| (server, header.number)));
    }
    Ok(servers)
}

fn lines(
    index: &AnalysisIndex,
    session: &Session,
    (master, list): (Option<SocketAddr>, &ListedServers),
    before: Option<&ListedServers>,
) -> (String, Vec<OverlayLine>) {
    let packets: BTreeSet<u64> = list.iter().map(|(_, number)| *number).collect();
    let addresses: BTreeSet<SocketAddr> = list.iter().map(|(server, _)| *server).collect();
    let earlier: Option<BTreeSet<SocketAddr>> =
        before.map(|before| before.iter().map(|(server, _)| *server).collect());
    let numbers = packets.iter().map(|number| format!("#{number}")).collect::<Vec<_>>();
    let of = master.map(|master| format!(" of {master}")).unwrap_or_default();
    let heading = format!("list{of}: {}", counted(list.len() as u64, "server"));
    let first = match numbers.as_slice() {
        [] => "no packet of it names a server".to_owned(),
        [one] => format!("in packet {one}"),
        [first, .., last] => format!("in {} packets, {first} to {last}", numbers.len()),
    };
    let mut lines = vec![
        row(style::BOLD, first),
        row(style::PLAIN, changes(&addresses, earlier.as_ref())),
        row(style::PLAIN, String::new()),
    ];
    let asked = asked(index, session);
    let widest = list.iter().map(|(server, _)| server.to_string().len()).max().unwrap_or(0).max(7);
    let digits = list.len().to_string().len().max(2);
    let wide = numbers.iter().map(String::len).max().unwrap_or(0).max(2);
    let head =
        format!("{:>digits$}    {:widest$}  {:<wide$}  {:<10}  name", "#", "server", "in", "state");
    lines.push(row(style::TITLE, head));
    let mut seen: HashMap<SocketAddr, u64> = HashMap::new();
    for (n, (server, number)) in (1..).zip(list.iter().take(SHOWN)) {
        let twice = seen.insert(*server, *number);
        let is_new = earlier.as_ref().is_some_and(|earlier| !earlier.contains(server));
        let sign = match (twice, is_new) {
            (Some(_), _) => "2×",
            (None, true) => "+ ",
            (None, false) => "  ",
        };
        let (state, of) = match asked.get(server) {
            Some(QueryOutcome::Answers) => ("answers", style::VALID),
            Some(QueryOutcome::Incomplete) => ("incomplete", style::WARNING),
            Some(QueryOutcome::Silent) => ("no answer", style::WARNING),
            None => ("not asked", style::DIM),
        };
        let name = index.hosts().server(*server).and_then(|host| {
            let colours = host.verdict.map_or(Colours::None, |v| v.game.colours());
            Some(uncoloured(host.name.as_ref()?, colours))
        });
        let name = name.map(|name| fit(&escaped(&name), NAME)).unwrap_or_default();
        let (address, packet) = (server.to_string(), format!("#{number}"));
        let text = format!(" {sign} {address:widest$}  {packet:<wide$}  {state:<10}  {name}");
        let of = if sign == "2×" { style::WARNING } else { of };
        lines.push((format!("{n:>digits$}"), of, text));
    }
    if list.len() > SHOWN {
        lines.push(row(style::DIM, format!("{} more", list.len() - SHOWN)));
    }
    let gone = earlier.iter().flatten().filter(|server| !addresses.contains(*server));
    lines.extend(
        gone.map(|server| {
            (format!("{:>digits$}", ""), style::WARNING, format!(" -  {server}  gone"))
        }),
    );
    (heading, lines)
}

/// What changed against the list before.
fn changes(now: &BTreeSet<SocketAddr>, before: Option<&BTreeSet<SocketAddr>>) -> String {
    let Some(before) = before else {
        return "no list before it with the same request".to_owned();
    };
    let (new, gone) = (now.difference(before).count(), before.difference(now).count());
    match (new, gone) {
        (0, 0) => "the same servers as in the list before".to_owned(),
        _ => format!("against the list before: {new} new (+), {gone} gone (-)"),
    }
}

/// Which servers were asked, and the best outcome of each.
fn asked(index: &AnalysisIndex, session: &Session) -> BTreeMap<SocketAddr, QueryOutcome> {
    let mut all = BTreeMap::new();
    for record in index.exchanges() {
        let Some(server) = record.server(session.flows()) else { continue };
        if record.kind() != ExchangeKind::Query {
            continue;
        }
        let state = match record.state() {
            ExchangeState::Answered | ExchangeState::Unsolicited | ExchangeState::Refused => {
                QueryOutcome::Answers
            }
            ExchangeState::Incomplete => QueryOutcome::Incomplete,
            ExchangeState::Unanswered => QueryOutcome::Silent,
            ExchangeState::OneWay => continue,
        };
        let known = all.entry(server).or_insert(state);
        *known = state.min(*known);
    }
    all
}

fn row(of: ratatui::style::Style, text: String) -> OverlayLine {
    (text, of, String::new())
}
