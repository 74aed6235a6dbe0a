//! Cases: answers in several datagrams.

use super::kind::ServerKind;
use crate::{Done, Failure, ReceivedDatagram, TestContext};
use protocols::source::parse_split;

/// Each part of a split answer comes once, and all say the same of it.
pub(super) fn whole(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let client = kind.client(ctx)?;
    let mut is_split = false;
    for question in kind.first_questions() {
        let Some(question) = asked(kind, &client, &question)? else { continue };
        client.drain()?;
        let parts = client.request(&format!("an answer to {}", kind.name(&question)), &question)?;
        is_split |= check(&parts)?;
    }
    if is_split { Ok(()) } else { Err(Failure::skipped("no answer takes several datagrams")) }
}

/// The question as it is answered: with the challenge that the server gives.
fn asked(
    kind: &ServerKind,
    client: &crate::TestEndpoint<'_>,
    question: &[u8],
) -> Result<Option<Vec<u8>>, Failure> {
    client.drain()?;
    client.send_bytes(question)?;
    let what = format!("an answer to {}", kind.name(question));
    let answer = client.expect(&what, |datagram| Some(datagram.clone()));
    match answer {
        Ok(answer) => {
            let next = kind.next(question, &answer.bytes);
            Ok(Some(next.unwrap_or_else(|| question.to_vec())))
        }
        // Servers need not tell their settings.
        Err(failure) if failure.kind == crate::FailureKind::Failed => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// Whether these datagrams are parts.
fn check(datagrams: &[ReceivedDatagram]) -> Result<bool, Failure> {
    let parts = datagrams.iter().filter_map(|one| Some((one, parse_split(&one.bytes)?)));
    let parts: Vec<_> = parts.collect();
    let Some((_, first)) = parts.first() else { return Ok(false) };
    for (n, (datagram, part)) in parts.iter().enumerate() {
        if (part.id, part.total) != (first.id, first.total) {
            let what = format!("parts of answer {}, {} of them", first.id, first.total);
            let came = format!("one of answer {}, {} of them", part.id, part.total);
            return Err(Failure::new(what, came).at(datagram));
        }
        if parts.iter().take(n).any(|(_, before)| before.index == part.index) {
            let what = "each part once";
            return Err(Failure::new(what, format!("part {} again", part.index)).at(datagram));
        }
    }
    if parts.len() < usize::from(first.total) {
        let what = format!("{} parts of the answer", first.total);
        return Err(Failure::new(what, format!("{} of them", parts.len())));
    }
    Ok(true)
}
