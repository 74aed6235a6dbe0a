//! Display filters: which messages of the captures match, what they must not reveal, and the page
//! of their names. `UPDATE=1` writes the page again.

use std::fs;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Output};

use crate::{documents, golden, story};
use filter::{self, EvalScratch, ExchangeRef, Filter, FindingRef, Projection, Subject};
use fragshark::analysis::Pipeline;
use fragshark::capture::Input;
use fragshark::text::Secrets;
use story::{Format, Link, Story};

/// A capture, a filter, and the numbers of the matching frames.
const MATCHED: &[(&str, &str, &[u64])] = &[
    ("tour.pcapng", "quake3.getservers && udp.port == 27950", &[6]),
    ("tour.pcapng", "quake3.getservers-response", &[7, 8]),
    ("tour.pcapng", "QUAKE3.GetServers || quake3.motd", &[5, 6]),
    ("tour.pcapng", "game == \"quake3\" && message == \"getinfo\"", &[2, 9, 10, 11, 30]),
    ("tour.pcapng", "message.id in {quake3.getmotd \"quake3.motd\"}", &[4, 5]),
    ("tour.pcapng", "rtcw or tcp or validation or fault or unparsed", &[]),
    ("tour.pcapng", "protocol == \"quake3\" and frame.number < 3", &[1, 2]),
    // Fields and keys, as numbers and as texts.
    ("tour.pcapng", "field.sv_maxclients > 8", &[3, 12, 15, 31]),
    ("tour.pcapng", "FIELD.SV_MaxClients == 12.0", &[3, 12, 15, 31]),
    ("tour.pcapng", "field.sv_maxclients > 12", &[]),
    ("tour.pcapng", "field.protocol == 68", &[3, 6, 12, 15, 19, 31]),
    ("tour.pcapng", "field.protocol == \"68\"", &[3, 6, 12, 15, 19, 31]),
    ("tour.pcapng", "field.protocol in {60..70 \"x\"}", &[3, 6, 12, 15, 19, 31]),
    ("tour.pcapng", "field.protocol != 68", &[]),
    ("tour.pcapng", "field.command == \"getstatus\"", &[14]),
    ("tour.pcapng", "field.score > 10", &[15]),
    ("tour.pcapng", "field.hostname contains \"^3Yard\"", &[3, 12, 31]),
    ("tour.pcapng", "field.hostname contains \"Longest Yard\"", &[3, 12, 31]),
    ("tour.pcapng", "field.hostname contains \"longest yard\"", &[]),
    ("tour.pcapng", "field.hostname ~ \"longest yard$\"", &[3, 12, 31]),
    ("tour.pcapng", "field.name == \"Newcomer\"", &[19]),
    ("tour.pcapng", "field.\"cl_anonymous\"", &[19]),
    ("tour.pcapng", "field.\"no such key\"", &[]),
    ("tour.pcapng", "field.servers == 192.0.2.11:27960", &[7]),
    ("tour.pcapng", "field.servers in {192.0.2.12/31}", &[7, 8]),
    ("tour.pcapng", "field.address == 192.0.2.13", &[8]),
    ("tour.pcapng", "field.port == 23644", &[7]),
    // Endpoints, addresses and ports.
    ("tour.pcapng", "server == 192.0.2.10 && master", &[1, 2, 3, 20, 21, 29, 30, 31, 33, 34]),
    ("tour.pcapng", "server == 192.0.2.10:27960 and message == \"getinfo\"", &[2, 9, 30]),
    ("tour.pcapng", "client == 198.51.100.0/24 and to == master", &[4, 6, 16]),
    ("tour.pcapng", "destination == 203.0.113.1:27952", &[16, 20]),
    ("tour.pcapng", "direction == \"master-to-server\"", &[2, 21, 30]),
    ("tour.pcapng", "ip.src in {203.0.113.1 192.0.2.12}", &[2, 5, 7, 8, 21, 30]),
    ("tour.pcapng", "ip.addr == 192.0.2.11 or ip.dst == 192.0.2.12", &[10, 11]),
    ("tour.pcapng", "ip.addr != 192.0.2.10 and ip.addr != 203.0.113.1", &[10, 11]),
    ("tour.pcapng", "udp.port in {27951..27952}", &[4, 5, 16, 20, 21]),
    ("tour.pcapng", "udp.srcport == 0x6d30", &[21]),
    ("tour.pcapng", "udp.port != 27960", &[]),
    ("tour.pcapng", "not (udp.port == 27950 or server == 192.0.2.10)", &[4, 5, 10, 11, 16]),
    // Numbers, times, relations between messages.
    ("tour.pcapng", "frame.number in {1..3, 33}", &[1, 2, 3, 33]),
    ("tour.pcapng", "frame.number not in {1..32}", &[33, 34]),
    ("tour.pcapng", "frame.time < 1s", &[1, 2, 3]),
    ("tour.pcapng", "frame.time in {16.7s..16.755s}", &[6, 7, 8, 9]),
    ("tour.pcapng", "frame.time == 2003-12-01T20:04", &[29, 30, 31]),
    ("tour.pcapng", "frame.time == \"2003-12-01 20:04:23\"", &[29, 30, 31]),
    ("tour.pcapng", "frame.time > 2003-12-01T20:05:58.8388Z", &[33, 34]),
    ("tour.pcapng", "frame.time >= 2003-12-01T22:05:00+02:00", &[32, 33, 34]),
    ("tour.pcapng", "frame.time > 2003-12-01 or frame.time < 2003-12-01", &[]),
    ("tour.pcapng", "answers == 6", &[7, 8]),
    ("tour.pcapng", "answers and part == 2", &[8]),
    ("tour.pcapng", "flow == 3", &[6, 7, 8]),
    ("tour.pcapng", "length == 155", &[3]),
    ("tour.pcapng", "note contains \"end mark\"", &[7]),
    ("tour.pcapng", "certainty < certain or certainty == set", &[]),
    // A secret counts as present.
    ("tour.pcapng", "field.cl_guid", &[19]),
    ("tour.pcapng", "field.key", &[16]),
    // Bytes, any field, and Wireshark's names.
    ("tour.pcapng", "payload contains \"getinfo\"", &[2, 9, 10, 11, 30]),
    ("tour.pcapng", "payload contains 5c:c0:00", &[7, 8]),
    ("tour.pcapng", "payload matches \"getmotd|getkeyauth\"", &[4, 16]),
    ("tour.pcapng", "payload[4:4] == \"motd\"", &[5]),
    ("tour.pcapng", "payload[0-3] == \"\\xff\\xff\\xff\\xff\" and udp.payload[4] == 6d", &[5]),
    ("tour.pcapng", "frame[4000] == 00 or payload[0:2] == 01:02", &[]),
    ("tour.pcapng", "any contains \"Yard\"", &[3, 12, 15, 31]),
    ("tour.pcapng", "any == 23644", &[7]),
    ("tour.pcapng", "_ws.col.info contains \"Yard\"", &[3, 12, 15, 31]),
    ("tour.pcapng", "frame.time_relative < 1 and udp.payload", &[1, 2, 3]),
    // Features of other captures.
    ("quake3/fragments.pcapng", "fragments == 4", &[5]),
    ("quake3/fragments.pcapng", "not fragments", &[1]),
    ("darkplaces/getservers-ext.pcapng", "ip.addr == 2001:db8::/32", &[1, 2]),
    ("darkplaces/getservers-ext.pcapng", "field.servers == 2001:db8::/32", &[2]),
    ("rtcw/documented.pcap", "rtcw and quake3.heartbeat", &[1, 2, 10, 11]),
    ("unreal-tournament/documented.pcapng", "tcp.dstport == 80", &[14, 23, 32, 41]),
    ("unreal-tournament/documented.pcapng", "tcp and message ~ \"secure|validate\"", &[50, 57]),
    ("unreal-tournament/documented.pcapng", "tcp.port and not http", &[50, 57, 61, 71]),
    ("gamespy/documented.pcapng", "field.numplayers in {10..20}", &[15, 17]),
    ("gamespy/documented.pcapng", "field.player_0", &[15, 16]),
    ("gamespy/documented.pcapng", "field.\"player_*\" ~ \"a\"", &[15, 16]),
    ("doom3/documented.pcapng", "game == doom3 and field.si_map", &[6, 7]),
    ("quakeworld/documented.pcap", "field.\"*version\"", &[2, 3]),
    ("quakeworld/documented.pcap", "message in {\"k\" \"l\"}", &[8, 9]),
    ("heretic2/documented.pcap", "game == \"heretic2\" && protocol != \"quake2\"", &[2]),
    ("hexenworld/session.pcap", "hexenworld and from == master", &[3, 7]),
    ("noise.pcapng", "not quake3", &[]),
    ("source/steam-master.pcapng", "source", &[]),
    ("a2s/goldsrc.pcap", "source and game == xash3d", &[19, 20]),
    ("a2s/goldsrc.pcap", "source == 192.0.2.65", &[16, 18]),
    ("source/steam-master.pcapng", "field.gametype contains \"alltalk\"", &[5, 9]),
];

/// The numbers of the frames that match a filter.
fn matched(path: &Path, text: &str, secrets: Secrets) -> Vec<u64> {
    let filter = Filter::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    // The printed filter matches the same.
    let again = Filter::parse(&filter.to_string()).unwrap();
    let mut room = EvalScratch::new(secrets);
    let mut first = None;
    let mut found = Vec::new();
    let mut pipeline = Pipeline::open(vec![Input::File(path.to_owned())], Vec::new()).unwrap();
    let done = pipeline.messages(|message| {
        let first = *first.get_or_insert(message.header.time);
        let subject = Subject::new(message, first);
        let is_match = filter.matches(&subject, &mut room);
        assert_eq!(again.matches(&subject, &mut room), is_match, "{text}");
        if !filter.needs_payload() {
            let blind = Subject { payload: &[], ..subject };
            assert_eq!(filter.matches(&blind, &mut room), is_match, "{text} reads the payload");
        }
        if is_match {
            found.push(message.header.number);
        }
        ControlFlow::<()>::Continue(())
    });
    assert!(done.unwrap().is_none());
    found
}

#[test]
fn filters_mean_the_messages_that_they_say() {
    let captures = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures");
    for (capture, text, numbers) in MATCHED {
        assert_eq!(&matched(&captures.join(capture), text, Secrets::Masked), numbers, "{text}");
    }
}

#[test]
fn a_secret_is_there_and_nothing_tells_what_it_is() {
    const SECRET: &str = "Hunter2Hunter2";
    let [server, client] = ["192.0.2.1:27960", "198.51.100.1:40000"].map(|e| e.parse().unwrap());
    let mut story = Story::new(Link::Ethernet, Format::Pcap, 1_070_308_800);
    let oob = |text: String| [b"\xff\xff\xff\xff", text.as_bytes()].concat();
    story
        .send(server, client, &oob(format!("infoResponse\n\\a\\b\\g_password\\{SECRET}")))
        // Damaged, so that no key announces the secret.
        .send(server, client, &oob(format!("infoResponse\n\\a\\b\n\\g_password\\{SECRET}")))
        .send(server, client, &oob(format!("infoResponse\n\\\"\\g_password\\{SECRET}")))
        .send(client, server, &oob(format!("getKeyAuthorize 0 {SECRET}")));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("secrets.pcap");
    fs::write(&file, story.file()).unwrap();
    let texts = [
        "field.g_password == \"Hunter2Hunter2\"",
        "field.g_password != \"Hunter3\"",
        "field.g_password not in {\"Hunter3\"}",
        "field.g_password ~ \"^hunter\"",
        "field.g_password contains \"2\"",
        "field.key contains \"Hunter\" or field.key ~ \".\" or field.key > 0",
        "field.key != \"x\"",
        "field.\"Hunter2Hunter2\"",
        "field.\"\\\"\" contains \"H\"",
        "payload contains \"Hunter\" or payload ~ \"hunter\" or payload contains 48:75:6e",
        "any contains \"Hunter\" or any ~ \"hunter\" or summary contains \"Hunter\"",
        "field.info ~ \"Hunter\" or unparsed ~ \"Hunter\" or unparsed != \"x\"",
    ];
    let texts = texts
        .map(|text| text.replace("field.g_", "field.\"g_").replace("g_password", "g_password\""));
    for text in &texts {
        let never = matched(&file, text, Secrets::Masked);
        assert_eq!(never, [0; 0], "{text}");
    }
    let shown: Vec<_> =
        texts.iter().filter(|text| !matched(&file, text, Secrets::Shown).is_empty()).collect();
    assert!(shown.len() >= 8, "{shown:?} are all that find a secret that is shown");
    assert_eq!(matched(&file, "field.\"g_password\" or field.key", Secrets::Masked), [1, 4]);
}

/// A column of a field shows at most eight values of a message, and at most 1 KB of each.
#[test]
fn a_column_of_a_field_is_bounded() {
    let [server, client] = ["192.0.2.1:27960", "198.51.100.1:40000"].map(|e| e.parse().unwrap());
    let mut story = Story::new(Link::Ethernet, Format::Pcap, 1_070_308_800);
    let players = |count: usize, name: &str| {
        let mut reply = b"\xff\xff\xff\xffstatusResponse\n\\a\\b\n".to_vec();
        (0..count).for_each(|score| writeln!(reply, "{score} 50 \"{name}\"").unwrap());
        reply
    };
    let long = "é".repeat(700);
    for reply in [players(8, "A"), players(9, "A"), players(1, &long)] {
        story.send(server, client, &reply);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("columns.pcap");
    fs::write(&file, story.file()).unwrap();
    let mut shown = Vec::new();
    let mut pipeline = Pipeline::open(vec![Input::File(file)], Vec::new()).unwrap();
    let done = pipeline.messages(|message| {
        let subject = Subject::new(message, 0);
        let cells = ["field.score", "field.name"].map(|name| {
            let mut cell = String::new();
            let column = Projection::parse(name).unwrap();
            column.write(&subject, &mut EvalScratch::new(Secrets::Masked), &mut cell);
            cell
        });
        shown.push(cells);
        ControlFlow::<()>::Continue(())
    });
    assert!(done.unwrap().is_none());
    let all = "0, 1, 2, 3, 4, 5, 6, 7";
    assert_eq!(shown[0], [all, "A, A, A, A, A, A, A, A"]);
    assert_eq!(shown[1], [format!("{all}, …"), "A, A, A, A, A, A, A, A, …".to_owned()]);
    assert_eq!(shown[2][0], "0");
    assert!(shown[2][1].ends_with('…'), "{}", shown[2][1]);
    assert!((1_000..=1_024 + '…'.len_utf8()).contains(&shown[2][1].len()));
}

#[test]
fn exchanges_and_findings_are_asked_for_by_name() {
    let tour = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures/tour.pcapng");
    let mut room = EvalScratch::new(Secrets::Masked);
    let exchange =
        ExchangeRef { kind: "list", state: "unanswered", latency: Some(250_000_000), retries: 2 };
    let findings = [
        FindingRef { id: "no-reply", severity: "error" },
        FindingRef { id: "late-heartbeat", severity: "warning" },
    ];
    let mut pipeline = Pipeline::open(vec![Input::File(tour)], Vec::new()).unwrap();
    pipeline
        .messages(|message| {
            let alone = Subject::new(message, 0);
            let known =
                Subject { exchange: Some(exchange), findings: findings.to_vec(), ..alone.clone() };
            for (text, means) in [
                ("exchange", true),
                ("exchange.state == \"unanswered\"", true),
                ("exchange.kind in {\"query\" \"list\"}", true),
                ("exchange.latency > 0.2s and exchange.latency <= 250ms", true),
                ("exchange.latency > 250ms", false),
                ("exchange.retries >= 3", false),
                ("finding and finding.id ~ \"^late\"", true),
                ("finding.severity == \"error\"", true),
                ("finding.severity != \"error\"", false),
            ] {
                let filter = Filter::parse(text).unwrap();
                assert_eq!(filter.matches(&known, &mut room), means, "{text}");
                assert!(!filter.matches(&alone, &mut room), "{text}");
            }
            ControlFlow::Break(())
        })
        .unwrap()
        .expect("the tour has a message");
}

fn fragshark(arguments: &[&str]) -> Output {
    let mut run = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    run.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap()
}

#[test]
fn every_command_and_form_takes_a_filter() {
    let run = |arguments: &[&str]| {
        let Output { status, stdout, stderr } = fragshark(arguments);
        assert!(status.success() && stderr.is_empty(), "{}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).unwrap()
    };
    let (tour, list) = ("captures/tour.pcapng", "quake3.getservers-response");
    assert_eq!(run(&["decode", "-Y", list, tour]).lines().count(), 2);
    assert_eq!(run(&["decode", "--filter", list, "--format", "ndjson", tour]).lines().count(), 2);
    let dump = run(&["decode", "-v", "-Y", list, tour]);
    assert_eq!(dump.lines().filter(|line| line.starts_with('#')).count(), 2);
    let export = ["export", "--what", "messages", "--format", "csv", "-Y", list, tour];
    assert_eq!(run(&export).lines().count(), 3);
    let counts = run(&["decode", "--count", "--format", "json", "-Y", list, tour]);
    let counts: serde_json::Value = serde_json::from_str(&counts).unwrap();
    assert_eq!(counts["packets"], 35);
    assert_eq!(counts["messages"], serde_json::json!({"quake3": {"getserversResponse": 2}}));
    assert_eq!(counts["in_game"], serde_json::json!({}));
}

#[test]
fn what_is_no_filter_is_refused_with_its_column() {
    let tour = "captures/tour.pcapng";
    for arguments in [
        &["decode", "-Y", "gmae == 1", tour][..],
        &["export", "--what", "messages", "-Y", "gmae == 1", tour],
    ] {
        let Output { status, stdout, stderr } = fragshark(arguments);
        assert_eq!((status.code(), stdout.len()), (Some(2), 0));
        let complaint = "fragshark: filter: column 1: no name is gmae; did you mean game?\n  \
                    gmae == 1\n  ^^^^\n";
        assert_eq!(String::from_utf8(stderr).unwrap(), complaint);
    }
    // A pipe is read once; a file as standard input can be read again.
    let mut run = assert_cmd::Command::cargo_bin("fragshark").unwrap();
    let capture = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(tour)).unwrap();
    let refused = run.args(["decode", "-Y", "quake3 and finding", "-"]).write_stdin(capture);
    let refused = refused.output().unwrap();
    let complaint = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("column 12: finding needs what comes later"), "{complaint}");
}

#[test]
fn the_page_of_names_is_what_the_code_says() {
    documents::check_reference("filter-names.md", &filter::page());
}

#[test]
fn the_example_of_the_page_prints_what_it_shows() {
    let page = fs::read_to_string(golden::path("docs/filters.md")).unwrap();
    let (_, example) = page.split_once("```console\n$ fragshark ").unwrap();
    let (command, printed) = example.split_once('\n').unwrap();
    let [arguments, filter, file] = command.split('\'').collect::<Vec<_>>()[..] else {
        panic!("{command}")
    };
    let arguments = arguments.split_whitespace().chain([filter, file.trim()]);
    let output = fragshark(&arguments.collect::<Vec<_>>());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), printed.split("```").next().unwrap());
}
