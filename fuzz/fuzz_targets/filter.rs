#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fragshark_fuzz::run("filter", bytes));
