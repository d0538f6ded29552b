//! The threads on which arrays of states are computed.
//!
//! A pool of our own: that of rayon is of no use in a process that Python has forked, where its
//! threads do not exist and a computation would wait for them forever.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};

/// The process that made a pool, and the pool.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Computes on the pool of this process, told how many threads it has; on the calling thread where
/// the system gives no others.
pub(crate) fn install<T: Send>(compute: impl FnOnce(usize) -> T + Send) -> T {
    match pool() {
        Some(pool) => pool.install(|| compute(pool.current_num_threads())),
        None => compute(1),
    }
}

fn pool() -> Option<Arc<ThreadPool>> {
    let process = std::process::id();
    let mut kept = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((owner, pool)) = &*kept
        && *owner == process
    {
        return Some(Arc::clone(pool));
    }
    // one of another process must not be dropped: its threads are not here to end
    std::mem::forget(kept.take());
    let pool = Arc::new(ThreadPoolBuilder::new().build().ok()?);
    *kept = Some((process, Arc::clone(&pool)));
    Some(pool)
}
