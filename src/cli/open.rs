//! `fragshark open`: the terminal interface.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use parking_lot::Mutex;

use super::captures::{
    ReadArgs, StandardInput, check_standard_input, inputs, standard_input, warn,
};
use super::config::ConfigOption;
use super::foreign_commands::command_of_others;
use super::live::{Devices, chown_to_user, report_counters};
use super::recording::{Recording, RecordingWriter};
use super::signals::ended_by_signals;
use super::user_files::state_folder;
use super::{commands, confine, log};
use ::query::QuestionThread;
use analysis::{Loader, Prepared, Session};
use capture::Input;
use filter::Filter;
use render::Colour;
use replay::ReferenceAnswer;
use sandbox::Needs;
use text::{Zone, nearest};
use tui::{self, Depth, HistoryFile, Options, OtherAnswer, Saves, Sort};

/// The built-in capture: a server registers, is challenged and answers, a client lists, queries and
/// connects.
const TOUR: &[u8] = include_bytes!("../../captures/tour.pcapng");

/// The answer of the reference master, for the interface.
fn reference_answer(session: &Session, message: usize) -> Result<OtherAnswer, String> {
    let ReferenceAnswer { request, service, replies, captured } =
        replay::reference_answer(session, message)?;
    let name = format!("the reference master ({service})");
    Ok(OtherAnswer { name, request, captured, replies })
}

/// There is no terminal to draw on.
#[derive(Debug, thiserror::Error)]
#[error("the interface needs a terminal; `fragshark decode FILE` prints text")]
pub(super) struct NoTerminal;

/// browse captures in the terminal [default: the built-in tour]
#[derive(Args)]
pub(super) struct OpenArgs {
    /// capture files, merged in time order; `-` is standard input, the default if that is a pipe
    #[arg(value_name = "FILE")]
    files: Vec<OsString>,
    /// open this capture too, as in tcpdump
    #[arg(short, long, value_name = "FILE")]
    read: Vec<OsString>,
    #[command(flatten)]
    reading: ReadArgs,
    #[command(flatten)]
    devices: Devices,
    #[command(flatten)]
    recording: Recording,
    /// show only messages that match a display filter (syntax: docs/filters.md)
    #[arg(short = 'Y', long, value_name = "FILTER")]
    filter: Option<String>,
    /// sort the first screen by a column; COLUMN:desc has the largest first
    #[arg(long, value_name = "COLUMN")]
    sort: Option<Sort>,
    /// show this screen first, by its name or number: messages (1), exchanges (2) and so on
    #[arg(long, value_name = "SCREEN", value_parser = tui::screen_named)]
    screen: Option<usize>,
    #[command(flatten)]
    config: ConfigOption,
    /// directory for exports [default: the current directory]
    #[arg(long, value_name = "DIR")]
    save_in: Option<PathBuf>,
    /// keep only the latest messages [default: 1000000]
    #[arg(long, value_name = "MESSAGES", default_value = "1000000", hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    keep_messages: u32,
}

impl OpenArgs {
    pub fn run(self, colour: Colour) -> anyhow::Result<()> {
        self.filter()?;
        check_standard_input(&self.files())?;
        if self.recording.path().is_some() && !self.devices.are_given() {
            bail!(
                "-w writes what is captured from a device (-i); `fragshark export --format pcapng \
                 -o FILE` writes packets of a capture"
            );
        }
        self.recording.check_name()?;
        if !io::stdout().is_terminal() {
            return Err(self.without_terminal());
        }
        if self.devices.are_given() {
            return self.run_live(colour);
        }
        let inputs = self.inputs();
        let title = inputs.iter().map(Input::name).collect::<Vec<_>>().join(", ");
        let mut options = self.options(title, colour)?;
        let stop = ended_by_signals()?;
        let known = self.reading.known()?;
        let prepared = self.reading.apply(Prepared::new(inputs));
        let writable = writable(&options).collect();
        let needs = Needs { writable, files_of_others: true, ..Needs::default() };
        options.questions = Some(confine_beside_questions(&needs)?);
        let (session, loader) = self.session(prepared.knowing(known.read_tables()?))?;
        // Ends with the program: a pipe may never end, so it is not joined.
        tui::load(loader, &session)?;
        let shown = tui::run(Arc::clone(&session), options, &stop);
        warn(session.lock().warnings());
        Ok(shown?)
    }

    /// The same for devices: all messages are shown, and packets written on request.
    fn run_live(self, colour: Colour) -> anyhow::Result<()> {
        if !self.files.is_empty() || !self.read.is_empty() {
            bail!("give either devices or files, not both");
        }
        if self.recording.is_standard_output() {
            bail!("the interface needs standard output: `fragshark capture -w -` writes to it");
        }
        let live = self.devices.open()?;
        let tapped = live.devices().to_vec();
        let file = self.recording.begin(&tapped)?;
        let stop = ended_by_signals()?;
        // The interface stops the capture, after its last update.
        let capture = live.into_capture(Arc::default(), None);
        let mut options = self.options(format!("live: {}", capture.name()), colour)?;
        let inputs = [Input::Live(capture.clone())];
        let known = self.reading.known()?;
        let prepared = self.reading.apply(Prepared::new(inputs.to_vec()));
        let writable = writable(&options).chain(self.recording.writable()).collect();
        options.questions =
            Some(confine_beside_questions(&Needs { writable, ..Needs::default() })?);
        let (session, mut loader) = self.session(prepared.knowing(known.read_tables()?))?;
        capture.start()?;
        let written =
            file.map(|file| Arc::new(RecordingWriter::new(file, self.recording.cannot_write())));
        if let Some(written) = &written {
            loader.set_hook(written.frame_hook(&capture));
        }
        let loading = tui::load(loader, &session)?;
        let shown = tui::run(Arc::clone(&session), options, &stop);
        capture.stop();
        capture.wait();
        // Packets received until now are handled and written.
        _ = loading.join();
        let counters = capture.counters();
        warn(session.lock().warnings());
        report_counters(&tapped, &counters);
        shown?;
        written.map_or(Ok(()), |written| written.finish(&counters))
    }

    /// How the interface starts, with the user's configuration and history.
    fn options(&self, title: String, colour: Colour) -> anyhow::Result<Options> {
        let (filter, saves) = (self.filter()?, self.saves()?);
        let mut config = self.config.read_config()?;
        let hosts = config.read_hosts();
        let depth = Depth::of_terminal(colour, |name| env::var(name).ok());
        let state = state_folder().filter(|_| config.history);
        let history = state.map(|folder| HistoryFile::open(&folder, chown_to_user));
        Ok(Options {
            title,
            secrets: self.reading.secrets(),
            colour,
            themes: config.themes(depth),
            saves,
            hosts,
            config,
            history: history.unwrap_or_default(),
            zone: Zone::system(),
            filter,
            sort: self.sort.clone(),
            file: self.single_file(),
            reference: Some(Box::new(reference_answer)),
            questions: None,
            is_unsaved: self.devices.are_given() && self.recording.path().is_none(),
            screen: self.screen,
        })
    }

    /// The absolute path of the capture, if it is a single file.
    fn single_file(&self) -> Option<String> {
        let [file] = &self.files()[..] else { return None };
        let is_file = !self.devices.are_given() && file != "-";
        let path = is_file.then(|| std::path::absolute(file).ok()).flatten()?;
        Some(path.display().to_string())
    }

    /// The parsed display filter.
    fn filter(&self) -> anyhow::Result<Option<Filter>> {
        let filter = self.filter.as_deref().map(Filter::parse).transpose();
        match filter {
            Err(error) if self.devices.are_given() => {
                Err(error).context("filter (a display filter; a capture filter is given with -f)")
            }
            filter => filter.context("filter"),
        }
    }

    /// A session, still empty, and what fills it.
    fn session(&self, prepared: Prepared) -> anyhow::Result<(Arc<Mutex<Session>>, Loader)> {
        let (mut session, loader) = Session::begin(prepared, self.reading.decode_as.clone())?;
        session.keep_last(self.keep_messages as usize);
        Ok((Arc::new(Mutex::new(session)), loader))
    }

    /// The error if the first input is no file, but nearly the name of a command, or a word for what
    /// a command does.
    pub fn mistyped_command(&self) -> Option<anyhow::Error> {
        let word = self.files.first()?.to_str()?;
        let is_command = word.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !is_command || Path::new(word).exists() {
            return None;
        }
        if let Some(hint) = command_of_others(word) {
            return Some(anyhow!("no command and no file is named {word}; {hint}"));
        }
        let (commands, most) = (commands(), (word.len() / 3).max(1));
        let near = nearest(word, commands.iter().map(String::as_str), most)?;
        Some(anyhow!("no command and no file is named {word}; did you mean {near}?"))
    }

    /// The error where standard output is no terminal: what is wrong with the arguments anyhow, or
    /// the command that prints text.
    fn without_terminal(&self) -> anyhow::Error {
        if let Some(device) = self.devices.interface.first() {
            return anyhow!(
                "the interface needs a terminal; `fragshark capture -i {device}` captures without \
                 one"
            );
        }
        let is_missing = |file: &&OsString| *file != "-" && !Path::new(file).exists();
        match self.files().iter().find(is_missing) {
            Some(file) => {
                anyhow!("no command and no file is named {}", file.to_string_lossy())
            }
            None => NoTerminal.into(),
        }
    }

    /// Whether an input or option was given.
    pub fn is_given(&self) -> bool {
        !self.files.is_empty()
            || !self.read.is_empty()
            || self.reading.is_given()
            || self.devices.are_given()
            || self.save_in.is_some()
            || self.filter.is_some()
            || self.sort.is_some()
            || self.screen.is_some()
            || self.config.is_given()
    }

    /// The directory of exports, which must exist.
    fn saves(&self) -> anyhow::Result<Saves> {
        let folder = match &self.save_in {
            Some(folder) => folder.clone(),
            None => env::current_dir().context("the current directory does not exist")?,
        };
        let cannot = || format!("cannot save in {}", folder.display());
        let folder = fs::canonicalize(&folder).with_context(cannot)?;
        if !folder.is_dir() {
            bail!("cannot save in {}: not a directory", folder.display());
        }
        let files = self.files();
        let stem = match (files.first(), self.devices.interface.first()) {
            (Some(file), _) if file == "-" => "stdin".to_owned(),
            (Some(file), _) => stem(Path::new(file)),
            (None, Some(device)) => device.clone(),
            (None, None) => "tour".to_owned(),
        };
        Ok(Saves { folder, stem, inputs: files })
    }

    fn inputs(&self) -> Vec<Input> {
        let files = self.files();
        if files.is_empty() {
            return vec![Input::Memory { name: "the tour".to_owned(), bytes: TOUR.into() }];
        }
        inputs(&files)
    }

    /// The files that were given; without any, standard input if it is a pipe or a file.
    fn files(&self) -> Vec<OsString> {
        let given: Vec<_> = self.files.iter().chain(&self.read).cloned().collect();
        if !given.is_empty() || self.devices.are_given() {
            return given;
        }
        match standard_input() {
            StandardInput::Pipe | StandardInput::File => vec!["-".into()],
            StandardInput::Other => given,
        }
    }
}

/// Gives up what the interface does not need, sockets too. The thread that asks was started before,
/// keeps sockets, and gives up all else.
fn confine_beside_questions(needs: &Needs) -> anyhow::Result<QuestionThread> {
    let questions = QuestionThread::start()?;
    confine(needs)?;
    // The user is that of all threads, and is changed by then.
    let needs = Needs { writable: Vec::new(), sockets: true, ..needs.clone() };
    let confined = questions.prepare(move || sandbox::confine(&needs));
    let confined = confined.context("the thread that asks has ended")??;
    log::line(&format!("rights of the thread that asks: {confined}"));
    Ok(questions)
}

/// The folders that the interface writes to.
fn writable(options: &Options) -> impl Iterator<Item = PathBuf> {
    let history = options.history.folder().map(Path::to_path_buf);
    std::iter::once(options.saves.folder.clone()).chain(history)
}

/// The prefix of export names: a file's name without extensions.
fn stem(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let name =
        [".gz", ".zst", ".lz4"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    let name = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
    if name.is_empty() { "capture".to_owned() } else { name.into_owned() }
}
