//! Rows to lanes and back, four columns at a time in vector registers.

#![allow(
    unsafe_code,
    reason = "uses instructions of the processor, after asking whether they are there"
)]

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    __m256d, __m512d, _mm256_loadu_pd, _mm256_permute2f128_pd, _mm256_storeu_pd,
    _mm256_unpackhi_pd, _mm256_unpacklo_pd, _mm512_castpd256_pd512, _mm512_castpd512_pd256,
    _mm512_extractf64x4_pd, _mm512_insertf64x4, _mm512_loadu_pd, _mm512_permutex2var_pd,
    _mm512_setr_epi64, _mm512_storeu_pd, _mm512_unpackhi_pd, _mm512_unpacklo_pd,
};

/// Columns that are turned together.
#[cfg(target_arch = "x86_64")]
const TOGETHER: usize = 4;

/// The first of each four columns that together are all `width`; the last four may have been there before.
#[cfg(target_arch = "x86_64")]
fn fours(width: usize) -> impl Iterator<Item = usize> {
    (0..width).step_by(TOGETHER).map(move |first| first.min(width - TOGETHER))
}

/// Brings rows to lanes: number `i` of row `k` to `lanes[i][k]`.
///
/// # Panics
/// If a row has another number of columns than there are lanes' numbers.
pub(crate) fn to_lanes<const N: usize>(rows: &[&[f64]; N], lanes: &mut [[f64; N]]) {
    assert!(rows.iter().all(|row| row.len() == lanes.len()), "as many columns in each row");
    #[cfg(target_arch = "x86_64")]
    if lanes.len() >= TOGETHER {
        let (from, to) = (rows.map(<[f64]>::as_ptr), lanes.as_mut_ptr().cast::<f64>());
        if N == 4 && is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions; each of the four rows and `lanes` have so
            // many columns, and at least four.
            return unsafe { to_lanes_4(from.as_slice(), lanes.len(), to) };
        }
        if N == 8 && is_x86_feature_detected!("avx512f") {
            // SAFETY: as above, with eight rows.
            return unsafe { to_lanes_8(from.as_slice(), lanes.len(), to) };
        }
    }
    for (column, numbers) in lanes.iter_mut().enumerate() {
        *numbers = std::array::from_fn(|k| rows[k][column]);
    }
}

/// Brings lanes to rows: `lanes[i][k]` to number `i` of row `k`.
///
/// # Panics
/// If a row has another number of columns than there are lanes' numbers.
pub(crate) fn to_rows<const N: usize>(lanes: &[[f64; N]], mut rows: [&mut [f64]; N]) {
    assert!(rows.iter().all(|row| row.len() == lanes.len()), "as many columns in each row");
    #[cfg(target_arch = "x86_64")]
    if lanes.len() >= TOGETHER {
        let from = lanes.as_ptr().cast::<f64>();
        if N == 4 && is_x86_feature_detected!("avx2") {
            let to = rows.each_mut().map(|row| row.as_mut_ptr());
            // SAFETY: the processor has the instructions; each of the four rows and `lanes` have so
            // many columns, and at least four.
            return unsafe { to_rows_4(from, lanes.len(), to.as_slice()) };
        }
        if N == 8 && is_x86_feature_detected!("avx512f") {
            let to = rows.each_mut().map(|row| row.as_mut_ptr());
            // SAFETY: as above, with eight rows.
            return unsafe { to_rows_8(from, lanes.len(), to.as_slice()) };
        }
    }
    for (k, row) in rows.iter_mut().enumerate() {
        for (place, numbers) in row.iter_mut().zip(lanes) {
            *place = numbers[k];
        }
    }
}

/// # Safety
/// There are four rows of `width` numbers each, and place for as many; `width` is four at least.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn to_lanes_4(rows: &[*const f64], width: usize, lanes: *mut f64) {
    for first in fours(width) {
        // SAFETY: four numbers from `first` on are within the row, by the contract.
        let row = |k: usize| unsafe { _mm256_loadu_pd(rows[k].add(first)) };
        let [a, b, c, d] = [row(0), row(1), row(2), row(3)];
        let columns = turned_4([a, b, c, d]);
        for (k, column) in columns.into_iter().enumerate() {
            // SAFETY: place `first + k` is within the lanes, by the contract.
            unsafe { _mm256_storeu_pd(lanes.add(4 * (first + k)), column) };
        }
    }
}

/// # Safety
/// There is place for `width` numbers in each of four rows, and there are as many; `width` is four at
/// least.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn to_rows_4(lanes: *const f64, width: usize, rows: &[*mut f64]) {
    for first in fours(width) {
        // SAFETY: place `first + k` is within the lanes, by the contract.
        let column = |k: usize| unsafe { _mm256_loadu_pd(lanes.add(4 * (first + k))) };
        let [a, b, c, d] = [column(0), column(1), column(2), column(3)];
        let turned = turned_4([a, b, c, d]);
        for (k, row) in turned.into_iter().enumerate() {
            // SAFETY: four numbers from `first` on are within the row, by the contract.
            unsafe { _mm256_storeu_pd(rows[k].add(first), row) };
        }
    }
}

/// The transpose of a square of numbers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn turned_4([a, b, c, d]: [__m256d; 4]) -> [__m256d; 4] {
    let (ab, cd) = (_mm256_unpacklo_pd(a, b), _mm256_unpacklo_pd(c, d));
    let (high_ab, high_cd) = (_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d));
    [
        _mm256_permute2f128_pd::<0x20>(ab, cd),
        _mm256_permute2f128_pd::<0x20>(high_ab, high_cd),
        _mm256_permute2f128_pd::<0x31>(ab, cd),
        _mm256_permute2f128_pd::<0x31>(high_ab, high_cd),
    ]
}

/// # Safety
/// There are eight rows of `width` numbers each, and place for as many; `width` is four at least.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn to_lanes_8(rows: &[*const f64], width: usize, lanes: *mut f64) {
    for first in fours(width) {
        // SAFETY: four numbers from `first` on are within the row, by the contract.
        let row = |k: usize| unsafe { _mm256_loadu_pd(rows[k].add(first)) };
        let pair = |k: usize| _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(row(k)), row(k + 4));
        let [a, b, c, d] = [pair(0), pair(1), pair(2), pair(3)];
        let columns = turned_8([a, b, c, d]);
        for (k, column) in columns.into_iter().enumerate() {
            // SAFETY: place `first + k` is within the lanes, by the contract.
            unsafe { _mm512_storeu_pd(lanes.add(8 * (first + k)), column) };
        }
    }
}

/// # Safety
/// There is place for `width` numbers in each of eight rows, and there are as many; `width` is four at
/// least.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn to_rows_8(lanes: *const f64, width: usize, rows: &[*mut f64]) {
    for first in fours(width) {
        // SAFETY: place `first + k` is within the lanes, by the contract.
        let column = |k: usize| unsafe { _mm512_loadu_pd(lanes.add(8 * (first + k))) };
        let [a, b, c, d] = [column(0), column(1), column(2), column(3)];
        let pairs = turned_8([a, b, c, d]);
        for (k, pair) in pairs.into_iter().enumerate() {
            let (low, high) = (_mm512_castpd512_pd256(pair), _mm512_extractf64x4_pd::<1>(pair));
            // SAFETY: four numbers from `first` on are within the rows, by the contract.
            unsafe {
                _mm256_storeu_pd(rows[k].add(first), low);
                _mm256_storeu_pd(rows[k + 4].add(first), high);
            }
        }
    }
}

/// The transposes of two squares of numbers, the lower halves and the upper ones.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn turned_8([a, b, c, d]: [__m512d; 4]) -> [__m512d; 4] {
    let (ab, cd) = (_mm512_unpacklo_pd(a, b), _mm512_unpacklo_pd(c, d));
    let (high_ab, high_cd) = (_mm512_unpackhi_pd(a, b), _mm512_unpackhi_pd(c, d));
    let first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    let second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    [
        _mm512_permutex2var_pd(ab, first, cd),
        _mm512_permutex2var_pd(high_ab, first, high_cd),
        _mm512_permutex2var_pd(ab, second, cd),
        _mm512_permutex2var_pd(high_ab, second, high_cd),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back<const N: usize>(width: usize) {
        let number = |row: usize, column: usize| (100 * row + column) as f64;
        let rows: [Vec<f64>; N] =
            std::array::from_fn(|row| (0..width).map(|column| number(row, column)).collect());
        let mut lanes = vec![[f64::NAN; N]; width];
        to_lanes(&rows.each_ref().map(Vec::as_slice), &mut lanes);
        for (column, numbers) in lanes.iter().enumerate() {
            assert_eq!(*numbers, std::array::from_fn(|row| number(row, column)));
        }
        let mut back: [Vec<f64>; N] = std::array::from_fn(|_| vec![f64::NAN; width]);
        to_rows(&lanes, back.each_mut().map(Vec::as_mut_slice));
        assert_eq!(back, rows);
    }

    #[test]
    fn rows_become_lanes_and_rows_again() {
        for width in 0..14 {
            there_and_back::<1>(width);
            there_and_back::<2>(width);
            there_and_back::<4>(width);
            there_and_back::<8>(width);
        }
    }

    #[test]
    #[should_panic(expected = "as many columns in each row")]
    fn a_row_that_is_too_short_panics() {
        to_lanes(&[&[0.0; 4][..], &[0.0; 4], &[0.0; 4], &[0.0; 3]], &mut [[0.0; 4]; 4]);
    }
}
