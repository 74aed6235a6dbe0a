//! What was asked, what came, and what the recording of it says.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;

use super::super::destination::unwritten;
use super::super::message_filter::MessageFilter;
use ::query::{
    AnswerEnd, Approach, InterviewOutcome, ListFailure, MasterList, NamedProtocol, QuestionAnswer,
    RequestedList, SingleAnswer, TargetSubject,
};
use analysis::{AnalysisNeeds, Analyzer, CapturedMessage, Finding, Pipeline, Prepared, Severity};
use capture::Input;
use export::{Output, Table, TableFormat, TableOptions, write_tables};
use filter::Filter;
use flow::{DecodeAs, DecodeTarget};
use protocol::Game;
use simulate::families::{MasterMessages, QuestionSubject};
use text::Secrets;

/// What was asked, and what came of it.
pub(super) struct AskedTarget {
    /// The game or the protocol that the user named.
    pub named: Option<NamedProtocol>,
    /// As what the target answered, or was asked last.
    pub subject: AskedAs,
    /// Where it was asked last.
    pub at: Option<SocketAddr>,
    way: Option<Approach>,
    /// As what it was asked, in words.
    pub tried: Vec<String>,
    /// The answer to each question of the last way.
    pub answers: Vec<(QuestionSubject, QuestionAnswer)>,
    /// The list of a master.
    pub list: Option<MasterList>,
    failure: Option<ListFailure>,
    /// How many datagrams came from other ports of the target's host.
    pub from_other_ports: u32,
}

/// As what a target was asked.
#[derive(Clone, Copy)]
pub(super) enum AskedAs {
    /// As a server.
    Server,
    /// As a master of a kind.
    Master(&'static MasterMessages),
    /// With the user's message.
    Message,
}

impl AskedTarget {
    pub fn new(named: Option<NamedProtocol>) -> Self {
        Self {
            named,
            subject: AskedAs::Message,
            at: None,
            way: None,
            tried: Vec::new(),
            answers: Vec::new(),
            list: None,
            failure: None,
            from_other_ports: 0,
        }
    }

    pub fn take_interview(&mut self, way: Approach, outcome: InterviewOutcome, others: u32) {
        self.begin(way);
        self.answers = outcome.answers;
        self.from_other_ports = others;
    }

    pub fn take_list(&mut self, way: Approach, list: RequestedList) {
        self.begin(way);
        match list {
            Ok(list) => self.list = Some(list),
            Err(failure) => self.failure = Some(failure),
        }
    }

    pub fn take_message(&mut self, outcome: SingleAnswer) {
        let SingleAnswer { answer, failure, from_other_ports } = outcome;
        self.answers = vec![(QuestionSubject::State, answer)];
        (self.failure, self.from_other_ports) = (failure, from_other_ports);
    }

    fn begin(&mut self, way: Approach) {
        self.subject = match way.subject {
            TargetSubject::Server(_) => AskedAs::Server,
            TargetSubject::Master(kind) => AskedAs::Master(kind),
        };
        self.at = Some(way.at);
        self.way = Some(way);
        self.answers.clear();
        (self.list, self.failure) = (None, None);
        let name = way.subject.name();
        if self.tried.last().is_none_or(|last| last != name) {
            self.tried.push(name.to_owned());
        }
    }

    /// The way in which it was asked last.
    pub fn way(&self) -> Option<Approach> {
        self.way
    }

    /// How the answer to the first question ended.
    pub fn end(&self) -> Option<AnswerEnd> {
        if let Some(list) = &self.list {
            return Some(if list.is_whole { AnswerEnd::Whole } else { AnswerEnd::Incomplete });
        }
        self.answers.first().and_then(|(_, answer)| answer.end)
    }

    pub fn is_answered(&self) -> bool {
        self.end().is_some_and(AnswerEnd::is_answer)
    }

    /// From the question to the first datagram of its answer.
    pub fn latency(&self) -> Option<Duration> {
        let of_list = self.list.as_ref().map(|list| list.latency);
        of_list.or_else(|| self.answers.first().and_then(|(_, answer)| answer.latency))
    }

    /// Whether an answer is not whole, or not as its grammar says.
    pub fn has_fault(&self) -> bool {
        let list = self.list.as_ref().is_some_and(|list| !list.is_whole);
        list || self.answers.iter().any(|(_, answer)| !answer.is_sound())
    }

    /// That there is no answer, and what was tried.
    pub fn failure(&self) -> String {
        let at = self.at.map(|at| format!("{at}: ")).unwrap_or_default();
        let why = match (self.failure, self.end()) {
            (Some(failure), _) => failure.text(),
            (None, Some(end)) => end.text(),
            (None, None) => AnswerEnd::Missing.text(),
        };
        let tried = match self.tried.as_slice() {
            [] => String::new(),
            [only] => format!("; it was asked as a server or master of {only}"),
            several => format!("; it was asked as one of {}", several.join(", ")),
        };
        let hint = if self.named.is_none() && !self.tried.is_empty() {
            "; GAME://HOST:PORT names the game"
        } else {
            ""
        };
        format!("{at}{why}{tried}{hint}")
    }
}

/// The recording of what was asked and what came, read as any capture.
pub(super) struct ReadAnswers {
    pipeline: Pipeline,
    /// What is known of the target and its messages.
    pub analyzer: Analyzer,
    pub secrets: Secrets,
    at: Option<SocketAddr>,
}

impl ReadAnswers {
    /// Reads a recording; the target's game is known if the user named it.
    pub fn read(
        recording: Vec<u8>,
        asked: &AskedTarget,
        game: Option<&'static Game>,
        secrets: Secrets,
    ) -> anyhow::Result<Self> {
        let input = Input::Memory { name: "the recording".to_owned(), bytes: Arc::from(recording) };
        let decode_as =
            game.zip(asked.at).map(|(game, at)| DecodeAs { subject: DecodeTarget::End(at), game });
        let prepared = Prepared::new(vec![input]).shows(secrets).shows_unknown(true);
        let mut pipeline = Pipeline::begin(prepared, decode_as.into_iter().collect())?;
        let analyzer = pipeline.analyze(Analyzer::new(AnalysisNeeds::Findings), |_| {})?;
        Ok(Self { pipeline, analyzer, secrets, at: asked.at })
    }

    /// What is odd about the target's messages.
    pub fn findings(&self) -> Vec<&Finding> {
        let is_target =
            |finding: &&Finding| self.at.is_none_or(|at| finding.subject.ip() == at.ip());
        self.analyzer.findings().into_iter().filter(is_target).collect()
    }

    /// Whether one of them is more than a note.
    pub fn has_fault(&self) -> bool {
        self.findings().iter().any(|finding| finding.rule.severity > Severity::Note)
    }

    /// The senders of the messages that a display filter selects; `None` without a filter.
    pub fn selected(
        &mut self,
        filter: Option<Filter>,
    ) -> anyhow::Result<Option<BTreeSet<SocketAddr>>> {
        if filter.is_none() {
            return Ok(None);
        }
        let mut filter = MessageFilter::open(filter, &mut self.pipeline, self.secrets)?;
        let mut selected = BTreeSet::new();
        self.messages(|message| {
            if filter.matches(message) {
                selected.insert(message.header.source);
            }
            Ok(())
        })?;
        Ok(Some(selected))
    }

    /// Passes each message to `each`.
    pub fn messages(
        &mut self,
        mut each: impl FnMut(&CapturedMessage<'_>) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let failed = self.pipeline.messages(|message| {
            each(message).map_or_else(ControlFlow::Break, ControlFlow::Continue)
        })?;
        failed.map_or(Ok(()), |why| Err(why.into()))
    }

    /// The pipeline, for what writes all messages.
    pub fn pipeline(&mut self) -> &mut Pipeline {
        &mut self.pipeline
    }

    /// Writes a table of `fragshark export`; its lines of NDJSON as an array, if `is_array`.
    pub fn write_table(
        &mut self,
        name: &str,
        format: TableFormat,
        is_array: bool,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        let table = Table::named(name).with_context(|| format!("there is no table {name}"))?;
        let secrets = self.secrets;
        let (redactor, scratch, selects, origin) = (None, None, None, None);
        let options =
            TableOptions { format, secrets, live: false, redactor, scratch, selects, origin };
        if !is_array {
            let to = [(table, out as &mut (dyn Write + Send))];
            write_tables(&mut self.pipeline, options, to).map_err(unwritten)?;
            return Ok(());
        }
        let mut lines = Vec::new();
        let to = [(table, &mut lines as &mut (dyn Write + Send))];
        write_tables(&mut self.pipeline, options, to).map_err(unwritten)?;
        let rows: Vec<_> =
            lines.split(|byte| *byte == b'\n').filter(|row| !row.is_empty()).collect();
        out.write_all(b"[\n")?;
        out.write_all(&rows.join(&b",\n"[..]))?;
        out.write_all(b"\n]\n")?;
        Ok(())
    }
}
