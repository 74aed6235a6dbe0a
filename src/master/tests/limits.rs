//! What input can grow is bounded, and nothing that is heard breaks anything.
