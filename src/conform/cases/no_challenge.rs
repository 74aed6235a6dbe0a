//! Masters that believe a heartbeat, as Quake 2's and QuakeWorld's do: a server beats and is listed,
//! says a word and is listed no more, asks whether the master is there and is told so. What is
//! tried with them is the same; a [`Speech`] has the words.

use std::time::{Duration, Instant};

use super::listed::{Listed, Records};
use super::malformed;
use crate::conform::{Datagram, Done, Endpoint, Failure, TestContext};

/// Servers that are registered to see in which order they are listed.
const FEW: usize = 6;

/// How one game's servers and clients speak with their master.
pub struct Speech {
    pub service: &'static str,
    /// The heartbeat of a server.
    pub beat: fn() -> Vec<u8>,
    /// Heartbeats that tell something else each: other settings, other players.
    pub beats: fn() -> Vec<Vec<u8>>,
    /// The words of parting.
    pub goes: fn() -> Vec<u8>,
    /// What a server answers to a master that asks before it believes; none to what is no question.
    pub answer: fn(&[u8]) -> Option<Vec<u8>>,
    pub ping: fn() -> Vec<u8>,
    /// Whether this acknowledges a ping.
    pub acknowledges: fn(&[u8]) -> bool,
    pub query: fn() -> Vec<u8>,
    pub read: fn(&[u8]) -> Option<Records>,
}

impl Speech {
    /// A client asks for the list.
    fn list(&self, client: &Endpoint<'_>) -> Result<Listed, Failure> {
        Listed::ask(client, &(self.query)(), self.read)
    }

    /// A client asks until this server is listed.
    fn wait_listed(&self, client: &Endpoint<'_>, server: &Endpoint<'_>) -> Result<Listed, Failure> {
        client.ctx().until(|| {
            self.attends(server, Duration::ZERO)?;
            let listed = self.list(client)?;
            listed.expect_listed(server.address())?;
            Ok(listed)
        })
    }

    /// For so long a server answers whatever it is asked.
    fn attends(&self, server: &Endpoint<'_>, span: Duration) -> Done {
        let over = Instant::now() + span;
        while let Some(heard) = server.recv(over.saturating_duration_since(Instant::now()))? {
            if let Some(answer) = (self.answer)(&heard.bytes) {
                server.send_bytes(&answer)?;
            }
        }
        Ok(())
    }

    /// A client asks until this server is listed no more.
    fn wait_unlisted(&self, client: &Endpoint<'_>, server: &Endpoint<'_>) -> Done {
        client.ctx().until(|| self.list(client)?.expect_unlisted(server.address()))
    }

    /// The server's ping is acknowledged.
    pub fn acknowledged(&self, server: &Endpoint<'_>) -> Result<Datagram, Failure> {
        server.send_bytes(&(self.ping)())?;
        server.expect("an acknowledgement", |heard| {
            (self.acknowledges)(&heard.bytes).then(|| heard.clone())
        })
    }

    /// A server that is listed, and a client that has seen it.
    fn listed<'s>(
        &self,
        ctx: &'s TestContext<'_>,
    ) -> Result<(Endpoint<'s>, Endpoint<'s>), Failure> {
        let (server, client) = (ctx.server(self.service)?, ctx.client(self.service)?);
        server.send_bytes(&(self.beat)())?;
        self.wait_listed(&client, &server)?;
        Ok((server, client))
    }
}

/// A list with somebody in it, whoever that is.
pub fn list(ctx: &TestContext<'_>, speech: &Speech) -> Result<Listed, Failure> {
    let (server, client) = (ctx.server(speech.service)?, ctx.client(speech.service)?);
    server.send_bytes(&(speech.beat)())?;
    ctx.until(|| {
        speech.attends(&server, Duration::ZERO)?;
        let listed = speech.list(&client)?;
        if listed.servers().next().is_none() {
            return Err(Failure::new("a list with a server", "one without any"));
        }
        Ok(listed)
    })
}

/// A heartbeat lists its sender.
pub fn registers(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    speech.listed(ctx).map(drop)
}

/// So do those that tell other things, of whatever server.
pub fn register_all(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    let client = ctx.client(speech.service)?;
    for beat in (speech.beats)() {
        let server = ctx.server(speech.service)?;
        server.send_bytes(&beat)?;
        speech.wait_listed(&client, &server)?;
    }
    Ok(())
}

/// A server that beats again, and tells other things, stays listed once.
pub fn again(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(ctx)?;
    for beat in (speech.beats)() {
        server.send_bytes(&beat)?;
        ctx.sync(speech.service)?;
        speech.list(&client)?.expect_listed_once(server.address())?;
    }
    Ok(())
}

/// A server stays listed while its time is not over.
pub fn stays(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(ctx)?;
    speech.attends(&server, ctx.time("server-timeout")? * 2 / 5)?;
    speech.list(&client)?.expect_listed(server.address())
}

/// A heartbeat begins the time anew.
pub fn renewed(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(ctx)?;
    let part = ctx.time("server-timeout")? * 3 / 5;
    speech.attends(&server, part)?;
    server.send_bytes(&(speech.beat)())?;
    speech.attends(&server, part)?;
    speech.list(&client)?.expect_listed(server.address())
}

/// A server that beats no more is forgotten.
pub fn silence(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(ctx)?;
    ctx.wait(ctx.time("server-timeout")?);
    speech.wait_unlisted(&client, &server)
}

/// A server that says that it goes is listed no more.
pub fn leaves(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(ctx)?;
    server.send_bytes(&(speech.goes)())?;
    speech.wait_unlisted(&client, &server)
}

/// Who says that it goes takes nobody else off, not even servers of the same machine.
pub fn leaves_alone(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(ctx)?;
    let beside = ctx.server_beside(speech.service, &server)?;
    beside.send_bytes(&(speech.beat)())?;
    speech.wait_listed(&client, &beside)?;
    beside.send_bytes(&(speech.goes)())?;
    speech.wait_unlisted(&client, &beside)?;
    // Somebody else there who never was listed.
    ctx.server_beside(speech.service, &server)?.send_bytes(&(speech.goes)())?;
    ctx.sync(speech.service)?;
    speech.list(&client)?.expect_listed(server.address())
}

/// A server that went may come again.
pub fn comes_back(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(ctx)?;
    server.send_bytes(&(speech.goes)())?;
    speech.wait_unlisted(&client, &server)?;
    server.send_bytes(&(speech.beat)())?;
    speech.wait_listed(&client, &server).map(drop)
}

/// A client gets a list, whoever is listed.
pub fn is_answered(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    speech.list(&ctx.client(speech.service)?).map(drop)
}

/// So does a server, and it stays listed.
pub fn asked_by_a_server(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(ctx)?;
    speech.list(&server)?.expect_listed(server.address())?;
    speech.list(&client)?.expect_listed(server.address())
}

/// The records fill each packet to its end.
pub fn whole_records(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    let listed = list(ctx, speech)?;
    match listed.ends().find(|(.., end)| !end.is_empty()) {
        None => Ok(()),
        Some((packet, bytes, end)) => {
            let came = format!("{} more", end.len());
            Err(Failure::new("blocks of 6 bytes to the end", came).within(packet, bytes))
        }
    }
}

/// No server stands in the list twice.
pub fn once_each(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(ctx)?;
    let beside = ctx.server_beside(speech.service, &server)?;
    beside.send_bytes(&(speech.beat)())?;
    let listed = speech.wait_listed(&client, &beside)?;
    [&server, &beside]
        .into_iter()
        .try_for_each(|server| listed.expect_listed_once(server.address()))
}

/// All servers that beat stand in one list.
pub fn all(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    let servers = ctx.servers(speech.service, 8)?;
    for server in &servers {
        server.send_bytes(&(speech.beat)())?;
    }
    let client = ctx.client(speech.service)?;
    for server in &servers {
        speech.wait_listed(&client, server)?;
    }
    let listed = speech.list(&client)?;
    servers.iter().try_for_each(|server| listed.expect_listed(server.address()))
}

/// Heartbeats in the words of other games list nobody.
pub fn others_beat(ctx: &TestContext<'_>, speech: &Speech, beats: &[Vec<u8>]) -> Done {
    let client = ctx.client(speech.service)?;
    for beat in beats {
        let server = ctx.server(speech.service)?;
        server.send_bytes(beat)?;
        ctx.sync(speech.service)?;
        speech.list(&client)?.expect_unlisted(server.address())?;
    }
    Ok(())
}

/// A server that only pings is not listed.
pub fn ping_lists_nobody(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    let (server, client) = (ctx.server(speech.service)?, ctx.client(speech.service)?);
    speech.acknowledged(&server)?;
    speech.list(&client)?.expect_unlisted(server.address())
}

/// The master bears these datagrams: afterwards a server registers as ever.
pub fn bears(ctx: &TestContext<'_>, speech: &Speech, datagrams: &[Vec<u8>]) -> Done {
    let stranger = ctx.client(speech.service)?;
    malformed::send(&stranger, speech.service, datagrams)?;
    registers(ctx, speech)
}

/// What comes back for a heartbeat, in words.
pub fn reply_to_heartbeat(ctx: &TestContext<'_>, speech: &Speech) -> Result<String, Failure> {
    let heard = ctx.server(speech.service)?.request_all(&(speech.beat)())?;
    let names: Vec<_> = heard.iter().map(Datagram::named).collect();
    Ok(if names.is_empty() { "silence".to_owned() } else { names.join(", ") })
}

/// In which order servers are listed, in words.
pub fn order(ctx: &TestContext<'_>, speech: &Speech) -> Result<String, Failure> {
    let client = ctx.client(speech.service)?;
    let mut servers = Vec::new();
    for _ in 0..FEW {
        let server = ctx.server(speech.service)?;
        server.send_bytes(&(speech.beat)())?;
        speech.wait_listed(&client, &server)?;
        servers.push(server.address());
    }
    let listed = speech.list(&client)?;
    let mut found: Vec<_> = listed.servers().map(|(server, ..)| server).collect();
    found.retain(|server| servers.contains(server));
    let backwards: Vec<_> = servers.iter().rev().copied().collect();
    Ok(match () {
        () if found == servers => "as they registered",
        () if found == backwards => "the latest first",
        () => "its own",
    }
    .to_owned())
}

/// Thousands of heartbeats from one server: it is listed once, and others are heard.
pub fn flooded(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(ctx)?;
    let beats = vec![(speech.beat)(); malformed::FLOOD];
    malformed::send(&server, speech.service, &beats)?;
    speech.wait_listed(&client, &server)?;
    registers(ctx, speech)
}
