//! Recorded agent sessions of many hosts as one neutral event stream
