//! The Arrow IPC stream: batches one after the other, readable while they come.

use std::collections::HashMap;
use std::io::{self, Write};

use arrow_array::RecordBatch;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{Schema, SchemaRef};

use super::{described, io_error};

/// A stream that is being written. One that breaks off is readable up to its last batch.
pub(crate) struct ArrowStream<W: Write> {
    out: StreamWriter<W>,
}

impl<W: Write> ArrowStream<W> {
    /// Starts with the schema.
    pub fn new(table: &str, schema: &SchemaRef, out: W) -> io::Result<Self> {
        let about = HashMap::from(described(table));
        let schema = Schema::new_with_metadata(schema.fields().clone(), about);
        Ok(Self { out: StreamWriter::try_new(out, &schema).map_err(io_error)? })
    }

    /// Writes a batch at once.
    pub fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.out.write(batch).and_then(|()| self.out.flush()).map_err(io_error)
    }

    /// Writes the end.
    pub fn finish(&mut self) -> io::Result<()> {
        self.out.finish().and_then(|()| self.out.flush()).map_err(io_error)
    }
}
