//! What users get wrong: each mistake gets one line that says what is wrong, and status 2.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

/// Arguments, and the line that they give without its beginning; a `…` stands for any text.
const MISTAKES: &[(&str, &str)] = &[
    // Files.
    ("decode", "the following required arguments were not provided: <FILE>..."),
    ("decode no/such.pcap", "cannot open no/such.pcap: No such file or directory"),
    ("decode folder", "cannot read folder: Is a directory"),
    ("decode empty.pcap", "empty.pcap is empty"),
    (
        "decode text.txt",
        "text.txt is no capture: it is text, and has no packets in a form that is read; it begins with \
         \"hello\\n\", not with a pcap or pcapng header",
    ),
    ("report no/such.pcap", "cannot open no/such.pcap: No such file or directory"),
    ("report tour.pcapng -o tour.pcapng", "tour.pcapng is an input, and is not overwritten"),
    (
        "report tour.pcapng -o no/such/report.html",
        "cannot write no/such/report.html: No such file or directory (os error 2)",
    ),
    (
        "report tour.pcapng --messages many",
        "invalid value 'many' for '--messages <N>': invalid digit found in string",
    ),
    (
        "report tour.pcapng --redact-key x",
        "the following required arguments were not provided: --redact",
    ),
    ("report -Y gmae==rtcw tour.pcapng", "filter: column 1: no name is gmae; did you mean game?"),
    ("wireshark extcap", "ask with --extcap-interfaces; the answer names the interfaces"),
    (
        "wireshark extcap --extcap-dlts --extcap-interface eth0",
        "no interface is named eth0; --extcap-interfaces lists them",
    ),
    ("check no/such.pcap", "cannot open no/such.pcap: No such file or directory"),
    ("decode tour.pcapng -o tour.pcapng", "tour.pcapng is an input, and is not overwritten"),
    (
        "export tour.pcapng --what messages -o no/such/rows.csv",
        "cannot write no/such/rows.csv: No such file or directory (os error 2)",
    ),
    (
        "export tour.pcapng --what messages -o there.csv",
        "…there.csv is not empty and has other contents; --force replaces it",
    ),
    (
        "export tour.pcapng --what messages -o folder",
        "cannot write folder: Is a directory (os error 21)",
    ),
    (
        "decode --files-from no/such",
        "invalid value 'no/such' for '--files-from <LIST>': cannot read it: No such file or directory (os error 2)",
    ),
    (
        "decode --files-from empty.pcap",
        "invalid value 'empty.pcap' for '--files-from <LIST>': it names no captures",
    ),
    (
        "decode tour.pcapng --known no/such",
        "--known no/such: cannot open it: No such file or directory (os error 2)",
    ),
    ("config --config no/such", "cannot read no/such: No such file or directory (os error 2)"),
    // Endings of names, which tell the format.
    (
        "export tour.pcapng -o x.foo",
        "x.foo: no output format has the ending .foo; use .csv, .ndjson, .parquet, .arrows, .pcapng, or say the format with --format",
    ),
    ("export tour.pcapng -o X.PDF", "X.PDF: no output format has the ending .pdf; use .csv, …"),
    ("export tour.pcapng -o x.svg", "x.svg: no output format has the ending .svg; use .csv, …"),
    (
        "export tour.pcapng -o rows.csv.gz",
        "rows.csv.gz would not be compressed; name it without .gz, or pipe standard output",
    ),
    ("report tour.pcapng -o x.pdf", "x.pdf: no output format has the ending .pdf; use .html, .htm"),
    (
        "decode tour.pcapng -o x.svg",
        "x.svg: no output format has the ending .svg; use .txt, .ndjson, .json, or say the format with --format",
    ),
    (
        "decode tour.pcapng --sequence -o x.png",
        "x.png: no output format has the ending .png; use .txt, .svg, .mmd, or say the format with --sequence=FORM",
    ),
    ("decode tour.pcapng -v -o x.ndjson", "--verbose prints text, not ndjson"),
    ("decode text.txt --as quake3.getinfo -o x.json", "--as prints text"),
    (
        "check tour.pcapng -o x.csv",
        "x.csv: no output format has the ending .csv; use .txt, .json, .ndjson, .xml, or say the format with --format",
    ),
    (
        "explain --server 203 tour.pcapng -o x.yaml",
        "x.yaml: no output format has the ending .yaml; use .txt, .json, or say the format with --format",
    ),
    (
        "catalogue -o x.html",
        "x.html: no output format has the ending .html; use .txt, .json, .md, or say the format with --format",
    ),
    (
        "interfaces -o x.csv",
        "x.csv: no output format has the ending .csv; use .txt, .json, or say the format with --format",
    ),
    (
        "conform -o x.pdf",
        "x.pdf: no output format has the ending .pdf; use .txt, .json, .ndjson, .xml, .tap, .html, or say the format with --format",
    ),
    ("conform --list -o cases.json", "--list prints text"),
    (
        "conform diff a.json b.json -o x.html",
        "x.html: no output format has the ending .html; use .txt, .json, or say the format with --format",
    ),
    (
        "fingerprint -o x.csv",
        "x.csv: no output format has the ending .csv; use .txt, .json, .ndjson, or say the format with --format",
    ),
    (
        "replay tour.pcapng -o x.html",
        "x.html: no output format has the ending .html; use .txt, .json, .ndjson, .xml, or say the format with --format",
    ),
    #[cfg(feature = "watch")]
    (
        "watch --target 127.0.0.1:27950 -o x.csv",
        "x.csv: no output format has the ending .csv; use .txt, .json, .ndjson, or say the format with --format",
    ),
    ("wireshark lua -o x.py", "x.py: no output format has the ending .py; use .lua"),
    ("capture -i lo -w x.csv", "x.csv: no output format has the ending .csv; use .pcapng"),
    (
        "capture -i lo -w x.pcapng.gz",
        "x.pcapng.gz would not be compressed; name it without .gz, or pipe standard output",
    ),
    ("-i lo -w x.txt", "x.txt: no output format has the ending .txt; use .pcapng"),
    ("master --record x.csv", "x.csv: no output format has the ending .csv; use .pcapng"),
    ("conform --record x.csv", "x.csv: no output format has the ending .csv; use .pcapng"),
    (
        "replay tour.pcapng --record x.csv",
        "x.csv: no output format has the ending .csv; use .pcapng",
    ),
    // Commands and options.
    ("decod tour.pcapng", "no command and no file is named decod; did you mean decode?"),
    ("help decod", "unrecognized subcommand 'decod'; did you mean decode?"),
    ("help xyzzy", "unrecognized subcommand 'xyzzy'"),
    (
        "-r tour.pcapng -w other.pcapng",
        "-w writes what is captured from a device (-i); `fragshark export --format pcapng -o FILE` \
         writes packets of a capture",
    ),
    ("man decod", "no command is named decod; did you mean decode?"),
    ("man wireshark lau", "no command of wireshark is named lau; did you mean lua?"),
    ("man decode lua", "no command of decode is named lua"),
    (
        "wireshark",
        "'fragshark wireshark' requires a subcommand but one was not provided [subcommands: lua, extcap, help]",
    ),
    (
        "stats tour.pcapng",
        "no command and no file is named stats; `fragshark decode --count FILE` and `fragshark report \
         FILE` have statistics",
    ),
    (
        "ping 192.0.2.7",
        "no command and no file is named ping; `fragshark query -c 10 HOST:PORT` asks a server ten times",
    ),
    (
        "decode --json tour.pcapng",
        "unexpected argument '--json' found; `fragshark decode --format ndjson FILE` prints messages as \
         JSON, `fragshark export --format ndjson FILE` tables, `fragshark check --format json FILE` \
         findings, `fragshark query --format json HOST` an answer",
    ),
    (
        "json tour.pcapng",
        "no command and no file is named json; `fragshark decode --format ndjson FILE` prints the \
         messages of a capture as JSON",
    ),
    (
        "servers tour.pcapng",
        "no command and no file is named servers; `fragshark export --what servers FILE` writes the \
         servers of a capture, `fragshark query --each HOST:PORT` asks those on the list of a master",
    ),
    (
        "list 192.0.2.7",
        "no command and no file is named list; `fragshark query --list HOST:PORT` gets the list of a \
         master, `fragshark decode FILE` prints the messages of a capture",
    ),
    (
        "query ping 192.0.2.7",
        "ping stands in place of the target; `fragshark query -c 10 HOST:PORT` asks a server ten times",
    ),
    (
        "query -json 192.0.2.7",
        "unexpected argument '-j' found; `fragshark query --format json HOST` prints an answer as JSON",
    ),
    (
        "query -R -P 192.0.2.7",
        "unexpected argument '-R' found; `fragshark query -r HOST` shows settings",
    ),
    (
        "query 127.0.0.1:0",
        "127.0.0.1:0: not a target; HOST, HOST:PORT, ADDRESS:PORT or [ADDRESS]:PORT is one",
    ),
    ("query 224.0.0.1:27960", "224.0.0.1 is not the address of one machine"),
    ("query quakee3://127.0.0.1", "quakee3: no such game; did you mean quake3?"),
    ("query 127.0.0.1:27960 getinfoo", "getinfoo: unknown message; did you mean…"),
    (
        "query 127.0.0.1:27960 getinfo chalenge=x",
        "chalenge is no field of quake3.getinfo; did you mean challenge?",
    ),
    ("no/such.pcap", "no command and no file is named no/such.pcap"),
    (
        "-i lo -c 2 -w -",
        "the interface needs a terminal; `fragshark capture -i lo` captures without one",
    ),
    ("decode - -", "standard input (-) is given twice, and can be read once"),
    ("open - -r -", "standard input (-) is given twice, and can be read once"),
    (
        "decode --fliter x tour.pcapng",
        "unexpected argument '--fliter' found; a similar argument exists: '--filter'",
    ),
    ("decode -y x tour.pcapng", "unexpected argument '-y' found"),
    ("capture --count 5", "unexpected argument '--count' found"),
    ("--show-secrets decode tour.pcapng", "arguments must follow the command"),
    (
        "completions bas",
        "invalid value 'bas' for '<SHELL>' [possible values: bash, elvish, fish, powershell, zsh]; a similar value exists: 'bash'",
    ),
    // A recorded master.
    ("master --from no/such.pcap", "cannot open no/such.pcap: No such file or directory"),
    (
        "master --from text.txt",
        "text.txt is no capture: it is text, and has no packets in a form that is read; it begins with \
         \"hello\\n\", not with a pcap or pcapng header",
    ),
    (
        "master --from tour.pcapng --master 192.0.2.1",
        "no master at 192.0.2.1 answers a request in the capture; those that do: 203.0.113.1:27950, 203.0.113.1:27951, 203.0.113.1:27952",
    ),
    (
        "master --from tour.pcapng --master here",
        "invalid value 'here' for '--master <ADDRESS[:PORT]>': expected ADDRESS or ADDRESS:PORT",
    ),
    (
        "master --from tour.pcapng --map 192.0.2.1",
        "invalid value '192.0.2.1' for '--map <OLD=NEW>': expected OLD=NEW, two addresses",
    ),
    (
        "master --from tour.pcapng --map-others 127.0.0.0/33",
        "invalid value '127.0.0.0/33' for '--map-others <ADDR[/BITS]>': expected at most 32 bits behind the address",
    ),
    (
        "master --from tour.pcapng --map-others ::1 --map-others ::2",
        "--map-others takes one address of each family, IPv4 and IPv6",
    ),
    (
        "master --from tour.pcapng --port quake3=1",
        "--port quake3=1: with --from it takes RECORDED-PORT=PORT",
    ),
    (
        "master --from tour.pcapng --port 1=1",
        "--port 1: no recorded master has this port; those that are there: 27950, 27951, 27952",
    ),
    (
        "master --from tour.pcapng --set server-timeout=5s",
        "--set server-timeout has no effect with --from; these settings have one: flood, …",
    ),
    (
        "master --from tour.pcapng --set flood=0,motd=x",
        "--set motd has no effect with --from; these settings have one: flood, …",
    ),
    (
        "master --from tour.pcapng --defect lists-nobody",
        "the argument '--from <CAPTURE>' cannot be used with '--defect <NAME>'",
    ),
    (
        "master --from tour.pcapng --listen 192.0.2.1",
        "cannot listen on 192.0.2.1:27950 for …; --listen takes an address of this machine",
    ),
    (
        "master --only quake3 --listen 192.0.2.1",
        "cannot listen on 192.0.2.1:27950 for quake3: …; --listen takes an address of this machine",
    ),
    (
        "capture -i lo -w x.pcapng --keep 1m --on any --annotate",
        "the argument '--on <RULE>' cannot be used with '--annotate'",
    ),
    ("master --port 27950=1", "--port 27950=1: without --from it takes SERVICE=PORT"),
    (
        "master --from tour.pcapng --only quake3",
        "the argument '--from <CAPTURE>' cannot be used with '--only <SERVICE>'",
    ),
    (
        "master --map 192.0.2.1=192.0.2.2",
        "the following required arguments were not provided: --from <CAPTURE>",
    ),
    (
        "master --from tour.pcapng --max-gap 1s",
        "the following required arguments were not provided: --speed <FACTOR>",
    ),
    (
        "master --from tour.pcapng --record tour.pcapng",
        "tour.pcapng is an input file; choose another name",
    ),
    ("master --from tour.pcapng -Y game==doom3", "no master in the capture answers a request"),
    // Filters.
    ("decode -Y gmae==rtcw tour.pcapng", "filter: column 1: no name is gmae; did you mean game?"),
    (
        "decode -Y game== tour.pcapng",
        "filter: column 7: a value is wanted here: a number, an address, a time, or a text in quotes",
    ),
    ("decode -Y game==pong tour.pcapng", "filter: column 7: no game is \"pong\""),
    ("decode -Y game==quake3) tour.pcapng", "filter: column …"),
    (
        "decode -Y udp.port==99999 tour.pcapng",
        "filter: column 11: a port is wanted here, from 0 to 65535",
    ),
    (
        "capture --filter x",
        "--filter is for display filters, which capture does not have; a capture filter is given with -f or --capture-filter",
    ),
    // Names of tables, games, formats.
    (
        "export tour.pcapng --what mesages",
        "invalid value 'mesages' for '--what <TABLE>' …a similar value exists: 'messages'",
    ),
    (
        "decode --decode-as 1=pong tour.pcapng",
        "invalid value '1=pong' for '--decode-as <FLOW=GAME>': unknown game pong; …",
    ),
    (
        "decode --decode-as quake3 tour.pcapng",
        "invalid value 'quake3' for '--decode-as <FLOW=GAME>': expected FLOW=GAME, such as 7=rtcw",
    ),
    (
        "decode --format xml tour.pcapng",
        "invalid value 'xml' for '--format <FORMAT>' [possible values: text, ndjson, json]",
    ),
    ("decode --format json tour.pcapng", "--format json needs --count; use ndjson for messages"),
    (
        "decode -t epoch tour.pcapng",
        "invalid value 'epoch' for '--time <FORMAT>': the formats are relative, delta, local and utc",
    ),
    (
        "decode --as quake3.getinf text.txt",
        "invalid value 'quake3.getinf' for '--as <MESSAGE>': unknown message; did you mean quake3.getinfo?; `fragshark catalogue` lists all",
    ),
    // Numbers.
    (
        "decode -c 0 tour.pcapng",
        "invalid value '0' for '--limit <PACKETS>': number would be zero for non-zero type",
    ),
    (
        "decode -c many tour.pcapng",
        "invalid value 'many' for '--limit <PACKETS>': invalid digit found in string",
    ),
    (
        "decode --threads 0 tour.pcapng",
        "invalid value '0' for '--threads <N>': number would be zero for non-zero type",
    ),
    (
        "replay tour.pcapng --speed 0",
        "invalid value '0' for '--speed <FACTOR>': expected a number from 0.1 to 1000",
    ),
    (
        "capture --duration soon",
        "invalid value 'soon' for '--duration <TIME>': expected a duration from 1ms to 3650d, such as 500ms, 90s or 2m30s",
    ),
    (
        "capture -i lo -w x.pcapng --keep 1m --on list.end-mising",
        "invalid value 'list.end-mising' for '--on <RULE>': no rule has this id; did you mean list.end-missing?",
    ),
    (
        "capture -i lo -w x.pcapng --keep 1m --on any --keep-size 1k",
        "invalid value '1k' for '--keep-size <SIZE>': expected at least 1M",
    ),
    (
        "decode --ports 1 text.txt",
        "invalid value '1' for '--ports <FROM,TO>': expected two ports, such as 27950,27960",
    ),
    // What is not possible.
    ("tour.pcapng", "the interface needs a terminal; `fragshark decode FILE` prints text…"),
    ("capture", "name a device with -i; `fragshark interfaces` lists them"),
    // Without libpcap it cannot be loaded.
    ("capture -i no-such-device", "…"),
    ("conform --target 192.0.2.1:27950", "…--authorized…"),
    ("replay tour.pcapng --target 192.0.2.1", "…--authorized…"),
    #[cfg(feature = "watch")]
    ("watch --target 192.0.2.1:27950", "…--authorized…"),
    #[cfg(feature = "watch")]
    (
        "watch --target 192.0.2.1:27950 --authorized --every 5s",
        "192.0.2.1:27950 is neither on this machine nor in a private network; --every is at least 10s there",
    ),
    #[cfg(feature = "watch")]
    (
        "watch --target 127.0.0.1:27950 --format json",
        "--format json needs --once; ndjson has a line for each round",
    ),
    #[cfg(feature = "watch")]
    (
        "watch --target 127.0.0.1:27950 --once --metrics 9955",
        "the argument '--once' cannot be used with '--metrics <[ADDRESS:]PORT>'",
    ),
    #[cfg(feature = "watch")]
    (
        "watch --target 127.0.0.1:27950 --once --config missing.toml",
        "cannot read missing.toml: No such file or directory (os error 2)",
    ),
    #[cfg(feature = "watch")]
    ("watch --target 127.0.0.1:27950 --server 127.0.0.1", "--server 127.0.0.1 names no port"),
    #[cfg(feature = "watch")]
    (
        "watch --target 127.0.0.1:27950 --target 127.0.0.1:27950",
        "--target 127.0.0.1:27950 is given twice",
    ),
    #[cfg(feature = "watch")]
    (
        "watch --target 127.0.0.1:28900 --profile gamespy4",
        "invalid value 'gamespy4' for '--profile <NAME>': masters of this kind cannot be watched; these can: quake3, …",
    ),
    #[cfg(feature = "watch")]
    (
        "watch --target 127.0.0.1:1 --profile gamespy --probe always",
        "no probe can register with 127.0.0.1:1: masters of gamespy have another port for servers; --heartbeat-port names it",
    ),
    #[cfg(feature = "watch")]
    (
        "watch --target 127.0.0.1 --profile qr2 --game made-up --probe always",
        "no probe can register with 127.0.0.1: the key of made-up is not published",
    ),
    #[cfg(feature = "watch")]
    (
        "watch --target 127.0.0.1:27950 --metrics here",
        "invalid value 'here' for '--metrics <[ADDRESS:]PORT>': expected PORT or ADDRESS:PORT, such as 9955 or 10.0.0.1:9955",
    ),
    #[cfg(feature = "watch")]
    (
        "watch --target 127.0.0.1:27950 --history text.txt --rounds 1",
        "text.txt: file is not a database; --history names another file",
    ),
    #[cfg(feature = "watch")]
    (
        "watch --target [::1]:27900 --once",
        "[::1]:27900 has an IPv6 address, and the lists of quake2 hold IPv4 addresses only",
    ),
    (
        "export tour.pcapng --format pcapng --what messages",
        "--what selects a table; --format pcapng writes packets",
    ),
];

/// A folder with captures and other files.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let tour = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures/tour.pcapng");
    symlink(tour, folder.path().join("tour.pcapng")).unwrap();
    fs::create_dir(folder.path().join("folder")).unwrap();
    for (name, content) in [("empty.pcap", ""), ("text.txt", "hello\n"), ("there.csv", "x\n")] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

/// Standard error of a run that fails.
fn complaint(arguments: &[&str], folder: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    command.args(arguments).current_dir(folder).env("XDG_STATE_HOME", folder).stdin(Stdio::null());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Whether a text is like a pattern in which `…` stands for anything.
fn is_like(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap()) else { return false };
    let mut is_open = false;
    for part in parts {
        let Some((_, behind)) = rest.split_once(part) else { return false };
        (rest, is_open) = (behind, part.is_empty());
    }
    is_open || rest.is_empty()
}

#[test]
fn each_mistake_gets_one_clear_line() {
    assert!(MISTAKES.len() >= 40);
    let folder = folder();
    let mut wrong = Vec::new();
    for (arguments, expected) in MISTAKES {
        let words: Vec<_> = arguments.split(' ').collect();
        let all = complaint(&words, folder.path());
        // Where in a filter the mistake is stands below, and the usage where there is no terminal.
        let line = all.lines().next().unwrap_or_default();
        let is_alone =
            all.lines().count() == 1 || all.contains("filter: ") || all.contains("Usage");
        let text = line.strip_prefix("fragshark: ").unwrap_or_default();
        if !is_like(text, expected) || !is_alone {
            wrong.push(format!("{arguments}\n  expected {expected}\n  came     {all}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_file_that_may_not_be_read_is_named() {
    let folder = folder();
    let secret = folder.path().join("secret.pcap");
    fs::write(&secret, "x").unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&secret).is_ok() {
        // Root may read everything.
        return;
    }
    let all = complaint(&["decode", "secret.pcap"], folder.path());
    assert_eq!(all, "fragshark: cannot open secret.pcap: Permission denied (os error 13)\n");
}
