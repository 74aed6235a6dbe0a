//! What the `csv` crate takes to write the rows of a table, its fields at hand: compare it with a
//! whole `export` of that table, which reads, decodes and writes. It shows why `export/csv.rs` has a
//! writer of its own behind the crate.
//!
//! ```text
//! fragshark export CAPTURE -o messages.csv
//! cargo bench --bench csv_writer -- messages.csv
//! ```

use std::error::Error;
use std::time::Instant;
use std::{env, io};

use csv::{ReaderBuilder, StringRecord, Terminator, WriterBuilder};

/// How often all rows are written; the fastest round counts.
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let Some(file) = env::args().skip(1).find(|argument| !argument.starts_with("--")) else {
        return Err("usage: csv_writer FILE.csv".into());
    };
    let mut reader = ReaderBuilder::new().has_headers(false).from_path(file)?;
    let rows = reader.records().collect::<Result<Vec<StringRecord>, _>>()?;
    let mut fastest = f64::MAX;
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        let mut writer =
            WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(io::sink());
        rows.iter().try_for_each(|row| writer.write_record(row))?;
        writer.flush()?;
        fastest = fastest.min(begin.elapsed().as_secs_f64());
    }
    let each = fastest * 1e9 / rows.len().max(1) as f64;
    println!("{} rows in {fastest:.3} s, {each:.0} ns a row", rows.len());
    Ok(())
}
