//! Servers say that they are there, are asked, answer, and say that they go: 001 4.2.2 to 4.2.4,
//! 4.2.9 and 4.2.11.

use super::LISTS;
use super::ends::{Client, Server};
use super::getservers::ALL;
use crate::conform::{Case, Done, Failure, MUST, SHOULD, Stand};
use crate::peer::voice::elite_force::{self as voice, Question};

pub(super) static CASES: &[Case] = &[
    Case {
        id: "elite-force/heartbeat/asked",
        title: "a server sends a heartbeat",
        requires: "the master asks a server for what it needs to answer clients",
        citation: "001 4.2.9, 001 4.2.3",
        run: |stand| {
            let server = Server::new(stand)?;
            server.beats()?;
            server.is_asked().map(drop)
        },
        ..MUST
    },
    Case {
        id: "elite-force/heartbeat/asked-each-time",
        title: "a listed server sends another heartbeat",
        requires: "the master asks on every heartbeat",
        citation: "001 4.2.9, 001 4.2.3",
        run: |stand| {
            let (server, _) = listed(stand)?;
            server.beats()?;
            server.is_asked().map(drop)
        },
        ..MUST
    },
    Case {
        id: "elite-force/heartbeat/getstatus",
        title: "a server sends a heartbeat",
        requires: "on every heartbeat the master sends getstatus",
        citation: "001 4.2.9, 001 4.2.3",
        run: |stand| is_asked(stand, "a getstatus", |q| matches!(q, Question::Status(_))),
        ..SHOULD
    },
    Case {
        id: "elite-force/heartbeat/getchallenge",
        title: "a server sends a heartbeat",
        requires: "on every heartbeat the master sends getchallenge",
        citation: "001 4.2.9",
        run: |stand| is_asked(stand, "a getchallenge", |q| *q == Question::Challenge),
        ..SHOULD
    },
    Case {
        id: "elite-force/heartbeat/names-port",
        title: "a heartbeat comes from another port than the one that it names",
        requires: "the value of heartbeat is the port on which the server plays",
        citation: "001 4.2.9",
        run: |stand| {
            let (server, client) = (Server::new(stand)?, Client::new(stand)?);
            let beside = stand.server_beside(LISTS, &server.end)?;
            beside.say(&voice::heartbeat(server.address().port(), voice::GAME))?;
            let asked = server.is_asked()?;
            server.answers(&asked.question)?;
            client.finds(&server, ALL)?.lacks(beside.address())
        },
        ..MUST
    },
    Case {
        id: "elite-force/heartbeat/other-game",
        title: "a server sends a heartbeat of a game that is not Elite Force",
        requires: "a heartbeat tells by its gamename that it is Elite Force that beats",
        citation: "001 4.2.9",
        run: |stand| {
            let (server, client) = (Server::new(stand)?, Client::new(stand)?);
            server.end.say(&voice::heartbeat(server.address().port(), "Unheard1"))?;
            stand.settle(LISTS)?;
            for heard in server.end.heard()? {
                if let Some(answer) = voice::answer(&server.persona, &heard.bytes) {
                    server.end.say(&answer)?;
                }
            }
            stand.settle(LISTS)?;
            client.asks(ALL)?.lacks(server.address())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/heartbeat/unanswered",
        title: "a server sends a heartbeat, and does not answer what it is asked",
        requires: "the master lists servers by what they answer, and one that does not is unknown",
        citation: "001 4.2.9",
        run: |stand| {
            let (server, client) = (Server::new(stand)?, Client::new(stand)?);
            server.beats()?;
            server.is_asked()?;
            client.asks(ALL)?.lacks(server.address())
        },
        ..MUST
    },
    Case {
        id: "elite-force/heartbeat/new-state",
        title: "a server is full, and empties, and fills again",
        requires: "the master gathers on every heartbeat what it needs to answer clients",
        citation: "001 4.2.9",
        run: |stand| {
            let client = Client::new(stand)?;
            let server = Server::new(stand)?.with("clients", "8");
            server.registers()?;
            client.finds(&server, "full")?;
            let server = server.with("clients", "0");
            server.registers()?;
            client.misses(&server, "full")?;
            client.finds(&server, "empty")?;
            let server = server.with("clients", "7");
            server.registers()?;
            client.finds(&server, "").map(drop)
        },
        ..MUST
    },
    Case {
        id: "elite-force/timeout/kept",
        title: "a server registers, and less than its time goes by",
        requires: "heartbeats come every 300 seconds, and between them a server is known",
        citation: "001 4.2.9, 001 1.2.9",
        slow: Some("server-timeout"),
        run: |stand| {
            let (server, client) = listed(stand)?;
            stand.wait(stand.time("server-timeout")? * 2 / 5);
            client.asks(ALL)?.holds(server.address())
        },
        ..MUST
    },
    Case {
        id: "elite-force/timeout/forgotten",
        title: "a server registers, and says nothing more for all its time",
        requires: "the master knows by heartbeats that a server is there",
        citation: "001 4.2.9, 001 1.2.9",
        slow: Some("server-timeout"),
        run: |stand| {
            let (server, client) = listed(stand)?;
            stand.wait(stand.time("server-timeout")?);
            client.misses(&server, ALL)
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/challenge/wrong",
        title: "a server answers with another challenge than it was sent",
        requires: "the challenge in an answer shows that the server was asked",
        citation: "001 4.2.3, 001 4.2.4, 004 3) infoResponse",
        run: |stand| {
            let (server, client) = (Server::new(stand)?, Client::new(stand)?);
            server.beats()?;
            let asked = server.is_asked()?;
            asked.challenge()?;
            server.answers(&asked.with(b"123wrong1"))?;
            stand.settle(LISTS)?;
            client.asks(ALL)?.lacks(server.address())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/challenge/foreign",
        title: "a server answers with the challenge that another server was sent",
        requires: "the challenge in an answer shows that this very server was asked",
        citation: "001 4.2.3, 001 4.2.4, 004 3) infoResponse",
        run: |stand| {
            let (server, client) = (Server::new(stand)?, Client::new(stand)?);
            let other = Server::new(stand)?;
            server.beats()?;
            let asked = server.is_asked()?;
            other.beats()?;
            let others = other.is_asked()?;
            server.answers(&asked.with(others.challenge()?))?;
            stand.settle(LISTS)?;
            client.asks(ALL)?.lacks(server.address())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/challenge/replayed",
        title: "a server answers a challenge a second time, and tells something else",
        requires: "a challenge is sent with a question, and answered with it",
        citation: "001 4.2.3, 004 BEHAVIOUR",
        run: |stand| {
            let (server, client) = (Server::new(stand)?, Client::new(stand)?);
            server.beats()?;
            let asked = server.is_asked()?;
            asked.challenge()?;
            server.answers(&asked.question)?;
            client.finds(&server, "")?;
            let server = server.with("clients", "8");
            server.answers(&asked.question)?;
            stand.settle(LISTS)?;
            client.asks("")?.holds(server.address())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/challenge/stale",
        title: "a server answers after the challenge's time is over",
        requires: "a server that has not answered after a while is forgotten",
        citation: "001 4.2.3, 004 BEHAVIOUR",
        slow: Some("challenge-timeout"),
        run: |stand| {
            let (server, client) = (Server::new(stand)?, Client::new(stand)?);
            server.beats()?;
            let asked = server.is_asked()?;
            asked.challenge()?;
            // A little more: the master's clock and ours need not tick alike.
            stand.wait(stand.time("challenge-timeout")? * 11 / 10);
            server.answers(&asked.question)?;
            stand.settle(LISTS)?;
            client.asks(ALL)?.lacks(server.address())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/challenge/changes",
        title: "three servers send heartbeats",
        requires: "a challenge authenticates one server's answer, and is no other's",
        citation: "001 4.2.3, 004 2) getinfo",
        run: |stand| {
            let mut seen: Vec<Vec<u8>> = Vec::new();
            for _ in 0..3 {
                let server = Server::new(stand)?;
                server.beats()?;
                let asked = server.is_asked()?;
                let challenge = asked.challenge()?.to_vec();
                if seen.contains(&challenge) {
                    let came = "one that another server was sent";
                    let failure = Failure::new("a challenge of its own for each server", came);
                    return Err(failure.field(&asked.heard, "challenge"));
                }
                seen.push(challenge);
            }
            Ok(())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/statusResponse/no-places",
        title: "a server answers that it has no places",
        requires: "the number of places is not 0",
        citation: "004 3) infoResponse",
        run: |stand| refused(&Server::new(stand)?.with("sv_maxclients", "0"), stand),
        ..SHOULD
    },
    Case {
        id: "elite-force/statusResponse/places-missing",
        title: "a server answers without a number of places",
        requires: "whether a server is full is known by its places, and they have to be told",
        citation: "001 4.1.1, 004 3) infoResponse",
        run: |stand| refused(&Server::new(stand)?.without("sv_maxclients"), stand),
        ..SHOULD
    },
    Case {
        id: "elite-force/statusResponse/no-protocol",
        title: "a server answers without a protocol",
        requires: "servers are listed by their protocol, and one without stands in no list",
        citation: "001 4.1.1, 004 3) infoResponse",
        run: |stand| refused(&Server::new(stand)?.without("protocol"), stand),
        ..SHOULD
    },
    Case {
        id: "elite-force/heartstop/gone",
        title: "a listed server sends heartstop",
        requires: "heartstop is sent when a server shuts down",
        citation: "001 4.2.11",
        run: |stand| {
            let (server, client) = listed(stand)?;
            server.goes()?;
            client.misses(&server, ALL)
        },
        ..MUST
    },
    Case {
        id: "elite-force/heartstop/nobody-else",
        title: "a server of the same machine sends heartstop, and a stranger names the port of a \
                listed one",
        requires: "heartstop tells of the server that sends it, on the port that it names",
        citation: "001 4.2.11",
        run: |stand| {
            let (server, client) = listed(stand)?;
            let end = stand.server_beside(LISTS, &server.end)?;
            let beside = Server { end, persona: voice::persona() };
            beside.registers()?;
            client.finds(&beside, ALL)?;
            beside.goes()?;
            client.misses(&beside, ALL)?;
            let stranger = stand.server(LISTS)?;
            if stranger.address().ip() != server.address().ip() {
                stranger.say(&voice::heartstop(server.address().port()))?;
                stand.settle(LISTS)?;
            }
            client.asks(ALL)?.holds(server.address())
        },
        ..MUST
    },
    Case {
        id: "elite-force/heartstop/back",
        title: "a server sends heartstop, and registers again",
        requires: "a heartbeat tells that a server is there, whatever it said before",
        citation: "001 4.2.11, 001 4.2.9",
        run: |stand| {
            let (server, client) = listed(stand)?;
            server.goes()?;
            client.misses(&server, ALL)?;
            server.registers()?;
            client.finds(&server, ALL).map(drop)
        },
        ..MUST
    },
];

/// A server that is listed, and a client that has seen it.
pub(super) fn listed<'s>(stand: &'s Stand<'_>) -> Result<(Server<'s>, Client<'s>), Failure> {
    let (server, client) = (Server::new(stand)?, Client::new(stand)?);
    server.registers()?;
    client.finds(&server, ALL)?;
    Ok((server, client))
}

/// A server that says this of itself is not listed.
fn refused(server: &Server<'_>, stand: &Stand<'_>) -> Done {
    server.registers()?;
    stand.settle(LISTS)?;
    Client::new(stand)?.asks(ALL)?.lacks(server.address())
}

/// A heartbeat is answered with such a question, among others.
fn is_asked(stand: &Stand<'_>, what: &str, is: impl Fn(&Question) -> bool) -> Done {
    let server = Server::new(stand)?;
    server.beats()?;
    server.end.expect(what, |heard| voice::question(&heard.bytes).filter(&is).map(drop))
}
