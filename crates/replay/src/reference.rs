//! What the reference master would have sent in place of a captured one: it is given what that master
//! was sent before, at the same times, and then the request.

use std::collections::HashMap;
use std::net::SocketAddr;

use super::composed::ComposedQuestion;
use analysis::{MessageHeader, Session};
use codec::Scratch;
use flow::Transport;
use masters::{Defect, Defects, Master, Random, Service, Settings, families};
use protocol::{Carrier, Direction, Entry, Protocol, Reading, Role};
use render::challenge_of;

/// How many messages before the request are looked at: a master forgets servers that sent nothing for
/// some minutes.
const BEFORE: usize = 1 << 16;
/// The seed of its challenges: the same comparison gives the same bytes.
const SEED: u64 = 1;

/// The answer of the reference master to a captured request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceAnswer {
    /// The frame of the request.
    pub request: u64,
    /// The service of the reference master that answered.
    pub service: &'static str,
    /// The datagrams that it sends to who asked; none if it does not answer.
    pub replies: Vec<Vec<u8>>,
    /// The session index of the first datagram that was captured as the answer.
    pub captured: Option<usize>,
}

/// Asks the reference master the request with this session index, or the one that the message with this
/// index answers. Servers prove themselves to it by their captured answers, with its challenge in place
/// of the captured one.
///
/// # Errors
/// In words, if no master was asked, the reference master does not know the game, or a message cannot be
/// read again.
pub fn reference_answer(session: &Session, index: usize) -> Result<ReferenceAnswer, String> {
    let (at, request) = request_of(session, index)?;
    let services = services_for(&request)?;
    let mut master = ReplayedMaster::new(request.entry.protocol, services);
    let mut replies = Vec::new();
    let mut payload = Vec::new();
    let begin = session.begin_time().unwrap_or(0);
    for at in at.saturating_sub(BEFORE).max(session.gone())..=at {
        let is_to_master = |header: &MessageHeader| {
            header.destination == request.destination && header.transport == Transport::Udp
        };
        if !session.header(at).is_some_and(|header| is_to_master(&header)) {
            continue;
        }
        let message = session.message(at, &mut payload);
        let message = message.map_err(|error| format!("cannot be read again: {error}"))?;
        let Some(message) = message else { continue };
        replies = master.take(&message.header, message.payload, begin);
    }
    let to = request.source;
    let replies = replies.into_iter().filter(|(receiver, _)| *receiver == to);
    Ok(ReferenceAnswer {
        request: request.number,
        service: master.services.first().map_or("", |service| service.name),
        replies: replies.map(|(_, bytes)| bytes).collect(),
        captured: captured_answer(session, at, request.number),
    })
}

/// The request with this index, or that of the message with this index.
fn request_of(session: &Session, index: usize) -> Result<(usize, MessageHeader), String> {
    let header = session.header(index).ok_or("this message is no longer kept")?;
    let (at, request) = match header.answers {
        Some(number) => {
            let at = session.find(number).ok_or("its request is no longer kept")?;
            (at, session.header(at).ok_or("its request is no longer kept")?)
        }
        None => (index, header),
    };
    if request.direction.to != Some(Role::Master) {
        return Err(
            "only what was sent to a master has an answer of the reference master".to_owned()
        );
    }
    if request.transport != Transport::Udp {
        return Err("only requests in datagrams are compared".to_owned());
    }
    Ok((at, request))
}

/// The services that take a request: those of its game, else those of its protocol; of several those on
/// its port.
fn services_for(request: &MessageHeader) -> Result<Vec<&'static Service>, String> {
    let game = request.verdict.game;
    let datagrams = || families::services().filter(|s| s.transport() == "udp");
    let mut services: Vec<_> = datagrams().filter(|s| s.game.id == game.id).collect();
    if services.is_empty() {
        let protocol = request.entry.protocol;
        services = datagrams().filter(|s| s.game.protocol == protocol).take(1).collect();
    }
    let port = request.destination.port();
    if services.iter().any(|service| service.port == port) {
        services.retain(|service| service.port == port);
    }
    if services.is_empty() {
        Err(format!("the reference master has no service for {}", game.id))
    } else {
        Ok(services)
    }
}

/// The first message behind the request that answers it.
fn captured_answer(session: &Session, request: usize, number: u64) -> Option<usize> {
    let behind = request + 1..session.len().min(request + BEFORE);
    behind.into_iter().find(|at| session.header(*at).is_some_and(|h| h.answers == Some(number)))
}

/// The reference master, and what it has asked servers.
struct ReplayedMaster {
    master: Master,
    protocol: &'static Protocol,
    services: Vec<&'static Service>,
    /// Its last challenge to each server.
    asked: HashMap<SocketAddr, ChallengedServer>,
    reading: Reading,
    scratch: Scratch,
}

struct ChallengedServer {
    entry: &'static Entry,
    bytes: Vec<u8>,
    challenge: Option<Vec<u8>>,
}

impl ReplayedMaster {
    fn new(protocol: &'static Protocol, services: Vec<&'static Service>) -> Self {
        let mut master = Master::new(Settings::default(), Random::seeded(SEED));
        // What was captured was sent, however fast.
        master.misbehave(Defects::default().with(Defect::NoFloodProtection));
        master.allow_loopback();
        let (reading, scratch) = (Reading::default(), Scratch::default());
        Self { master, protocol, services, asked: HashMap::new(), reading, scratch }
    }

    /// Takes a captured message; returns what it sends, and to whom.
    fn take(
        &mut self,
        header: &MessageHeader,
        payload: &[u8],
        begin: i64,
    ) -> Vec<(SocketAddr, Vec<u8>)> {
        let own = self.with_challenge(header, payload);
        let bytes = own.as_deref().unwrap_or(payload);
        let now = header.time.saturating_sub(begin).max(0);
        let mut sent = Vec::new();
        self.master.handle_datagram(now, &self.services, header.source, bytes, &mut |reply| {
            sent.push((reply.to, reply.bytes.to_vec()));
        });
        for (to, bytes) in &sent {
            let way = Direction { from: Some(Role::Master), to: Some(Role::Server) };
            let entry = protocols::recognise(self.protocol, Carrier::Datagram, bytes, way);
            let Some(entry) = entry.filter(|entry| entry.is_request()) else { continue };
            let challenge = challenge_of(&mut self.reading, entry, bytes);
            self.asked.insert(*to, ChallengedServer { entry, bytes: bytes.clone(), challenge });
        }
        sent
    }

    /// An answer to a captured challenge with this master's challenge in its place.
    fn with_challenge(&mut self, header: &MessageHeader, payload: &[u8]) -> Option<Vec<u8>> {
        let asked = self.asked.get(&header.source)?;
        if !header.entry.spec.answers.contains(&asked.entry.spec.id) {
            return None;
        }
        let ChallengedServer { entry, bytes, challenge } = asked;
        let question = ComposedQuestion { entry, bytes, challenge: challenge.as_deref() };
        let mut out = Vec::new();
        let answer = header.entry;
        let mut change = |leaf: &codec::Leaf<'_>| question.change(answer, payload, leaf);
        answer.edit(payload, &mut self.scratch, &mut change, &mut out).ok()?;
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use capture::Input;
    use parking_lot::Mutex;

    fn session(bytes: &'static [u8]) -> Session {
        let input = Input::Memory { name: "tour".to_owned(), bytes: bytes.into() };
        let (session, loader) = Session::open(&[input], Vec::new()).unwrap();
        let session = Mutex::new(session);
        loader.run(&session);
        session.into_inner()
    }

    fn answer_to(session: &Session, number: u64) -> Result<ReferenceAnswer, String> {
        reference_answer(session, session.find(number).unwrap())
    }

    #[test]
    fn the_reference_master_lists_the_server_that_proved_itself() {
        let session = session(include_bytes!("../../../captures/tour.pcapng"));
        let answer = answer_to(&session, 6).unwrap();
        assert_eq!((answer.request, answer.service), (6, "quake3"));
        assert_eq!(answer.captured, session.find(7));
        let list = b"\xff\xff\xff\xffgetserversResponse\\\xc0\x00\x02\x0a\x6d\x38\\EOT\0\0\0";
        assert_eq!(answer.replies, [list.to_vec()]);
        // The answer leads to its request; the heartbeat is answered by a challenge of its own.
        assert_eq!(answer_to(&session, 7), Ok(answer));
        let challenged = answer_to(&session, 1).unwrap();
        let [challenge] = &challenged.replies[..] else { panic!("{challenged:?}") };
        assert!(challenge.starts_with(b"\xff\xff\xff\xffgetinfo "));
    }

    #[test]
    fn what_no_master_was_asked_is_refused() {
        let session = session(include_bytes!("../../../captures/tour.pcapng"));
        let refused = answer_to(&session, 9).unwrap_err();
        assert!(refused.contains("only what was sent to a master"), "{refused}");
    }
}
