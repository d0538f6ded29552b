//! How large a drawing is.

/// Points (1/72 inch) in a millimetre.
const POINTS: f64 = 72.0 / 25.4;

/// The size of a drawing on paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Its width (mm).
    pub width: f64,
    /// Its height (mm).
    pub height: f64,
}

impl Size {
    /// For so many plots above one another: the width of a page's text, 160 mm.
    pub fn stacked(plots: usize) -> Self {
        let each = match plots {
            0 | 1 => 68.0,
            2 => 50.0,
            3 | 4 => 40.0,
            5 | 6 => 33.0,
            _ => 27.0,
        };
        Self { width: 160.0, height: 14.0 + each * plots.max(1) as f64 }
    }

    /// Width and height in points (1/72 inch).
    pub(crate) fn points(self) -> [f64; 2] {
        [self.width * POINTS, self.height * POINTS]
    }
}
