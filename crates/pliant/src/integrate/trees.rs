//! Rooted trees, whose number and shape are the order conditions of Runge–Kutta methods.

use super::stages::Row;

/// A tree, as the trees that grow from its root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Tree(Vec<Tree>);

impl Tree {
    /// How many nodes it has.
    pub(super) fn order(&self) -> usize {
        1 + self.0.iter().map(Tree::order).sum::<usize>()
    }

    /// `γ`, Hairer (II.2.10): the product of the orders of all its subtrees.
    pub(super) fn density(&self) -> f64 {
        self.order() as f64 * self.0.iter().map(Tree::density).product::<f64>()
    }

    /// `Φᵢ`: for each stage, the product over the branches of `Σⱼ aᵢⱼ Φⱼ`.
    pub(super) fn weights(&self, rows: &[Row]) -> Vec<f64> {
        let mut product = vec![1.0; rows.len()];
        for branch in &self.0 {
            let inner = branch.weights(rows);
            for (product, row) in product.iter_mut().zip(rows) {
                *product *= row.iter().map(|&(j, a)| a * inner[j]).sum::<f64>();
            }
        }
        product
    }
}

/// All trees with at most this many nodes.
pub(super) fn trees(order: usize) -> Vec<Tree> {
    let mut all = vec![Tree(Vec::new())];
    for nodes in 2..=order {
        // every tree is a smaller one with a leaf more somewhere
        let smaller: Vec<Tree> = all.iter().filter(|t| t.order() == nodes - 1).cloned().collect();
        let mut grown: Vec<Tree> = smaller.iter().flat_map(with_a_leaf).collect();
        grown.sort();
        grown.dedup();
        all.extend(grown);
    }
    all
}

fn with_a_leaf(tree: &Tree) -> Vec<Tree> {
    let mut branches = tree.0.clone();
    branches.push(Tree(Vec::new()));
    branches.sort();
    let mut grown = vec![Tree(branches)];
    for (i, branch) in tree.0.iter().enumerate() {
        for larger in with_a_leaf(branch) {
            let mut branches = tree.0.clone();
            branches[i] = larger;
            branches.sort();
            grown.push(Tree(branches));
        }
    }
    grown
}

/// The largest error of `Σ bᵢ Φᵢ = scale^order/γ` over all trees of this order.
pub(super) fn residual(rows: &[Row], weights: &[f64], order: usize, scale: f64) -> f64 {
    let error = |tree: &Tree| {
        let sum: f64 = tree.weights(rows).iter().zip(weights).map(|(w, b)| w * b).sum();
        (sum - scale.powf(order as f64) / tree.density()).abs()
    };
    let of_order = |tree: &&Tree| tree.order() == order;
    trees(order).iter().filter(of_order).map(error).fold(0.0, f64::max)
}

/// A row with its zeros.
pub(super) fn full(row: Row, length: usize) -> Vec<f64> {
    let mut all = vec![0.0; length];
    for &(j, a) in row {
        all[j] = a;
    }
    all
}

#[test]
fn there_are_as_many_trees_as_counted_by_cayley() {
    let all = trees(8);
    let counts: Vec<usize> =
        (1..=8).map(|order| all.iter().filter(|tree| tree.order() == order).count()).collect();
    assert_eq!(counts, [1, 1, 2, 4, 9, 20, 48, 115]);
}
