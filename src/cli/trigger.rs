//! `capture --keep TIME --on RULE`: files that are written when a finding comes.

use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args;

use super::recording::{Recording, duration, size};
use super::{inform, notify};
use analysis::{CapturedMessage, FindingOccurrence, FindingWatcher, RULES, Rule, Severity};
use capture::Frame;
use capture::live::{Counters, LiveDevice};
use capture::triggered::{TriggerComment, TriggerSettings, TriggeredRecorder};
use conform::fits;
use export::folder_of;
use flow::Flows;
use text::{suggested, utc};

/// The names of several rules in `--on`.
const ANY: &str = "any";

/// How many files are left, unless the user says otherwise.
const FILES: u32 = 10;

/// When a file is written, and with which packets.
#[derive(Args)]
pub(super) struct Trigger {
    /// keep the packets of the last TIME, such as 10m, and write them with -w when a finding of
    /// --on comes
    #[arg(long, value_name = "TIME", requires_all = ["on", "write"], value_parser = duration)]
    keep: Option<Duration>,
    /// write a file when a finding of this rule comes: an id such as list.end-missing, a pattern
    /// such as 'heartbeat.*', or any (all warnings and errors); may be repeated
    #[arg(long, value_name = "RULE", requires_all = ["keep", "write"], value_parser = rules)]
    #[arg(conflicts_with_all = ["rotate_size", "rotate_time", "annotate"])]
    on: Vec<Rules>,
    /// keep at most so many bytes of packets in a temporary file; the oldest go first [default:
    /// 100M]
    #[arg(long, value_name = "SIZE", requires = "on", value_parser = keep_size)]
    #[arg(default_value = "100M", hide_default_value = true)]
    keep_size: u64,
    /// also write the packets of this time after the finding [default: 10s]
    #[arg(long, value_name = "TIME", requires = "on", value_parser = duration)]
    #[arg(default_value = "10s", hide_default_value = true)]
    after: Duration,
}

/// The rules that an argument selects.
#[derive(Clone)]
struct Rules(Vec<&'static Rule>);

/// Writes a file for each finding of some rules, with the packets before it.
pub(super) struct FindingRecorder {
    recorder: TriggeredRecorder,
    watcher: FindingWatcher,
    /// What is said where the files cannot be written.
    cannot_write: String,
    /// The time of the latest frame.
    time: i64,
    files: u64,
}

impl Trigger {
    /// Whether files are written only for findings.
    pub fn is_wanted(&self) -> bool {
        self.keep.is_some()
    }

    /// The directory of the files: none, unless files are written only for findings.
    pub fn writable(&self, recording: &Recording) -> Option<PathBuf> {
        recording.path().filter(|_| self.is_wanted()).map(folder_of)
    }

    /// Begins to keep packets, if requested: in a temporary file in the directory of the files,
    /// which shows that files can be written there.
    pub fn begin(
        &self,
        recording: &Recording,
        devices: &[LiveDevice],
    ) -> anyhow::Result<Option<FindingRecorder>> {
        let (Some(keep), Some(path)) = (self.keep, recording.path()) else { return Ok(None) };
        if recording.is_standard_output() {
            bail!("--on writes several files: name them with -w FILE.pcapng");
        }
        let folder = folder_of(path);
        let temporary = tempfile::tempfile_in(&folder)
            .with_context(|| format!("cannot write files in {}", folder.display()))?;
        let mut rules = self.on.iter().flat_map(|rules| rules.0.clone()).collect::<Vec<_>>();
        rules.sort_unstable_by_key(|rule| rule.id);
        rules.dedup_by_key(|rule| rule.id);
        let settings = TriggerSettings {
            path: path.to_owned(),
            keep,
            keep_size: self.keep_size,
            after: self.after,
            files: recording.rotate_keep().unwrap_or(FILES) as usize,
        };
        Ok(Some(FindingRecorder::new(settings, rules, temporary, devices)))
    }
}

impl FindingRecorder {
    fn new(
        settings: TriggerSettings,
        rules: Vec<&'static Rule>,
        temporary: File,
        devices: &[LiveDevice],
    ) -> Self {
        let cannot_write = format!("cannot write {}", settings.path.display());
        let quiet = i64::try_from(settings.keep.as_nanos()).unwrap_or(i64::MAX);
        Self {
            recorder: TriggeredRecorder::new(settings, temporary, devices),
            watcher: FindingWatcher::new(rules, quiet),
            cannot_write,
            time: 0,
            files: 0,
        }
    }

    /// Processes the next message.
    pub fn message(&mut self, message: &CapturedMessage<'_>, flows: &Flows) {
        self.watcher.watch_message(message, flows);
    }

    /// Processes a frame after its messages.
    pub fn frame(
        &mut self,
        frame: &Frame<'_>,
        flows: &Flows,
        counters: impl Fn() -> Vec<Counters>,
    ) -> anyhow::Result<()> {
        self.time = frame.time;
        let findings = self.watcher.findings(frame.time, flows);
        let comments: Vec<_> = findings.iter().map(comment).collect();
        let pushed = self.recorder.push(frame, &comments, counters);
        pushed.with_context(|| self.cannot_write.clone())?;
        self.write(&findings, &comments)
    }

    /// Flushes the file that is being written.
    pub fn flush(&mut self) -> anyhow::Result<()> {
        self.recorder.flush().with_context(|| self.cannot_write.clone())
    }

    /// Processes the end of the capture, and ends the last file.
    pub fn finish(mut self, flows: &Flows, counters: &[Counters]) -> anyhow::Result<()> {
        let findings = self.watcher.finish(self.time, flows);
        let comments: Vec<_> = findings.iter().map(comment).collect();
        let written = self.write(&findings, &comments);
        for warning in self.watcher.warnings() {
            notify(&warning);
        }
        inform(&format!("files written for findings: {}", self.files));
        let finished = self.recorder.finish(counters).with_context(|| self.cannot_write.clone());
        written.and(finished)
    }

    /// Begins a file for the first of the findings, unless one is being written.
    fn write(
        &mut self,
        findings: &[FindingOccurrence],
        comments: &[TriggerComment],
    ) -> anyhow::Result<()> {
        let (Some(first), Some(comment)) = (findings.first(), comments.first()) else {
            return Ok(());
        };
        let label = label(self.time, first.rule);
        let begun = self.recorder.begin(&label, self.time, comments);
        let begun = begun.with_context(|| self.cannot_write.clone())?;
        if let Some(path) = begun {
            self.files += 1;
            notify(&format!("{}: {}", path.display(), comment.text));
        }
        Ok(())
    }
}

/// `list.end-missing (warning): 192.0.2.1:27950: …; document 001, section 1.1.2`.
fn comment(finding: &FindingOccurrence) -> TriggerComment {
    let FindingOccurrence { rule, subject, text, frames, .. } = finding;
    let (id, severity) = (rule.id, rule.severity.name());
    let text = format!("{id} ({severity}): {subject}: {text}");
    TriggerComment { frames: frames.clone(), text }
}

/// The time in UTC and the rule, as a part of a file's name: `20261126T012409Z-list.end-missing`.
fn label(time: i64, rule: &Rule) -> String {
    let time = utc(time);
    let time: String =
        time.chars().take_while(|c| *c != '.').filter(|c| !"-: ".contains(*c)).collect();
    format!("{time}Z-{}", rule.id)
}

/// Parses an id, a pattern or `any`.
fn rules(text: &str) -> Result<Rules, String> {
    let is_selected = |rule: &&&Rule| match text {
        ANY => rule.severity >= Severity::Warning,
        pattern => fits(pattern, rule.id),
    };
    let rules: Vec<_> = RULES.iter().filter(is_selected).copied().collect();
    if rules.is_empty() {
        let known = RULES.iter().map(|rule| rule.id);
        return Err(format!("no rule has this id{}", suggested(text, "rules", known)));
    }
    Ok(Rules(rules))
}

/// At least 1 MB: a packet has up to 256 KiB.
fn keep_size(text: &str) -> Result<u64, String> {
    let bytes = size(text)?;
    if bytes < 1_000_000 { Err("expected at least 1M".to_owned()) } else { Ok(bytes) }
}

#[cfg(all(test, unix))]
mod tests;
