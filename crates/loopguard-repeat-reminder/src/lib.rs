//! A loop guard that advises an LLM agent at the 3rd, 5th and 8th identical tool call in a row
