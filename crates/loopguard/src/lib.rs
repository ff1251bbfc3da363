//! Keeps LLM agents from spinning: repeat reminder, brake and failure circuit breaker in one set
