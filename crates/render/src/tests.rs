//! Rendered text of the documented messages, and the check that no secret gets into it.

use std::fmt::Write as _;
use std::net::SocketAddr;

use super::*;
use protocol::{Carrier, Direction, Entry, Protocol, Reading, Role};
use protocols::registry;
use text::Secrets;

/// A documented message, by its id, decoded.
struct Case {
    id: String,
    entry: &'static Entry,
    payload: Vec<u8>,
    reading: Reading,
}

impl Case {
    fn recognise(id: &str, payload: &[u8]) -> Option<Self> {
        let mut carriers = [Carrier::Datagram, Carrier::Stream].into_iter();
        let entry = carriers
            .find_map(|c| registry().recognise_all(c, payload, Direction::default()).next())?;
        Some(Self::read_payload(id, entry, payload))
    }

    fn read_payload(id: &str, entry: &'static Entry, payload: &[u8]) -> Self {
        let mut reading = Reading::default();
        reading.read_message(entry, payload);
        Self { id: id.to_owned(), entry, payload: payload.to_vec(), reading }
    }

    fn documented() -> Vec<Self> {
        let cases = test_data::documented().into_iter().filter_map(|m| {
            let payload = m.payload;
            let speaks = |p: &&&Protocol| p.games.iter().any(|g| g.id == m.game);
            let mut protocols = registry().protocols().iter().filter(speaks);
            let entry = protocols.find_map(|p| {
                let mut carriers = [Carrier::Datagram, Carrier::Stream].into_iter();
                carriers.find_map(|c| protocols::recognise(p, c, &payload, Direction::default()))
            })?;
            Some(Self::read_payload(&m.id, entry, &payload))
        });
        cases.collect()
    }

    fn rendered(&self, secrets: Secrets) -> Rendered<'_> {
        Rendered::new(&self.reading, &self.payload, secrets)
    }

    fn summary(&self, secrets: Secrets) -> String {
        let mut out = String::new();
        self.rendered(secrets).summary(&mut out, self.entry, 0);
        out
    }

    fn transcript(&self, secrets: Secrets, colour: Colour) -> String {
        self.styled(secrets, colour.into()).0
    }

    fn styled(&self, secrets: Secrets, style: DumpStyle) -> (String, LinesLeftOut) {
        let heading = Heading {
            number: 7,
            time: 1_066_000_000_123_456_789,
            source: SocketAddr::from(([192, 0, 2, 10], 27960)),
            destination: "[2001:db8::5c]:27950".parse().unwrap(),
            game: "quake3",
            name: self.entry.spec.name,
            entry: self.entry,
            direction: Direction { from: Some(Role::Client), to: None },
            missing: 0,
            overlap: false,
            ties: Ties::default(),
        };
        let mut out = String::new();
        let left_out = transcript(&mut out, &heading, &self.reading, &self.payload, secrets, style);
        (out, left_out)
    }

    fn tree(&self, secrets: Secrets, separators: Separators) -> String {
        let lines = self.rendered(secrets).in_colours(self.reading.colours()).tree(separators);
        let line = |l: &TreeLine| {
            let indent = usize::from(l.depth) * 2;
            let meaning = l.meaning.as_ref().map(|m| format!(" ({m})")).unwrap_or_default();
            let notes = l.notes.iter().fold(String::new(), |all, n| format!("{all} ! {n}"));
            format!("{:indent$}{}: {}{meaning}{notes}\n", "", l.label, l.value)
        };
        lines.iter().map(line).collect()
    }
}

#[test]
fn summaries_differ_by_message() {
    let mut lines = String::new();
    for case in Case::documented() {
        writeln!(lines, "{:<32} {}", case.id, case.summary(Secrets::Masked)).unwrap();
    }
    insta::assert_snapshot!(lines);
}

#[test]
fn transcripts_show_every_byte_beside_its_field() {
    let wanted = [
        "quake3/1.1.1/1",
        "quake3/1.1.2/1",
        "quake3/1.1.3/1",
        "quake3/1.1.5/1",
        "quake3/1.2.4/2",
        "quake3/1.2.7/1",
        "darkplaces/infoResponse/1",
    ];
    let cases = Case::documented();
    let text: String = wanted
        .iter()
        .map(|id| {
            let case = cases.iter().find(|c| c.id == *id).unwrap();
            case.transcript(Secrets::Masked, Colour::Plain) + "\n"
        })
        .collect();
    insta::assert_snapshot!(text);
}

#[test]
fn faults_and_anomalies_are_shown() {
    let mut text = String::new();
    for bytes in [
        &b"\xff\xff\xff\xffgetservers 40000000000000000000"[..],
        b"\xff\xff\xff\xffgetserversResponse\\\x7f\0\0\x01\x6d\x38\\\x01\x02\x03",
        b"\xff\xff\xff\xffgetserversExtResponse/\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x5c\x6d\x38\\EOT\0\0\0",
        b"\xff\xff\xff\xffstatusResponse\n\\a\\1\\A\\2\\hostname\\\x1b[31m\xf6\\b\n1 50 \"x \"y\" z\"\n2 oops\n",
    ] {
        let case = Case::recognise("", bytes).unwrap();
        text += &(case.summary(Secrets::Masked) + "\n");
        text += &case.tree(Secrets::Masked, Separators::Shown);
        text += &(case.transcript(Secrets::Masked, Colour::Plain) + "\n");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn an_anomaly_is_at_the_smallest_line_that_covers_it() {
    let doubled = [b"\xff\xff\xff\xffinfoResponse\n".as_slice(), &br"\a\1\\".repeat(2000)].concat();
    let torn = b"\xff\xff\xff\xffstatusResponse\nno\\1\\NO\\2\\\\\\\\\\no\n1 oops\n2 2 \"x\"\n3\n";
    for bytes in [doubled.as_slice(), torn] {
        let case = Case::recognise("", bytes).unwrap();
        for separators in [Separators::Hidden, Separators::Shown] {
            let lines = case.rendered(Secrets::Shown).tree(separators);
            let mut expected = vec![Vec::new(); lines.len()];
            for n in &case.reading.spans().notes {
                let holds =
                    |l: &TreeLine| l.layer == n.layer && l.start <= n.start && n.end <= l.end;
                let holds = (0..lines.len()).filter(|i| holds(&lines[*i]));
                let size = |i: &usize| {
                    let TreeLine { start, end, depth, .. } = lines[*i];
                    if n.start == n.end { u32::from(depth) } else { end - start }
                };
                expected[holds.min_by_key(size).unwrap()].push(n.odd);
            }
            let got: Vec<_> = lines.iter().map(|l| l.notes.clone()).collect();
            assert!(got.iter().flatten().count() > 1);
            assert_eq!(got, expected);
        }
    }
}

#[test]
fn every_byte_has_one_cell_and_one_row() {
    for case in Case::documented() {
        let cells = case.rendered(Secrets::Shown).hexdump(0);
        let shown: String = cells.iter().flat_map(|c| c.hex()).collect();
        assert_eq!(shown, hex::encode(&case.payload), "{}", case.id);

        let text = case.transcript(Secrets::Shown, Colour::Plain);
        let rows = text.lines().skip(2).take_while(|l| !l.starts_with("  decoded"));
        let rows = rows.filter(|l| l.as_bytes()[2..6].iter().all(u8::is_ascii_hexdigit));
        let digits: String = rows
            .map(|l| l.chars().skip(6).take(49).filter(char::is_ascii_hexdigit).collect::<String>())
            .collect();
        assert_eq!(digits, hex::encode(&case.payload), "{}", case.id);
    }
}

#[test]
fn search_text_contains_the_tree() {
    for case in Case::documented() {
        let message = case.rendered(Secrets::Masked).in_colours(case.reading.colours());
        let mut text = String::new();
        message.search_text(&mut text);
        for line in message.tree(Separators::Hidden) {
            let pair = format!("{}: {}", line.label, line.value);
            let value = if line.key.is_some() { pair } else { line.value };
            // A record's line repeats its parts, which have lines of their own.
            let is_record = line.brief && value.parse::<SocketAddr>().is_err();
            assert!(is_record || text.contains(&value), "{}: {value} in {text}", case.id);
        }
    }
}

#[test]
fn coloured_summaries_have_the_same_text() {
    for case in Case::documented() {
        let runs = case
            .rendered(Secrets::Masked)
            .in_colours(case.reading.colours())
            .summary_runs(case.entry, 0);
        let text: String = runs.iter().map(|run| run.text.as_str()).collect();
        let plain = case.summary(Secrets::Masked);
        assert!(text == plain || plain.contains('^') || plain.contains('…'), "{text} {plain}");
    }
    let long = [b"\xff\xff\xff\xffprint\n^1".as_slice(), &[b'x'; 200]].concat();
    let case = Case::recognise("", &long).unwrap();
    let runs = case
        .rendered(Secrets::Masked)
        .in_colours(case.reading.colours())
        .summary_runs(case.entry, 0);
    let lens = runs.iter().map(|run| run.text.chars().count()).collect::<Vec<_>>();
    assert_eq!(lens, [99, 1]);
    assert_eq!(runs[1].text, "…");
}

const GUID: &str = "8A00DE3CE0EE3EA1FF462E779B00637E";

/// Everything that this module renders of a message.
fn everything(case: &Case, secrets: Secrets) -> String {
    let message = case.rendered(secrets).in_colours(case.reading.colours());
    let mut prose = String::new();
    message.search_text(&mut prose);
    let columns = [0, 1].map(|layer| {
        let cells = message.hexdump(layer);
        let hex: String = cells.iter().flat_map(|c| c.hex()).collect();
        let ascii: String = cells.iter().map(|c| c.ascii()).collect();
        hex + "\n" + &ascii
    });
    let runs = message.tree(Separators::Shown).into_iter().flat_map(|line| line.runs);
    let summary = message.summary_runs(case.entry, 0);
    let runs: String = runs.chain(summary).map(|run| run.text + "\n").collect();
    [
        runs,
        case.summary(secrets),
        case.tree(secrets, Separators::Shown),
        case.transcript(secrets, Colour::Plain),
        case.transcript(secrets, Colour::Ansi),
        columns.concat(),
        prose,
    ]
    .concat()
}

#[test]
fn secrets_are_masked_in_every_form() {
    let connect = Case::documented().into_iter().find(|c| c.id == "quake3/1.2.7/1").unwrap();
    let clear = [
        b"\xff\xff\xff\xffconnect \"\\name\\x\\cl_guid\\SEKRET42\\g_password\\SEKRET42\""
            .as_slice(),
        b"\xff\xff\xff\xffconnect \\cl_guid\\SEKRET42",
        b"\xff\xff\xff\xffconnect \"\\name\\x\" \\cl_guid\\SEKRET42",
        b"\xff\xff\xff\xffgetKeyAuthorize 0 SEKRET42",
        b"\xff\xff\xff\xffgetKeyAuthorize SEKRET42",
        b"\xff\xff\xff\xffinfoResponse\n\\sv_privatePassword\\SEKRET42\\sv_hostname\\x",
        b"\xff\xff\xff\xffconnect \"\\name\\^1x\\g_password\\^2SEKRET42\"",
    ];
    let mut cases: Vec<_> =
        clear.iter().map(|b| (Case::recognise("", b).unwrap(), "SEKRET42")).collect();
    let coded = hex::encode(&connect.payload[20..40]);
    cases.push((connect, GUID));
    for (case, secret) in &cases {
        let masked = everything(case, Secrets::Masked);
        let digits: String = masked.chars().filter(|c| !c.is_whitespace()).collect();
        for form in [secret.to_string(), hex::encode(secret), coded.clone()] {
            assert!(!masked.contains(&form), "{form} in {masked}");
            assert!(!digits.contains(&form), "{form} in {masked}");
        }
        assert!(masked.contains("**"), "{masked}");
        let shown = everything(case, Secrets::Shown);
        assert!(shown.contains(&hex::encode(secret)) || shown.contains(*secret), "{shown}");
    }
}

#[test]
fn no_view_panics_or_lets_control_characters_through() {
    for entry in registry().entries() {
        let mut bytes = entry.spec.example.to_vec();
        for tail in [&b"\x1b[2J\x07"[..], b"\\\xc2\x9b31m\\x", b"\n1 \"\x08\"", b"\xff\xfe\0"] {
            bytes.extend_from_slice(tail);
            let case = Case::read_payload("", entry, &bytes);
            let text = case.tree(Secrets::Masked, Separators::Shown)
                + &case.summary(Secrets::Masked)
                + &case.transcript(Secrets::Masked, Colour::Plain);
            assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
        }
    }
}

#[test]
fn a_transcript_of_few_lines_has_the_first_ones() {
    for case in Case::documented() {
        let whole = case.transcript(Secrets::Masked, Colour::Plain);
        for most in [0, 1, 3, 7, 1_000] {
            let style = DumpStyle { lines: Some(most), ..DumpStyle::default() };
            let (text, left_out) = case.styled(Secrets::Masked, style);
            let first: Vec<_> = whole.lines().take(most).collect();
            assert_eq!(text.lines().collect::<Vec<_>>(), first, "{}, {most} lines", case.id);
            let count = whole.lines().count() - first.len();
            assert_eq!(left_out, LinesLeftOut { count, is_least: false }, "{}", case.id);
        }
    }
}

#[test]
fn lines_of_long_messages_are_bounded_and_say_so() {
    let mark = b"\xff\xff\xff\xffstatusResponse\n";
    let reply = b"\0\x10\x20\x30\x40splitnum\0\x80\x01player_\0\0";
    for (payload, most, says) in [
        // A long value, and a long key.
        ([mark, &b"\\hostname\\"[..], &[b'x'; 9_000], b"\n"].concat(), 3_000, "… 6,952 more bytes"),
        ([mark, &b"\\"[..], &[b'k'; 9_000], b"\\1\n"].concat(), 3_000, "k…: 1"),
        // A record of many parts, and of few long ones.
        ([reply, &b"a\0".repeat(9_000)[..], b"\0\0"].concat(), 3_000, " more"),
        // More fields than are named.
        ([mark, &b"\\a\\1".repeat(17_000)[..], b"\n"].concat(), 300, " more fields are not named"),
    ] {
        let case = Case::recognise("long", &payload).unwrap();
        let text = case.transcript(Secrets::Masked, Colour::Plain);
        let longest = text.lines().map(str::len).max().unwrap();
        assert!(longest < most, "{says}: {longest}");
        assert!(text.contains(says), "{says}: {}", text.lines().nth(4).unwrap());
        // All bytes are there.
        let digits = |line: &str| line.split(" │").next().unwrap().split(' ').skip(4).count();
        let rows = text.lines().filter(|line| line.contains(" │"));
        assert!(rows.map(digits).sum::<usize>() >= payload.len(), "{says}");
        // A page does not count what it leaves out of such a message one by one.
        let style = DumpStyle { lines: Some(60), ..DumpStyle::default() };
        let (first, left_out) = case.styled(Secrets::Masked, style);
        assert!(text.starts_with(&first), "{says}");
        let is_long = case.reading.spans().all.len() > 4_096;
        assert_eq!((first.lines().count(), left_out.is_least), (60, is_long), "{says}");
    }
}
