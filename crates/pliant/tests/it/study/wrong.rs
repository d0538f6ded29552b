//! Designs that are refused.
