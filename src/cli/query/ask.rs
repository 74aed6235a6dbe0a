//! Asks the target.

use std::io;
use std::time::Duration;

use super::answers::{AskedAs, AskedTarget};
use ::query::{
    AnswerEnd, Approach, MasterClient, QueryClient, QueryMessage, QueryTarget, QuestionLimits,
    RequestedList, ServerInterview, TargetSubject, TrafficRecorder, ask_message,
};
use simulate::Pacer;
use simulate::families::{ListSelection, MasterMessages, QuestionSubject};

/// How often a question is repeated if several protocols are tried, and if many are.
const REPEATS_OF_SEVERAL: u8 = 1;
const MANY: usize = 4;
/// How long an answer may take if many are tried.
const TIME_OF_MANY: Duration = Duration::from_millis(500);

/// How a master is asked for its list.
#[derive(Clone, Copy)]
pub(super) struct MasterQuestion<'a> {
    /// Which servers are wanted.
    pub selection: &'a ListSelection,
    pub limits: QuestionLimits,
    pub recorder: &'a TrafficRecorder,
}

/// Requests the whole list of a target, as a master of each kind that its game or port leaves open,
/// until it answers.
pub(super) fn list(target: &QueryTarget, question: MasterQuestion<'_>) -> io::Result<AskedTarget> {
    let mut asked = AskedTarget::new(target.named);
    for way in target.master_approaches() {
        if let TargetSubject::Master(kind) = way.subject {
            asked.take_list(way, request_list(target, kind, question)?);
        }
        if asked.is_answered() {
            break;
        }
    }
    Ok(asked)
}

fn request_list(
    target: &QueryTarget,
    kind: &MasterMessages,
    question: MasterQuestion<'_>,
) -> io::Result<RequestedList> {
    let MasterQuestion { selection, limits, recorder } = question;
    let selection = ListSelection { over_ipv6: target.target.is_ipv6(), ..selection.clone() };
    let pacer = target.target.limit().map(Pacer::new);
    let client = MasterClient::open(&target.target, kind, selection)?;
    client.request(limits.timeout, pacer.as_ref(), Some(recorder))
}

/// How long something took, for people.
pub(super) fn latency_text(time: Duration) -> String {
    text::latency(i64::try_from(time.as_nanos()).unwrap_or(i64::MAX))
}

/// Asks for the state, or for the list, in each of these ways until the target answers.
pub(super) fn usual(
    target: &QueryTarget,
    ways: Vec<Approach>,
    wanted: &[QuestionSubject],
    limits: QuestionLimits,
    recorder: &TrafficRecorder,
) -> io::Result<AskedTarget> {
    let repeats = match ways.len() {
        0 | 1 => limits.repeats,
        several if several < MANY => limits.repeats.min(REPEATS_OF_SEVERAL),
        _ => 0,
    };
    let timeout = if ways.len() < MANY { limits.timeout } else { limits.timeout.min(TIME_OF_MANY) };
    let limits = QuestionLimits { timeout, repeats };
    let mut asked = AskedTarget::new(target.named);
    let mut closed = Vec::new();
    for way in ways {
        // Where nothing listens, no other protocol is answered either.
        if closed.contains(&way.at) {
            continue;
        }
        match way.subject {
            TargetSubject::Server(query) => {
                let mut client =
                    QueryClient::open(&target.target.with_port(way.at.port()), recorder)?;
                let mut interview = ServerInterview::new(query, wanted, limits);
                client.lead(&mut interview)?;
                asked.take_interview(way, interview.into_outcome(), client.from_other_ports());
            }
            TargetSubject::Master(kind) => {
                let selection = ListSelection::default();
                let question = MasterQuestion { selection: &selection, limits, recorder };
                let list = request_list(target, kind, question)?;
                asked.take_list(way, list);
            }
        }
        match asked.end() {
            Some(AnswerEnd::Unreachable) => closed.push(way.at),
            Some(end) if end.is_answer() => break,
            _ => {}
        }
    }
    Ok(asked)
}

/// Sends one message, and what its family sends after an answer.
pub(super) fn message(
    target: &QueryTarget,
    message: QueryMessage,
    limits: QuestionLimits,
    recorder: &TrafficRecorder,
) -> io::Result<AskedTarget> {
    let at = target.target.at(target.port_for(&message));
    let mut asked = AskedTarget::new(target.named);
    asked.subject = AskedAs::Message;
    asked.at = Some(at);
    let outcome = ask_message(&target.target.with_port(at.port()), message, limits, recorder)?;
    asked.take_message(outcome);
    Ok(asked)
}
