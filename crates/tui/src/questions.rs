//! Questions to servers and masters: the thread that asks, and the session that gets what was said.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;

use super::comparison::ComparedMessages;
use super::loading::load;
use super::overlay::OverlayLine;
use analysis::{ExtendError, Loader, Session};
use capture::Input;
use query::{AskedQuestion, QuestionThread, SessionQuestion};

/// What the recordings of exchanges are called among the inputs.
const NAME: &str = "asked";

/// A question that is ready to be sent, as text.
pub struct QuestionView {
    pub question: SessionQuestion,
    pub heading: String,
    pub lines: Vec<OverlayLine>,
}

/// An answer, as text and beside the recorded one.
pub struct AnswerView {
    pub heading: String,
    pub lines: Vec<OverlayLine>,
    pub compared: Vec<ComparedMessages>,
}

/// The thread that asks, and the exchanges that the session does not have yet.
#[derive(Default)]
pub struct Questions {
    thread: Option<QuestionThread>,
    waiting: VecDeque<Arc<[u8]>>,
    loading: Option<ExtendedSession>,
}

/// The session with one more exchange, while it is read.
struct ExtendedSession {
    session: Arc<Mutex<Session>>,
    capture: Arc<[u8]>,
}

/// What was said, as an input.
fn exchange(capture: &Arc<[u8]>) -> Input {
    Input::Memory { name: NAME.to_owned(), bytes: Arc::clone(capture) }
}

impl Questions {
    /// Without a thread, nothing can be asked.
    pub fn new(thread: Option<QuestionThread>) -> Self {
        Self { thread, ..Self::default() }
    }

    /// Sends a question.
    pub fn ask(&mut self, question: SessionQuestion) -> Result<(), &'static str> {
        let thread = self.thread.as_mut().ok_or("nothing can be sent from here")?;
        if thread.ask(question) { Ok(()) } else { Err("another question is still being asked") }
    }

    /// What came of a question.
    pub fn poll(&mut self) -> Option<Result<AskedQuestion, String>> {
        let asked = self.thread.as_mut()?.poll()?;
        if let Ok(asked) = &asked {
            self.waiting.push_back(Arc::clone(&asked.capture));
        }
        Some(asked)
    }

    /// Whether something will change soon without a key.
    pub fn is_busy(&self) -> bool {
        self.thread.as_ref().is_some_and(QuestionThread::is_asking) || self.loading.is_some()
    }

    /// Adds what was said to a session that has been read: another session with one more input is read
    /// while it is shown; then it becomes the new one. The frames of the exchange when it is there, or
    /// why it cannot be added.
    pub fn extend(
        &mut self,
        session: &Mutex<Session>,
        threads: usize,
    ) -> Option<Result<[u64; 2], String>> {
        if let Some(loading) = &self.loading {
            let is_complete = loading.session.lock().is_index_final();
            let ExtendedSession { session: extended, capture } =
                self.loading.take_if(|_| is_complete)?;
            let mut shown = session.lock();
            let mut extended = extended.lock();
            // Without a temporary file, which cannot be made any more, little is kept of a compressed
            // capture that is read again.
            if extended.len() < shown.len() {
                let continued = shown.continued(exchange(&capture), threads);
                return self.read(continued, capture).err().map(Err);
            }
            let before = shown.packets();
            std::mem::swap(&mut *shown, &mut *extended);
            return Some(Ok([before + 1, shown.packets()]));
        }
        let capture = self.waiting.pop_front()?;
        let extended = session.lock().with(exchange(&capture), threads);
        self.read(extended, capture).err().map(Err)
    }

    /// Begins to read the session with one more exchange.
    fn read(
        &mut self,
        extended: Result<(Session, Loader), ExtendError>,
        capture: Arc<[u8]>,
    ) -> Result<(), String> {
        let (extended, loader) = extended.map_err(|why| why.to_string())?;
        let session = Arc::new(Mutex::new(extended));
        load(loader, &session).map_err(|why| why.to_string())?;
        self.loading = Some(ExtendedSession { session, capture });
        Ok(())
    }

    /// The session is read anew: an exchange that was about to be added is added to that.
    pub fn begin_again(&mut self) {
        if let Some(ExtendedSession { capture, .. }) = self.loading.take() {
            self.waiting.push_front(capture);
        }
    }

    /// Another capture is open: what was asked belongs to the one before.
    pub fn forget(&mut self) {
        (self.loading, self.waiting) = (None, VecDeque::new());
    }
}
