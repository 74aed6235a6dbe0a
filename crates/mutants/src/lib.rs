//! The reference masters with one fault at a time.
//!
//! The build script (`build.rs`) reads the sources of `masters` and writes them again, with a switch
//! at each comparison, condition, limit and text. The test `mutants` judges the result with one of
//! the switches on, over the network in memory: a fault that no case finds is a survivor. The crate
//! itself is empty; the sources are those of its test alone.
