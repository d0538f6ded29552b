//! What is noticed of an execution from outside: that it does not end, that it panicked.

use crate::coverage;
use crate::random::hash;
use crate::target::Kind;
use cpu_time::ProcessTime;
use std::fs::{self, File};
use std::io::{Seek as _, Write as _};
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// An execution that takes more processor time is a finding (s). Where branches are counted everything
/// takes about three times as long.
pub fn longest() -> f64 {
    if coverage::count() > 0 { 15.0 } else { 5.0 }
}

/// An execution that only waits is one after this time, on a busy machine too.
const LONGEST_WAIT: Duration = Duration::from_secs(300);

/// An execution that takes more memory is a finding (bytes).
pub const MOST_MEMORY: usize = 200_000_000;

/// The exit code of a worker that ends because an execution does not.
pub const HUNG: i32 = 3;

/// The place and the words of the last panic.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Panics are kept instead of printed.
pub fn keep_panics() {
    std::panic::set_hook(Box::new(|info: &PanicHookInfo<'_>| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let payload = info.payload();
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let words = text.or(payload.downcast_ref::<&str>().copied()).unwrap_or_default();
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = format!("{place}: {words}");
    }));
}

/// The last panic.
pub fn last_panic() -> String {
    PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// What went wrong with an input.
#[derive(Clone, Copy, Debug)]
pub enum Trouble {
    /// It panicked, or an answer was wrong.
    Panic,
    /// It did not end in time.
    Hang,
    /// It took too much memory.
    Memory,
    /// The process ended.
    Crash,
}

impl Trouble {
    fn word(self) -> &'static str {
        match self {
            Self::Panic => "panic",
            Self::Hang => "hang",
            Self::Memory => "memory",
            Self::Crash => "crash",
        }
    }
}

/// Saves an input below a folder, with what is wrong; one input for each fault.
pub fn save(folder: &Path, kind: Kind, trouble: Trouble, why: &str, input: &str) {
    let folder = folder.join("findings").join(kind.name());
    // the same fault has other numbers and names elsewhere
    let key: String = match trouble {
        Trouble::Panic => why.chars().filter(|c| !c.is_ascii_digit()).take(90).collect(),
        _ => input.to_owned(),
    };
    let stem = format!("{}-{:016x}", trouble.word(), hash(key.as_bytes()));
    let path = folder.join(format!("{stem}.{}", kind.ending()));
    if !path.exists() {
        // there is nobody to tell that a finding cannot be written; the others may be
        let _ = fs::create_dir_all(&folder);
        let _ = fs::write(&path, input);
        let _ = fs::write(folder.join(format!("{stem}.txt")), why);
    }
}

/// The findings below a folder: the input, and what is wrong.
pub fn findings(folder: &Path, kind: Kind) -> Vec<(PathBuf, String)> {
    let folder = folder.join("findings").join(kind.name());
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<(PathBuf, String)> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "txt"))
        .map(|path| {
            let why = fs::read_to_string(&path).unwrap_or_default();
            (path.with_extension(kind.ending()), why)
        })
        .collect();
    found.sort();
    found
}

/// The input that is being executed, where it outlives the process, and a thread that waits for its
/// end.
pub struct Watch {
    file: File,
    executions: Arc<AtomicU64>,
}

/// Where a worker keeps its input.
fn current(folder: &Path, worker: u64) -> PathBuf {
    folder.join(format!("current-{worker}"))
}

/// The input at which a worker ended.
pub fn last_input(folder: &Path, worker: u64) -> Option<(Kind, String)> {
    let text = fs::read(current(folder, worker)).ok()?;
    let text = String::from_utf8_lossy(&text);
    let (head, rest) = text.split_once('\n')?;
    let (name, length) = head.split_once(' ')?;
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name)?;
    Some((kind, rest.get(..length.parse().ok()?)?.to_owned()))
}

impl Watch {
    /// Watches the executions of a worker that writes into a folder, each for so long (s) at most.
    pub fn new(folder: &Path, worker: u64, longest: f64) -> std::io::Result<Self> {
        let file = File::create(current(folder, worker))?;
        let executions = Arc::new(AtomicU64::new(0));
        let (seen, folder) = (Arc::clone(&executions), folder.to_owned());
        std::thread::spawn(move || {
            let now = || (ProcessTime::now(), Instant::now());
            let (mut number, mut since) = (0, now());
            loop {
                std::thread::sleep(Duration::from_millis(100));
                let latest = seen.load(Ordering::Relaxed);
                // numbers are odd while an execution lasts
                if latest != number || latest % 2 == 0 {
                    (number, since) = (latest, now());
                } else if since.0.elapsed().as_secs_f64() > longest
                    || since.1.elapsed() > LONGEST_WAIT
                {
                    if let Some((kind, input)) = last_input(&folder, worker) {
                        let why = format!("no end after {longest} s of processor time");
                        save(&folder, kind, Trouble::Hang, &why, &input);
                    }
                    std::process::exit(HUNG);
                }
            }
        });
        Ok(Self { file, executions })
    }

    /// An execution begins.
    pub fn begin(&mut self, kind: Kind, input: &str) -> std::io::Result<()> {
        self.file.rewind()?;
        self.file.write_all(format!("{} {}\n{input}", kind.name(), input.len()).as_bytes())?;
        self.executions.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// It has ended.
    pub fn end(&self) {
        self.executions.fetch_add(1, Ordering::Relaxed);
    }
}
