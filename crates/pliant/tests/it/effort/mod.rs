//! How many operations an evaluation takes. Times are benchmarks; these are promises.

mod operations;
