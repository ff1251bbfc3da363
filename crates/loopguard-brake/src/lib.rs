//! A loop guard for LLM agents: cumulative repeats, sequence loops, duplicated text, optional denial
