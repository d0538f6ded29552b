//! Slow and independent: shares nothing with the recursions but what a joint is.

mod positions;
mod virtual_power;
