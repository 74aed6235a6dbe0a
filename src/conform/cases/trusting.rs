//! Masters that believe a heartbeat, as Quake 2's and QuakeWorld's do: a server beats and is listed,
//! says a word and is listed no more, asks whether the master is there and is told so. What is
//! tried with them is the same; a [`Speech`] has the words.

use std::time::{Duration, Instant};

use super::hostile;
use super::listed::{Listed, Records};
use crate::conform::{Done, End, Failure, Heard, Stand};

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
    fn list(&self, client: &End<'_>) -> Result<Listed, Failure> {
        Listed::ask(client, &(self.query)(), self.read)
    }

    /// A client asks until this server is listed.
    fn finds(&self, client: &End<'_>, server: &End<'_>) -> Result<Listed, Failure> {
        client.stand().until(|| {
            self.attends(server, Duration::ZERO)?;
            let listed = self.list(client)?;
            listed.holds(server.address())?;
            Ok(listed)
        })
    }

    /// For so long a server answers whatever it is asked.
    fn attends(&self, server: &End<'_>, span: Duration) -> Done {
        let over = Instant::now() + span;
        while let Some(heard) = server.hear(over.saturating_duration_since(Instant::now()))? {
            if let Some(answer) = (self.answer)(&heard.bytes) {
                server.say(&answer)?;
            }
        }
        Ok(())
    }

    /// A client asks until this server is listed no more.
    fn misses(&self, client: &End<'_>, server: &End<'_>) -> Done {
        client.stand().until(|| self.list(client)?.lacks(server.address()))
    }

    /// The server's ping is acknowledged.
    pub fn acknowledged(&self, server: &End<'_>) -> Result<Heard, Failure> {
        server.say(&(self.ping)())?;
        server.expect("an acknowledgement", |heard| {
            (self.acknowledges)(&heard.bytes).then(|| heard.clone())
        })
    }

    /// A server that is listed, and a client that has seen it.
    fn listed<'s>(&self, stand: &'s Stand<'_>) -> Result<(End<'s>, End<'s>), Failure> {
        let (server, client) = (stand.server(self.service)?, stand.client(self.service)?);
        server.say(&(self.beat)())?;
        self.finds(&client, &server)?;
        Ok((server, client))
    }
}

/// A list with somebody in it, whoever that is.
pub fn list(stand: &Stand<'_>, speech: &Speech) -> Result<Listed, Failure> {
    let (server, client) = (stand.server(speech.service)?, stand.client(speech.service)?);
    server.say(&(speech.beat)())?;
    stand.until(|| {
        speech.attends(&server, Duration::ZERO)?;
        let listed = speech.list(&client)?;
        if listed.servers().next().is_none() {
            return Err(Failure::new("a list with a server", "one without any"));
        }
        Ok(listed)
    })
}

/// A heartbeat lists its sender.
pub fn registers(stand: &Stand<'_>, speech: &Speech) -> Done {
    speech.listed(stand).map(drop)
}

/// So do those that tell other things, of whatever server.
pub fn register_all(stand: &Stand<'_>, speech: &Speech) -> Done {
    let client = stand.client(speech.service)?;
    for beat in (speech.beats)() {
        let server = stand.server(speech.service)?;
        server.say(&beat)?;
        speech.finds(&client, &server)?;
    }
    Ok(())
}

/// A server that beats again, and tells other things, stays listed once.
pub fn again(stand: &Stand<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(stand)?;
    for beat in (speech.beats)() {
        server.say(&beat)?;
        stand.settle(speech.service)?;
        speech.list(&client)?.holds_once(server.address())?;
    }
    Ok(())
}

/// A server stays listed while its time is not over.
pub fn stays(stand: &Stand<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(stand)?;
    speech.attends(&server, stand.time("server-timeout")? * 2 / 5)?;
    speech.list(&client)?.holds(server.address())
}

/// A heartbeat begins the time anew.
pub fn renewed(stand: &Stand<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(stand)?;
    let part = stand.time("server-timeout")? * 3 / 5;
    speech.attends(&server, part)?;
    server.say(&(speech.beat)())?;
    speech.attends(&server, part)?;
    speech.list(&client)?.holds(server.address())
}

/// A server that beats no more is forgotten.
pub fn silence(stand: &Stand<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(stand)?;
    stand.wait(stand.time("server-timeout")?);
    speech.misses(&client, &server)
}

/// A server that says that it goes is listed no more.
pub fn leaves(stand: &Stand<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(stand)?;
    server.say(&(speech.goes)())?;
    speech.misses(&client, &server)
}

/// Who says that it goes takes nobody else off, not even servers of the same machine.
pub fn leaves_alone(stand: &Stand<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(stand)?;
    let beside = stand.server_beside(speech.service, &server)?;
    beside.say(&(speech.beat)())?;
    speech.finds(&client, &beside)?;
    beside.say(&(speech.goes)())?;
    speech.misses(&client, &beside)?;
    // Somebody else there who never was listed.
    stand.server_beside(speech.service, &server)?.say(&(speech.goes)())?;
    stand.settle(speech.service)?;
    speech.list(&client)?.holds(server.address())
}

/// A server that went may come again.
pub fn comes_back(stand: &Stand<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(stand)?;
    server.say(&(speech.goes)())?;
    speech.misses(&client, &server)?;
    server.say(&(speech.beat)())?;
    speech.finds(&client, &server).map(drop)
}

/// A client gets a list, whoever is listed.
pub fn is_answered(stand: &Stand<'_>, speech: &Speech) -> Done {
    speech.list(&stand.client(speech.service)?).map(drop)
}

/// So does a server, and it stays listed.
pub fn asked_by_a_server(stand: &Stand<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(stand)?;
    speech.list(&server)?.holds(server.address())?;
    speech.list(&client)?.holds(server.address())
}

/// The records fill each packet to its end.
pub fn whole_records(stand: &Stand<'_>, speech: &Speech) -> Done {
    let listed = list(stand, speech)?;
    match listed.ends().find(|(.., end)| !end.is_empty()) {
        None => Ok(()),
        Some((packet, bytes, end)) => {
            let came = format!("{} more", end.len());
            Err(Failure::new("blocks of 6 bytes to the end", came).within(packet, bytes))
        }
    }
}

/// No server stands in the list twice.
pub fn once_each(stand: &Stand<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(stand)?;
    let beside = stand.server_beside(speech.service, &server)?;
    beside.say(&(speech.beat)())?;
    let listed = speech.finds(&client, &beside)?;
    [&server, &beside].into_iter().try_for_each(|server| listed.holds_once(server.address()))
}

/// All servers that beat stand in one list.
pub fn all(stand: &Stand<'_>, speech: &Speech) -> Done {
    let servers = stand.servers(speech.service, 8)?;
    for server in &servers {
        server.say(&(speech.beat)())?;
    }
    let client = stand.client(speech.service)?;
    for server in &servers {
        speech.finds(&client, server)?;
    }
    let listed = speech.list(&client)?;
    servers.iter().try_for_each(|server| listed.holds(server.address()))
}

/// Heartbeats in the words of other games list nobody.
pub fn others_beat(stand: &Stand<'_>, speech: &Speech, beats: &[Vec<u8>]) -> Done {
    let client = stand.client(speech.service)?;
    for beat in beats {
        let server = stand.server(speech.service)?;
        server.say(beat)?;
        stand.settle(speech.service)?;
        speech.list(&client)?.lacks(server.address())?;
    }
    Ok(())
}

/// A server that only pings is not listed.
pub fn ping_lists_nobody(stand: &Stand<'_>, speech: &Speech) -> Done {
    let (server, client) = (stand.server(speech.service)?, stand.client(speech.service)?);
    speech.acknowledged(&server)?;
    speech.list(&client)?.lacks(server.address())
}

/// The master bears these datagrams: afterwards a server registers as ever.
pub fn bears(stand: &Stand<'_>, speech: &Speech, datagrams: &[Vec<u8>]) -> Done {
    let stranger = stand.client(speech.service)?;
    hostile::send(&stranger, speech.service, datagrams)?;
    registers(stand, speech)
}

/// What comes back for a heartbeat, in words.
pub fn reply_to_heartbeat(stand: &Stand<'_>, speech: &Speech) -> Result<String, Failure> {
    let heard = stand.server(speech.service)?.all_answers(&(speech.beat)())?;
    let names: Vec<_> = heard.iter().map(Heard::named).collect();
    Ok(if names.is_empty() { "silence".to_owned() } else { names.join(", ") })
}

/// In which order servers are listed, in words.
pub fn order(stand: &Stand<'_>, speech: &Speech) -> Result<String, Failure> {
    let client = stand.client(speech.service)?;
    let mut servers = Vec::new();
    for _ in 0..FEW {
        let server = stand.server(speech.service)?;
        server.say(&(speech.beat)())?;
        speech.finds(&client, &server)?;
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
pub fn flooded(stand: &Stand<'_>, speech: &Speech) -> Done {
    let (server, client) = speech.listed(stand)?;
    let beats = vec![(speech.beat)(); hostile::FLOOD];
    hostile::send(&server, speech.service, &beats)?;
    speech.finds(&client, &server)?;
    registers(stand, speech)
}
