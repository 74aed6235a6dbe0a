//! A session and a pipeline write the same tables.

use super::*;
use crate::{TABLES, TableFormat, TableOptions, write_tables};
use analysis::Pipeline;
use capture::Input;
use test_data::captures;

#[cfg(feature = "parquet")]
const FORMATS: &[TableFormat] =
    &[TableFormat::Csv, TableFormat::Ndjson, TableFormat::Parquet, TableFormat::Arrow];
#[cfg(not(feature = "parquet"))]
const FORMATS: &[TableFormat] = &[TableFormat::Csv, TableFormat::Ndjson];

/// The capture `tour`, which has messages of many games.
fn tour() -> Input {
    Input::File(test_data::capture("tour.pcapng"))
}

fn of_pipeline(input: Input, table: &'static Table, format: TableFormat) -> Vec<u8> {
    let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
    let (secrets, live, scratch) = (Secrets::Masked, false, None);
    let options = TableOptions {
        format,
        secrets,
        live,
        redactor: None,
        scratch,
        selects: None,
        origin: None,
    };
    let mut out = Vec::new();
    let tables = [(table, &mut out as &mut (dyn Write + Send))];
    write_tables(&mut pipeline, options, tables).unwrap();
    out
}

#[test]
fn a_session_writes_every_table_as_a_pipeline_does() {
    let (session, loader) = Session::open(&[tour()], Vec::new()).unwrap();
    let session = Mutex::new(session);
    loader.run(&session);
    let index = session.lock().shared_index().unwrap();
    let all = 0..session.lock().len();
    for table in TABLES {
        let of_messages = SessionExport::of_messages(table.name, Selection::All(all.clone()));
        for export in [of_messages, SessionExport::of_index(table.name, Arc::clone(&index))] {
            for format in FORMATS {
                let (export, mut out) = (export.as_ref().unwrap(), Vec::new());
                let progress = ExportProgress::default();
                let (form, secrets) = (ExportForm::Table(*format), Secrets::Masked);
                let written = export.write(form, &session, secrets, &progress, &mut out);
                let needs_messages = ["messages", "players"].contains(&table.name);
                if needs_messages && matches!(export.rows, SessionRows::Index(_)) {
                    assert!(matches!(written, Err(ExportError::NoMessages)), "{}", table.name);
                    continue;
                }
                let rows = written.unwrap().rows;
                assert!(rows > 0 && rows == progress.done(), "{}: {rows} rows", table.name);
                let should = of_pipeline(tour(), table, *format);
                assert!(out == should, "{}: {}", table.name, String::from_utf8_lossy(&out));
            }
        }
    }
}

/// Several messages may have one frame: those of a stream, and one that completes a split reply.
#[test]
fn exchanges_of_every_capture_are_those_of_a_pipeline() {
    let table = TABLES.iter().find(|table| table.name == "sessions").unwrap();
    for capture in captures() {
        let input = || Input::File(capture.clone());
        let (session, loader) = Session::open(&[input()], Vec::new()).unwrap();
        let session = Mutex::new(session);
        loader.run(&session);
        let index = session.lock().shared_index().unwrap();
        let export = SessionExport::of_index(table.name, index).unwrap();
        let (mut out, progress) = (Vec::new(), ExportProgress::default());
        let form = ExportForm::Table(TableFormat::Ndjson);
        export.write(form, &session, Secrets::Masked, &progress, &mut out).unwrap();
        let should = of_pipeline(input(), table, TableFormat::Ndjson);
        let [out, should] = [out, should].map(|bytes| String::from_utf8(bytes).unwrap());
        for (line, should) in out.lines().zip(should.lines()) {
            assert_eq!(line, should, "{}", capture.display());
        }
        assert_eq!(out.lines().count(), should.lines().count(), "{}", capture.display());
    }
}
