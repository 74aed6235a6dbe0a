//! `fragshark capture`: prints messages of devices as they arrive, and writes packets to files.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};

use super::captures::{ReadArgs, warn};
use super::destination::{TimeOption, terminal_columns};
use super::live::{Devices, report_counters, report_start};
use super::message_printer::MessagePrinter;
use super::recording::{Recording, duration};
use super::signals::stop_on_signals;
use super::trigger::{FindingRecorder, Trigger};
use super::{inform, logged, notify};
use analysis::{CapturedMessage, Pipeline, PipelineItem, Prepared};
use capture::live::{Counters, LiveCapture};
use capture::record::LiveRecorder;
use capture::{Frame, Input};
use export::{MessageRows, Output};
use flow::Flows;
use render::Colour;
use sandbox::{self, Needs};

/// How often a busy capture flushes, and reports dropped packets.
const FLUSH_INTERVAL: Duration = Duration::from_secs(1);

/// print messages from a network device as they arrive, and write packets to a file
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark capture -i eth0\n  \
    fragshark capture -i eth0 -i lo -w match.pcapng --annotate\n  \
    fragshark capture -i any -f 'udp port 27960' --duration 10m --format ndjson\n  \
    fragshark capture -i eth0 -w day.pcapng --rotate-time 1h --rotate-keep 24\n  \
    fragshark capture -i eth0 -w - | wireshark -k -i -\n  \
    fragshark capture -i eth0 -w found.pcapng --keep 10m --on 'heartbeat.*'\n\n\
    required privileges: docs/capture.md")]
pub(super) struct Capture {
    #[command(flatten)]
    devices: Devices,
    #[command(flatten)]
    reading: ReadArgs,
    #[command(flatten)]
    recording: Recording,
    #[command(flatten)]
    trigger: Trigger,
    /// add decoded messages to the packets as comments; not with --on, whose comments are the
    /// findings
    #[arg(long, requires = "write")]
    annotate: bool,
    /// write only packets that carry, or complete, a message
    #[arg(long, requires = "write")]
    only_messages: bool,
    /// stop after this time, such as 90s, 15m, 1h or 1d
    #[arg(long, value_name = "TIME", value_parser = duration)]
    duration: Option<Duration>,
    /// output format: text (the default), ndjson
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    format: CaptureFormat,
    #[command(flatten)]
    times: TimeOption,
    /// Everywhere else a display filter.
    #[arg(long, hide = true)]
    filter: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CaptureFormat {
    Text,
    Ndjson,
}

/// The destinations of messages and frames.
struct Sinks {
    /// Nothing if standard output is for packets.
    print: Option<MessagePrinter<Output>>,
    file: Option<LiveRecorder>,
    findings: Option<FindingRecorder>,
    /// What is said where the file cannot be written.
    cannot_write: String,
    rows: MessageRows,
    /// The comment for the current frame, if frames are annotated.
    comment: Option<String>,
    /// Only frames with messages are written.
    only_messages: bool,
    frames: u64,
    messages: u64,
    /// Messages at the end of the frame before.
    messages_before: u64,
    flushed: Instant,
    /// Dropped packets that were reported.
    reported_drops: u64,
}

impl Capture {
    pub fn run(self, colour: Colour) -> anyhow::Result<()> {
        if self.filter.is_some() {
            bail!(
                "--filter is for display filters, which capture does not have; \
                 a capture filter is given with -f or --capture-filter"
            );
        }
        if !self.devices.are_given() {
            bail!("name a device with -i; `fragshark interfaces` lists them");
        }
        self.recording.check_name()?;
        let mut out = Some(Output::standard()?);
        if self.recording.is_standard_output() {
            out = None;
        }
        let live = self.devices.open()?;
        let tapped = live.devices().to_vec();
        let file = if self.trigger.is_wanted() { None } else { self.recording.begin(&tapped)? };
        let stop = Arc::new(AtomicBool::new(false));
        stop_on_signals(&stop)?;
        let known = self.reading.known()?;
        let mut writable = self.recording.writable();
        writable.extend(self.trigger.writable(&self.recording));
        let confined = sandbox::confine(&Needs { writable, ..Needs::default() })?;
        logged(&confined);
        let findings = self.trigger.begin(&self.recording, &tapped)?;
        report_start(&tapped, &confined);
        let capture = live.into_capture(stop, self.duration);
        capture.start()?;
        let inputs = vec![Input::Live(capture.clone())];
        let prepared = self.reading.apply(Prepared::new(inputs)).knowing(known.read_tables()?);
        let mut pipeline = Pipeline::begin(prepared, self.reading.decode_as.clone())?;
        let is_ndjson = self.format == CaptureFormat::Ndjson;
        let mut rows = MessageRows::new(self.reading.secrets());
        if is_ndjson {
            rows = rows.with_ids(pipeline.input_set().clone());
        } else if !self.annotate {
            // Comments of packets have the same summary, and are no place for colours.
            rows = rows.in_colour(colour);
        }
        let style = self.times.line_style(colour, terminal_columns());
        let print = out.map(|out| MessagePrinter::new(out, is_ndjson, style)).transpose()?;
        let mut sinks = Sinks {
            print,
            file,
            findings,
            cannot_write: self.recording.cannot_write(),
            rows,
            comment: self.annotate.then(String::new),
            only_messages: self.only_messages,
            frames: 0,
            messages: 0,
            messages_before: 0,
            flushed: Instant::now(),
            reported_drops: 0,
        };
        let ended = pipeline.packets(|item, flows| {
            let done = match item {
                PipelineItem::Frame(_) => Ok(()),
                PipelineItem::Message(message) => sinks.message(message, flows),
                PipelineItem::FrameEnd(frame) => sinks.frame(frame, flows, &capture),
            };
            match done {
                Err(error) => ControlFlow::Break(Err(error)),
                Ok(()) => ControlFlow::Continue(()),
            }
        })?;
        capture.stop();
        capture.wait();
        let counters = capture.counters();
        let (frames, messages) = (sinks.frames, sinks.messages);
        let finished = sinks.finish(pipeline.flows(), &counters);
        warn(pipeline.warnings());
        report_counters(&tapped, &counters);
        inform(&format!("{frames} packets captured, {messages} messages"));
        ended.unwrap_or(Ok(()))?;
        finished
    }
}

impl Sinks {
    fn message(&mut self, message: &CapturedMessage<'_>, flows: &Flows) -> anyhow::Result<()> {
        self.messages += 1;
        if let Some(findings) = &mut self.findings {
            findings.message(message, flows);
        }
        let row = self.rows.row(message);
        if let Some(comment) = &mut self.comment {
            let gap = if comment.is_empty() { "" } else { "\n" };
            _ = write!(comment, "{gap}{} {} {}", row.game, row.message, row.summary);
        }
        Ok(self.print.as_mut().map_or(Ok(()), |print| print.write(&row))?)
    }

    fn frame(
        &mut self,
        frame: &Frame<'_>,
        flows: &Flows,
        capture: &LiveCapture,
    ) -> anyhow::Result<()> {
        self.frames += 1;
        let comment = self.comment.as_deref().unwrap_or_default();
        let is_wanted = !self.only_messages || self.messages > self.messages_before;
        self.messages_before = self.messages;
        if let Some(file) = &mut self.file
            && is_wanted
        {
            let written = file.write(frame, comment.trim_end(), capture);
            written.with_context(|| self.cannot_write.clone())?;
        }
        if let Some(comment) = &mut self.comment {
            comment.clear();
        }
        if let Some(findings) = &mut self.findings {
            findings.frame(frame, flows, || capture.counters())?;
        }
        let is_time = self.flushed.elapsed() >= FLUSH_INTERVAL;
        if is_time {
            self.flushed = Instant::now();
            self.report_drops(&capture.counters());
        }
        if is_time || capture.is_idle() { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        if let Some(file) = &mut self.file {
            file.flush().with_context(|| self.cannot_write.clone())?;
        }
        if let Some(findings) = &mut self.findings {
            findings.flush()?;
        }
        Ok(self.print.as_mut().map_or(Ok(()), MessagePrinter::flush)?)
    }

    /// Reports dropped packets, whenever there are more of them.
    fn report_drops(&mut self, counters: &[Counters]) {
        let all = counters.iter().copied().fold(Counters::default(), Counters::plus);
        let dropped = all.dropped_by_kernel + all.dropped_by_us;
        if dropped > self.reported_drops {
            self.reported_drops = dropped;
            let Counters { dropped_by_kernel, dropped_by_us, .. } = all;
            notify(&format!(
                "packets lost: {dropped_by_kernel} dropped by the kernel, \
                 {dropped_by_us} by us"
            ));
        }
    }

    /// Completes all files, even if the reader of standard output is gone.
    fn finish(mut self, flows: &Flows, counters: &[Counters]) -> anyhow::Result<()> {
        let file = self.file.take().map_or(Ok(()), |file| file.finish(counters));
        let findings = self.findings.take().map_or(Ok(()), |found| found.finish(flows, counters));
        let printed = self.flush();
        file.with_context(|| self.cannot_write)?;
        findings?;
        printed
    }
}
