//! Tables in a directory: of all captures together, or of each by itself.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Seek as _, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::bail;
use clap::Args;

use super::super::captures::{FilteredInput, Integrity};
use super::super::destination::unwritten;
use super::super::progress::ProgressBar;
use super::super::signals::end_after;
use super::super::{DONE, FAILED, confine, inform, notify};
use super::Export;
use super::set_input::{SetInput, UnreadInput, times};
use analysis::{CapturedMessage, Pipeline, Prepared};
use capture::{InputDigest, OpenError};
use export::{
    Existing, ExportForm, Manifest, ManifestEntry, Redactor, Table, TableDirectory, TableFormat,
    TableOptions, TableOrigin, WrittenTables, set_name, write_tables,
};
use flow::KnownEndpoints;
use sandbox::Needs;
use simulate::raise_fd_limit;
use text::counted;

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
pub(super) fn run(export: &Export, path: &Path, form: ExportForm) -> anyhow::Result<u8> {
    let ExportForm::Table(format) = form else {
        bail!("--format pcapng writes one file, not a directory");
    };
    export.captures.filter()?;
    let files = export.captures.files();
    if path.exists() && !path.is_dir() {
        bail!("{} is a file; several tables, and --each, need a directory", path.display());
    }
    let existing = if export.force { Existing::Replaced } else { Existing::Kept };
    let directory = TableDirectory::create(path, format, existing)?;
    let known = export.captures.reading.known()?;
    let mut run = DirectoryRun {
        export,
        tables: export.tables(),
        format,
        directory,
        manifest: Manifest::open(path)?,
        redactor: export.redaction.redactor()?,
        known: Arc::default(),
        scratch: [(); 3].map(|()| tempfile::tempfile().ok()),
        written: HashSet::new(),
        shows_bytes: !export.sets.each || files.len() == 1,
        files,
        done: Arc::default(),
        totals: RunTotals::default(),
    };
    let writable = vec![path.to_owned()];
    confine(&Needs { writable, files_of_others: true, ..Needs::default() })?;
    let made = run.directory.made().clone();
    end_after({
        let made = made.clone();
        move || made.remove_empty()
    })?;
    let ran = known.read_tables().and_then(|known| {
        run.known = known;
        run.all()
    });
    // Also after an error: what was written stays.
    run.manifest.finish()?;
    if ran.is_err() {
        made.remove_empty();
    }
    ran?;
    Ok(run.conclude(path))
}

/// A run, and what is used for one set of captures after the other.
struct DirectoryRun<'a> {
    export: &'a Export,
    /// The names of the captures.
    files: Vec<OsString>,
    tables: Vec<&'static Table>,
    format: TableFormat,
    directory: TableDirectory,
    manifest: Manifest,
    redactor: Option<Redactor>,
    /// What earlier runs learnt.
    known: Arc<KnownEndpoints>,
    /// Temporary files: later, none can be created outside of the directory.
    scratch: [Option<File>; 3],
    /// The sets that this run has written.
    written: HashSet<String>,
    /// Whether the progress bar shows bytes, not captures.
    shows_bytes: bool,
    /// How many captures are done, for the progress bar.
    done: Arc<AtomicU64>,
    totals: RunTotals,
}

/// What a run has done.
#[derive(Default)]
struct RunTotals {
    captures: u64,
    /// Captures with the name and the contents of another, whose files are its files.
    copies: u64,
    /// Captures whose files were there.
    resumed: u64,
    rows: u64,
    unread: u64,
    damage: u64,
    notes: u64,
}

impl DirectoryRun<'_> {
    /// Reads all captures together, or one after the other.
    fn all(&mut self) -> anyhow::Result<()> {
        let files = std::mem::take(&mut self.files);
        if !self.export.sets.each {
            raise_fd_limit(files.len());
            return self.set(&files);
        }
        let (count, done) = (files.len() as u64, Arc::clone(&self.done));
        let progress = (count > 1).then(|| {
            let template = "{wide_bar} {pos} of {len} captures, {eta} left";
            ProgressBar::show(template, Some(count), move || done.load(Ordering::Relaxed))
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
        let mut copy = self.scratch(0);
        for file in files {
            match SetInput::open(file, &mut copy, self.redactor.as_ref()) {
                Ok(input) => inputs.push(input),
                Err(error) => unread.push(*error),
            }
        }
        let captures = &self.export.captures;
        if inputs.is_empty() || !unread.is_empty() && !captures.keep_going {
            return self.leave_out(&unread);
        }
        if self.is_done(&inputs)? {
            return self.leave_out(&unread);
        }
        let opened = inputs.iter().map(|input| input.input.clone()).collect();
        let prepared = Prepared::with_scratch(opened, self.scratch(1));
        let prepared = prepared.knowing(Arc::clone(&self.known));
        let mut from = match captures.begin(captures.filter()?, prepared) {
            Ok(from) => from,
            Err(error) => {
                let why = error.downcast::<OpenError>()?;
                unread.extend(inputs.into_iter().map(|input| input.unread(why.clone())));
                return self.leave_out(&unread);
            }
        };
        for why in from.pipeline.unread() {
            let is_it =
                |input: &mut SetInput| why.input().is_some_and(|name| input.is_called(name));
            unread.extend(inputs.extract_if(.., is_it).map(|input| input.unread(why.clone())));
        }
        let set = name(&inputs);
        let written = self.write(&set, &inputs, &mut from)?;
        self.record(&set, &inputs, &from.pipeline, &written, began)?;
        self.written.insert(set);
        self.leave_out(&unread)
    }

    /// Whether nothing has to be read: the files of an earlier run are there and it is resumed, or
    /// this run has written them of a copy of the capture.
    fn is_done(&mut self, inputs: &[SetInput]) -> anyhow::Result<bool> {
        let set = name(inputs);
        let is_known = |input: &SetInput| self.manifest.set_of(&input.path) == Some(&set);
        let is_resumed = self.export.sets.resume && self.directory.has(&self.tables, &set);
        if is_resumed && inputs.iter().all(is_known) {
            self.totals.resumed += inputs.len() as u64;
            return Ok(true);
        }
        let [input] = inputs else { return Ok(false) };
        if !is_resumed && !self.written.contains(&set) {
            return Ok(false);
        }
        let Some(entry) = self.manifest.of_set(&set)? else { return Ok(false) };
        if entry.path != input.path {
            let (path, warnings) = (input.path.clone(), Vec::new());
            self.manifest.add_entries(&[ManifestEntry { path, rows: None, warnings, ..entry }])?;
        }
        self.totals.copies += 1;
        Ok(true)
    }

    /// What the footers of a set say of its inputs; nothing where names are replaced.
    fn origin(&self, inputs: &[SetInput]) -> Option<TableOrigin> {
        let digests: Vec<_> = inputs.iter().map(|input| input.digest).collect();
        let hash = Some(InputDigest::of_all(&digests).hex());
        let inputs = inputs.iter().map(|input| input.path.clone()).collect();
        self.redactor.is_none().then_some(TableOrigin { inputs, hash })
    }

    /// Writes the tables of a set.
    fn write(
        &mut self,
        set: &str,
        inputs: &[SetInput],
        from: &mut FilteredInput,
    ) -> anyhow::Result<WrittenTables> {
        let scratch = self.scratch(2);
        let FilteredInput { pipeline, filter } = from;
        let passes = self.tables.iter().map(|table| table.passes()).max().unwrap_or_default();
        let progress = self.shows_bytes.then(|| ProgressBar::of_input(pipeline.meter(), passes));
        let paths: Vec<_> = inputs.iter().map(|input| input.argument.clone()).collect();
        let mut outputs = self.directory.open(&self.tables, set, &paths)?;
        let matches_all = filter.matches_all();
        let mut takes = |message: &CapturedMessage<'_>| filter.matches(message);
        let origin = self.origin(inputs);
        let options = TableOptions {
            format: self.format,
            secrets: self.export.captures.reading.secrets(),
            live: false,
            redactor: self.redactor.as_mut(),
            scratch,
            selects: if matches_all { None } else { Some(&mut takes) },
            origin,
        };
        let tables = self.tables.iter().copied();
        let tables = tables.zip(outputs.iter_mut().map(|out| out as &mut (dyn Write + Send)));
        let written = write_tables(pipeline, options, tables).map_err(unwritten)?;
        // No file appears before all are written.
        outputs.iter_mut().try_for_each(io::Write::flush)?;
        outputs.into_iter().try_for_each(export::Output::finish)?;
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
        let mut entries: Vec<_> = inputs
            .iter()
            .zip(pipeline.input_totals())
            .map(|(input, totals)| {
                let [first_time, last_time] = times(totals.times);
                ManifestEntry {
                    packets: totals.packets,
                    first_time,
                    last_time,
                    set: Some(set.to_owned()),
                    milliseconds: began.elapsed().as_millis() as u64,
                    ..input.entry(pipeline.damaged())
                }
            })
            .collect();
        if let Some(first) = entries.first_mut() {
            first.messages = Some(written.messages);
            first.rows = Some(rows.collect());
            let with_paths =
                |text: &String| inputs.iter().fold(text.clone(), |text, input| input.text(&text));
            first.warnings = pipeline.warnings().iter().map(with_paths).collect();
        }
        self.manifest.add_entries(&entries)?;
        for warning in pipeline.warnings() {
            self.note(&format!("warning: {warning}"));
        }
        for input in inputs {
            self.replace(&input.path, set)?;
        }
        self.totals.captures += inputs.len() as u64;
        self.totals.rows += written.rows.iter().sum::<u64>();
        self.totals.damage += pipeline.damage();
        Ok(())
    }

    /// Removes the files that an earlier run wrote of a capture which had other contents, or was
    /// read together with others; without `--force`, reports them.
    fn replace(&mut self, path: &str, set: &str) -> anyhow::Result<()> {
        let Some(old) = self.manifest.left_by(path, set) else { return Ok(()) };
        if self.export.force {
            return Ok(self.directory.remove(&old)?);
        }
        self.note(&format!("{path} has changed: the tables {old} stay; --force removes them"));
        Ok(())
    }

    /// Adds the lines of captures that cannot be read. Without `--keep-going`, the first ends the
    /// run.
    fn leave_out(&mut self, unread: &[UnreadInput]) -> anyhow::Result<()> {
        if !unread.is_empty() {
            let entries: Vec<_> = unread.iter().map(UnreadInput::entry).collect();
            self.manifest.add_entries(&entries)?;
        }
        for UnreadInput { why, .. } in unread {
            if !self.export.captures.keep_going {
                return Err(why.clone().into());
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
        let RunTotals { captures, copies, resumed, rows, unread, damage, notes } = self.totals;
        if notes > NOTES {
            notify(&format!("{} more such notes are in the manifest", notes - NOTES));
        }
        let tables = counted(self.tables.len() as u64, "table");
        let mut text = format!(
            "{}: {} in {tables} of {}",
            path.display(),
            counted(rows, "row"),
            counted(captures, "capture"),
        );
        for (count, what) in [(resumed, "resumed"), (copies, "with the contents of another")] {
            if count > 0 {
                _ = write!(text, "; {count} {what}");
            }
        }
        inform(&text);
        let fails = self.export.captures.fail_on_damage;
        let is_empty = captures + copies + resumed == 0;
        let status = if is_empty && unread > 0 { FAILED } else { DONE };
        let done = Integrity { damage, unread, reasons: Vec::new(), fails }.conclude(status);
        if status == FAILED { FAILED } else { done }
    }
}

/// The name of the files of a set.
fn name(inputs: &[SetInput]) -> String {
    let first = inputs.first().map_or(Path::new(""), |input| Path::new(&input.path));
    set_name(first, inputs.len().saturating_sub(1), &digest(inputs))
}

/// The digest of a set.
fn digest(inputs: &[SetInput]) -> InputDigest {
    let digests: Vec<_> = inputs.iter().map(|input| input.digest).collect();
    InputDigest::of_all(&digests)
}
