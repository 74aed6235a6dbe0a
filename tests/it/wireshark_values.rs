//! The values of fields in tshark with the dissector are those that `export` gives, on every
//! capture.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::wireshark::{dissector, fragshark, two_at_once};
use crate::{golden, needs};

/// Fields of messages that the dissector does not show as `export` does, and why.
const DIFFERENT: &[(&str, &str, &str)] = &[
    ("doom3.info-response", "trailer", "shown as a number of bytes"),
    ("gamespy-list.list", "", "enciphered"),
    ("gamespy.encrypted-list", "", "enciphered"),
    ("half-life.get-region", "conditions", "the group has the name of its word"),
    ("half-life.reply", "sv_password", "of a text within a value"),
    ("http.request", "", "Wireshark shows headers itself"),
    ("http.server-feed", "", "compressed or in XML"),
    ("qr2.challenge", "challenge", "whole, with what the master wants and the server's address"),
    ("quake3.connect", "", "Huffman coded"),
    ("quake3.getinfo", "challenge", "`export` shows a pair behind a challenge by itself"),
    ("quake3.heartbeat", "tag", "of a message that is no payload of its own"),
    ("quake3.secure-rcon", "digest", "shown as a number of bytes"),
    ("quakeworld.status-reply", "team", "only in the line: not every line has it"),
    ("quakeworld.status-reply", "client", "the same"),
    ("quakeworld.status-reply", "login", "the same"),
    ("quakeworld.status-reply", "part", "a line that is cut"),
];

/// Values by the number of the frame and the name of the field, as filters spell it.
type Shown = BTreeMap<u64, BTreeMap<String, BTreeSet<String>>>;

/// The value of a key that no document lists.
const UNLISTED: &str = "fragshark.value";

/// The names and values of a message: those of its fields, and those inside of them.
fn values(fields: &Value) -> Vec<(&str, String)> {
    let mut all = Vec::new();
    let mut left = vec![fields];
    while let Some(fields) = left.pop() {
        for (name, value) in fields.as_object().into_iter().flatten() {
            match value {
                Value::String(text) => all.push((name.as_str(), visible(text))),
                Value::Number(number) => all.push((name.as_str(), number.to_string())),
                Value::Array(items) => left.extend(items.iter().filter(|item| item.is_object())),
                Value::Object(_) => left.push(value),
                Value::Null | Value::Bool(_) => {}
            }
        }
    }
    all
}

/// As the dissector spells names in filters.
fn spelled(name: &str) -> String {
    let lower = name.to_lowercase();
    lower
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || "_.-".contains(c) { c } else { '_' })
        .collect()
}

/// As the dissector shows text: control characters as hex.
fn visible(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        if c.is_control() {
            _ = write!(shown, "\\x{:02x}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Collects the values of the dissector's fields in what `tshark -T json` prints of a packet.
fn collect(value: &Value, into: &mut BTreeMap<String, BTreeSet<String>>) {
    match value {
        Value::Object(members) => {
            for (key, inside) in members {
                let name = key.strip_prefix("fragshark.field.");
                let Some(name) = name.or((key == UNLISTED).then_some(UNLISTED)) else {
                    collect(inside, into);
                    continue;
                };
                let all = inside.as_array().map_or(std::slice::from_ref(inside), Vec::as_slice);
                for one in all {
                    match one {
                        Value::String(text) => {
                            into.entry(name.to_owned()).or_default().insert(text.clone());
                        }
                        other => collect(other, into),
                    }
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        _ => {}
    }
}

fn in_tshark(tshark: &Path, script: &Path, capture: &Path) -> Shown {
    let script = format!("lua_script:{}", script.display());
    let mut command = Command::new(tshark);
    command.args(["-n", "-2", "-X", &script, "-Y", "fragshark", "-T", "json"]);
    command.args(["--no-duplicate-keys", "-J", "fragshark frame", "-r"]).arg(capture);
    let output = command.output().unwrap();
    let packets: Vec<Value> =
        serde_json::from_str(&String::from_utf8_lossy(&output.stdout)).unwrap();
    let mut shown = Shown::new();
    for packet in packets {
        let layers = &packet["_source"]["layers"];
        let number = layers["frame"]["frame.number"].as_str().unwrap().parse().unwrap();
        collect(layers, shown.entry(number).or_default());
    }
    shown
}

/// The values of a capture that `export` gives and the dissector does not, and how many it does.
fn compare(tshark: &Path, script: &Path, capture: &Path) -> (usize, Vec<String>) {
    let shown = in_tshark(tshark, script, capture);
    let path = capture.to_str().unwrap();
    let options = ["export", "-q", "--what", "messages", "--format", "ndjson", "--show-secrets"];
    let rows = fragshark(&[&options[..], &[path]].concat());
    let (mut same, mut wrong) = (0, Vec::new());
    for line in String::from_utf8(rows.stdout).unwrap().lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let id = row["message_id"].as_str().unwrap();
        let nothing = BTreeMap::new();
        let number = row["number"].as_u64().unwrap();
        let theirs = shown.get(&number).unwrap_or(&nothing);
        for (name, expected) in values(&row["fields"]) {
            let is_different = |(message, field, _): &(&str, &str, &str)| {
                *message == id && (field.is_empty() || *field == name)
            };
            if expected.is_empty() || DIFFERENT.iter().any(is_different) {
                continue;
            }
            let found = [spelled(name), UNLISTED.to_owned()].map(|name| theirs.get(&name));
            let plain = expected.parse::<i64>().map(|number| number.to_string());
            let is_same = |found: &&BTreeSet<String>| {
                found.contains(&expected) || plain.as_ref().is_ok_and(|it| found.contains(it))
            };
            if found.into_iter().flatten().any(|found| is_same(&found)) {
                same += 1;
            } else {
                wrong.push(format!("{path} {number}: {id} {name}: {expected:?}, {found:?}"));
            }
        }
    }
    (same, wrong)
}

#[test]
fn fields_have_the_values_that_export_gives() {
    const TEST: &str = "fields_have_the_values_that_export_gives";
    let Some([tshark]) = needs::programs(TEST, ["tshark"]) else { return };
    let folder = TempDir::new().unwrap();
    let script = dissector(&folder);
    let mut captures = golden::captures();
    // Each has messages that other captures have too.
    captures.retain(|capture| !capture.components().any(|part| part.as_os_str() == "findings"));
    let (mut same, mut wrong) = (0, Vec::new());
    for (count, differ) in two_at_once(&captures, |capture| compare(&tshark, &script, capture)) {
        same += count;
        wrong.extend(differ);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(same > 4_000, "{same} values are the same");
}
