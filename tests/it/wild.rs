//! What stands beside the protocols: other programs' streams and tunnels, texts in any encoding, dumps
//! as people paste them, files that are no captures. Each line of `tests/data/wild.jsonl` has a command,
//! with `{}` for its file, and what its output has and lacks.

use std::process::Command;

use serde_json::Value;

const CASES: &str = include_str!("../data/wild.jsonl");
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/wild");

#[test]
fn what_stands_beside_the_protocols_is_read_or_named() {
    let mut wrong = Vec::new();
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| case[name].as_str().unwrap().to_owned();
        let texts = |name: &str| case[name].as_array().unwrap().clone();
        let file = format!("{FOLDER}/{}", text("file"));
        let command = text("command");
        // A name of a server is in quotes.
        let mut arguments: Vec<String> = Vec::new();
        for (at, part) in command.split('"').enumerate() {
            if at % 2 == 1 {
                arguments.push(part.to_owned());
            } else {
                arguments.extend(part.split_whitespace().map(|word| word.replace("{}", &file)));
            }
        }
        let ran = Command::new(env!("CARGO_BIN_EXE_fragshark")).args(&arguments).output().unwrap();
        let output = String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap();
        let has = |part: &Value| output.contains(part.as_str().unwrap());
        let lacking: Vec<_> = texts("has").into_iter().filter(|part| !has(part)).collect();
        let unwanted: Vec<_> = texts("lacks").into_iter().filter(has).collect();
        if !lacking.is_empty() || !unwanted.is_empty() {
            wrong.push(format!("{}: lacks {lacking:?}, has {unwanted:?}\n{output}", text("id")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
