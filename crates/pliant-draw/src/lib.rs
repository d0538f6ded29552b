//! Plots and pictures of arms, as SVG and PNG. This crate reads and writes no files.
//!
//! A [`Figure`] is a stack of plots; [`svg`](Figure::svg) draws it:
//!
//! ```
//! use pliant_draw::{Axis, Curve, Figure, Panel, Size};
//!
//! let t: Vec<f64> = (0..100).map(|k| f64::from(k) / 10.0).collect();
//! let sine = t.iter().map(|t| t.sin()).collect();
//! let panel = Panel::new(Axis::new("time", "s"), Axis::new("deflection", "m"))
//!     .with(Curve::new("tip", t, sine));
//! let drawing = Figure::new(Size::stacked(1), vec![panel]).svg();
//! assert!(drawing.starts_with("<svg"));
//! # let png = pliant_draw::png(&drawing, 100.0)?;
//! # Ok::<(), pliant_draw::PngError>(())
//! ```
//!
//! A [`Picture`] shows [`Scene`]s in space from one viewpoint; a [`Skeleton`] makes them from an arm.
//!
//! The style is meant for print: thin lines, a light grid, colours that the colour-blind can tell
//! apart (Okabe and Ito), text in a font with Arial's metrics.

mod size;
mod text;
mod canvas;
mod palette;
mod ticks;
mod axis;
mod thin;
mod figure;
mod colours;
mod plot;
mod view;
mod scene;
mod picture;
mod skeleton;
mod outline;
mod png;

pub use axis::{Axis, AxisScale};
pub use figure::{Bar, ColourCell, ColourMap, Curve, CurveForm, Figure, Mark, Panel};
pub use palette::Style;
pub use picture::Picture;
pub use png::{PngError, png};
pub use scene::{Cross, Scene, Shape};
pub use size::Size;
pub use skeleton::{Look, Skeleton};
pub use view::{Side, View};
