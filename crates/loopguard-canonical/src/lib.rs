//! Canonical JSON, exact fingerprints and volatile parts: what makes two tool calls the same call
