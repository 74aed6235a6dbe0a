//! Two pages over HTTP: `/metrics` and `/healthz`.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Instant, SystemTime};

use parking_lot::Mutex;
use tiny_http::{Header, Method, Request, Response, Server};

/// The type of Prometheus' text format.
const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";

/// What the pages say.
#[derive(Debug, Clone)]
struct PageState {
    metrics: String,
    /// When the next round ought to be over.
    healthy_until: Option<Instant>,
}

/// A server of the two pages; it ends when this is dropped.
pub struct MetricsServer {
    address: SocketAddr,
    state: Arc<Mutex<PageState>>,
    server: Arc<Server>,
    thread: Option<JoinHandle<()>>,
}

impl MetricsServer {
    /// Listens at an address.
    ///
    /// # Errors
    /// If nothing can listen there.
    pub fn start(address: SocketAddr) -> io::Result<Self> {
        let server = Arc::new(Server::http(address).map_err(io::Error::other)?);
        let address = server.server_addr().to_ip().ok_or(io::ErrorKind::Unsupported)?;
        let state = PageState { metrics: String::new(), healthy_until: None };
        let state = Arc::new(Mutex::new(state));
        let (answers, pages) = (Arc::clone(&server), Arc::clone(&state));
        let thread = thread::Builder::new().name("metrics".to_owned()).spawn(move || {
            for request in answers.incoming_requests() {
                let state = pages.lock().clone();
                // The client may have gone.
                _ = answer(request, &state);
            }
        })?;
        Ok(Self { address, state, server, thread: Some(thread) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sets the metrics after a round, and until when the program counts as healthy.
    pub fn set(&self, metrics: String, healthy_until: Instant) {
        *self.state.lock() = PageState { metrics, healthy_until: Some(healthy_until) };
    }
}

impl Drop for MetricsServer {
    fn drop(&mut self) {
        self.server.unblock();
        if let Some(thread) = self.thread.take() {
            _ = thread.join();
        }
    }
}

fn answer(request: Request, state: &PageState) -> io::Result<()> {
    let is_read = matches!(request.method(), Method::Get | Method::Head);
    let path = request.url().split('?').next().unwrap_or_default();
    let is_healthy = state.healthy_until.is_some_and(|until| Instant::now() <= until);
    let (status, kind, body) = match path {
        _ if !is_read => (405, TEXT, "only GET\n".to_owned()),
        "/metrics" => (200, METRICS, state.metrics.clone()),
        "/healthz" if is_healthy => (200, TEXT, "ok\n".to_owned()),
        "/healthz" => (503, TEXT, "the last round is too long ago\n".to_owned()),
        _ => (404, TEXT, "the pages are /metrics and /healthz\n".to_owned()),
    };
    let mut response = Response::from_string(body).with_status_code(status);
    if let Ok(header) = Header::from_bytes("Content-Type", kind) {
        response.add_header(header);
    }
    request.respond(response)
}

/// The system's time in nanoseconds since 1970.
pub fn system_time() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
}
