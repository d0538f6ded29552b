//! From SVG to PNG.

use crate::outline::outlined;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// A picture with more pixels is refused.
const MOST: f64 = 2e8;

/// Why there is no PNG.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// The drawing is not SVG.
    #[error("the drawing cannot be read: {0}")]
    Drawing(String),
    /// It would be too large, or have no size at all.
    #[error("a picture of {width:.0} x {height:.0} pixels is not possible")]
    Size {
        /// In pixels.
        width: f64,
        /// In pixels.
        height: f64,
    },
    /// The pixels could not be packed.
    #[error("the picture cannot be encoded: {0}")]
    Encoding(String),
}

/// The PNG of a drawing of this crate with so many dots per inch. It looks the same on every machine:
/// text is in a face of its own.
pub fn png(svg: &str, dpi: f64) -> Result<Vec<u8>, PngError> {
    // what has no unit is in points of 1/72 inch, and so is what comes out
    let options = Options { dpi: 72.0, ..Options::default() };
    let tree = Tree::from_str(&outlined(svg)?, &options)
        .map_err(|error| PngError::Drawing(error.to_string()))?;
    let scale = dpi / 72.0;
    let [width, height] =
        [tree.size().width(), tree.size().height()].map(|x| (f64::from(x) * scale).round());
    let possible = width >= 1.0 && height >= 1.0 && width * height <= MOST;
    let whole = |x: f64| u32::try_from(x as i64).ok().filter(|_| possible);
    let pixels = whole(width).zip(whole(height)).and_then(|(w, h)| Pixmap::new(w, h));
    let mut pixels = pixels.ok_or(PngError::Size { width, height })?;
    let scale = scale as f32;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Encoding(error.to_string()))
}
