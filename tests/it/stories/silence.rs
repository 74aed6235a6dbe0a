//! For every rule on missing responses a story that violates it, and a similar one that does not;
//! and missing responses that are no fault.

use super::{THEN, address, oob};
use crate::story::{Format, Link, Story};

/// Every capture of this kind, and its story.
pub fn all() -> Vec<(&'static str, Story)> {
    vec![
        ("findings/master.unreachable.pcapng", heartbeats(3, Comes::Error)),
        ("findings/master.unreachable.healthy.pcapng", heartbeats(3, Comes::Question)),
        ("findings/heartbeat.unanswered.pcapng", heartbeats(3, Comes::Nothing)),
        ("findings/heartbeat.unanswered.healthy.pcapng", heartbeats(1, Comes::Nothing)),
        ("findings/challenge.unanswered.pcapng", questions(false)),
        ("findings/challenge.unanswered.healthy.pcapng", questions(true)),
        ("findings/registration.refused.pcapng", quakeworld(Some(b"\xff\xff\xff\xffm\0"))),
        ("findings/registration.refused.healthy.pcapng", quakeworld(None)),
        ("findings/registration.unlisted.pcapng", registers_and(&["192.0.2.11:27960"])),
        (
            "findings/registration.unlisted.healthy.pcapng",
            registers_and(&["192.0.2.11:27960", SERVER]),
        ),
        ("findings/list.unanswered.pcapng", requests(false)),
        ("findings/list.unanswered.healthy.pcapng", requests(true)),
        ("findings/server.unreachable.pcapng", joins(Comes::Error)),
        ("findings/server.unreachable.healthy.pcapng", joins(Comes::Question)),
        ("cases/heartbeats-one-way.pcapng", one_way()),
        ("cases/heartbeats-of-one-direction.pcapng", one_direction()),
        ("cases/heartbeat-lost.pcapng", lost()),
        ("cases/capture-begins-late.pcapng", begins_late()),
        ("cases/master-gone.pcapng", gone()),
    ]
}

const SERVER: &str = "192.0.2.10:27960";
const MASTER: &str = "203.0.113.1:27950";
const CLIENT: &str = "198.51.100.20:27960";
const ASK: &str = "getservers 68 empty full";
/// Between two heartbeats, in microseconds.
const INTERVAL: i64 = 300_000_000;

/// The responses.
#[derive(Clone, Copy, PartialEq)]
enum Comes {
    Nothing,
    Error,
    Question,
}

fn begun() -> Story {
    Story::new(Link::Ethernet, Format::PcapNg, THEN)
}

fn beat(story: &mut Story) {
    story.send(address(SERVER), address(MASTER), &oob("heartbeat QuakeArena-1\n")).after(30_000);
}

fn question(story: &mut Story, challenge: &str) {
    let ask = oob(&format!("getinfo {challenge}"));
    story.send(address(MASTER), address(SERVER), &ask).after(20_000);
}

fn info_response(challenge: &str) -> Vec<u8> {
    oob(&format!(
        "infoResponse\n\\challenge\\{challenge}\\protocol\\68\\hostname\\Dry dock\\clients\\2\
         \\sv_maxclients\\12"
    ))
}

fn answer(story: &mut Story, challenge: &str) {
    story.send(address(SERVER), address(MASTER), &info_response(challenge)).after(20_000);
}

fn list(servers: &[&str]) -> Vec<u8> {
    let mut list = oob("getserversResponse");
    for server in servers {
        let std::net::SocketAddr::V4(server) = address(server) else {
            panic!("{server} is no IPv4 address");
        };
        list.push(b'\\');
        list.extend(server.ip().octets());
        list.extend(server.port().to_be_bytes());
    }
    list.extend(b"\\EOT\0\0\0");
    list
}

/// Other traffic, which shows that the capture continues.
fn elsewhere(story: &mut Story) {
    let (client, server) = (address("198.51.100.30:40030"), address("192.0.2.30:27960"));
    story.send(client, server, &oob("getinfo xxx")).after(20_000);
    story.send(server, client, &info_response("xxx"));
}

fn heartbeats(count: u8, comes: Comes) -> Story {
    let mut story = begun();
    for n in 0..count {
        beat(&mut story);
        match comes {
            Comes::Nothing => {}
            Comes::Error => {
                let (server, master) = (address(SERVER), address(MASTER));
                let quoted = oob("heartbeat QuakeArena-1\n");
                story.unreachable(master.ip(), (server, master), &quoted);
            }
            Comes::Question => {
                let challenge = format!("Kf9x_2Zp{n}");
                question(&mut story, &challenge);
                answer(&mut story, &challenge);
            }
        }
        story.after(if count == 1 { 2_000_000 } else { INTERVAL });
    }
    elsewhere(&mut story);
    story
}

fn questions(answers: bool) -> Story {
    let mut story = begun();
    for challenge in ["Kf9x_2Zp1q", "u3Bz-77aQe"] {
        beat(&mut story);
        question(&mut story, challenge);
        if answers {
            answer(&mut story, challenge);
        }
        story.after(INTERVAL);
    }
    elsewhere(&mut story);
    story
}

/// A server of QuakeWorld, whose masters respond only to refuse.
fn quakeworld(back: Option<&[u8]>) -> Story {
    let (server, master) = (address("192.0.2.9:27500"), address("203.0.113.9:27000"));
    let mut story = begun();
    for n in 0..2 {
        story.send(server, master, format!("a\n{n}\n0\n").as_bytes()).after(30_000);
        if let Some(back) = back {
            story.send(master, server, back);
        }
        story.after(INTERVAL);
    }
    elsewhere(&mut story);
    story
}

/// A server registers, and a list with these servers follows.
fn registers_and(listed: &[&str]) -> Story {
    let mut story = begun();
    beat(&mut story);
    question(&mut story, "Kf9x_2Zp1q");
    answer(&mut story, "Kf9x_2Zp1q");
    let (client, master) = (address(CLIENT), address(MASTER));
    story.after(5_000_000).send(client, master, &oob(ASK)).after(30_000);
    story.send(master, client, &list(listed));
    story
}

/// A client requests a list, three times, a minute apart; only the response to its first request is
/// lost.
fn requests(answers_later: bool) -> Story {
    let (client, master) = (address(CLIENT), address(MASTER));
    let mut story = begun();
    for n in 0..3 {
        story.send(client, master, &oob(ASK)).after(30_000);
        if answers_later && n > 0 {
            story.send(master, client, &list(&[SERVER]));
        }
        story.after(60_000_000);
    }
    elsewhere(&mut story);
    story
}

/// A client queries a listed server.
fn joins(comes: Comes) -> Story {
    let (client, master, server) = (address(CLIENT), address(MASTER), address(SERVER));
    let mut story = begun();
    story.send(client, master, &oob(ASK)).after(30_000);
    story.send(master, client, &list(&[SERVER])).after(30_000);
    for _ in 0..2 {
        story.send(client, server, &oob("getinfo xxx")).after(30_000);
        match comes {
            Comes::Error => {
                story.unreachable(server.ip(), (client, server), &oob("getinfo xxx"));
            }
            Comes::Nothing | Comes::Question => {
                story.send(server, client, &info_response("xxx"));
            }
        }
        story.after(2_000_000);
    }
    story
}

/// No responses to heartbeats of QuakeWorld, to shutdown messages, or to two heartbeats by which a
/// server of Quake III shuts down.
fn one_way() -> Story {
    let mut story = begun();
    for n in 0..3 {
        let (server, master) = (address("192.0.2.9:27500"), address("203.0.113.9:27000"));
        story.send(server, master, format!("a\n{n}\n0\n").as_bytes()).after(INTERVAL);
    }
    story.send(address("192.0.2.9:27500"), address("203.0.113.9:27000"), b"C\n").after(1_000_000);
    let (server, master) = (address("192.0.2.15:27015"), address("203.0.113.15:27010"));
    story.send(server, master, b"b\n").after(1_000_000);
    let (server, master) = (address("192.0.2.60:27960"), address("203.0.113.60:27950"));
    story.send(server, master, &oob("heartbeat WolfFlatline-1\n")).after(1_000_000);
    for _ in 0..2 {
        story.send(address(SERVER), address(MASTER), &oob("heartbeat QuakeArena-1\n")).after(900);
    }
    story.after(60_000_000);
    elsewhere(&mut story);
    story
}

/// Only the server's messages were captured: its answers show that the master sent challenges.
fn one_direction() -> Story {
    let mut story = begun();
    for challenge in ["Kf9x_2Zp1q", "u3Bz-77aQe", "w7Yc]0#mL"] {
        beat(&mut story);
        answer(&mut story, challenge);
        story.after(INTERVAL);
    }
    elsewhere(&mut story);
    story
}

/// One heartbeat of four gets lost.
fn lost() -> Story {
    let mut story = begun();
    for (n, challenge) in ["Kf9x_2Zp1q", "u3Bz-77aQe", "w7Yc]0#mL", "A_ch4Lleng"].iter().enumerate()
    {
        beat(&mut story);
        if n != 1 {
            question(&mut story, challenge);
            answer(&mut story, challenge);
        }
        story.after(INTERVAL);
    }
    elsewhere(&mut story);
    story
}

/// The capture begins after a heartbeat, and after a list request; it ends after both.
fn begins_late() -> Story {
    let (client, master) = (address(CLIENT), address(MASTER));
    let mut story = begun();
    question(&mut story, "Kf9x_2Zp1q");
    answer(&mut story, "Kf9x_2Zp1q");
    story.send(master, client, &list(&[SERVER])).after(INTERVAL);
    beat(&mut story);
    story.send(client, master, &oob(ASK));
    story
}

/// A master responds, and then does not any more.
fn gone() -> Story {
    let mut story = begun();
    for n in 0..5 {
        beat(&mut story);
        if n < 2 {
            let challenge = format!("Kf9x_2Zp{n}");
            question(&mut story, &challenge);
            answer(&mut story, &challenge);
        }
        story.after(INTERVAL);
    }
    elsewhere(&mut story);
    story
}
