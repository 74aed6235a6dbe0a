//! The traits of Elite Force's masters.

use super::LISTS;
use super::getservers::ALL;
use super::roles::{EliteForceClient, EliteForceServer, of_words};
use crate::shared::registration;
use crate::{Failure, TestContext, Trait};
use simulate::families::elite_force::messages::{self, EliteForceQuestion};

pub(super) static TRAITS: &[Trait] = &[
    Trait { name: "questions to servers", observe: questions },
    Trait {
        name: "second challenge of a server",
        observe: |ctx| {
            let server = EliteForceServer::new(ctx)?;
            let same = server.challenged()?.text()? == server.challenged()?.text()?;
            Ok(if same { "the first again" } else { "a new one" }.to_owned())
        },
    },
    Trait { name: "case of hex digits", observe: digits },
    Trait {
        name: "end mark of lists",
        observe: |ctx| {
            let listed = EliteForceClient::new(ctx)?.request(of_words(ctx, ALL))?;
            let end = listed.ends().last().map(|(.., end)| end);
            Ok(render::quoted(end.unwrap_or_default(), usize::MAX))
        },
    },
    Trait {
        name: "order of lists",
        observe: |ctx| {
            let number = ctx.own_protocol().to_string();
            let new = || Ok(EliteForceServer::new(ctx)?.with("protocol", &number));
            registration::order_of_lists(ctx, new)
        },
    },
];

/// The names of the messages that answer a heartbeat.
fn questions(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let server = EliteForceServer::new(ctx)?;
    server.send_heartbeat()?;
    ctx.sync(LISTS)?;
    let named = |question| match question {
        EliteForceQuestion::Challenge => "getchallenge",
        EliteForceQuestion::Info(challenge) if challenge.is_empty() => "getinfo",
        EliteForceQuestion::Info(_) => "getinfo with a challenge",
        EliteForceQuestion::Status(challenge) if challenge.is_empty() => "getstatus",
        EliteForceQuestion::Status(_) => "getstatus with a challenge",
    };
    let datagram = server.end.drain()?;
    let names: Vec<_> =
        datagram.iter().filter_map(|one| messages::question(&one.bytes)).map(named).collect();
    Ok(if names.is_empty() { "none".to_owned() } else { names.join(", ") })
}

/// The case of the letters among the hex digits; most addresses have some.
fn digits(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
    server.register()?;
    let listed = client.wait_listed(&server, of_words(ctx, ALL))?;
    let mut letters = listed.servers().flat_map(|(_, packet, at)| {
        packet.bytes.get(at).unwrap_or_default().iter().filter(|b| b.is_ascii_alphabetic())
    });
    Ok(match letters.next() {
        None => "none is a letter",
        Some(letter) if letter.is_ascii_lowercase() => "small letters",
        Some(_) => "capitals",
    }
    .to_owned())
}
