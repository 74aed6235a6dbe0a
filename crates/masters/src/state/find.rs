//! Finding the servers of a list, and their records.

use std::net::SocketAddr;

use super::{LONGEST, MOST_CLIENTS, MasterState, RECORD};
use crate::defect::Defect;
use crate::registry::{ListKey, ServerQuery};
use codec::{AddrForm, Addrs, Digits};

impl MasterState {
    /// The matching servers. The vector is reused: return it with [`MasterState::recycle`].
    pub fn find(
        &mut self,
        mut wanted: ServerQuery<'_>,
        fits: impl Fn(&ListKey) -> bool,
    ) -> Vec<SocketAddr> {
        if self.has(Defect::IgnoresProtocol) {
            wanted.protocol = None;
        }
        if self.has(Defect::IgnoresGame) {
            wanted.game = None;
        }
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        found.extend(self.registry.find(wanted, &fits));
        self.find_others(wanted, &fits, &mut found);
        if self.has(Defect::SwappedPort) {
            for server in &mut found {
                server.set_port(server.port().swap_bytes());
            }
        }
        if self.has(Defect::DoubledEntries) {
            found = found.into_iter().flat_map(|server| [server, server]).collect();
        }
        if self.has(Defect::ListVaries) {
            found.truncate(found.len().saturating_sub(self.is_second_list().into()));
        }
        if self.has(Defect::ListsNobody) {
            found.clear();
        }
        found
    }

    /// Whether the client's previous list was complete.
    fn is_second_list(&mut self) -> bool {
        let was_whole = self.had_complete.remove(&self.client);
        if !was_whole && self.had_complete.len() < MOST_CLIENTS {
            self.had_complete.insert(self.client);
        }
        was_whole
    }

    /// Gives back what [`find`](Self::find) gave, so that its memory is used again.
    pub fn recycle(&mut self, found: Vec<SocketAddr>) {
        self.found = found;
    }

    /// The records of a list in one datagram; those that do not fit are left out.
    pub fn records(&mut self, form: AddrForm, servers: &[SocketAddr]) -> Vec<u8> {
        let mut raw = Vec::new();
        for server in servers {
            if raw.len() + RECORD > LONGEST {
                self.counts.left_out += 1;
            } else {
                self.push(form, *server, &mut raw);
            }
        }
        raw
    }

    /// Appends a server's record to a list.
    pub fn push(&self, form: AddrForm, server: SocketAddr, raw: &mut Vec<u8>) {
        let before = raw.len();
        let Some(server) = self.broken_record(server) else { return };
        Addrs::push(form, server, raw);
        if self.has(Defect::WideRecords) && server.is_ipv4() && raw.len() > before {
            // Twice as wide, and one zero comes first: no record is where a client reads one.
            let width = raw.len() - before;
            let zero = match form.digits {
                Digits::Raw => 0,
                Digits::Hex => b'0',
            };
            raw.insert(before, zero);
            raw.resize(before + 2 * width, zero);
        }
    }
}
