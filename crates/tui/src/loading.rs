//! Fills a session while the interface shows it.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use parking_lot::Mutex;

use analysis::{Loader, Session};
use capture::return_freed;

/// Fills a session in a thread of its own.
///
/// # Errors
///
/// If no thread can be started.
pub fn load(mut loader: Loader, session: &Arc<Mutex<Session>>) -> io::Result<JoinHandle<()>> {
    let session = Arc::clone(session);
    loader.when_freed(return_freed);
    thread::Builder::new().name("loader".to_owned()).spawn(move || loader.run(&session))
}
