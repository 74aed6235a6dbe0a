//! Memory that was freed and that the allocator keeps.

/// Returns freed memory to the system, where the allocator can do that: after the last use of much
/// memory. Takes a few milliseconds.
#[allow(unsafe_code, reason = "a call into the C library, which takes a number and no pointer")]
pub fn return_freed() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the function may be called at any time, from any thread.
    unsafe {
        libc::malloc_trim(0);
    }
}
