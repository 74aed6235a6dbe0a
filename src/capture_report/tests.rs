//! Made-up
