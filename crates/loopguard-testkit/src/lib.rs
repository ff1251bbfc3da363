//! A scripted agent loop and trace helpers for testing loop guards
