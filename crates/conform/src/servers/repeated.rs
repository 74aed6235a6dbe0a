//! Cases: the same question again and again, from one client and from many, and in floods.

use super::kind::ServerKind;
use crate::{Done, Failure, ReceivedDatagram, TestContext, TestEndpoint};
use codec::FieldRole;
use render::value_with_role;

/// How often a client asks, or how many clients do.
const TIMES: usize = 3;
/// Questions of a flood.
const FLOOD: usize = 64;
/// How often the sender of a flood asks again, a timeout apart.
const TRIES: usize = 3;

/// Each question gets one answer.
pub(super) fn each_time(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let clients = [kind.client(ctx)?, kind.client(ctx)?];
    for _ in 0..TIMES {
        clients.iter().try_for_each(|client| kind.state(client).map(drop))?;
    }
    let what = "one answer to each question";
    clients.iter().try_for_each(|client| {
        ctx.sync(kind.service)?;
        match client.drain()?.first() {
            Some(more) => Err(Failure::new(what, "one more").at(more)),
            None => Ok(()),
        }
    })
}

/// What does not change is the same in all answers.
pub(super) fn steady(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let mut first: Option<Vec<Option<Vec<u8>>>> = None;
    for _ in 0..TIMES {
        let client = kind.client(ctx)?;
        let asked = ctx.setup(|| kind.state(&client))?;
        let values = asked.values();
        let roles = [FieldRole::Host, FieldRole::MaxPlayers, FieldRole::Protocol];
        let same = roles.map(|role| value_with_role(&values, role).map(<[u8]>::to_vec)).to_vec();
        let first = first.get_or_insert_with(|| same.clone());
        if *first != same {
            let what = "the same name, places and protocol in every answer";
            let failure = Failure::new(what, "others");
            let last = asked.datagrams.last();
            return Err(last.map_or_else(|| failure.clone(), |one| failure.clone().at(one)));
        }
    }
    Ok(())
}

/// A client asks many times at once; the answers.
fn flood(
    ctx: &TestContext<'_>,
    kind: &ServerKind,
    client: &TestEndpoint<'_>,
) -> Result<Vec<ReceivedDatagram>, Failure> {
    let question = kind.questions.state();
    for _ in 0..FLOOD {
        client.send_unanswered(&question)?;
    }
    client.use_all_answers();
    ctx.sync(kind.service)?;
    let answers = client.drain()?;
    Ok(answers.into_iter().filter(|one| kind.answers(&question, &one.bytes).is_some()).collect())
}

/// How many questions of one address at once are answered.
pub(super) fn measured_flood(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let client = kind.client(ctx)?;
    client.wait_for_all_answers();
    let answered = flood(ctx, kind, &client)?.len();
    ctx.report(format!("{answered} of {FLOOD} questions at once were answered"))
}

/// An address does not get an answer to each question of a flood.
pub(super) fn limited(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let client = kind.client(ctx)?;
    client.wait_for_all_answers();
    let answered = flood(ctx, kind, &client)?.len();
    if answered >= FLOOD {
        let what = format!("fewer than {FLOOD} answers to {FLOOD} questions at once");
        return Err(Failure::new(what, format!("{answered}")));
    }
    ctx.report(format!("{answered} of {FLOOD} questions at once were answered"))
}

/// After a flood, another client and the sender are answered.
pub(super) fn after_flood(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let client = kind.client(ctx)?;
    flood(ctx, kind, &client)?;
    kind.state(&kind.client(ctx)?)?;
    let mut last = None;
    for _ in 0..TRIES {
        match kind.state(&client) {
            Ok(_) => return Ok(()),
            Err(failure) => last = Some(failure),
        }
    }
    last.map_or(Ok(()), |failure| {
        let expected = format!("{} to the sender of a flood", failure.expected);
        Err(Failure { expected, ..failure })
    })
}
