//! Cases: a client asks for the state, the players and the settings.

use super::kind::{ServerKind, number_with_role};
use crate::{Done, Failure, TestContext};
use codec::FieldRole;
use simulate::families::QuestionSubject;

/// The state is answered from the address and port that was asked.
pub(super) fn source(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let (client, question) = (kind.client(ctx)?, kind.questions.state());
    client.send_bytes(&question)?;
    client.expect(&format!("an answer to {}", kind.name(&question)), |_| Some(()))
}

/// The state is answered, whole.
pub(super) fn answered(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    kind.state(&kind.client(ctx)?).map(drop)
}

/// Every byte of every answer is as the documents have it.
pub(super) fn grammar(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    for (_, asked) in kind.ask_all(&kind.client(ctx)?)? {
        let Some(broken) = asked.answer.messages.iter().find(|message| !message.is_sound) else {
            continue;
        };
        let what = format!("every byte of {} to belong to a field", broken.entry.spec.name);
        let failure = Failure::new(what, "bytes that are in no field");
        let datagram = asked.datagram(&broken.bytes);
        return Err(datagram.map_or_else(|| failure.clone(), |one| failure.clone().at(one)));
    }
    Ok(())
}

/// The state has what every server says of itself.
pub(super) fn values(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let asked = kind.state(&kind.client(ctx)?)?;
    let values = asked.values();
    for role in kind.values {
        let (what, is_there) = match role {
            FieldRole::MaxPlayers => (
                "a number of places for players that is not 0",
                number_with_role(&values, *role).is_some_and(|places| places > 0),
            ),
            FieldRole::Host => ("a name of the server", has_text(&values, *role)),
            FieldRole::Map => ("the name of a map", has_text(&values, *role)),
            _ => return Err(Failure::error("no words for such a value")),
        };
        if !is_there {
            let failure = Failure::new(format!("{what} in the state"), "none");
            let last = asked.datagrams.last();
            return Err(last.map_or_else(|| failure.clone(), |one| failure.clone().at(one)));
        }
    }
    Ok(())
}

fn has_text(values: &[render::FieldValue], role: FieldRole) -> bool {
    render::value_with_role(values, role).is_some()
}

/// No more players than places.
pub(super) fn places(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let asked = kind.state(&kind.client(ctx)?)?;
    let values = asked.values();
    let number = |role| number_with_role(&values, role);
    let (Some(players), Some(places)) = (number(FieldRole::Players), number(FieldRole::MaxPlayers))
    else {
        return Err(Failure::skipped(
            "the state does not say how many players and places there are",
        ));
    };
    if players > places {
        return Err(Failure::new(
            format!("at most {places} players, as many as there are places"),
            format!("{players} players"),
        ));
    }
    Ok(())
}

/// The questions for players and settings are answered.
pub(super) fn details(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let client = kind.client(ctx)?;
    let state = ctx.setup(|| kind.state(&client))?;
    let players = number_with_role(&state.values(), FieldRole::Players);
    for question in kind.questions.questions.iter().skip(1) {
        let tells = match question.tells {
            QuestionSubject::State => "state",
            QuestionSubject::Players => "players",
            QuestionSubject::Rules => "settings",
        };
        match kind.ask(&client, question, players)? {
            Some(_) => ctx.note(format!("{tells}: answered")),
            None => ctx.note(format!("{tells}: not asked, there are no players")),
        }
    }
    Ok(())
}

/// No datagram is longer than servers of the kind send.
pub(super) fn datagram(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let mut longest = 0;
    for (_, asked) in kind.ask_all(&kind.client(ctx)?)? {
        for datagram in &asked.datagrams {
            let length = datagram.bytes.len();
            if length > kind.longest {
                let what = format!("datagrams of at most {} bytes", kind.longest);
                return Err(Failure::new(what, format!("{length} bytes")).at(datagram));
            }
            longest = longest.max(length);
        }
    }
    ctx.report(format!("{longest} bytes at most"))
}

/// What masters ask is answered, with the keys that masters need.
pub(super) fn of_masters(ctx: &TestContext<'_>, kind: &ServerKind) -> Done {
    let mut messages = kind.questions.protocol.messages.iter();
    let asked = messages.find(|entry| entry.spec.id == kind.of_masters);
    let asked =
        asked.ok_or_else(|| Failure::error(format!("no message is {}", kind.of_masters)))?;
    let client = kind.client(ctx)?;
    client.send_bytes(asked.spec.example)?;
    let what = format!("an answer to {}", asked.spec.name);
    let answer = client.expect(&what, |datagram| {
        let entry = simulate::recognised(kind.questions.protocol, &datagram.bytes)?;
        let is_answer = entry.spec.answers.contains(&asked.spec.id);
        is_answer.then(|| (entry, datagram.clone()))
    });
    let (entry, datagram) = answer?;
    for key in entry.spec.required_keys {
        if datagram.field(key).is_none() {
            let what = format!("the key {key} in {}", entry.spec.name);
            return Err(Failure::new(what, "none").at(&datagram));
        }
    }
    Ok(())
}
