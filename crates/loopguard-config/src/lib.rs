//! Configuration rows, name patterns and bounded values, with errors that name the place and the remedy
