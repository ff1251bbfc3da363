//! Transcripts in, snapshots out: the guards together, the golden tables and the properties.
