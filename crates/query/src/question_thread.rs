//! A thread that sends questions: the interface does not wait for answers, and opens no sockets.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use super::answer::AnswerMessage;
use super::session_question::SessionQuestion;

/// A question that was sent, and what came of it.
#[derive(Debug)]
pub struct AskedQuestion {
    /// The question.
    pub question: SessionQuestion,
    /// How it ended, in a few words.
    pub outcome: String,
    /// From the question to the first bytes of the answer.
    pub latency: Option<Duration>,
    /// What the target sent.
    pub messages: Vec<AnswerMessage>,
    /// What was sent and what came, as a capture.
    pub capture: Arc<[u8]>,
}

type ThreadJob = Box<dyn FnOnce() + Send>;

/// What came of a question, or why it could not be sent.
type AskedResult = Result<AskedQuestion, String>;

/// A thread that asks one question after the other.
pub struct QuestionThread {
    jobs: Sender<ThreadJob>,
    results: (Sender<AskedResult>, Receiver<AskedResult>),
    /// How many questions have no result yet.
    asking: usize,
}

impl QuestionThread {
    /// Starts it; it does nothing yet.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn start() -> io::Result<Self> {
        let (jobs, received) = channel::<ThreadJob>();
        // It ends with the program, or when nobody can ask any more.
        thread::Builder::new().name("query".to_owned()).spawn(move || {
            for job in received {
                job();
            }
        })?;
        Ok(Self { jobs, results: channel(), asking: 0 })
    }

    /// Calls a function in the thread and waits for its result: it gives up privileges before the
    /// first question. `None` if the thread has ended.
    pub fn prepare<T: Send + 'static>(
        &self,
        prepare: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (sender, receiver) = channel();
        // Who waits for it is there.
        self.jobs.send(Box::new(move || _ = sender.send(prepare()))).ok()?;
        receiver.recv().ok()
    }

    /// Sends a question, unless another one is being asked; whether it does.
    pub fn ask(&mut self, question: SessionQuestion) -> bool {
        let results = self.results.0.clone();
        let job = move || {
            let to = question.to();
            let asked = question.ask().map_err(|why| format!("{to}: {why}"));
            // Nobody waits for it if the interface has ended.
            _ = results.send(asked);
        };
        if self.asking > 0 || self.jobs.send(Box::new(job)).is_err() {
            return false;
        }
        self.asking += 1;
        true
    }

    /// The result of a question, if there is a new one.
    pub fn poll(&mut self) -> Option<AskedResult> {
        let result = self.results.1.try_recv().ok()?;
        self.asking -= 1;
        Some(result)
    }

    /// Whether a question has no result yet.
    pub fn is_asking(&self) -> bool {
        self.asking > 0
    }
}
