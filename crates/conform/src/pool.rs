//! The endpoints of servers: a limited number for each service, reused by later cases, so that a
//! run leaves few servers listed at the target.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard};

use super::failure::Failure;
use simulate::{Received, Socket};

/// Endpoints at given addresses beyond the limit.
const BESIDE: usize = 16;

/// The endpoints of servers.
pub(super) struct ServerPool {
    /// The maximum endpoints of one service.
    most: usize,
    /// The servers of one address that the target is assumed to accept.
    of_an_address: usize,
    slots: Mutex<Vec<PoolSlot>>,
}

/// One endpoint.
struct PoolSlot {
    service: String,
    socket: Arc<Socket>,
    /// Whether it only sends sentinels: what it receives answers one.
    is_sentinel: bool,
    /// When it was last given out, counted in endpoints given out.
    used: u64,
}

impl ServerPool {
    pub fn new(most: usize, of_an_address: usize) -> Self {
        Self { most, of_an_address, slots: Mutex::default() }
    }

    /// The maximum endpoints of one service.
    pub fn most(&self) -> usize {
        self.most
    }

    /// An endpoint of a service, at this address if one is given: a new one below the limit, else
    /// the one that was idle for longest. An address with more endpoints than the target accepts of
    /// one has some that it refuses: without `ip` none of these is returned.
    pub fn take_socket(
        &self,
        service: &str,
        ip: Option<IpAddr>,
        open: impl FnOnce() -> io::Result<Socket>,
    ) -> Result<Arc<Socket>, Failure> {
        let mut slots = self.lock()?;
        let count = slots.iter().filter(|slot| slot.service == service).count();
        if count < self.most {
            return add_slot(&mut slots, service, false, open);
        }
        let mut beside: BTreeMap<IpAddr, usize> = BTreeMap::new();
        for slot in slots.iter().filter(|slot| slot.service == service) {
            *beside.entry(slot.socket.local().ip()).or_default() += 1;
        }
        let fits = |slot: &&mut PoolSlot| {
            let own = slot.socket.local().ip();
            let is_crowded = beside.get(&own).is_some_and(|count| *count > self.of_an_address);
            ip.map_or(!is_crowded, |ip| own == ip)
        };
        let idle = slots.iter_mut().filter(|slot| slot.is_idle(service)).filter(fits);
        let used = idle.min_by_key(|slot| slot.used);
        let Some(slot) = used else {
            // A case that asks for several servers of one address gets them beyond the limit, unless all
            // servers have that address.
            let is_other = |ip: IpAddr| beside.keys().any(|other| *other != ip);
            if ip.is_some_and(is_other) && count < self.most + BESIDE {
                return add_slot(&mut slots, service, false, open);
            }
            let why = format!("all {count} servers that may be registered here are in use");
            return Err(Failure::blocked(why));
        };
        slot.drain().map_err(|why| Failure::error(why.to_string()))?;
        let socket = Arc::clone(&slot.socket);
        touch(&mut slots, &socket);
        Ok(socket)
    }

    /// An endpoint that no case has used, whatever the limit.
    pub fn take_new(
        &self,
        service: &str,
        open: impl FnOnce() -> io::Result<Socket>,
    ) -> Result<Arc<Socket>, Failure> {
        add_slot(&mut *self.lock()?, service, false, open)
    }

    /// The endpoint with this address and port, if there is one; else one that is opened, if that is
    /// possible.
    pub fn take_at(
        &self,
        service: &str,
        at: SocketAddr,
        open: impl FnOnce() -> io::Result<Socket>,
    ) -> Result<Option<Arc<Socket>>, Failure> {
        let mut slots = self.lock()?;
        let known = |slot: &&PoolSlot| slot.service == service && slot.socket.local() == at;
        let Some(slot) = slots.iter().find(known) else {
            let Ok(socket) = open() else { return Ok(None) };
            return add_slot(&mut slots, service, false, || Ok(socket)).map(Some);
        };
        if !slot.is_unused() {
            return Err(Failure::blocked(format!("another case uses {at}")));
        }
        slot.drain().map_err(|why| Failure::error(why.to_string()))?;
        let socket = Arc::clone(&slot.socket);
        touch(&mut slots, &socket);
        Ok(Some(socket))
    }

    /// An endpoint that no case uses now, at an address that fits.
    pub fn take_idle(
        &self,
        service: &str,
        fits: impl Fn(SocketAddr) -> bool,
    ) -> Result<Option<Arc<Socket>>, Failure> {
        let mut slots = self.lock()?;
        let mut idle = slots.iter().filter(|slot| slot.is_idle(service));
        let Some(slot) = idle.find(|slot| fits(slot.socket.local())) else { return Ok(None) };
        slot.drain().map_err(|why| Failure::error(why.to_string()))?;
        let socket = Arc::clone(&slot.socket);
        touch(&mut slots, &socket);
        Ok(Some(socket))
    }

    /// Many endpoints of a service, up to a limit per address: idle ones first, then new ones.
    pub fn take_many(
        &self,
        service: &str,
        count: usize,
        of_an_address: usize,
        mut open: impl FnMut() -> io::Result<Socket>,
    ) -> Result<Vec<Arc<Socket>>, Failure> {
        if count > self.most {
            let most = self.most;
            return Err(Failure::skipped(format!(
                "needs {count} servers at once; at most {most} are registered at this target"
            )));
        }
        let mut slots = self.lock()?;
        let mut taken: Vec<Arc<Socket>> = Vec::with_capacity(count);
        for slot in slots.iter().filter(|slot| slot.is_idle(service)) {
            let ip = slot.socket.local().ip();
            let beside = taken.iter().filter(|socket| socket.local().ip() == ip).count();
            if taken.len() == count || beside >= of_an_address {
                continue;
            }
            slot.drain().map_err(|why| Failure::error(why.to_string()))?;
            taken.push(Arc::clone(&slot.socket));
        }
        while taken.len() < count {
            if slots.iter().filter(|slot| slot.service == service).count() >= self.most {
                return Err(Failure::blocked("too many servers are in use by other cases"));
            }
            taken.push(add_slot(&mut slots, service, false, &mut open)?);
        }
        Ok(taken)
    }

    /// An endpoint that sends sentinels as a server: an idle one of those, else a new one.
    pub fn take_sentinel(
        &self,
        service: &str,
        open: impl FnOnce() -> io::Result<Socket>,
    ) -> Result<Arc<Socket>, Failure> {
        let mut slots = self.lock()?;
        let idle =
            |slot: &&PoolSlot| slot.service == service && slot.is_sentinel && slot.is_unused();
        let Some(slot) = slots.iter().find(idle) else {
            return add_slot(&mut slots, service, true, open);
        };
        slot.drain().map_err(|why| Failure::error(why.to_string()))?;
        Ok(Arc::clone(&slot.socket))
    }

    /// Many endpoints of one address: those of an address that has as many idle ones, else new ones
    /// at one address.
    pub fn take_of_an_address(
        &self,
        service: &str,
        count: usize,
        mut open: impl FnMut(Option<IpAddr>) -> io::Result<Socket>,
    ) -> Result<Vec<Arc<Socket>>, Failure> {
        let mut slots = self.lock()?;
        let mut by_address: BTreeMap<IpAddr, Vec<Arc<Socket>>> = BTreeMap::new();
        for slot in slots.iter().filter(|slot| slot.is_idle(service)) {
            slot.drain().map_err(|why| Failure::error(why.to_string()))?;
            let beside = by_address.entry(slot.socket.local().ip()).or_default();
            beside.push(Arc::clone(&slot.socket));
        }
        if let Some(found) = by_address.into_values().find(|found| found.len() >= count) {
            return Ok(found.into_iter().take(count).collect());
        }
        let used = slots.iter().filter(|slot| slot.service == service).count();
        if used + count > self.most {
            let why = format!("{used} of {} servers that may be registered are in use", self.most);
            return Err(Failure::blocked(why));
        }
        let mut taken: Vec<Arc<Socket>> = Vec::with_capacity(count);
        for _ in 0..count {
            let ip = taken.first().map(|socket| socket.local().ip());
            taken.push(add_slot(&mut slots, service, false, || open(ip))?);
        }
        Ok(taken)
    }

    /// Whether an endpoint of a service has this address.
    pub fn has(&self, service: &str, address: SocketAddr) -> bool {
        let has = |slot: &PoolSlot| slot.service == service && slot.socket.local() == address;
        self.lock().is_ok_and(|all| all.iter().any(has))
    }

    /// How many endpoints have sent to a service.
    pub fn count(&self, service: &str) -> usize {
        self.lock().map_or(0, |all| all.iter().filter(|slot| slot.service == service).count())
    }

    /// Calls `done` with the endpoints of a service.
    pub fn each(&self, service: &str, mut done: impl FnMut(&Socket)) {
        if let Ok(slots) = self.lock() {
            slots.iter().filter(|slot| slot.service == service).for_each(|s| done(&s.socket));
        }
    }

    fn lock(&self) -> Result<MutexGuard<'_, Vec<PoolSlot>>, Failure> {
        self.slots.lock().map_err(|_| Failure::error("another case has ended badly"))
    }
}

impl PoolSlot {
    fn is_idle(&self, service: &str) -> bool {
        self.service == service && !self.is_sentinel && self.is_unused()
    }

    fn is_unused(&self) -> bool {
        Arc::strong_count(&self.socket) == 1
    }

    /// Discards datagrams received since its last case.
    fn drain(&self) -> io::Result<()> {
        while self.socket.receive(&mut [0; 64])? != Received::Nothing {}
        Ok(())
    }
}

fn add_slot(
    slots: &mut Vec<PoolSlot>,
    service: &str,
    is_sentinel: bool,
    open: impl FnOnce() -> io::Result<Socket>,
) -> Result<Arc<Socket>, Failure> {
    let socket = open().map_err(|why| Failure::error(format!("cannot open a socket: {why}")))?;
    let socket = Arc::new(socket);
    let service = service.to_owned();
    slots.push(PoolSlot { service, socket: Arc::clone(&socket), is_sentinel, used: 0 });
    touch(slots, &socket);
    Ok(socket)
}

/// Records that an endpoint was given out just now.
fn touch(slots: &mut [PoolSlot], socket: &Arc<Socket>) {
    let now = slots.iter().map(|slot| slot.used).max().unwrap_or(0) + 1;
    if let Some(slot) = slots.iter_mut().find(|slot| Arc::ptr_eq(&slot.socket, socket)) {
        slot.used = now;
    }
}
