//! Tables in a directory: of all captures together, or of each by itself.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Seek as _, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Context as _, bail};
use clap::Args;

use super::super::captures::FilteredInput;
use super::super::progress::ProgressBar;
use super::super::{DONE, FAILED, PARTIAL, confine, notify};
use super::Export;
use crate::analysis::{CapturedMessage, Pipeline, Prepared};
use crate::capture::{Input, InputDigest, OpenError};
use crate::export::{
    Existing, ExportForm, Manifest, ManifestEntry, Redactor, Table, TableDirectory, TableFormat,
    TableOptions, WrittenTables, set_name, write_tables,
};
use crate::sandbox::Needs;
use crate::text::{counted, utc};

/// How many notes are printed; the manifest has all.
const NOTES: u64 = 10;

/// Which captures are read together, and which not again.
#[derive(Args)]
pub(super) struct SetArgs {
    /// read each capture by itself, and write a file of each table for it, to the directory -o
    #[arg(long)]
    pub each: bool,
    /// leave captures whose files are in the directory -o, and whose contents are the same
    #[arg(long, requires = "output")]
    pub resume: bool,
}

/// Writes the tables of `export` to a directory; the status of the program.
pub(super) fn run(export: &Export, path: &Path) -> anyhow::Result<u8> {
    let format = match export.format {
        None => TableFormat::Parquet,
        Some(ExportForm::Table(format)) => format,
        Some(ExportForm::Packets) => bail!("--format pcapng writes one file, not a directory"),
    };
    export.captures.filter()?;
    let existing = if export.force { Existing::Replaced } else { Existing::Kept };
    let directory = TableDirectory::create(path, format, existing)?;
    let mut run = DirectoryRun {
        export,
        tables: export.tables(),
        format,
        directory,
        manifest: Manifest::open(path)?,
        redactor: export.redactor()?,
        scratch: [tempfile::tempfile().ok(), tempfile::tempfile().ok()],
        written: HashSet::new(),
        done: Arc::default(),
        totals: RunTotals::default(),
    };
    let writable = vec![path.to_owned()];
    confine(&Needs { writable, files_of_others: true, ..Needs::default() })?;
    let ran = run.all();
    // Also after an error: what was written stays.
    run.manifest.finish()?;
    ran?;
    Ok(run.conclude(path))
}

/// A run, and what is used for one set of captures after the other.
struct DirectoryRun<'a> {
    export: &'a Export,
    tables: Vec<&'static Table>,
    format: TableFormat,
    directory: TableDirectory,
    manifest: Manifest,
    redactor: Option<Redactor>,
    /// Temporary files: later, none can be created outside of the directory.
    scratch: [Option<File>; 2],
    /// The sets that this run has written.
    written: HashSet<String>,
    /// How many captures are done, for the progress bar.
    done: Arc<AtomicU64>,
    totals: RunTotals,
}

/// What a run has done.
#[derive(Default)]
struct RunTotals {
    captures: u64,
    rows: u64,
    /// Captures whose files were there.
    resumed: u64,
    unread: u64,
    damage: u64,
    notes: u64,
}

/// A capture of a set.
struct SetInput {
    path: String,
    input: Input,
    digest: Option<InputDigest>,
}

impl DirectoryRun<'_> {
    /// Reads all captures together, or one after the other.
    fn all(&mut self) -> anyhow::Result<()> {
        let export = self.export;
        let files = export.captures.files.as_slice();
        if !export.sets.each {
            return self.set(files);
        }
        let done = Arc::clone(&self.done);
        let progress = (files.len() > 1).then(|| {
            let template = "{wide_bar} {pos} of {len} captures, {eta} left";
            let position = move || done.load(Ordering::Relaxed);
            ProgressBar::show(template, Some(files.len() as u64), position)
        });
        for file in files.chunks(1) {
            self.set(file)?;
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        drop(progress);
        Ok(())
    }

    /// Writes the tables of captures that are read together, and their lines in the manifest.
    fn set(&mut self, files: &[OsString]) -> anyhow::Result<()> {
        let began = Instant::now();
        let (mut inputs, mut unread) = (Vec::new(), Vec::new());
        for file in files {
            let input = Input::from_argument(file).held();
            let path = file.to_string_lossy().into_owned();
            match input.digest() {
                Ok(digest) => inputs.push(SetInput { path, input, digest }),
                Err(error) => {
                    unread.push((SetInput { path, input, digest: None }, error));
                }
            }
        }
        if inputs.is_empty() || !unread.is_empty() && !self.export.captures.keep_going {
            return self.leave_out(unread);
        }
        if self.is_done(files, &inputs)? {
            return self.leave_out(unread);
        }
        let from = inputs.iter().map(|input| input.input.clone()).collect();
        let prepared = Prepared::with_scratch(from, self.scratch(0));
        let captures = &self.export.captures;
        let mut from = match captures.begin(captures.filter()?, prepared) {
            Ok(from) => from,
            Err(error) => {
                let why = error.downcast::<OpenError>()?;
                unread.extend(inputs.into_iter().map(|input| (input, why.clone())));
                return self.leave_out(unread);
            }
        };
        for why in from.pipeline.unread() {
            let is_it = |input: &mut SetInput| Some(input.input.name().as_str()) == why.input();
            unread.extend(inputs.extract_if(.., is_it).map(|input| (input, why.clone())));
        }
        let set = Self::name(files, &inputs)?;
        let written = self.write(&set, files, &mut from)?;
        self.record(&set, &inputs, &from.pipeline, &written, began)?;
        self.written.insert(set);
        self.leave_out(unread)
    }

    /// The name of a set's files.
    fn name(files: &[OsString], inputs: &[SetInput]) -> anyhow::Result<String> {
        let digests = inputs.iter().map(|input| {
            let cannot = || format!("{}: a pipe has no hash; save it to a file", input.path);
            input.digest.with_context(cannot)
        });
        let digests: Vec<_> = digests.collect::<Result<_, _>>()?;
        let digest = InputDigest::of_all(&digests);
        let first = inputs.first().map(|input| Path::new(&input.path));
        let first = first.or(files.first().map(Path::new)).unwrap_or(Path::new(""));
        Ok(set_name(first, inputs.len().saturating_sub(1), &digest))
    }

    /// Whether nothing has to be read: the set was written in this run, or the files of an earlier
    /// one are there and it is resumed.
    fn is_done(&mut self, files: &[OsString], inputs: &[SetInput]) -> anyhow::Result<bool> {
        let set = Self::name(files, inputs)?;
        let is_known = |input: &SetInput| {
            let known = self.manifest.known(&input.path);
            known.is_some_and(|known| {
                known.hash == input.digest.map(|digest| digest.hex())
                    && known.set.as_ref() == Some(&set)
            })
        };
        let has_files = || self.directory.has(&self.tables, &set);
        if self.export.sets.resume && inputs.iter().all(is_known) && has_files() {
            self.totals.resumed += inputs.len() as u64;
            return Ok(true);
        }
        let is_copy = self.written.contains(&set) || self.export.sets.resume && has_files();
        let ([input], true) = (inputs, is_copy) else { return Ok(false) };
        let Some(entry) = self.manifest.of_set(&set)? else { return Ok(false) };
        let (path, warnings) = (input.path.clone(), Vec::new());
        self.manifest.add(&[ManifestEntry { path, rows: None, warnings, ..entry }])?;
        self.totals.captures += 1;
        Ok(true)
    }

    /// Writes the tables of a set.
    fn write(
        &mut self,
        set: &str,
        files: &[OsString],
        from: &mut FilteredInput,
    ) -> anyhow::Result<WrittenTables> {
        let scratch = self.scratch(1);
        let FilteredInput { pipeline, filter } = from;
        let passes = self.tables.iter().map(|table| table.passes()).max().unwrap_or_default();
        let is_only = !self.export.sets.each || self.export.captures.files.len() == 1;
        let progress = is_only.then(|| ProgressBar::of_input(pipeline.meter(), passes));
        let mut outputs = self.directory.open(&self.tables, set, files)?;
        let matches_all = filter.matches_all();
        let mut takes = |message: &CapturedMessage<'_>| filter.matches(message);
        let options = TableOptions {
            format: self.format,
            secrets: self.export.captures.reading.secrets(),
            live: false,
            redactor: self.redactor.as_mut(),
            scratch,
            selects: if matches_all { None } else { Some(&mut takes) },
        };
        let tables = self.tables.iter().copied();
        let tables = tables.zip(outputs.iter_mut().map(|out| out as &mut (dyn Write + Send)));
        let written = write_tables(pipeline, options, tables)?;
        // No file appears before all are written.
        outputs.iter_mut().try_for_each(io::Write::flush)?;
        outputs.into_iter().try_for_each(crate::export::Output::finish)?;
        drop(progress);
        Ok(written)
    }

    /// Adds the lines of a set's captures to the manifest.
    fn record(
        &mut self,
        set: &str,
        inputs: &[SetInput],
        pipeline: &Pipeline,
        written: &WrittenTables,
        began: Instant,
    ) -> anyhow::Result<()> {
        let rows = self.tables.iter().map(|table| table.name.to_owned()).zip(written.rows.clone());
        let mut rows = Some(rows.collect::<BTreeMap<_, _>>());
        let mut warnings = pipeline.warnings().to_vec();
        let mut messages = Some(written.messages);
        for warning in &warnings {
            self.note(&format!("warning: {warning}"));
        }
        let entries: Vec<_> = inputs
            .iter()
            .zip(pipeline.input_totals())
            .map(|(input, totals)| {
                let name = input.input.name();
                let damage = pipeline.damaged().iter().find(|damage| damage.input == name);
                ManifestEntry {
                    path: input.path.clone(),
                    bytes: input.digest.map(|digest| digest.bytes),
                    hash: input.digest.map(|digest| digest.hex()),
                    packets: totals.packets,
                    messages: messages.take(),
                    first_time: totals.times.map(|(first, _)| utc(first)),
                    last_time: totals.times.map(|(_, last)| utc(last)),
                    whole: damage.is_none(),
                    damaged_at: damage.map(|damage| damage.offset),
                    unreadable: None,
                    set: Some(set.to_owned()),
                    rows: rows.take(),
                    warnings: std::mem::take(&mut warnings),
                    version: env!("CARGO_PKG_VERSION").to_owned(),
                    milliseconds: began.elapsed().as_millis() as u64,
                }
            })
            .collect();
        self.manifest.add(&entries)?;
        self.totals.captures += inputs.len() as u64;
        self.totals.rows += written.rows.iter().sum::<u64>();
        self.totals.damage += pipeline.damage();
        Ok(())
    }

    /// Adds the lines of captures that cannot be read. Without `--keep-going`, the first ends the
    /// run.
    fn leave_out(&mut self, unread: Vec<(SetInput, OpenError)>) -> anyhow::Result<()> {
        let entries: Vec<_> = unread
            .iter()
            .map(|(input, why)| ManifestEntry {
                path: input.path.clone(),
                bytes: input.digest.map(|digest| digest.bytes),
                hash: input.digest.map(|digest| digest.hex()),
                unreadable: Some(why.to_string()),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                ..ManifestEntry::default()
            })
            .collect();
        if !entries.is_empty() {
            self.manifest.add(&entries)?;
        }
        for (_, why) in unread {
            if !self.export.captures.keep_going {
                return Err(why.into());
            }
            self.note(&format!("left out: {why}"));
            self.totals.unread += 1;
        }
        Ok(())
    }

    /// An empty temporary file; the one that used it before has ended.
    fn scratch(&self, at: usize) -> Option<File> {
        let mut file = self.scratch.get(at)?.as_ref()?.try_clone().ok()?;
        file.set_len(0).ok()?;
        file.rewind().ok()?;
        Some(file)
    }

    /// Prints one of the first notes.
    fn note(&mut self, text: &str) {
        if self.totals.notes < NOTES {
            notify(text);
        }
        self.totals.notes += 1;
    }

    /// Reports what was done; the status.
    fn conclude(&self, path: &Path) -> u8 {
        let RunTotals { captures, rows, resumed, unread, damage, notes } = self.totals;
        if notes > NOTES {
            notify(&format!("{} more such notes are in the manifest", notes - NOTES));
        }
        let mut parts = vec![format!(
            "{}: {}, {}, {}",
            path.display(),
            counted(captures, "capture"),
            counted(self.tables.len() as u64, "table"),
            counted(rows, "row"),
        )];
        if resumed > 0 {
            parts.push(format!("{} left as they were", counted(resumed, "capture")));
        }
        if unread > 0 {
            parts.push(format!("incomplete: {} not read", counted(unread, "capture")));
        }
        if damage > 0 {
            let places = counted(damage, "place");
            parts.push(format!("damaged input: {places}; the readable part was used"));
        }
        notify(&parts.join("; "));
        match () {
            () if unread > 0 && captures + resumed == 0 => FAILED,
            () if unread > 0 || damage > 0 && self.export.captures.fail_on_damage => PARTIAL,
            () => DONE,
        }
    }
}
