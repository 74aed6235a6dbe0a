//! Room in the lists of flows and endpoints, of which there are thousands, and what they take.

/// The allocator's overhead of one allocation, at most, in bytes: its header and its rounding.
const HEADER: usize = 16;

/// Makes room for one more: most have one, few more than four.
pub(super) fn make_room<T>(all: &mut Vec<T>) {
    if all.len() == all.capacity() {
        all.reserve_exact(if all.is_empty() { 1 } else { 3 });
    }
}

/// The size of an allocation of so many bytes with its overhead, in bytes.
pub(super) fn allocated(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { bytes + HEADER }
}
