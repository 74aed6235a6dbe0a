//! Every documented message, alone in its own capture: on its documented ports and on ports that no
//! game has. The expected results were written by hand, in `tests/data/corpus-expected.csv`.
//! `UPDATE=1` writes `docs/reference/coverage.md`, one row per message, again.

use std::fmt::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::ops::ControlFlow;

use crate::{corpus, documents, story};
use corpus::{Documented, documented};
use fragshark::analysis::Pipeline;
use fragshark::capture::Input;
use fragshark::codec::{Kind, Scratch};
use fragshark::protocol::{Reading, Role};
use story::{Format, Link, Side, Story};

/// Ports that no game has documented.
pub const ELSEWHERE: [u16; 2] = [43_210, 54_321];

/// The result for a capture: the game and name of its one message.
pub type Seen = Option<(String, String)>;

struct Expected {
    id: String,
    documented: Seen,
    elsewhere: Seen,
}

fn expected() -> Vec<Expected> {
    let table = include_str!("../data/corpus-expected.csv");
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let seen =
        |game: &str, name: &str| (!game.is_empty()).then(|| (game.to_owned(), name.to_owned()));
    let rows = rows.records().map(|row| {
        let row = row.unwrap();
        let [id, game, name, game_elsewhere, name_elsewhere] = [0, 1, 2, 3, 4].map(|i| &row[i]);
        let id = id.to_owned();
        let (documented, elsewhere) = (seen(game, name), seen(game_elsewhere, name_elsewhere));
        Expected { id, documented, elsewhere }
    });
    rows.collect()
}

/// The message alone in a capture, between fresh addresses.
pub fn capture(m: &Documented, host: u8, ports: [u16; 2]) -> Vec<u8> {
    let end = |last: u8, port| SocketAddr::from((Ipv4Addr::new(192, 0, 2, last), port));
    let [from, to] = [end(host, ports[0]), end(host.wrapping_add(101), ports[1])];
    let mut story = Story::new(Link::Ethernet, Format::Pcap, 1_070_308_800);
    // A message of a stream is one of any place in it.
    story.without_openings();
    match m.transport.as_str() {
        "udp" => story.send(from, to, &m.bytes),
        // The documented port is the destination's; masters listen.
        _ if m.way.from == Some(Role::Client) => {
            story.converse(from, to, &[(Side::Client, &m.bytes)], 1460)
        }
        _ => story.converse(to, from, &[(Side::Server, &m.bytes)], 1460),
    };
    story.file()
}

/// Runs a capture of one message through the pipeline.
pub fn run(m: &Documented, file: Vec<u8>) -> Seen {
    let input = Input::Memory { name: m.id.clone(), bytes: file.into() };
    let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
    let (mut seen, mut reading) = (Vec::new(), Reading::default());
    let done = pipeline.messages(|message| {
        let h = message.header;
        reading.read_message(h.entry, message.payload);
        assert_eq!(reading.fault(), None, "{}", m.id);
        if h.fragments == 1 {
            // The whole reply, which its only part has compressed.
            assert_eq!(seen.len(), 1, "{}", m.id);
            return ControlFlow::Continue(());
        }
        assert_eq!(message.payload, m.bytes, "{}", m.id);
        let strays = reading.spans().all.iter().filter(|s| s.field.kind == Kind::Unparsed);
        // The documents' own errors: two lists with a truncated last record.
        let short = strays.filter(|s| s.field.name == "short record").count();
        let unparsed = reading.spans().all.iter().any(|s| s.field.name == "unparsed");
        assert!(!unparsed && short <= usize::from(m.note.is_some()), "{}", m.id);
        let mut again = Vec::new();
        (h.entry.rewrite)(message.payload, &mut Scratch::default(), &mut (), &mut again).unwrap();
        assert_eq!(again, m.bytes, "{}", m.id);
        seen.push((h.verdict.game.id.to_owned(), h.name.to_owned()));
        ControlFlow::<()>::Continue(())
    });
    assert!(done.unwrap().is_none());
    assert!(seen.len() <= 1, "{}: {seen:?}", m.id);
    seen.pop()
}

/// The documented ports; an endpoint without one gets a port that no game documents.
pub fn documented_ports(m: &Documented) -> [u16; 2] {
    [m.ports[0].unwrap_or(ELSEWHERE[0]), m.ports[1].unwrap_or(ELSEWHERE[1])]
}

#[test]
fn every_documented_message_comes_out_as_expected() {
    let (documented, expected) = (documented(), expected());
    assert_eq!(documented.len(), 179);
    assert_eq!(documented.len(), expected.len());
    let mut wrong = Vec::new();
    for (n, (m, should)) in documented.iter().zip(&expected).enumerate() {
        assert_eq!(m.id, should.id);
        let host = u8::try_from(n % 100 + 1).unwrap();
        for (where_to, ports, should) in [
            ("on its ports", documented_ports(m), &should.documented),
            ("elsewhere", ELSEWHERE, &should.elsewhere),
        ] {
            let is = run(m, capture(m, host, ports));
            if is != *should {
                wrong.push(format!("{} {where_to}: {is:?}, not {should:?}", m.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_coverage_page_is_fresh() {
    let mut page = String::from(
        "Each example is alone in a capture of its own. The table says what fragshark makes of it on \
         its documented ports, and on ports that no game has. All of them decode to their last byte \
         and encode back to the same bytes.\n\n\
         | example | bytes | on its ports | elsewhere | the document's own error |\n\
         |---|---|---|---|---|\n",
    );
    let say = |seen: &Seen| match seen {
        Some((game, name)) => format!("{game}: `{name}`"),
        None => "not recognised: weak magic".to_owned(),
    };
    for m in documented() {
        let on_ports = run(&m, capture(&m, 1, documented_ports(&m)));
        let elsewhere = run(&m, capture(&m, 1, ELSEWHERE));
        let note = m.note.as_deref().unwrap_or_default().replace('|', "\\|");
        let (id, bytes) = (&m.id, m.bytes.len());
        writeln!(page, "| {id} | {bytes} | {} | {} | {note} |", say(&on_ports), say(&elsewhere))
            .unwrap();
    }
    documents::check_reference("coverage.md", &page);
}
