//! How many answers a server gives: in a burst, and then at a steady rate, to one address and to all.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

/// A number of answers at once, and the time after which there is one more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerRate {
    /// The answers that may be given at once.
    pub burst: u32,
    /// The time after which one more may be given.
    pub refill: Duration,
}

/// The limits to an address, and to all of them together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerLimits {
    /// To one address.
    pub of_an_address: AnswerRate,
    /// To all addresses together.
    pub of_all: AnswerRate,
}

/// ioquake3's limits: `SVC_RateLimitAddress` and `SVC_RateLimit` in `sv_main.c`, called in `SVC_Status`
/// and `SVC_Info`.
pub const IOQUAKE3_LIMITS: AnswerLimits = AnswerLimits {
    of_an_address: AnswerRate { burst: 10, refill: Duration::from_secs(1) },
    of_all: AnswerRate { burst: 10, refill: Duration::from_millis(100) },
};

/// The strictest of released servers of Quake III and its relatives: to an address `DarkPlaces`'
/// (`net_getstatusfloodblockingtimeout`, one second, for `getstatus` and `getinfo` together), to all
/// ioquake3's.
pub const QUAKE3_LIMITS: AnswerLimits = AnswerLimits {
    of_an_address: AnswerRate { burst: 1, refill: Duration::from_secs(1) },
    ..IOQUAKE3_LIMITS
};

/// Those of Valve's servers: `sv_max_queries_sec` (3), `sv_max_queries_sec_global` (60), each as an
/// average of `sv_max_queries_window` (30 seconds); fewer at once than that permits.
pub const SOURCE_LIMITS: AnswerLimits = AnswerLimits {
    of_an_address: AnswerRate { burst: 30, refill: Duration::from_millis(334) },
    of_all: AnswerRate { burst: 60, refill: Duration::from_millis(17) },
};

/// DDNet's: `sv_server_info_per_second` (50) complete answers.
pub const DDNET_LIMITS: AnswerLimits = AnswerLimits {
    of_an_address: AnswerRate { burst: 50, refill: Duration::from_millis(20) },
    of_all: AnswerRate { burst: 50, refill: Duration::from_millis(20) },
};

impl AnswerRate {
    /// A little less: who asks so often gets every answer, although it counts otherwise.
    const fn less(self) -> Self {
        let refill = Duration::from_nanos(self.refill.as_nanos() as u64 / 20 * 21);
        Self { burst: self.burst - self.burst / 5, refill }
    }
}

impl AnswerLimits {
    /// How often a server with these limits may be asked, so that silence is never a limit.
    const fn asked(self) -> Self {
        Self { of_an_address: self.of_an_address.less(), of_all: self.of_all.less() }
    }
}

/// The answers given so far, by virtual or real time since a beginning.
#[derive(Debug)]
pub struct AnswerCounter {
    limits: AnswerLimits,
    /// The most answers at once, to an address and to all: `limits` may have fewer.
    bursts: [u32; 2],
    all: AnswerBucket,
    addresses: BTreeMap<IpAddr, AnswerBucket>,
}

/// How many answers are possible, as the time at which all of them will be.
#[derive(Debug, Clone, Copy, Default)]
struct AnswerBucket {
    full_at: Duration,
}

impl AnswerCounter {
    /// Nothing was answered.
    pub fn new(limits: AnswerLimits) -> Self {
        let bursts = [limits.of_an_address.burst, limits.of_all.burst];
        Self { limits, bursts, all: AnswerBucket::default(), addresses: BTreeMap::new() }
    }

    /// The same for who asks a server with these limits: it takes a little less than the server gives,
    /// so that silence is never a limit.
    pub fn of_client(limits: AnswerLimits) -> Self {
        Self { limits: limits.asked(), ..Self::new(limits) }
    }

    /// Counts one answer to an address, if the limits of that address and then those of all permit it
    /// at this time; else returns how long it is until they do. What the address has beyond its limit
    /// takes nothing from others.
    ///
    /// # Errors
    /// The time until the next answer is possible.
    pub fn take(&mut self, now: Duration, address: IpAddr) -> Result<(), Duration> {
        let AnswerLimits { of_an_address, of_all } = self.limits;
        let own = self.addresses.entry(address).or_default();
        let wait = own.wait(of_an_address, now).max(self.all.wait(of_all, now));
        if !wait.is_zero() {
            return Err(wait);
        }
        own.count(of_an_address, now);
        self.all.count(of_all, now);
        Ok(())
    }

    /// How long it is until all answers to an address are possible at once that ever are.
    pub fn until_all(&self, now: Duration, address: IpAddr) -> Duration {
        let own = self.addresses.get(&address).copied().unwrap_or_default();
        own.full_at.max(self.all.full_at).saturating_sub(now)
    }

    /// Counts all answers that are possible at this time, those to an address and those to all.
    pub fn use_all(&mut self, now: Duration, address: IpAddr) {
        let AnswerLimits { of_an_address, of_all } = self.limits;
        let [of_address, all] = self.bursts;
        self.addresses.entry(address).or_default().full_at =
            now + of_an_address.refill * of_address;
        self.all.full_at = now + of_all.refill * all;
    }
}

impl AnswerBucket {
    /// How long until one more is possible.
    fn wait(self, rate: AnswerRate, now: Duration) -> Duration {
        let most = rate.refill * rate.burst.saturating_sub(1);
        self.full_at.saturating_sub(now + most)
    }

    fn count(&mut self, rate: AnswerRate, now: Duration) {
        self.full_at = self.full_at.max(now) + rate.refill;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_answered_and_then_one_at_a_time() {
        let mut counter = AnswerCounter::new(IOQUAKE3_LIMITS);
        let [one, other] = [[127, 0, 0, 1], [127, 0, 0, 2]].map(IpAddr::from);
        let at = Duration::from_millis;
        let mut answered =
            |now, address| (0..64).filter(|_| counter.take(now, address).is_ok()).count();
        assert_eq!(answered(at(0), one), 10);
        assert_eq!(answered(at(0), other), 0, "all have had ten");
        assert_eq!(answered(at(250), one), 0);
        assert_eq!(answered(at(250), other), 2);
        assert_eq!(answered(at(3_000), one), 3);
        assert_eq!(counter.take(at(3_500), one), Err(at(500)));
        assert_eq!(counter.until_all(at(3_500), one), at(9_500));
        assert_eq!(counter.until_all(at(20_000), one), at(0));
        counter.use_all(at(20_000), one);
        assert_eq!(counter.take(at(20_000), one), Err(at(1_000)));
        assert_eq!(counter.take(at(20_000), other), Err(at(100)));
    }
}
