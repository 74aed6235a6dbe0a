//! One message is sent, and what comes back is collected: over UDP or over TCP.

use std::io;

use super::answer::{AnswerEnd, QuestionAnswer};
use super::client::QueryClient;
use super::connection::{ConnectionEnd, ConnectionLimits, MasterDialer};
use super::conversation::{Conversation, QuestionLimits};
use super::list_answer::ListFailure;
use super::message::QueryMessage;
use super::traffic::TrafficRecorder;
use protocol::Carrier;
use simulate::families::{FollowTurn, StreamStep, queried};
use simulate::{AddressPool, Pacer, Target};

/// What came of a message.
#[derive(Debug, Default)]
pub struct SingleAnswer {
    /// The answer; of one over TCP only how it ended, because the recording has its bytes.
    pub answer: QuestionAnswer,
    /// Why there is none, if that is known.
    pub failure: Option<ListFailure>,
    /// How many datagrams came from other ports of the target's host.
    pub from_other_ports: u32,
}

/// Sends one message to a target at its own port, and what its family sends after an answer.
///
/// # Errors
/// If the target cannot be reached from here, or the system cannot send or receive.
pub fn ask_message(
    target: &Target,
    message: QueryMessage,
    limits: QuestionLimits,
    recorder: &TrafficRecorder,
) -> io::Result<SingleAnswer> {
    if message.carrier() == Carrier::Stream {
        return over_connection(target, &message.bytes, limits, recorder);
    }
    let QueryMessage { entry, bytes } = message;
    let protocol = entry.map(|entry| entry.protocol);
    let mut of_protocol = queried().filter(|query| Some(query.protocol) == protocol);
    let follow = of_protocol.next().map(|query| query.follow);
    let follow = follow.unwrap_or(|_: &FollowTurn<'_>| None);
    let mut conversation = Conversation::new(entry, bytes, limits, follow);
    let mut client = QueryClient::open(target, recorder)?;
    client.lead(&mut conversation)?;
    let (answer, _) = conversation.into_answer();
    let from_other_ports = client.from_other_ports();
    Ok(SingleAnswer { answer, failure: None, from_other_ports })
}

fn over_connection(
    target: &Target,
    bytes: &[u8],
    limits: QuestionLimits,
    recorder: &TrafficRecorder,
) -> io::Result<SingleAnswer> {
    let mut pool = AddressPool::near(target.clone())?;
    let host = pool.host()?;
    let pacer = target.limit().map(Pacer::new);
    let (timeout, recorder) = (limits.timeout, Some(recorder));
    let limits = ConnectionLimits { timeout, pacer: pacer.as_ref(), recorder };
    let end = MasterDialer::new(pool, host, 0).run(limits, |turn| match turn.sent {
        0 => StreamStep::Send(bytes.to_vec()),
        _ if turn.is_over && !turn.received.is_empty() => StreamStep::Done(()),
        _ if turn.received.is_empty() => StreamStep::Wait,
        _ => StreamStep::Begun,
    })?;
    let (end, failure) = match end {
        ConnectionEnd::Reached { .. } | ConnectionEnd::Cut { .. } => (AnswerEnd::Whole, None),
        ConnectionEnd::Failed(failure) => (AnswerEnd::Missing, Some(failure)),
    };
    let answer = QuestionAnswer { end: Some(end), ..QuestionAnswer::default() };
    Ok(SingleAnswer { answer, failure, from_other_ports: 0 })
}
