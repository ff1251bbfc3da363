//! A loop guard that denies an LLM agent's tool call that already failed identically
