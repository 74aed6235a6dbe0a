//! A client that requests lists of one master, in datagrams or over connections.

use std::io;
use std::net::{Shutdown, SocketAddr};
use std::time::Duration;

use super::connection::{ConnectionEnd, ConnectionLimits, MasterDialer};
use super::list_answer::{MasterList, RequestedList};
use super::list_request::DatagramRequester;
use super::traffic::TrafficRecorder;
use simulate::families::{
    ListMessages, ListReadFn, ListRequestFn, ListSelection, ListStepFn, MasterMessages,
};
use simulate::{AddressPool, Pacer, Socket, Target};

/// A client of one master.
#[derive(Debug)]
pub struct MasterClient {
    selection: ListSelection,
    way: RequestWay,
}

/// How it reaches the master, and what it sends and reads.
#[derive(Debug)]
enum RequestWay {
    Datagrams { socket: Socket, master: SocketAddr, request: ListRequestFn, read: ListReadFn },
    Connections { dialer: MasterDialer, next: ListStepFn },
}

impl MasterClient {
    /// A client of a master of this kind.
    ///
    /// # Errors
    /// If the target cannot be reached from here.
    pub fn open(
        target: &Target,
        kind: &MasterMessages,
        selection: ListSelection,
    ) -> io::Result<Self> {
        let mut pool = AddressPool::near(target.clone())?;
        let host = pool.host()?;
        let way = match kind.list {
            ListMessages::Datagrams { request, read } => {
                let (socket, master) = (pool.socket(host, 0)?, target.at(kind.port));
                RequestWay::Datagrams { socket, master, request, read }
            }
            ListMessages::Connection(next) => {
                RequestWay::Connections { dialer: MasterDialer::new(pool, host, kind.port), next }
            }
        };
        Ok(Self { selection, way })
    }

    /// Requests the list once: by one datagram, and one more for each part of a list that has to be
    /// requested, or over one connection. Nothing is sent again. `recorder` records what is sent and
    /// what comes.
    ///
    /// # Errors
    /// If the system cannot send or receive.
    pub fn request(
        &self,
        timeout: Duration,
        pacer: Option<&Pacer>,
        recorder: Option<&TrafficRecorder>,
    ) -> io::Result<RequestedList> {
        let selection = &self.selection;
        match &self.way {
            RequestWay::Datagrams { socket, master, request, read } => {
                let (request, read, master) = (*request, *read, *master);
                DatagramRequester {
                    socket,
                    request,
                    read,
                    selection,
                    master,
                    timeout,
                    pacer,
                    recorder,
                }
                .request()
            }
            RequestWay::Connections { dialer, next } => {
                let limits = ConnectionLimits { timeout, pacer, recorder };
                Ok(match dialer.run(limits, |turn| next(selection, turn))? {
                    ConnectionEnd::Reached { value, latency, stream } => {
                        // The master may have closed it already.
                        _ = stream.shutdown(Shutdown::Both);
                        let mut list = MasterList::new(latency);
                        list.add_servers(value);
                        Ok(list)
                    }
                    ConnectionEnd::Cut { latency } => {
                        Ok(MasterList { is_whole: false, ..MasterList::new(latency) })
                    }
                    ConnectionEnd::Failed(failure) => Err(failure),
                })
            }
        }
    }
}
