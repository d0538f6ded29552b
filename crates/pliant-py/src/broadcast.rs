//! Leading axes that broadcast as in NumPy.

/// The common shape of leading axes; none where they do not fit.
pub(crate) fn broadcast(shapes: &[&[usize]]) -> Option<Vec<usize>> {
    let longest = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
    let mut common = vec![1; longest];
    for shape in shapes {
        let skipped = longest - shape.len();
        for (whole, &own) in common[skipped..].iter_mut().zip(*shape) {
            match (*whole, own) {
                (_, 1) => {}
                (1, _) => *whole = own,
                (one, other) if one == other => {}
                _ => return None,
            }
        }
    }
    Some(common)
}

/// Which state of an array belongs to each state of the common shape.
#[derive(Debug)]
pub(crate) enum Steps {
    /// The one of the same number.
    Each,
    /// Always the only one.
    Same,
    /// The sum over its axes of `(index / divisor) % length · stride`.
    Mixed(Vec<[usize; 3]>),
}

impl Steps {
    /// For an array of leading shape `own` in the common shape.
    pub(crate) fn new(own: &[usize], common: &[usize]) -> Self {
        if own == common {
            return Self::Each;
        }
        if own.iter().all(|length| *length == 1) {
            return Self::Same;
        }
        let skipped = common.len() - own.len();
        let axes = (0..own.len()).filter(|axis| own[*axis] > 1).map(|axis| {
            let divisor = common[skipped + axis + 1..].iter().product();
            [divisor, own[axis], own[axis + 1..].iter().product()]
        });
        Self::Mixed(axes.collect())
    }

    /// The state for one of the common shape.
    pub(crate) fn of(&self, index: usize) -> usize {
        match self {
            Self::Each => index,
            Self::Same => 0,
            Self::Mixed(axes) => {
                axes.iter().map(|[divisor, length, stride]| index / divisor % length * stride).sum()
            }
        }
    }
}
