//! Correctly returned challenges that a simple check would report as wrong.

use std::net::SocketAddr;

use super::{THEN, address, oob};
use crate::story::{Format, Link, Story};

/// Every capture of such a challenge, and its story.
pub fn all() -> Vec<(&'static str, Story)> {
    vec![
        ("cases/challenge-cut-off.pcapng", cut_off(59)),
        ("cases/answer-cut-off.pcapng", cut_off(76)),
        ("cases/challenge-signed.pcapng", signed()),
        ("cases/challenge-unanswered-before.pcapng", unanswered_before()),
        ("cases/challenge-answered-twice.pcapng", answered_twice()),
    ]
}

const SERVER: &str = "192.0.2.10:27960";
const MASTER: &str = "203.0.113.1:27950";

fn begun() -> Story {
    Story::new(Link::Ethernet, Format::PcapNg, THEN)
}

fn beat(story: &mut Story) -> &mut Story {
    story.send(address(SERVER), address(MASTER), &oob("heartbeat QuakeArena-1\n")).after(30_000)
}

fn challenge<'s>(story: &'s mut Story, challenge: &str) -> &'s mut Story {
    let ask = oob(&format!("getinfo {challenge}"));
    story.send(address(MASTER), address(SERVER), &ask).after(30_000)
}

fn answer<'s>(story: &'s mut Story, challenge: &str) -> &'s mut Story {
    let payload = format!(
        "infoResponse\n\\challenge\\{challenge}\\protocol\\68\\hostname\\The Longest \
         Yard\\clients\\2\\sv_maxclients\\12"
    );
    story.send(address(SERVER), address(MASTER), &oob(&payload)).after(30_000)
}

/// The challenges of two servers have a common prefix. With a snap length of 59 bytes, neither is
/// complete; with 76, neither answer is complete.
fn cut_off(snap: usize) -> Story {
    let mut story = begun();
    story.snap(snap);
    for (server, sent) in [(SERVER, "Kf9x_2Zp1q"), ("192.0.2.11:27960", "Kf9x_7aQe8")] {
        let server: SocketAddr = address(server);
        story.send(server, address(MASTER), &oob("heartbeat QuakeArena-1\n")).after(30_000);
        let ask = oob(&format!("getinfo {sent}"));
        story.send(address(MASTER), server, &ask).after(30_000);
        let payload = format!("infoResponse\n\\challenge\\{sent}\\protocol\\68");
        story.send(server, address(MASTER), &oob(&payload)).after(5_000_000);
    }
    story
}

/// Half-Life's challenge is a number of 32 bits, which servers write signed or unsigned.
fn signed() -> Story {
    let mut story = begun();
    let master = address("203.0.113.15:27010");
    for (server, sent, back) in [
        ("192.0.2.15:27015", u32::MAX, "-1"),
        ("192.0.2.16:27015", u32::MAX - 1, "4294967294"),
        ("192.0.2.17:27015", 1 << 31, "-2147483648"),
    ] {
        let server = address(server);
        story.send(server, master, b"q").after(30_000);
        let ask = [&b"\xff\xff\xff\xffs\n"[..], &sent.to_le_bytes()].concat();
        story.send(master, server, &ask).after(30_000);
        let payload = format!("0\n\\protocol\\46\\challenge\\{back}\\players\\0\\max\\6\n");
        story.send(server, master, payload.as_bytes()).after(5_000_000);
    }
    story
}

/// The answer to the first challenge is lost; the second one comes back.
fn unanswered_before() -> Story {
    let mut story = begun();
    challenge(beat(&mut story), "Kf9x_2Zp1q").after(10_000_000);
    answer(challenge(beat(&mut story), "u3Bz-77aQe"), "u3Bz-77aQe");
    story
}

/// The answer to the first challenge is repeated after the second one, whose own answer is lost.
fn answered_twice() -> Story {
    let mut story = begun();
    answer(challenge(beat(&mut story), "Kf9x_2Zp1q"), "Kf9x_2Zp1q").after(10_000_000);
    answer(challenge(beat(&mut story), "u3Bz-77aQe"), "Kf9x_2Zp1q");
    story
}
