//! Cases: the challenge of a server, which a client returns to show that its address is not forged.

use super::kind::ServerKind;
use crate::{Done, Failure, TestContext, TestEndpoint};
use codec::New;
use simulate::families::ProofFields;
use simulate::{number_in, with_value};

/// What changes a challenge into another one.
const OTHER: i64 = 0x2a;

/// The question with the server's challenge, after the client has asked for that; skipped if the
/// server wants none.
fn proven(kind: &ServerKind, client: &TestEndpoint<'_>) -> Result<Vec<u8>, Failure> {
    for question in kind.first_questions() {
        client.drain()?;
        client.send_bytes(&question)?;
        let what = format!("an answer to {}", kind.name(&question));
        let answer = client.expect(&what, |datagram| {
            kind.answers(&question, &datagram.bytes).map(|_| datagram.clone())
        })?;
        if let Some(next) = kind.next(&question, &answer.bytes) {
            return Ok(next);
        }
    }
    Err(Failure::skipped("the server answers without a challenge of its own"))
}

/// The fields of the challenge.
fn fields(kind: &ServerKind) -> Result<ProofFields, Failure> {
    kind.questions.proof.ok_or_else(|| Failure::error("such servers have no challenge"))
}

/// What answers a question with a challenge: no other challenge.
fn expect_answer(kind: &ServerKind, client: &TestEndpoint<'_>, question: &[u8]) -> Done {
    let what = format!("an answer to {} with the challenge that was given", kind.name(question));
    client.expect(&what, |datagram| is_answer(kind, question, &datagram.bytes).then_some(()))
}

fn expect_no_answer(kind: &ServerKind, client: &TestEndpoint<'_>, question: &[u8]) -> Done {
    let what = format!("no answer to {} with a wrong challenge", kind.name(question));
    client.expect_none(&what, |datagram| is_answer(kind, question, &datagram.bytes).then_some(()))
}

fn is_answer(kind: &ServerKind, question: &[u8], datagram: &[u8]) -> bool {
    kind.answers(question, datagram).is_some() && kind.next(question, datagram).is_none()
}

/// Another number than the one that was given.
pub(super) fn wrong(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let client = kind.client(ctx)?;
    let question = ctx.setup(|| proven(kind, &client))?;
    client.send_bytes(&question)?;
    ctx.setup(|| expect_answer(kind, &client, &question))?;
    let (entry, fields) = (kind.question(&question), fields(kind)?);
    let wrong = entry.and_then(|entry| {
        let given = number_in(entry, &question, fields.returned)?;
        with_value(entry, &question, fields.returned, &New::Int(given ^ OTHER))
    });
    let wrong = wrong.ok_or_else(|| Failure::error("the challenge cannot be changed"))?;
    client.drain()?;
    client.send_bytes(&wrong)?;
    expect_no_answer(kind, &client, &wrong)
}

/// What was given to another address.
pub(super) fn foreign(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    if !ctx.is_wide() {
        return Err(Failure::skipped("all clients have one address here"));
    }
    let [client, other] = [kind.client(ctx)?, kind.client(ctx)?];
    let question = ctx.setup(|| proven(kind, &client))?;
    other.send_bytes(&question)?;
    expect_no_answer(kind, &other, &question)?;
    client.send_bytes(&question)?;
    ctx.setup(|| expect_answer(kind, &client, &question))
}

/// The bytes of what comes back for each byte of a first question, from an address that has proven
/// nothing.
fn amplification(ctx: &TestContext<'_>, kind: &ServerKind) -> Result<Vec<Amplified>, Failure> {
    let questions = kind.first_questions().map(|question| {
        let client = kind.client(ctx)?;
        let answers = client.request_all(&question)?;
        let answered = answers.iter().map(|answer| answer.bytes.len()).sum();
        Ok(Amplified { name: kind.name(&question), asked: question.len(), answered })
    });
    questions.collect()
}

/// A question, the bytes of it, and the bytes of its answers.
struct Amplified {
    name: &'static str,
    asked: usize,
    answered: usize,
}

/// How much more comes back than was sent.
pub(super) fn measured_amplification(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    for Amplified { name, asked, answered } in amplification(ctx, kind)? {
        let tenths = answered * 10 / asked.max(1);
        let factor = format!("{}.{}", tenths / 10, tenths % 10);
        ctx.note(format!("{name}: {asked} bytes asked, {answered} answered ({factor} times)"));
    }
    Ok(())
}

/// Nothing comes back that is longer than what was sent.
pub(super) fn no_amplification(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    for Amplified { name, asked, answered } in amplification(ctx, kind)? {
        if answered > asked {
            let what = format!("at most {asked} bytes for a {name} of {asked} without a challenge");
            return Err(Failure::new(what, format!("{answered} bytes")));
        }
    }
    Ok(())
}

/// A first question without its padding.
pub(super) fn short_request(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let (client, state) = (kind.client(ctx)?, kind.questions.state());
    let padding = state.iter().rev().take_while(|byte| **byte == 0).count();
    let short = state.get(..state.len() - padding).unwrap_or_default();
    client.send_unanswered(short)?;
    client.expect_none("no answer to a request without padding", |_| Some(()))
}
