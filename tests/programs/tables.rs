//! Exported tables in the programs that they are for: Python's csv, LibreOffice, jq.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::needs;
use export::{Column, ColumnType, TABLES};
use serde_json::Value;
use tempfile::TempDir;

/// Messages of several games with players, colours, quotes, a connection, and findings.
const CAPTURES: [&str; 5] = ["tour.pcapng", "quake3", "gamespy", "quakeworld", "findings"];

/// Every capture of [`CAPTURES`], in order.
pub fn captures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures");
    let mut all = Vec::new();
    for name in CAPTURES {
        let path = folder.join(name);
        if path.is_file() {
            all.push(path);
            continue;
        }
        let files = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        all.extend(files.filter(|f| f.extension().is_some_and(|e| e == "pcap" || e == "pcapng")));
    }
    all.sort();
    all
}

/// A table of all captures in its own directory.
pub fn exported(folder: &TempDir, table: &str, format: &str) -> PathBuf {
    let file = folder.path().join(format!("{table}.{format}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    command.arg("export").args(captures()).args(["--what", table, "--format", format, "-o"]);
    let output = command.arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    file
}

/// Standard output of another program that succeeds.
pub fn output_of(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}

/// The rows of a table, as our NDJSON has them.
pub fn rows(folder: &TempDir, table: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(exported(folder, table, "ndjson")).unwrap();
    let rows: Vec<_> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(rows.len() > 2, "{table} has rows");
    rows
}

/// A cell as CSV should give it back, for a value of NDJSON.
fn cell(column: &Column, value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text)
            if matches!(column.kind, ColumnType::Text | ColumnType::Line)
                && text.starts_with(['=', '+', '-', '@']) =>
        {
            format!("'{text}")
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Compares cells that a program read from CSV, a list of lists, with the rows of NDJSON.
fn same(table: &export::Table, read: &Value, rows: &[Value]) {
    let read = read.as_array().unwrap();
    assert_eq!(read.len(), rows.len() + 1, "{}", table.name);
    for (at, column) in table.columns.iter().enumerate() {
        assert_eq!(read[0][at], column.name);
        for (read, row) in read[1..].iter().zip(rows) {
            let (is, should) = (read[at].as_str().unwrap(), &row[column.name]);
            if should.is_array() || column.kind == ColumnType::Json && !should.is_null() {
                assert_eq!(serde_json::from_str::<Value>(is).unwrap(), *should);
            } else {
                assert_eq!(is, cell(column, should), "{}.{}", table.name, column.name);
            }
        }
    }
}

const READ_CSV: &str = "import csv, json, sys; \
    print(json.dumps(list(csv.reader(open(sys.argv[1], newline='', encoding='utf-8')))))";

#[test]
fn python_reads_the_csv() {
    let Some([python]) = needs::programs("python_reads_the_csv", ["python3"]) else {
        return;
    };
    let folder = TempDir::new().unwrap();
    for table in TABLES {
        let file = exported(&folder, table.name, "csv");
        let read = output_of(Command::new(&python).args(["-c", READ_CSV]).arg(file));
        same(table, &serde_json::from_str(&read).unwrap(), &rows(&folder, table.name));
    }
}

#[test]
fn libreoffice_opens_the_csv() {
    const TEST: &str = "libreoffice_opens_the_csv";
    let Some([soffice, python]) = needs::programs(TEST, ["soffice", "python3"]) else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let files: Vec<_> = TABLES.iter().map(|t| exported(&folder, t.name, "csv")).collect();
    // Commas, double quotes, UTF-8, from the first line, every column as text; and back the same.
    let columns: Vec<_> = (1..=64).map(|column| format!("{column}/2")).collect();
    let import = format!("--infilter=CSV:44,34,76,1,{}", columns.join("/"));
    let out = folder.path().join("out");
    let mut command = Command::new(soffice);
    let home = format!("-env:UserInstallation=file://{}", folder.path().join("home").display());
    command.args([
        "--headless",
        &home,
        &import,
        "--convert-to",
        "csv:Text - txt - csv (StarCalc):44,34,76,1",
    ]);
    output_of(command.arg("--outdir").arg(&out).args(&files));
    for table in TABLES {
        let file = out.join(format!("{}.csv", table.name));
        let read = output_of(Command::new(&python).args(["-c", READ_CSV]).arg(file));
        same(table, &serde_json::from_str(&read).unwrap(), &rows(&folder, table.name));
    }
}

#[test]
fn jq_reads_the_ndjson() {
    let Some([jq]) = needs::programs("jq_reads_the_ndjson", ["jq"]) else {
        return;
    };
    let folder = TempDir::new().unwrap();
    for table in TABLES {
        let rows = rows(&folder, table.name);
        let file = folder.path().join(format!("{}.ndjson", table.name));
        let keys = output_of(Command::new(&jq).args(["-c", "keys_unsorted"]).arg(&file));
        let names: Vec<_> = table.columns.iter().map(|c| c.name).collect();
        let names = serde_json::to_string(&names).unwrap();
        assert_eq!(keys.lines().count(), rows.len());
        assert!(keys.lines().all(|line| line == names), "{}", table.name);
    }
}
