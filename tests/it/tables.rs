//! Exported tables in the programs that they are for: Python's csv, LibreOffice, jq, DuckDB.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::needs;
use fragshark::export::{Column, ColumnType, TABLES};
use serde_json::Value;
use tempfile::TempDir;

/// Messages of several games with players, colours, quotes, a connection, and findings.
const CAPTURES: [&str; 5] = ["tour.pcapng", "quake3", "gamespy", "quakeworld", "findings"];

/// Every capture of [`CAPTURES`], in order.
fn captures() -> Vec<PathBuf> {
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
fn exported(folder: &TempDir, table: &str, format: &str) -> PathBuf {
    let file = folder.path().join(format!("{table}.{format}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    command.arg("export").args(captures()).args(["--what", table, "--format", format, "-o"]);
    let output = command.arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    file
}

/// Standard output of another program that succeeds.
fn output_of(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}

/// The rows of a table, as our NDJSON has them.
fn rows(folder: &TempDir, table: &str) -> Vec<Value> {
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
            if column.kind == ColumnType::Text && text.starts_with(['=', '+', '-', '@']) =>
        {
            format!("'{text}")
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Compares cells that a program read from CSV, a list of lists, with the rows of NDJSON.
fn same(table: &fragshark::export::Table, read: &Value, rows: &[Value]) {
    let read = read.as_array().unwrap();
    assert_eq!(read.len(), rows.len() + 1, "{}", table.name);
    for (at, column) in table.columns.iter().enumerate() {
        assert_eq!(read[0][at], column.name);
        for (read, row) in read[1..].iter().zip(rows) {
            let (is, should) = (read[at].as_str().unwrap(), &row[column.name]);
            if column.kind == ColumnType::Json && !should.is_null() {
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

const READ_PARQUET: &str = r#"
import duckdb, json, sys
duckdb.sql("set timezone = 'UTC'")
table = duckdb.read_parquet(sys.argv[1])
print(json.dumps({
    'types': [[name, str(type)] for name, type in zip(table.columns, table.types)],
    'rows': table.project('columns(*)::varchar').fetchall(),
}))"#;

#[test]
#[cfg(feature = "parquet")]
fn duckdb_reads_the_parquet() {
    const TEST: &str = "duckdb_reads_the_parquet";
    let Some(python) = std::env::var_os("FRAGSHARK_DUCKDB") else {
        return needs::not_run(TEST, "duckdb", "FRAGSHARK_DUCKDB names no Python that has duckdb");
    };
    let folder = TempDir::new().unwrap();
    for table in TABLES {
        let rows = rows(&folder, table.name);
        let file = exported(&folder, table.name, "parquet");
        let read = output_of(Command::new(&python).args(["-c", READ_PARQUET]).arg(file));
        let read: Value = serde_json::from_str(&read).unwrap();
        assert_eq!(read["rows"].as_array().unwrap().len(), rows.len());
        for (at, column) in table.columns.iter().enumerate() {
            let kind = match column.kind {
                ColumnType::Number => "UBIGINT",
                ColumnType::Integer | ColumnType::Duration => "BIGINT",
                ColumnType::Decimal => "DOUBLE",
                ColumnType::Flag => "BOOLEAN",
                ColumnType::Time => TIME,
                ColumnType::Text | ColumnType::Word | ColumnType::Address => "VARCHAR",
                ColumnType::Json => "JSON",
            };
            assert_eq!(read["types"][at], serde_json::json!([column.name, kind]));
            for (read, row) in read["rows"].as_array().unwrap().iter().zip(&rows) {
                let (is, should) = (read[at].as_str(), &row[column.name]);
                match column.kind {
                    // An exchange without a captured request has no fields of one.
                    _ if should.is_null() => assert_eq!(is, None),
                    ColumnType::Json => {
                        let is: Value = serde_json::from_str(is.unwrap()).unwrap();
                        assert_eq!(is, *should);
                    }
                    // `2003-12-01 20:00:00.0601+00`: no zeros at the end.
                    ColumnType::Time => {
                        let should =
                            should.as_str().unwrap().trim_end_matches('Z').replace('T', " ");
                        let should = should.trim_end_matches('0').trim_end_matches('.');
                        assert_eq!(is.unwrap(), format!("{should}+00"));
                    }
                    ColumnType::Decimal => {
                        assert_eq!(is.and_then(|is| is.parse().ok()), should.as_f64());
                    }
                    _ => {
                        let text = should.as_str().map_or(should.to_string(), str::to_owned);
                        assert_eq!(is, Some(text.as_str()), "{}.{}", table.name, column.name);
                    }
                }
            }
        }
    }
}

/// What DuckDB makes of nanoseconds in UTC.
#[cfg(feature = "parquet")]
const TIME: &str = "TIMESTAMPTZ_NS";
