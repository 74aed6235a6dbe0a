//! Rules on single messages, and on earlier messages of servers and masters.

use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, SocketAddr};

use foldhash::fast::RandomState;

use super::Findings;
use super::key::FindingKey;
use super::rules::{
    CHALLENGE_CHANGED, CHALLENGE_FORBIDDEN, CHALLENGE_MISSING, CHALLENGE_REPEATED,
    HEARTBEAT_FREQUENT, HEARTBEAT_LATE, HEARTBEAT_RARE, KEY_MISSING, NO_PLACES, OVER_1400,
    OVERFULL, VALIDATE_WRONG,
};
use crate::addresses::is_private;
use crate::exchange::{
    ChallengeProof, Exchange, ExchangeStep, MessageTurn, Placement, without_blanks,
};
use crate::frame_ref::FrameRef;
use crate::hosts::Hosts;
use crate::message::{CapturedMessage, MessageHeader};
use crate::values::{MessageValues, TextOf, TextValue};
use protocol::{Carrier, ExchangeKind, Role, Validation, harmless};
use text::{duration, since};

/// How many challenges of masters are remembered.
const CHALLENGES: usize = 1 << 14;
/// How many bytes an answer in parts may have (document 003, Replies).
const PART: u32 = 1_400;
/// Nanoseconds in a second.
const SECOND: i64 = 1_000_000_000;
/// Heartbeats come at least every ten minutes (document 004); a busy server may be a little late.
const RARE: i64 = 630 * SECOND;
/// After so long the server was off, or the capture was interrupted.
const AWAY: i64 = 3_600 * SECOND;
/// How long one challenge may wait for its answer. Short random challenges repeat now and then.
const FRESH: i64 = 30 * SECOND;
/// How long the capturing machine takes at most to pass on a datagram whose address it translates.
const FORWARDED: i64 = SECOND / 10;
/// Random challenges of at least so many characters do not repeat.
const LONG: usize = 8;
/// How many heartbeats per minute are a flood.
const FREQUENT: u32 = 10;
const MINUTE: i64 = 60 * SECOND;

/// Earlier messages that matter for later rules.
#[derive(Default)]
pub(super) struct MessageHistory {
    /// The server to which a master last sent a challenge, and the frame.
    challenges: HashMap<(IpAddr, TextValue), SentChallenge, RandomState>,
    /// Registrations whose last answer was to a challenge of an earlier one.
    stale: HashSet<u64, RandomState>,
    /// Of each server and master: the latest heartbeats.
    heartbeats: HashMap<[SocketAddr; 2], RecentHeartbeats, RandomState>,
}

/// The heartbeats of a server to a master.
struct RecentHeartbeats {
    /// When the current minute began, and how many came in it.
    minute: i64,
    count: u32,
    last: FrameRef,
}

/// The receiver of a challenge, and the time.
#[derive(Clone, Copy)]
struct SentChallenge {
    to: SocketAddr,
    frame: FrameRef,
    time: i64,
}

/// Whether two addresses may be the same endpoint before and after address translation (NAT) on the
/// capturing machine, where one datagram comes twice: after `age` nanoseconds, with another port if
/// the translation changes it.
fn is_translated(one: SocketAddr, other: SocketAddr, age: i64) -> bool {
    let is_forwarded = one.port() == other.port() || age <= FORWARDED;
    is_forwarded && is_private(one.ip()) != is_private(other.ip())
}

impl Findings {
    /// Checks a message in its exchange; the hosts have all messages before it.
    pub(crate) fn add_message(
        &mut self,
        message: &CapturedMessage<'_>,
        values: &MessageValues<'_>,
        placement: &Placement,
        hosts: &Hosts,
    ) {
        let header = &message.header;
        self.check_fault(header, values);
        match (placement.kind, placement.turn) {
            (ExchangeKind::Registration, MessageTurn::Request | MessageTurn::Retry) => {
                self.check_heartbeat(header, placement, hosts);
            }
            (ExchangeKind::Registration, MessageTurn::Query) => {
                self.check_challenge(header, values);
            }
            (ExchangeKind::Registration, MessageTurn::Answer) => {
                self.add_registration(header, values, placement);
            }
            (ExchangeKind::List, _) if header.direction.from == Some(Role::Master) => {
                self.check_list_packet(header, values, hosts);
            }
            _ => {}
        }
        if header.entry.spec.part.is_some()
            && header.entry.spec.carrier == Carrier::Datagram
            && placement.kind != ExchangeKind::List
            && header.length + header.missing > PART
        {
            self.add_finding(&OVER_1400, header.source, &[header.frame()], || {
                format!("{} has {} bytes", header.name, header.length + header.missing)
            });
        }
        if let Some(Validation::NotOf(game)) = header.validation
            && placement.proof == ChallengeProof::Wrong
            && !values.plain.cut
        {
            self.add_finding(&VALIDATE_WRONG, header.source, &[header.frame()], || {
                format!("{}: not what the key of {game} makes of the challenge", header.name)
            });
        }
        if let (Some(players), Some(max_players)) = (values.plain.players, values.plain.max_players)
            && players > max_players
            && max_players > 0
            // Other protocols count bots and spectators as well.
            && !header.entry.spec.required_keys.is_empty()
        {
            self.add_finding(&OVERFULL, header.source, &[header.frame()], || {
                format!("{} says {players} clients of {max_players}", header.name)
            });
        }
    }

    /// Checks an exchange that has ended; the hosts have all messages before its end.
    pub(crate) fn add_exchange(&mut self, exchange: &Exchange, hosts: &Hosts) {
        if exchange.listing.is_some() {
            self.check_list(exchange);
        }
        self.check_answers(exchange);
        self.check_challenges(exchange);
        self.observe_registration(exchange);
        self.observe_silence(exchange, hosts);
        let is_stale = self.history.stale.remove(&exchange.id);
        if exchange.kind == ExchangeKind::Registration {
            self.check_proof(exchange, is_stale);
        }
    }

    fn check_heartbeat(&mut self, header: &MessageHeader, placement: &Placement, hosts: &Hosts) {
        let server = placement.server.unwrap_or(header.source);
        let (minute, heartbeats, last) = {
            let minutes = &mut self.history.heartbeats;
            if minutes.len() >= CHALLENGES {
                minutes.retain(|_, recent| {
                    since(recent.minute, header.time).is_some_and(|age| age <= MINUTE)
                });
            }
            if minutes.len() >= CHALLENGES {
                minutes.clear();
            }
            let frame = header.frame();
            let new = RecentHeartbeats { minute: header.time, count: 0, last: frame };
            let recent = minutes.entry([server, header.destination]).or_insert(new);
            if since(recent.minute, header.time).is_none_or(|age| age > MINUTE) {
                (recent.minute, recent.count) = (header.time, 0);
            }
            recent.count += 1;
            (recent.minute, recent.count, std::mem::replace(&mut recent.last, frame))
        };
        if heartbeats >= FREQUENT {
            let within = duration(header.time.saturating_sub(minute));
            self.add_finding(&HEARTBEAT_FREQUENT, server, &[header.frame()], || {
                format!("{heartbeats} heartbeats to {} within {within}", header.destination)
            });
        }
        let known = hosts.server(server);
        let before = known.and_then(|s| s.registration_with(header.destination)?.last_heartbeat());
        let gone = known.and_then(|s| s.shutdown);
        let Some(before) = before.filter(|b| gone.is_none_or(|gone| gone.number() < b.number()))
        else {
            return;
        };
        let moment = before;
        let Some(interval) = since(before.time, header.time) else {
            return;
        };
        let Some(documented) = header.entry.heartbeat_interval(header.verdict.game) else {
            return;
        };
        let key = match interval {
            AWAY.. => return,
            RARE.. => FindingKey::new(&HEARTBEAT_RARE, server),
            _ if interval > documented.latest() => {
                FindingKey::new(&HEARTBEAT_LATE, server).in_section(documented.section)
            }
            _ => return,
        };
        // The flow of the one before is known, unless it was forgotten.
        let before = Some(last).filter(|last| last.number == before.number());
        let before = before.unwrap_or(moment.frame());
        self.add_keyed(key, &[before, header.frame()], || {
            let (interval, master) = (duration(interval), header.destination);
            let documented = duration(documented.nanos());
            format!("{interval} instead of {documented} between two heartbeats to {master}")
        });
    }

    /// Checks a master's challenge to a server.
    fn check_challenge(&mut self, header: &MessageHeader, values: &MessageValues<'_>) {
        let Some(challenge) = values.text(TextOf::Challenge) else {
            return;
        };
        let secrets = self.secrets;
        let is_text = header.entry.spec.exchange == ExchangeKind::Query
            && header.entry.spec.challenge.is_none();
        let allowed = |b: &u8| b.is_ascii_graphic() && !br#"\/;"%"#.contains(b);
        if is_text && !without_blanks(challenge).iter().all(allowed) {
            self.add_finding(&CHALLENGE_FORBIDDEN, header.source, &[header.frame()], || {
                format!("the challenge is \"{}\"", harmless(challenge, secrets))
            });
        }
        let known = &mut self.history.challenges;
        if known.len() >= CHALLENGES {
            known.clear();
        }
        let key = (header.source.ip(), TextValue::from(without_blanks(challenge)));
        let is_long = challenge.len() >= LONG && !challenge.iter().all(u8::is_ascii_digit);
        let now =
            SentChallenge { to: header.destination, frame: header.frame(), time: header.time };
        let before = known.insert(key, now);
        let repeats = |sent: &SentChallenge| {
            let age = since(sent.time, header.time).unwrap_or(0);
            let others = sent.to != now.to && !is_translated(sent.to, now.to, age);
            others && (is_long || age <= FRESH)
        };
        if let Some(SentChallenge { to: other, frame, .. }) = before.filter(repeats) {
            self.add_finding(&CHALLENGE_REPEATED, header.source, &[frame, header.frame()], || {
                let challenge = harmless(challenge, secrets);
                format!("{other} and {} were both sent \"{challenge}\"", header.destination)
            });
        }
    }

    /// Checks a server's message to its master.
    fn add_registration(
        &mut self,
        header: &MessageHeader,
        values: &MessageValues<'_>,
        placement: &Placement,
    ) {
        if placement.proof == ChallengeProof::Wrong && self.is_known_challenge(header, values) {
            // The answer to an earlier challenge came late, or twice. Exchanges that were ended
            // early to free memory are not looked up again.
            if self.history.stale.len() >= 4 * CHALLENGES {
                self.history.stale.clear();
            }
            self.history.stale.insert(placement.id);
            return;
        }
        self.history.stale.remove(&placement.id);
        self.answered(header, values, placement);
        if values.plain.faulty || values.plain.cut {
            return;
        }
        let missing: Vec<_> = values.missing(header).collect();
        if !missing.is_empty() {
            self.add_finding(&KEY_MISSING, header.source, &[header.frame()], || {
                format!("{} lacks {}", header.name, missing.join(", "))
            });
        }
        if values.plain.max_players == Some(0) && !header.entry.spec.required_keys.is_empty() {
            self.add_finding(&NO_PLACES, header.source, &[header.frame()], || {
                format!("{} says that there are no places", header.name)
            });
        }
    }

    /// Whether the challenge that an answer returns is one that its receiver sent to this server
    /// before.
    fn is_known_challenge(&self, header: &MessageHeader, values: &MessageValues<'_>) -> bool {
        let Some(challenge) = values.text(TextOf::Challenge) else {
            return false;
        };
        let key = (header.destination.ip(), TextValue::from(without_blanks(challenge)));
        self.history.challenges.get(&key).is_some_and(|sent| sent.to == header.source)
    }

    /// Checks whether the challenge was returned.
    fn check_proof(&mut self, exchange: &Exchange, is_stale: bool) {
        let answers = exchange.steps.iter().filter(|step| step.turn == MessageTurn::Answer);
        let queries = exchange.steps.iter().filter(|step| step.turn == MessageTurn::Query);
        let numbers: Vec<_> = queries.chain(answers).map(ExchangeStep::frame).collect();
        let server = exchange.server.unwrap_or(exchange.requester);
        let proves = exchange.steps.iter().any(|step| step.entry.spec.validation.is_some());
        match exchange.proof {
            ChallengeProof::Missing => {
                let key = FindingKey::new(&CHALLENGE_MISSING, server).explains(server);
                self.add_keyed(key, &numbers, || {
                    format!("the answer to {} has no challenge", exchange.responder)
                });
            }
            // A wrong proof is reported where the message is checked.
            ChallengeProof::Wrong if !proves && !is_stale => {
                let key = FindingKey::new(&CHALLENGE_CHANGED, server).explains(server);
                self.add_keyed(key, &numbers, || {
                    format!("the answer to {} brings another challenge back", exchange.responder)
                });
            }
            _ => {}
        }
    }
}
