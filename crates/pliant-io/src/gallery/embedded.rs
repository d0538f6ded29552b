//! The entries inside the program.

/// The name of an entry and its files, by name.
type Embedded = (&'static str, &'static [(&'static str, &'static str)]);

macro_rules! entries {
    ($($id:literal: $($file:literal),*;)*) => {
        &[$(($id, &[$((
            $file,
            include_str!(concat!("../../../../gallery/", $id, "/", $file)),
        )),*])),*]
    };
}

/// All of them; a test compares them with the folder `gallery`.
pub(super) const ENTRIES: &[Embedded] = entries! {
    "akmehmet-computed-torque": "arm.toml", "entry.toml", "line.toml";
    "akmehmet-feedback": "arm.toml", "entry.toml", "line.toml";
    "akmehmet-six-joints": "arm.toml", "entry.toml", "line.toml";
    "akmehmet-trajectories": "arm.toml", "entry.toml", "line.toml";
    "king-counts": "entry.toml";
    "king-decoupling": "arm.toml", "entry.toml", "steps.toml";
    "king-mode-shapes": "arm.toml", "entry.toml", "posture.toml";
    "king-swing": "arm.toml", "bar.toml", "entry.toml", "swing.toml";
    "king-three-link": "entry.toml", "fore.toml", "upper.toml";
};
