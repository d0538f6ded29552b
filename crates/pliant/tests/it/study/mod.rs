//! Designs of studies, sensitivities, fronts and optima, against closed forms and second computations.

mod designs;
mod optima;
mod sensitivities;
mod wrong;
