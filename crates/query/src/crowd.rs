//! Asks many servers in one thread, at a rate.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use mio::{Events, Interest, Poll, Token};

use super::client::LARGEST;
use super::conversation::ConversationStep;
use super::interview::{InterviewOutcome, ServerInterview};
use super::list_request::{DATAGRAMS, received, send};
use super::traffic::TrafficRecorder;
use simulate::{AddressPool, Received, Socket, Target};

/// A server of a crowd.
pub struct CrowdServer {
    /// Where it is.
    pub target: Target,
    /// What it is asked.
    pub interview: ServerInterview,
}

/// How a crowd is asked.
#[derive(Debug, Clone, Copy)]
pub struct CrowdLimits {
    /// Datagrams per second, to all servers together.
    pub rate: u32,
    /// How many servers are asked at a time, at most: each needs a socket.
    pub at_once: usize,
}

/// A server that is being asked, with a socket that reaches nothing else.
struct AskedMember {
    socket: Socket,
    at: SocketAddr,
    interview: ServerInterview,
}

/// A server of which something has to be done at a time.
#[derive(Debug, Clone, Copy)]
struct DueMember {
    at: Instant,
    /// Whether nothing but sending a question again.
    repeats: bool,
    n: usize,
}

impl DueMember {
    /// Whose turn is now, and when the next thing has to be done. What a server is waiting for comes
    /// first. A question is sent again only when no other server can be asked for the first time: the
    /// longest waits, those for servers that do not answer, then begin early, and overlap.
    fn first(
        all: impl Iterator<Item = Self>,
        now: Instant,
        can_begin: bool,
    ) -> (Option<usize>, Option<Instant>) {
        let (mut turn, mut next): (Option<Self>, Option<Instant>) = (None, None);
        for member in all {
            next = Some(next.map_or(member.at, |next| next.min(member.at)));
            let key = |one: &Self| (one.repeats, one.at, one.n);
            let is_overdue = member.at <= now && !(member.repeats && can_begin);
            if is_overdue && turn.is_none_or(|best| key(&member) < key(&best)) {
                turn = Some(member);
            }
        }
        (turn.map(|member| member.n), next)
    }
}

/// Asks all servers, and passes what came of each to `ended`, as it ends. A server that cannot be
/// reached from here does not answer.
///
/// # Errors
/// If the system cannot wait.
pub fn ask_crowd(
    servers: Vec<CrowdServer>,
    limits: CrowdLimits,
    recorder: &TrafficRecorder,
    mut ended: impl FnMut(SocketAddr, InterviewOutcome),
) -> io::Result<()> {
    let gap = Duration::from_secs(1) / limits.rate.max(1);
    let (mut waiting, mut asked) = (servers.into_iter(), HashMap::<usize, AskedMember>::new());
    let (mut poll, mut events) = (Poll::new()?, Events::with_capacity(256));
    let (mut buffer, mut turn, mut number) = (vec![0; LARGEST], Instant::now(), 0);
    let mut has_more = true;
    loop {
        let now = Instant::now();
        let due = asked.iter().filter_map(|(n, AskedMember { interview, .. })| {
            Some(DueMember { at: interview.due(now)?, repeats: interview.awaits_repeat(), n: *n })
        });
        let can_begin = has_more && asked.len() < limits.at_once;
        let (overdue, first) = DueMember::first(due, now, can_begin);
        if now >= turn && (overdue.is_some() || can_begin) {
            let n = if let Some(n) = overdue {
                n
            } else {
                let Some(server) = waiting.next() else {
                    has_more = false;
                    continue;
                };
                number += 1;
                let at = server.target.at(0);
                match begin(server, number, &poll) {
                    Ok(member) => _ = asked.insert(number, member),
                    Err(_) => ended(at, InterviewOutcome::default()),
                }
                number
            };
            if let Some(member) = asked.get_mut(&n)
                && let ConversationStep::Send(bytes) = member.interview.step(now)
            {
                // One that cannot be sent to does not answer.
                _ = send(&member.socket, member.at, &bytes, None);
                recorder.datagram(member.socket.local(), member.at, &bytes, "query: asks");
                turn = next_turn(turn, now, gap);
            }
            finish(n, &mut asked, &poll, &mut ended);
            continue;
        }
        if asked.is_empty() && !has_more {
            return Ok(());
        }
        let wants_turn = overdue.is_some() || can_begin;
        let until = first.filter(|_| !wants_turn).unwrap_or(turn);
        match poll.poll(&mut events, Some(until.saturating_duration_since(now))) {
            Err(why) if why.kind() == io::ErrorKind::Interrupted => continue,
            polled => polled?,
        }
        for event in &events {
            let Token(n) = event.token();
            if let Some(member) = asked.get_mut(&n) {
                member.take(&mut buffer, recorder);
            }
            finish(n, &mut asked, &poll, &mut ended);
        }
    }
}

/// When the next datagram may be sent. What the system wakes this thread too late is made up for, up to
/// one gap: the rate is kept, and no more than one datagram comes early.
fn next_turn(turn: Instant, now: Instant, gap: Duration) -> Instant {
    let is_late = now.saturating_duration_since(turn) > gap;
    (if is_late { now } else { turn }) + gap
}

/// Opens the socket for a server.
fn begin(server: CrowdServer, number: usize, poll: &Poll) -> io::Result<AskedMember> {
    let CrowdServer { target, interview } = server;
    let at = target.at(0);
    let mut pool = AddressPool::near(target)?;
    let host = pool.host()?;
    let mut socket = pool.socket(host, 0)?;
    poll.registry().register(&mut socket, Token(number), Interest::READABLE)?;
    Ok(AskedMember { socket, at, interview })
}

/// Ends a server whose interview has ended.
fn finish(
    number: usize,
    asked: &mut HashMap<usize, AskedMember>,
    poll: &Poll,
    ended: &mut impl FnMut(SocketAddr, InterviewOutcome),
) {
    let has_ended = |member: &AskedMember| member.interview.due(Instant::now()).is_none();
    if asked.get(&number).is_some_and(has_ended)
        && let Some(mut member) = asked.remove(&number)
    {
        // The socket is closed with it.
        _ = poll.registry().deregister(&mut member.socket);
        ended(member.at, member.interview.into_outcome());
    }
}

impl AskedMember {
    /// Takes what is there. Events are edge-triggered: all of it is read, up to a limit beyond which
    /// the answer is too long.
    fn take(&mut self, buffer: &mut [u8], recorder: &TrafficRecorder) {
        for _ in 0..DATAGRAMS {
            match received(&self.socket, buffer) {
                Ok(Received::Datagram(length, from)) if from == self.at => {
                    let bytes = buffer.get(..length).unwrap_or_default();
                    recorder.datagram(from, self.socket.local(), bytes, "target: answers");
                    self.interview.receive(bytes, Instant::now());
                }
                Ok(Received::Datagram(..)) => {}
                Ok(Received::Refused) | Err(_) => self.interview.refuse(),
                Ok(Received::Nothing) => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_that_were_not_asked_yet_come_before_those_that_are_silent() {
        let begin = Instant::now();
        let at = |ms| begin + Duration::from_millis(ms);
        let due = |ms, repeats, n| DueMember { at: at(ms), repeats, n };
        let members = [due(10, true, 1), due(30, false, 2), due(20, true, 3), due(99, false, 4)];
        for (now, can_begin, turn) in [
            (5, true, None),
            (10, true, None),
            (10, false, Some(1)),
            (25, false, Some(1)),
            (40, true, Some(2)),
            (40, false, Some(2)),
        ] {
            let found = DueMember::first(members.into_iter(), at(now), can_begin);
            assert_eq!(found, (turn, Some(at(10))), "{now} {can_begin}");
        }
        assert_eq!(DueMember::first([].into_iter(), begin, false), (None, None));
    }

    #[test]
    fn small_delays_are_made_up_for() {
        let (begin, gap) = (Instant::now(), Duration::from_millis(20));
        let at = |ms| begin + Duration::from_millis(ms);
        for (turn, now, next) in [(0, 0, 20), (0, 7, 20), (20, 40, 40), (20, 41, 61)] {
            assert_eq!(next_turn(at(turn), at(now), gap), at(next), "{turn} {now}");
        }
    }
}
