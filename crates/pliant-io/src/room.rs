//! What is free on a disk and in memory, where the system tells.

use std::path::Path;

/// What is free where a file or folder is, or will be (bytes).
pub(crate) fn on_disk(path: &Path) -> Option<f64> {
    let there = path.ancestors().find(|folder| folder.exists());
    let there = there.filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    free(there)
}

#[cfg(unix)]
fn free(folder: &Path) -> Option<f64> {
    let about = rustix::fs::statvfs(folder).ok()?;
    Some(about.f_bavail as f64 * about.f_frsize as f64)
}

#[cfg(not(unix))]
fn free(_: &Path) -> Option<f64> {
    None
}

/// The memory that programs can have without others being put aside (bytes), on Linux.
pub(crate) fn in_memory() -> Option<f64> {
    available(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

fn available(meminfo: &str) -> Option<f64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024.0 * kilobytes)
}

#[cfg(test)]
mod tests {
    use super::{available, on_disk};
    use std::path::Path;

    #[test]
    fn what_is_free_is_told() {
        let text = "MemTotal:       16000000 kB\nMemAvailable:    2000000 kB\n";
        assert_eq!(available(text), Some(2_048_000_000.0));
        assert_eq!(available("MemTotal: 1 kB\n"), None);
        if cfg!(unix) {
            let here = on_disk(Path::new("")).expect("a disk");
            let later = on_disk(Path::new("not-there/nor-this")).expect("a disk");
            assert!(here > 0.0 && later > 0.0);
        }
    }

    /// `df` tells the same, but for what others write meanwhile.
    #[cfg(unix)]
    #[test]
    fn what_is_free_is_what_df_says() {
        let Ok(output) = std::process::Command::new("df").args(["-P", "-k", "."]).output() else {
            return;
        };
        let text = String::from_utf8_lossy(&output.stdout);
        let line = text.lines().nth(1).expect("a disk");
        let kilobytes = line.split_whitespace().nth(3).and_then(|word| word.parse::<f64>().ok());
        let told = 1024.0 * kilobytes.expect("a number");
        let here = on_disk(Path::new("not-there")).expect("a disk");
        assert!((here - told).abs() < 0.01 * told + 2e9, "{here} beside {told}");
    }
}
