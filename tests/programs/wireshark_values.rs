//! The values of fields in Wireshark with the dissector are those that `export` gives, on every
//! capture.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value;

use crate::needs;
use crate::wireshark::{DissectedCapture, captures, fragshark};

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

/// Collects the values of the dissector's fields in a tree: each node has the filter that selects it,
/// such as `fragshark.field.hostname == "Yard"`.
fn collect(nodes: &Value, into: &mut BTreeMap<String, BTreeSet<String>>) {
    for node in nodes.as_array().into_iter().flatten() {
        let filter = node["f"].as_str().unwrap_or_default();
        if let Some((name, value)) = filter.split_once(" == ") {
            let field = name.strip_prefix("fragshark.field.");
            if let Some(name) = field.or((name == UNLISTED).then_some(UNLISTED)) {
                into.entry(name.to_owned()).or_default().insert(unquoted(value));
            }
        }
        collect(&node["n"], into);
    }
}

/// A value of a filter as it is shown.
fn unquoted(value: &str) -> String {
    let inside = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    let Some(inside) = inside else { return value.to_owned() };
    let mut text = String::new();
    let mut left = inside.chars();
    while let Some(c) = left.next() {
        text.push(if c == '\\' { left.next().unwrap() } else { c });
    }
    text
}

fn shown(capture: &DissectedCapture) -> Shown {
    let mut shown = Shown::new();
    for (number, tree) in &capture.trees {
        collect(tree, shown.entry(*number).or_default());
    }
    shown
}

/// The values of a capture that `export` gives and the dissector does not, and how many it does.
fn compare(capture: &DissectedCapture) -> (usize, Vec<String>) {
    let shown = shown(capture);
    let path = capture.path.to_str().unwrap();
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
    let Some([sharkd]) = needs::programs(TEST, ["sharkd"]) else { return };
    let (mut same, mut wrong) = (0, Vec::new());
    for (count, differ) in captures(&sharkd).iter().map(compare) {
        same += count;
        wrong.extend(differ);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(same > 6_000, "{same} values are the same");
}
