//! The vocabulary of loop guards for LLM agents: calls, outcomes, notices, denials and the Guard trait
