//! What games with Quake III's protocol say today, each between its own servers, clients and masters.

mod activision;
mod community;
mod daemon;
mod darkplaces;
mod raven;

use std::net::SocketAddr;

use crate::story::{Format, Link, Story};

/// Every capture of these games, and its story.
pub fn all() -> Vec<(&'static str, Story)> {
    vec![
        ("unvanquished/session.pcapng", daemon::unvanquished()),
        ("tremulous/list.pcap", daemon::tremulous()),
        ("darkplaces/session.pcapng", darkplaces::session()),
        ("call-of-duty-4/session.pcapng", activision::call_of_duty_4()),
        ("iw4x/session.pcap", activision::iw4x()),
        ("mohaa/session.pcap", activision::medal_of_honor()),
        ("jedi-academy/session.pcap", raven::jedi_academy()),
        ("soldier-of-fortune-2/status.pcap", raven::soldier_of_fortune_2()),
        ("openarena/session.pcap", community::openarena()),
        ("urban-terror/session.pcap", community::urban_terror()),
        ("warfork/session.pcap", community::warfork()),
        ("fivem/info.pcap", community::fivem()),
    ]
}

/// 2026-11-22 20:00:00 UTC.
const TODAY: i64 = 1_795_377_600;

/// Who sends to whom, and the text behind `FF FF FF FF`.
type Turn<'a> = (SocketAddr, SocketAddr, &'a [u8]);

fn begin(format: Format) -> Story {
    Story::new(Link::Ethernet, format, TODAY)
}

fn send_all(story: &mut Story, turns: &[Turn<'_>]) {
    for (from, to, text) in turns {
        story.after(45_000).send(*from, *to, &[b"\xff\xff\xff\xff", *text].concat());
    }
}

/// Sends bytes without the four `FF`.
fn send_bare(story: &mut Story, turn: Turn<'_>) {
    story.after(45_000).send(turn.0, turn.1, turn.2);
}
