//! Parquet files and Arrow streams in the programs that they are for, without any setting: DuckDB,
//! polars, pandas and Spark read the types and values that our NDJSON has.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use export::{Column, ColumnType, TABLES};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use serde_json::Value;
use tempfile::TempDir;

use crate::needs;
use crate::tables::{captures, exported, output_of, rows};

const TOUR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/captures/tour.pcapng");

/// The type of a column, by its kind.
type TypeNames = fn(ColumnType) -> &'static [&'static str];

/// The Python that has these modules; `None`, with a message, without them.
fn python(test: &str, modules: &str) -> Option<std::ffi::OsString> {
    let Some(python) = std::env::var_os("FRAGSHARK_PYTHON") else {
        needs::not_run(test, "python", "FRAGSHARK_PYTHON names no Python that has the readers");
        return None;
    };
    let import = Command::new(&python).args(["-c", &format!("import {modules}")]).output().unwrap();
    if import.status.success() {
        return Some(python);
    }
    needs::not_run(test, "python", &format!("FRAGSHARK_PYTHON has no {modules}"));
    None
}

fn script(name: &str) -> String {
    format!("{}/tests/readers/{name}.py", env!("CARGO_MANIFEST_DIR"))
}

/// A value of NDJSON as a reader of Parquet should give it.
fn expected(column: &Column, value: &Value) -> Value {
    match (column.kind, value) {
        (ColumnType::Time, Value::String(time)) => {
            time.parse::<jiff::Timestamp>().unwrap().as_microsecond().into()
        }
        (_, Value::String(text)) if text.is_empty() => Value::Null,
        _ => value.clone(),
    }
}

/// Whether a reader gives this value; readers may read integers among nothing as fractions.
fn is_same(column: &Column, is: &Value, should: &Value) -> bool {
    match (column.kind, is) {
        (ColumnType::Json, Value::String(text)) => {
            serde_json::from_str::<Value>(text).unwrap() == *should
        }
        (_, Value::Number(number)) => number.as_f64() == should.as_f64() && should.is_number(),
        _ => is == should,
    }
}

/// Compares what a reader says of a table with our NDJSON.
fn check(table: &export::Table, read: &Value, rows: &[Value], types: TypeNames) {
    let is = read["rows"].as_array().unwrap();
    assert_eq!(is.len(), rows.len(), "{}", table.name);
    for (at, column) in table.columns.iter().enumerate() {
        let (name, kind) = (column.name, read["types"][at].as_str().unwrap());
        assert!(types(column.kind).contains(&kind), "{}.{name} is {kind}", table.name);
        for (is, row) in is.iter().zip(rows) {
            let (is, should) = (&is[at], expected(column, &row[name]));
            assert!(is_same(column, is, &should), "{}.{name}: {is}, not {should}", table.name);
        }
    }
}

/// Checks every table, as a script reads it.
fn reads_every_table(test: &str, modules: &str, name: &str, types: TypeNames) {
    let Some(python) = python(test, modules) else { return };
    let folder = TempDir::new().unwrap();
    for table in TABLES {
        exported(&folder, table.name, "parquet");
    }
    let read = output_of(Command::new(python).arg(script(name)).arg(folder.path()));
    let read: Value = serde_json::from_str(&read).unwrap();
    for table in TABLES {
        check(table, &read[table.name], &rows(&folder, table.name), types);
    }
}

#[test]
fn duckdb_reads_the_parquet() {
    reads_every_table("duckdb_reads_the_parquet", "duckdb", "duckdb_tables", |kind| match kind {
        ColumnType::Number | ColumnType::Integer | ColumnType::Duration => &["BIGINT"],
        ColumnType::Port => &["INTEGER"],
        ColumnType::Decimal => &["DOUBLE"],
        ColumnType::Flag => &["BOOLEAN"],
        ColumnType::Time => &["TIMESTAMP WITH TIME ZONE"],
        ColumnType::Text
        | ColumnType::Line
        | ColumnType::Word
        | ColumnType::Address
        | ColumnType::Json => &["VARCHAR"],
        ColumnType::Texts => &["VARCHAR[]"],
        ColumnType::Numbers => &["BIGINT[]"],
    });
}

#[test]
fn polars_reads_the_parquet() {
    reads_every_table("polars_reads_the_parquet", "polars", "polars_tables", |kind| match kind {
        ColumnType::Number | ColumnType::Integer | ColumnType::Duration => &["Int64"],
        ColumnType::Port => &["Int32"],
        ColumnType::Decimal => &["Float64"],
        ColumnType::Flag => &["Boolean"],
        ColumnType::Time => &["Datetime(time_unit='us', time_zone='UTC')"],
        ColumnType::Text
        | ColumnType::Line
        | ColumnType::Word
        | ColumnType::Address
        | ColumnType::Json => &["String"],
        ColumnType::Texts => &["List(String)"],
        ColumnType::Numbers => &["List(Int64)"],
    });
}

#[test]
fn pandas_reads_the_parquet() {
    let modules = "pandas, pyarrow";
    reads_every_table("pandas_reads_the_parquet", modules, "pandas_tables", |kind| match kind {
        // pandas has no integers with nothing among them.
        ColumnType::Number | ColumnType::Integer | ColumnType::Duration => &["int64", "float64"],
        ColumnType::Port => &["int32"],
        ColumnType::Decimal => &["float64"],
        ColumnType::Flag => &["bool"],
        ColumnType::Time => &["datetime64[us, UTC]"],
        ColumnType::Text
        | ColumnType::Line
        | ColumnType::Word
        | ColumnType::Address
        | ColumnType::Json => &["str", "object"],
        ColumnType::Texts | ColumnType::Numbers => &["object"],
    });
}

#[test]
fn spark_reads_the_parquet() {
    const TEST: &str = "spark_reads_the_parquet";
    let Some([_java]) = needs::programs(TEST, ["java"]) else { return };
    reads_every_table(TEST, "pyspark", "spark_tables", |kind| match kind {
        ColumnType::Number | ColumnType::Integer | ColumnType::Duration => &["bigint"],
        ColumnType::Port => &["int"],
        ColumnType::Decimal => &["double"],
        ColumnType::Flag => &["boolean"],
        ColumnType::Time => &["timestamp"],
        ColumnType::Text
        | ColumnType::Line
        | ColumnType::Word
        | ColumnType::Address
        | ColumnType::Json => &["string"],
        ColumnType::Texts => &["array<string>"],
        ColumnType::Numbers => &["array<bigint>"],
    });
}

/// Over a pipe, without a file.
#[test]
fn pyarrow_and_duckdb_read_the_stream() {
    let modules = "duckdb, pyarrow";
    let Some(python) = python("pyarrow_and_duckdb_read_the_stream", modules) else { return };
    let folder = TempDir::new().unwrap();
    for table in TABLES {
        let mut export = Command::new(env!("CARGO_BIN_EXE_fragshark"));
        export.arg("export").args(captures()).args(["--what", table.name, "--format", "arrow"]);
        let mut export = export.stdout(Stdio::piped()).spawn().unwrap();
        let mut reader = Command::new(&python);
        reader.arg(script("arrow_stream")).stdin(export.stdout.take().unwrap());
        let read: Value = serde_json::from_str(&output_of(&mut reader)).unwrap();
        assert!(export.wait().unwrap().success());
        check(table, &read, &rows(&folder, table.name), |kind| match kind {
            ColumnType::Number | ColumnType::Integer | ColumnType::Duration => &["int64"],
            ColumnType::Port => &["int32"],
            ColumnType::Decimal => &["double"],
            ColumnType::Flag => &["bool"],
            ColumnType::Time => &["timestamp[us, tz=UTC]"],
            ColumnType::Text
            | ColumnType::Line
            | ColumnType::Word
            | ColumnType::Address
            | ColumnType::Json => &["string"],
            ColumnType::Texts => &["list<element: string not null>"],
            ColumnType::Numbers => &["list<element: int64 not null>"],
        });
        let version = env!("CARGO_PKG_VERSION");
        let about = serde_json::json!({
            "fragshark.version": version, "fragshark.table": table.name, "fragshark.schema": "1",
        });
        assert_eq!(read["about"], about);
    }
}

/// Questions in SQL and their answers, which our NDJSON confirms.
#[test]
fn duckdb_calculates_with_times_and_lists() {
    const QUESTION: &str = r#"
import duckdb, os, sys
os.chdir(sys.argv[1])
for question in (
    # Times can be subtracted, and the difference is that of the nanoseconds.
    "SELECT count(*) FROM 'flows.parquet' WHERE abs(epoch_us(end_time - start_time) - duration_ns // 1000) <= 1",
    # Lists are lists, and their items join.
    "SELECT count(*) FROM (SELECT unnest(frames) AS number FROM 'sessions.parquet') JOIN 'messages.parquet' USING (number)",
    "SELECT count(*) FROM 'servers.parquet' WHERE list_contains(masters, listed_by[1])",
    "SELECT count(*) FROM 'messages.parquet' WHERE epoch_us(time) = time_ns // 1000",
    "SELECT count(*) FROM 'messages.parquet' WHERE fault IS NULL",
    "SELECT count(*) FROM parquet_kv_metadata('messages.parquet') WHERE decode(key) = 'fragshark.table' AND decode(value) = 'messages'",
):
    print(duckdb.sql(question).fetchall()[0][0])
"#;
    let Some(python) = python("duckdb_calculates_with_times_and_lists", "duckdb") else { return };
    let folder = TempDir::new().unwrap();
    for table in ["flows", "messages", "servers", "sessions"] {
        exported(&folder, table, "parquet");
    }
    let answers = output_of(Command::new(python).args(["-c", QUESTION]).arg(folder.path()));
    let [flows, messages, servers, sessions] =
        ["flows", "messages", "servers", "sessions"].map(|table| rows(&folder, table));
    let numbers: Vec<_> = messages.iter().map(|row| &row["number"]).collect();
    let frames = sessions.iter().flat_map(|row| row["frames"].as_array().unwrap());
    let joined = frames.map(|frame| numbers.iter().filter(|number| **number == frame).count());
    let listed = servers.iter().filter(|row| {
        row["masters"].as_array().unwrap().iter().any(|master| *master == row["listed_by"][0])
    });
    let whole = messages.iter().filter(|row| row["fault"] == "").count();
    let should = [flows.len(), joined.sum(), listed.count(), messages.len(), whole, 1];
    assert!(should.iter().all(|count| *count > 0), "{should:?}");
    assert_eq!(answers, should.map(|count| format!("{count}\n")).concat());
}

/// Names and values of a file's footer.
fn footer(arguments: &[&str], input: Option<&[u8]>) -> BTreeMap<String, String> {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("rows.parquet");
    let mut export = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    export.arg("export").args(arguments).arg("-o").arg(&file);
    let mut export = export.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = export.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, input.unwrap_or_default()).unwrap();
    drop(stdin);
    assert!(export.wait().unwrap().success());
    let reader = SerializedFileReader::new(std::fs::File::open(file).unwrap()).unwrap();
    let about = reader.metadata().file_metadata().key_value_metadata().unwrap();
    about.iter().map(|fact| (fact.key.clone(), fact.value.clone().unwrap())).collect()
}

#[test]
fn the_footer_says_where_a_file_comes_from() {
    let bytes = std::fs::read(TOUR).unwrap();
    let hash = blake3::hash(&bytes).to_hex().to_string();
    let packets = fragshark::analysis::Pipeline::open(
        vec![fragshark::capture::Input::File(TOUR.into())],
        Vec::new(),
    );
    let packets = packets.unwrap().count().unwrap().packets.to_string();
    let own = [("version", env!("CARGO_PKG_VERSION")), ("table", "messages"), ("schema", "1")];
    let of = |facts: &[(&str, &str)]| {
        let facts = own.iter().chain(facts);
        facts.map(|(name, value)| (format!("fragshark.{name}"), (*value).to_owned())).collect()
    };
    let what = ["--what", "messages"];
    let whole: BTreeMap<_, _> =
        of(&[("input", TOUR), ("hash", &hash), ("packets", &packets), ("damage", "")]);
    assert_eq!(footer(&[&[TOUR], &what[..]].concat(), None), whole);
    // A pipe has no hash, and one that breaks off is damaged.
    let cut = footer(&[&["-"], &what[..]].concat(), Some(&bytes[..bytes.len() - 7]));
    assert_eq!((&*cut["fragshark.input"], cut.get("fragshark.hash")), ("-", None));
    assert!(cut["fragshark.damage"].starts_with("standard input: byte "), "{cut:?}");
    // Two captures are named in an array.
    let both = footer(&[&[TOUR, TOUR], &what[..]].concat(), None);
    assert_eq!(both["fragshark.input"], serde_json::json!([TOUR, TOUR]).to_string());
    // Pseudonyms do not tell of what they replace.
    assert_eq!(footer(&[&[TOUR, "--redact"], &what[..]].concat(), None), of(&[]));
}

/// The same input gives the same bytes.
#[test]
fn bytes_are_the_same_again() {
    for format in ["parquet", "arrow"] {
        let [first, second] = [(), ()].map(|()| {
            let folder = TempDir::new().unwrap();
            std::fs::read(exported(&folder, "messages", format)).unwrap()
        });
        assert!(first == second, "{format}");
    }
}

/// A batch of a live stream comes before its input ends.
#[test]
fn a_row_of_a_pipe_is_streamed_at_once() {
    let mut export = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    export.args(["export", "-", "--what", "messages", "--format", "arrow"]);
    let mut export = export.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = export.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, &std::fs::read(TOUR).unwrap()).unwrap();
    let stream = export.stdout.take().unwrap();
    let mut stream = arrow_ipc::reader::StreamReader::try_new(stream, None).unwrap();
    assert!(stream.next().unwrap().unwrap().num_rows() > 0);
    drop(input);
    let rest: usize = stream.map(|batch| batch.unwrap().num_rows()).sum();
    assert!(rest > 0);
    assert!(export.wait().unwrap().success());
}
