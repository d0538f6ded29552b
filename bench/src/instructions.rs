//! Instructions of a call.

use std::path::PathBuf;
use std::process::Command;

/// What is missing where there is no counter.
pub(crate) const NEEDS: &str =
    "no instruction counts: they need valgrind (apt-get install -y valgrind)";

/// Counts instructions with valgrind, which needs a program without the newest instructions.
pub(crate) struct InstructionCounter {
    program: PathBuf,
}

impl InstructionCounter {
    /// The program comes from `cargo xtask bench`.
    pub(crate) fn find() -> Option<Self> {
        let program = PathBuf::from(std::env::var_os("PLIANT_BENCH_PORTABLE")?);
        let there = Command::new("valgrind").arg("--version").output().is_ok();
        (there && program.exists()).then_some(Self { program })
    }

    /// Instructions of one call of a benchmark whose option `--only` runs it so often: by the
    /// difference between one call and `more`, since preparing takes more, and not always the same.
    pub(crate) fn per_call(
        &self,
        benchmark: &str,
        more: u32,
        only: impl Fn(u32) -> String,
    ) -> Option<u64> {
        let count = |calls: u32| {
            let output = Command::new("valgrind")
                .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
                .arg(&self.program)
                .args([benchmark, "--only", &only(calls)])
                .output()
                .ok()?;
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            let line = text.lines().find(|line| line.contains("Collected"))?;
            line.rsplit(' ').next()?.parse::<u64>().ok()
        };
        let (one, many) = (count(1)?, count(1 + more)?);
        Some(many.checked_sub(one)? / u64::from(more))
    }
}
