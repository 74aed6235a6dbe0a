//! Cases: what is no request, and what is sent after it.

use super::kind::ServerKind;
use crate::shared::malformed;
use crate::{Done, Failure, TestContext, TestEndpoint};
use codec::New;
use protocol::Reading;
use simulate::with_value;

/// How many datagrams one client sends: fewer than the answers that an address gets at once.
const OF_A_CLIENT: usize = 6;
/// How many questions have random bytes behind them: a server may answer each.
const TRAILED: usize = 6;

/// Every beginning of every question that is no message itself.
fn cut_short(kind: &ServerKind) -> Vec<Vec<u8>> {
    let is_message = |bytes: &Vec<u8>| {
        let entry = kind.question(bytes);
        entry.is_some_and(|entry| Reading::default().takes_all(entry, bytes))
    };
    let questions: Vec<_> = kind.first_questions().collect();
    let beginnings = questions.iter().flat_map(|question| {
        // Padding at the end makes the same request longer.
        let padding = question.iter().rev().take_while(|byte| **byte == 0).count();
        let fixed = if padding > 1 { question.len() - padding } else { question.len() };
        (0..fixed).filter_map(|length| question.get(..length)).map(<[u8]>::to_vec)
    });
    let mut all: Vec<_> = beginnings.filter(|bytes| !is_message(bytes)).collect();
    all.sort();
    all.dedup();
    all
}

/// Nothing answers these datagrams, though the server's limits permit it: no client sends many.
fn expect_silence(
    ctx: &TestContext<'_>,
    kind: &ServerKind,
    datagrams: &[Vec<u8>],
    what: &str,
) -> Done {
    let mut clients = Vec::new();
    for some in datagrams.chunks(OF_A_CLIENT) {
        let client = kind.client(ctx)?;
        if clients.is_empty() {
            // If the server answers only one of them, its limits permit that.
            client.wait_for_answer();
        }
        some.iter().try_for_each(|bytes| client.send_unanswered(bytes))?;
        clients.push(client);
    }
    ctx.sync(kind.service)?;
    for client in clients {
        if let Some(answer) = client.drain()?.first() {
            client.use_all_answers();
            return Err(Failure::new(what, answer.named()).at(answer));
        }
    }
    Ok(())
}

/// Requests that are cut short are not answered, and the server goes on.
pub(super) fn unanswered(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    expect_silence(ctx, kind, &cut_short(kind), "no answer to a request that is cut short")
}

/// Requests that no document has are not answered.
pub(super) fn unknown(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let all: Vec<_> = kind.unknown.iter().map(|bytes| bytes.to_vec()).collect();
    expect_silence(ctx, kind, &all, "no answer to a request that no document has")
}

/// Its own answers, sent back to it, are not answered: two servers would do that for ever.
pub(super) fn reflected(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let client = kind.client(ctx)?;
    let asked = ctx.setup(|| kind.ask_all(&client))?;
    let answers = asked.into_iter().flat_map(|(_, asked)| asked.datagrams);
    let answers: Vec<_> = answers.map(|datagram| datagram.bytes).collect();
    expect_silence(ctx, kind, &answers, "no answer to its own answers")
}

/// A client sends these datagrams; after each burst another client asks for the state as before.
fn survives(kind: &ServerKind, client: &TestEndpoint<'_>, datagrams: &[Vec<u8>]) -> Done {
    for burst in malformed::bursts(datagrams) {
        burst.iter().try_for_each(|bytes| client.send_unanswered(bytes))?;
        kind.state(&kind.client(client.ctx())?)?;
        client.drain()?;
    }
    Ok(())
}

/// The server goes on after datagrams of the longest kind.
pub(super) fn survives_longest(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let all = malformed::longest_with(&[Vec::new(), kind.questions.state()]);
    survives(kind, &kind.client(ctx)?, &all)
}

/// The server goes on after random datagrams.
pub(super) fn survives_noise(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let state = kind.questions.state();
    let half = state.get(..state.len() / 2).unwrap_or_default();
    survives(kind, &kind.client(ctx)?, &malformed::noise(&[half]))?;
    let mut clients = Vec::new();
    for bytes in malformed::noise(&[] as &[&[u8]]).iter().take(TRAILED) {
        let client = kind.client(ctx)?;
        client.send_bytes(&[&state, bytes.as_slice()].concat())?;
        clients.push(client);
    }
    kind.state(&kind.client(ctx)?).map(drop)
}

/// The server goes on after a question whose token is negative.
pub(super) fn survives_negative(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let (client, state) = (kind.client(ctx)?, kind.questions.state());
    client.send_bytes(&state)?;
    let given =
        ctx.setup(|| client.expect("a token", |datagram| kind.next(&state, &datagram.bytes)))?;
    let entry = kind.question(&given);
    let negative = entry.and_then(|entry| with_value(entry, &given, "token", &New::Int(-1)));
    let negative = negative.ok_or_else(|| Failure::error("the token cannot be negative"))?;
    // The server's token is that of this client's address.
    survives(kind, &client, &[negative])
}
