//! `--names ecs`: the rows of NDJSON with the fields of the Elastic Common Schema.

use std::process::Command;

use export::{COLUMN_NAMES, TABLES};
use serde_json::Value;

const TOUR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/captures/tour.pcapng");

fn export(arguments: &[&str]) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    command.args(["export", TOUR]).args(arguments).output().unwrap()
}

fn rows(arguments: &[&str]) -> Vec<Value> {
    let output = export(&[&["--format", "ndjson"], arguments].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The fields of a column of a table.
fn fields(table: &str, column: &str) -> Vec<String> {
    let mut names = COLUMN_NAMES.iter().filter(|names| names.column == column);
    let own = names.clone().find(|names| names.table == table);
    let names = own.or_else(|| names.find(|names| names.table.is_empty()));
    match names {
        Some(names) if !names.ecs.is_empty() => {
            names.ecs.iter().map(|name| (*name).to_owned()).collect()
        }
        _ => vec![format!("fragshark.{column}")],
    }
}

#[test]
fn every_cell_is_in_its_field() {
    for table in TABLES {
        let what = ["--what", table.name];
        let plain = rows(&what);
        let documents = rows(&[&what[..], &["--names", "ecs"]].concat());
        assert_eq!(plain.len(), documents.len(), "{}", table.name);
        assert!(!plain.is_empty(), "{}", table.name);
        for (row, document) in plain.iter().zip(&documents) {
            assert_eq!(document["event"]["dataset"], format!("fragshark.{}", table.name));
            for column in table.columns {
                for field in fields(table.name, column.name) {
                    let is = document.pointer(&format!("/{}", field.replace('.', "/"))).unwrap();
                    let should = match &row[column.name] {
                        Value::String(text) if text.is_empty() => Value::Null,
                        // Milliseconds are nanoseconds there.
                        Value::Number(number) if column.name == "duration_ms" => {
                            ((number.as_f64().unwrap() * 1e6).round() as i64).into()
                        }
                        other => other.clone(),
                    };
                    assert_eq!(*is, should, "{}.{}: {field}", table.name, column.name);
                }
            }
        }
    }
}

#[test]
fn other_formats_have_no_such_names() {
    for format in ["csv", "parquet", "arrow", "pcapng"] {
        let output = export(&["--names", "ecs", "--format", format]);
        assert_eq!(output.status.code(), Some(2), "{format}");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(complaint.contains("--names ecs is for --format ndjson"), "{complaint}");
    }
}
