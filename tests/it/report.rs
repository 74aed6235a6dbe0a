//! `report`: every number of the page is one that `export` gives. `tests/programs/report_page.rs` opens
//! pages in a browser.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::SocketAddr;
use std::process::{Command, Stdio};

use regex::Regex;
use serde_json::Value;
use tempfile::TempDir;

use crate::browser::unescaped;
use crate::story::{Format, Link, Story};

/// Captures of many protocols, with findings, names in colours, lists and connections.
const CAPTURES: [&str; 9] = [
    "tour.pcapng",
    "quake3/documented.pcapng",
    "findings/list.end-missing.pcapng",
    "findings/heartbeat.rare.pcapng",
    "cases/two-masters.pcapng",
    "cases/names-in-utf8.pcap",
    "quakeworld/today.pcapng",
    "gamespy/encrypted-list.pcapng",
    "teeworlds/session.pcapng",
];

fn capture(name: &str) -> String {
    format!("{}/captures/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Standard output of the program, which succeeds without a word on standard error.
fn printed(arguments: &[&str]) -> String {
    let [out, complaint] = run(arguments);
    assert!(complaint.is_empty(), "{arguments:?}: {complaint}");
    out
}

/// The same of a page that has the warnings on standard error too.
fn noted(arguments: &[&str]) -> String {
    let [out, complaint] = run(arguments);
    for line in complaint.lines().filter(|_| arguments[0] == "report") {
        let warning = line.strip_prefix("fragshark: warning: ").unwrap_or_else(|| panic!("{line}"));
        assert!(out.contains(&format!("<li>{warning}</li>")), "{warning}");
    }
    out
}

fn run(arguments: &[&str]) -> [String; 2] {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    let output = command.args(arguments).stdin(Stdio::null()).output().unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {complaint}");
    [String::from_utf8(output.stdout).unwrap(), complaint]
}

/// The rows of a table as `export` gives them.
fn exported(table: &str, arguments: &[&str]) -> Vec<Value> {
    let base = ["export", "--what", table, "--format", "ndjson"];
    let rows = printed(&[&base[..], arguments].concat());
    rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A table of the page: for each column the names of the exported ones, and the cells of each row.
struct PageTable {
    name: String,
    columns: Vec<Vec<String>>,
    rows: Vec<Vec<String>>,
}

/// What is between two texts, everywhere.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Vec<&'a str> {
    let parts = text.split(from).skip(1);
    parts.map(|part| part.split(to).next().unwrap()).collect()
}

/// The exact value of a cell, else its text.
fn cell(inside: &str) -> String {
    let exact = Regex::new(r#"^<(?:data value|time datetime)="([^"]*)">"#).unwrap();
    if let Some(exact) = exact.captures(inside) {
        return unescaped(&exact[1]);
    }
    let text = inside.replace("<br>", ", ");
    unescaped(&Regex::new("<[^>]*>").unwrap().replace_all(&text, ""))
}

fn page_tables(page: &str) -> Vec<PageTable> {
    let mut tables = Vec::new();
    for table in between(page, "<table class=\"sorted\" data-table=", "</table>") {
        let name = table.split('"').nth(1).unwrap().to_owned();
        let columns = between(table, "data-columns=\"", "\"");
        let columns = columns.iter().map(|names| names.split(' ').map(str::to_owned).collect());
        let body = between(table, "<tbody>", "</tbody>")[0];
        let rows = between(body, "<tr>", "</tr>").into_iter().map(|row| {
            let cells = between(row, "<td", "</td>").into_iter();
            cells.map(|inside| cell(inside.split_once('>').unwrap().1)).collect()
        });
        tables.push(PageTable { name, columns: columns.collect(), rows: rows.collect() });
    }
    tables
}

fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(text_of).collect::<Vec<_>>().join(", "),
        value => value.to_string(),
    }
}

/// What a cell has to say of an exported row.
fn expected(columns: &[String], row: &Value) -> String {
    let of = |name: &str| text_of(&row[name]);
    let names: Vec<_> = columns.iter().map(String::as_str).collect();
    match names[..] {
        ["hostname_plain", "hostname"] if of("hostname_plain") == of("hostname") => of("hostname"),
        ["hostname_plain", "hostname"] => format!("{} {}", of("hostname_plain"), of("hostname")),
        ["players", "max_players"] if row["max_players"].is_null() => of("players"),
        ["players", "max_players"] if row["players"].is_null() => {
            format!("?/{}", of("max_players"))
        }
        ["players", "max_players"] => format!("{}/{}", of("players"), of("max_players")),
        [address, port] => endpoint(row, address, port).to_string(),
        ["frames"] => {
            let all: Vec<_> = row["frames"].as_array().unwrap().iter().map(text_of).collect();
            let more = all.len().saturating_sub(8);
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            all[..all.len().min(8)].join(", ") + &more
        }
        [name] => of(name),
        _ => panic!("{columns:?}"),
    }
}

fn endpoint(row: &Value, address: &str, port: &str) -> SocketAddr {
    let address = row[address].as_str().unwrap().parse().unwrap();
    SocketAddr::new(address, row[port].as_u64().unwrap() as u16)
}

/// Compares the tables of a page with those of `export` with the same arguments; returns how many
/// cells there are.
fn compare_tables(page: &str, arguments: &[&str]) -> usize {
    let mut cells = 0;
    let tables = page_tables(page);
    for name in ["findings", "servers", "registrations", "masters", "sessions"] {
        let mut rows = exported(name, arguments);
        if name == "findings" {
            let order = ["error", "warning", "note"];
            rows.sort_by_key(|row| order.iter().position(|word| row["severity"] == *word));
        }
        let found = tables.iter().find(|table| table.name == name);
        assert_eq!(found.is_none(), rows.is_empty(), "{name} of {arguments:?}");
        let Some(table) = found else { continue };
        assert_eq!(table.rows.len(), rows.len(), "{name} of {arguments:?}");
        for (row, exported) in table.rows.iter().zip(&rows) {
            assert_eq!(row.len(), table.columns.len());
            for (cell, columns) in row.iter().zip(&table.columns) {
                let wanted = expected(columns, exported);
                assert_eq!(*cell, wanted, "{name}, {columns:?} of {arguments:?}");
                cells += 1;
            }
        }
    }
    cells
}

/// The rows of the table with this class or in the figure of this id: the cells behind the first.
fn rows_behind(page: &str, mark: &str) -> BTreeMap<String, Vec<String>> {
    let Some(table) = page.split(mark).nth(1) else { return BTreeMap::new() };
    let table = between(table, "<tbody>", "</tbody>")[0];
    let mut found = BTreeMap::new();
    let inside = Regex::new("(?s)<td[^>]*>(.*?)</td>").unwrap();
    for row in Regex::new("(?s)<tr[^>]*>(.*?)</tr>").unwrap().captures_iter(table) {
        let head = cell(between(&row[1], "<th scope=\"row\">", "</th>")[0]);
        let cells = inside.captures_iter(&row[1]).map(|inside| cell(&inside[1])).collect();
        found.insert(head, cells);
    }
    found
}

/// The numbers of the charts, from the rows that `export` gives.
fn compare_charts(page: &str, arguments: &[&str]) {
    let messages = exported("messages", arguments);
    let mut games: BTreeMap<String, [u64; 4]> = BTreeMap::new();
    for row in &messages {
        let game = games.entry(text_of(&row["game"])).or_default();
        game[0] += 1;
        game[1] += row["length_bytes"].as_u64().unwrap();
    }
    for (table, at) in [("flows", 2), ("servers", 3)] {
        for row in exported(table, arguments) {
            if let Some(game) = games.get_mut(row["game"].as_str().unwrap()) {
                game[at] += 1;
            }
        }
    }
    let mut shares = BTreeMap::new();
    for row in between(page, "<tr data-game=\"", "</tr>") {
        let game = row.split('"').next().unwrap().to_owned();
        let numbers = between(row, "<data value=\"", "\"").into_iter().map(|n| n.parse().unwrap());
        shares.insert(game, <[u64; 4]>::try_from(numbers.collect::<Vec<_>>()).unwrap());
    }
    assert_eq!(shares, games, "{arguments:?}");
    for (game, cells) in rows_behind(page, "id=\"over-time\"") {
        assert_eq!(cells.last().unwrap(), &games[&game][0].to_string(), "{arguments:?}");
    }

    let sessions = exported("sessions", arguments);
    let latencies = |kind: Option<&str>| {
        let of_kind = sessions.iter().filter(|row| kind.is_none_or(|kind| row["kind"] == kind));
        let mut all: Vec<_> = of_kind.filter_map(|row| row["latency_ms"].as_f64()).collect();
        all.sort_by(f64::total_cmp);
        all
    };
    let kinds = rows_behind(page, "<table class=\"latencies\">");
    for (kind, cells) in &kinds {
        let name = Some(kind.as_str()).filter(|kind| *kind != "all");
        let all = latencies(name);
        assert_eq!(cells[0], all.len().to_string(), "{kind} of {arguments:?}");
        let due = sessions.iter().filter(|row| name.is_none_or(|kind| row["kind"] == kind));
        let due = due.filter(|row| row["state"] != "one-way" && row["state"] != "unsolicited");
        assert_eq!(cells[1], due.count().to_string(), "{kind} of {arguments:?}");
        for (percent, cell) in [50, 90, 99, 100].into_iter().zip(&cells[2..]) {
            let rank = (all.len() * percent).div_ceil(100).max(1);
            let Some(exact) = all.get(rank - 1) else { continue };
            let (found, exact) = (cell.parse::<f64>().unwrap(), exact.max(0.0) * 1e6);
            assert!(found <= exact + 1.0 && exact - found <= exact / 100.0 + 1.0, "{kind}: {cell}");
        }
    }
    let histogram = rows_behind(page, "<table class=\"histogram\">");
    let sum: u64 =
        histogram.values().map(|cells| cells.last().unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(sum, latencies(None).len() as u64, "{arguments:?}");

    let mut lists: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for row in &sessions {
        let Some(servers) = row["servers_listed"].as_u64() else { continue };
        let master = match (row["destination_role"].as_str(), row["source_role"].as_str()) {
            (Some("master"), _) => endpoint(row, "destination", "destination_port"),
            (_, Some("master")) => endpoint(row, "source", "source_port"),
            _ => continue,
        };
        lists.entry(master.to_string()).or_default().push(servers);
    }
    let drawn = rows_behind(page, "id=\"list-sizes\"");
    assert_eq!(drawn.len(), lists.len(), "{arguments:?}");
    for (master, cells) in drawn {
        let sizes = &lists[&master];
        let numbers =
            [sizes.len() as u64, *sizes.iter().min().unwrap(), *sizes.iter().max().unwrap()];
        let found = [&cells[2], &cells[3], &cells[5]].map(|cell| cell.parse::<u64>().unwrap());
        assert_eq!(found, numbers, "{master} of {arguments:?}");
    }
    for (server, cells) in rows_behind(page, "id=\"heartbeats\"") {
        let rows = exported("registrations", arguments);
        let of = rows.iter().find(|row| {
            endpoint(row, "server", "server_port").to_string() == server
                && endpoint(row, "master", "master_port").to_string() == cells[0]
        });
        let of = of.unwrap_or_else(|| panic!("{server}, {}", cells[0]));
        let names = [
            "heartbeats",
            "heartbeat_interval_ns",
            "heartbeat_interval_max_ns",
            "heartbeat_documented_ns",
        ];
        assert_eq!(cells[3..7], names.map(|name| text_of(&of[name])), "{server} of {arguments:?}");
    }
    // The head, and the lines of the messages.
    let facts = Regex::new(r#"<th scope="row">(\w+)</th><td>(\d+)"#).unwrap();
    let facts: BTreeMap<_, _> =
        facts.captures_iter(page).map(|of| (of[1].to_owned(), of[2].to_owned())).collect();
    assert_eq!(facts["messages"], messages.len().to_string());
    assert_eq!(facts["exchanges"], sessions.len().to_string());
    let numbers = between(page, "<span class=\"number\">", "<");
    let exported: Vec<_> = messages.iter().map(|row| text_of(&row["number"])).collect();
    assert_eq!(numbers, exported, "{arguments:?}");
}

#[test]
fn every_number_is_that_of_export() {
    let mut cells = 0;
    for name in CAPTURES {
        let file = capture(name);
        let arguments = [file.as_str()];
        let page = printed(&["report", &file]);
        cells += compare_tables(&page, &arguments);
        compare_charts(&page, &arguments);
        // The same input gives the same bytes.
        assert!(page == printed(&["report", &file]), "{name}");
    }
    assert!(cells > 1_000, "{cells}");
}

#[test]
fn selected_and_redacted_numbers_are_those_of_export_too() {
    let tour = capture("tour.pcapng");
    let two = capture("cases/two-masters.pcapng");
    for arguments in [
        &[tour.as_str(), "-Y", "server == 192.0.2.10"][..],
        &[&tour, "-Y", "exchange.state == unanswered"],
        &[&tour, "--redact", "--redact-key", "spring"],
        &[&two, &tour, "--redact", "--redact-key", "spring", "-Y", "quake3.heartbeat"],
        &[&tour, "-c", "9"],
    ] {
        let page = printed(&[&["report"][..], arguments].concat());
        compare_tables(&page, arguments);
        compare_charts(&page, arguments);
    }
    let filter = ["-Y", "server == 192.0.2.10 or field.hostname contains \"Longest\""];
    let redacted = ["report", &tour, "--redact", "--redact-key", "spring"];
    let page = printed(&[&redacted[..], &filter].concat());
    assert!(page.contains("quake3"));
    for text in ["192.0.2.10", "Longest", "tour.pcapng", "Sarge"] {
        assert!(!page.contains(text), "{text}");
    }
    assert!(page.contains("<title>Report of a capture</title>"));
}

#[test]
fn names_stand_without_their_colour_codes() {
    let page = printed(&["report", &capture("tour.pcapng")]);
    assert!(
        page.contains("The Longest Yard <small title=\"as it was sent\">^3The ^1Longest ^3Yard")
    );
    assert!(page.contains("<span class=\"what\"><b>infoResponse</b> The Longest Yard, q3dm17"));
}

#[test]
fn a_capture_without_messages_gives_a_page_that_says_so() {
    let page = printed(&["report", &capture("noise.pcapng")]);
    assert!(page.contains("No message was recognised in this capture."));
    assert!(!page.contains("<h2 id=\"messages\">") && page.ends_with("</html>"));
    let page = printed(&["report", &capture("tour.pcapng"), "-Y", "quake2"]);
    assert!(page.contains("No message matches the display filter."));
}

#[test]
fn a_pipe_is_read_as_often_as_a_file() {
    let file = fs::File::open(capture("tour.pcapng")).unwrap();
    let mut command = Command::new("cat");
    let mut cat = command.stdin(file).stdout(Stdio::piped()).spawn().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    let command = command.args(["report", "-", "--title", "x"]);
    let output = command.stdin(cat.stdout.take().unwrap()).output().unwrap();
    assert!(cat.wait().unwrap().success());
    let page = String::from_utf8(output.stdout).unwrap();
    let of_file = printed(&["report", &capture("tour.pcapng"), "--title", "x"]);
    let ids =
        |page: &str| page_tables(page).into_iter().map(|table| table.rows).collect::<Vec<_>>();
    assert_eq!(ids(&page), ids(&of_file));
    assert!(page.contains("<h1>x</h1>"));
}

/// A capture with so many messages of several kinds, one of them at fault near the end.
fn crowd(folder: &TempDir, messages: usize) -> String {
    let end = |text: String| text.parse::<SocketAddr>().unwrap();
    let master = end("203.0.113.1:27950".to_owned());
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, 1_070_308_800);
    let list: Vec<u8> = (0..100_u8).flat_map(|n| [b'\\', 192, 0, 2, n, 0x6d, 0x38]).collect();
    let list = [b"\xff\xff\xff\xffgetserversResponse", &list[..], b"\\EOT\0\0\0"].concat();
    for n in 0..messages / 6 {
        let server = end(format!("192.0.2.{}:27960", n % 200 + 1));
        let client = end(format!("198.51.100.{}:{}", n % 250 + 1, 40_000 + n % 1_000));
        let info = format!(
            "\u{ff}\u{ff}\u{ff}\u{ff}infoResponse\n\\challenge\\c{n}\\protocol\\68\\hostname\\^1Server \
             number {n}\\mapname\\q3dm17\\clients\\{}\\sv_maxclients\\16\\gametype\\0\\pure\\1",
            n % 16
        );
        let info: Vec<u8> = info.chars().map(|c| c as u8).collect();
        let ask = [b"\xff\xff\xff\xffgetinfo c".to_vec(), n.to_string().into_bytes()].concat();
        story.after(100_000).send(server, master, b"\xff\xff\xff\xffheartbeat QuakeArena-1\n");
        story.after(20_000).send(master, server, &ask);
        story.after(20_000).send(server, master, &info);
        story.after(20_000).send(client, master, b"\xff\xff\xff\xffgetservers 68 full empty");
        story.after(20_000).send(master, client, &list);
        story.after(20_000).send(client, server, &ask);
    }
    let file = folder.path().join("crowd.pcapng");
    fs::write(&file, story.file()).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn a_page_of_5000_messages_is_below_3_mb_and_says_what_it_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = crowd(&folder, 6_000);
    let page = noted(&["report", &file]);
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    assert!(page.len() > 2_500_000, "{} bytes: there is space for more", page.len());
    let omitted = between(&page, "<h2 id=\"left-out\">", "</section>")[0];
    let shown = Regex::new(r"<li>messages: ([\d,]+) of 6,000 are shown, first").unwrap();
    assert!(omitted.contains("<li>exchanges: 500 of "), "{omitted}");
    let shown = shown.captures(omitted).map_or(0, |of| of[1].replace(',', "").parse().unwrap());
    assert!((4_500..=5_000).contains(&shown), "{omitted}");
    assert_eq!(page.matches("class=\"message\"").count(), shown, "{omitted}");
    let bytes = Regex::new(r"<li>bytes of messages: ([\d,]+) of").unwrap();
    let bytes = bytes.captures(omitted).unwrap()[1].replace(',', "").parse::<usize>().unwrap();
    assert_eq!(page.matches("<details ").count(), bytes, "{omitted}");

    // Those of findings can all be opened.
    let opens = Regex::new("<details [^>]* data-finding>").unwrap().find_iter(&page).count();
    assert_eq!((opens > 0, opens), (true, page.matches(" data-finding>").count()), "{omitted}");

    // Diagrams that are left out are those of all messages, also where the page has few of them.
    let undrawn = |page: &str| {
        let omitted = between(page, "<h2 id=\"left-out\">", "</section>")[0];
        let line = Regex::new(r"<li>diagrams of ([\d,]+) servers or masters").unwrap();
        line.captures(omitted).map_or(0, |of| of[1].replace(',', "").parse::<usize>().unwrap())
    };
    assert_eq!(page.matches("<figure class=\"diagram\">").count(), 6);
    assert!(undrawn(&page) > 100, "{omitted}");

    // Fewer messages: those of findings stay.
    let few = noted(&["report", &file, "--messages", "50"]);
    let found = noted(&["export", "--what", "findings", "--format", "ndjson", &file]);
    let found: Vec<Value> = found.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let frames = found.iter().flat_map(|row| row["frames"].as_array().unwrap());
    let frames: BTreeSet<_> = frames.filter_map(Value::as_u64).collect();
    assert!(!frames.is_empty());
    assert_eq!(few.matches("class=\"message\"").count(), 50);
    assert!(few.matches(" data-finding>").count() >= frames.len().min(50));
    let diagrams = few.matches("<figure class=\"diagram\">").count();
    assert_eq!(undrawn(&few) + diagrams, undrawn(&page) + 6);
    let none = noted(&["report", &file, "--messages", "0"]);
    assert!(!none.contains("class=\"message\"") && none.contains("<li>messages: 0 of 6,000"));
}
