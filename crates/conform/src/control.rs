//! What explains a failure that is not the target's: datagrams that this machine has dropped, and
//! threads that waited for a processor.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A thread that goes on this much later than asked for had to wait for a processor; so may the
/// target.
const LATE: Duration = Duration::from_millis(100);
/// The kernel's counts of lost datagrams of this network namespace: the lines' first word and the
/// columns of `/proc/net/snmp`, and the names in `/proc/net/snmp6`.
const COLUMNS: [&str; 4] = ["InErrors", "RcvbufErrors", "SndbufErrors", "MemErrors"];
const NAMES: [&str; 4] = ["Udp6InErrors", "Udp6RcvbufErrors", "Udp6SndbufErrors", "Udp6MemErrors"];

/// The measurements of a run.
pub(super) struct RunControl {
    /// Lost datagrams before the run.
    lost: u64,
    /// The longest time that a thread went on late, in nanoseconds.
    late: AtomicU64,
}

impl RunControl {
    /// Counts from now on.
    pub fn new() -> Self {
        Self { lost: lost(), late: AtomicU64::new(0) }
    }

    /// A thread went on this much after its deadline.
    pub fn add_lateness(&self, late: Duration) {
        let nanoseconds = u64::try_from(late.as_nanos()).unwrap_or(u64::MAX);
        self.late.fetch_max(nanoseconds, Ordering::Relaxed);
    }

    /// Whether this machine has lost a datagram since the beginning, or was too busy.
    pub fn has_disturbances(&self) -> bool {
        let late = Duration::from_nanos(self.late.load(Ordering::Relaxed));
        late > LATE || lost() != self.lost
    }
}

/// Datagrams that this machine has lost so far. Zero on systems other than Linux.
fn lost() -> u64 {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    of_columns(&read("/proc/net/snmp")) + of_names(&read("/proc/net/snmp6"))
}

/// The sum in `/proc/net/snmp`: a line of names, `Udp: InDatagrams NoPorts …`, and one of values.
fn of_columns(text: &str) -> u64 {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix("Udp: "));
    let (Some(names), Some(values)) = (lines.next(), lines.next()) else { return 0 };
    let columns = names.split_ascii_whitespace().zip(values.split_ascii_whitespace());
    let counts = columns.filter(|(name, _)| COLUMNS.contains(name));
    counts.filter_map(|(_, value)| value.parse::<u64>().ok()).sum()
}

/// The sum in `/proc/net/snmp6`: a name and a value in each line.
fn of_names(text: &str) -> u64 {
    let lines = text.lines().filter_map(|line| line.split_once(char::is_whitespace));
    let counts = lines.filter(|(name, _)| NAMES.contains(name));
    counts.filter_map(|(_, value)| value.trim().parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_summed() {
        let snmp = "Tcp: RtoAlgorithm InErrs\nTcp: 1 7\n\
                    Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors\n\
                    Udp: 100 2 5 100 4 1\nUdpLite: InErrors\nUdpLite: 9\n";
        assert_eq!(of_columns(snmp), 10);
        assert_eq!(of_names("Udp6InErrors  \t3\nUdp6RcvbufErrors 2\nIp6InReceives 8\n"), 5);
        assert_eq!((of_columns(""), of_names("")), (0, 0));
    }

    #[test]
    fn a_late_thread_is_a_disturbance() {
        let control = RunControl { lost: lost(), ..RunControl::new() };
        control.add_lateness(LATE);
        let is_quiet = !control.has_disturbances() || lost() != control.lost;
        assert!(is_quiet);
        control.add_lateness(LATE + Duration::from_millis(1));
        assert!(control.has_disturbances());
    }
}
