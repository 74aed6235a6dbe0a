//! A server that the user named: it is asked in each round whether it answers.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use super::awaited_master::MasterObstacle;
use super::plan::WatchError;
use query::{AskedServer, is_unreachable};
use simulate::Target;
use simulate::families::MasterMessages;

/// A named server.
pub(super) struct WatchedServer {
    /// As the user named it.
    pub target: Target,
    /// Its address.
    pub address: SocketAddr,
    /// Where it is asked.
    question_target: Target,
    /// `None` as long as it cannot be reached from here.
    asked: Option<AskedServer>,
}

impl WatchedServer {
    /// A server of masters of this kind.
    ///
    /// # Errors
    /// If it has no address for questions, or the system cannot open a socket.
    pub fn new(target: &Target, kind: &MasterMessages) -> Result<Self, WatchError> {
        let address = target.at(0);
        let unusable = |why: io::Error| WatchError::Unusable {
            target: target.to_string(),
            why: MasterObstacle::Unreachable(why),
        };
        let port = address.port().checked_add(kind.servers.port_above);
        let port = port.ok_or_else(|| unusable(io::ErrorKind::InvalidInput.into()))?;
        let question_target = target.with_port(port);
        let mut server = Self { target: target.clone(), address, question_target, asked: None };
        server.open().map_err(unusable)?;
        Ok(server)
    }

    /// Opens its socket, unless it is open or the server cannot be reached.
    fn open(&mut self) -> io::Result<()> {
        if self.asked.is_none() {
            match AskedServer::new(self.question_target.clone()) {
                Err(why) if is_unreachable(&why) => {}
                opened => self.asked = Some(opened?),
            }
        }
        Ok(())
    }

    /// Asks all; the time that each took to answer. One that cannot be reached does not answer.
    ///
    /// # Errors
    /// If the system cannot open a socket, or wait.
    pub fn ask_all(
        servers: &mut [Self],
        kind: &MasterMessages,
        timeout: Duration,
    ) -> io::Result<Vec<Option<Duration>>> {
        let mut asked = Vec::new();
        for server in servers.iter_mut() {
            server.open()?;
            asked.extend(server.asked.as_mut());
        }
        let mut answers =
            AskedServer::ask_all(&mut asked, &kind.servers.state(), timeout)?.into_iter();
        let answer = |server: &Self| server.asked.as_ref().and_then(|_| answers.next()?);
        Ok(servers.iter().map(answer).collect())
    }
}
