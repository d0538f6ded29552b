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
    "akmehmet-5-1-line": "arm.toml", "entry.toml", "line.toml";
    "akmehmet-5-2-computed-torque": "arm.toml", "entry.toml", "feedback.toml", "line.toml";
    "akmehmet-5-3-feedback": "arm.toml", "entry.toml", "line.toml";
    "akmehmet-5-4-six-joints": "arm.toml", "entry.toml", "line.toml";
    "beyond-buckling": "arm.toml", "entry.toml", "heavy.toml", "pressed.toml", "pushed.toml";
    "beyond-elastica": "across.toml", "arm.toml", "entry.toml", "pressed.toml", "rolled.toml";
    "beyond-floating": "bar.toml", "entry.toml", "stiff-bar.toml", "stiff.toml", "tumbling-arm.toml", "tumbling.toml", "turned.toml";
    "beyond-rotating-beam": "arm.toml", "entry.toml", "turning.toml";
    "beyond-shaped-moves": "arm.toml", "entry.toml", "led.toml", "servo.toml";
    "beyond-spin-up": "arm.toml", "entry.toml", "steady.toml", "up.toml";
    "beyond-timoshenko": "arm.toml", "entry.toml", "held.toml";
    "king-2-7-swing": "arm.toml", "bar.toml", "entry.toml", "swing.toml";
    "king-2-8-counts": "entry.toml";
    "king-3-2-frequencies": "arm.toml", "entry.toml", "posture.toml";
    "king-3-4-shapes": "arm.toml", "entry.toml", "posture.toml";
    "king-3-6-release": "arms.toml", "entry.toml", "release.toml";
    "king-4-1-arm": "entry.toml", "fore.toml", "upper.toml";
    "king-4-2-poles": "arm.toml", "entry.toml", "posture.toml", "pseudolink.toml";
    "king-4-3-steps": "arm.toml", "entry.toml", "steps.toml";
    "king-4-7-pseudolink": "arm.toml", "entry.toml", "pseudolink.toml", "stiff-arm.toml", "stiff.toml";
    "king-4-9-multirate": "arm.toml", "entry.toml", "multirate.toml", "rigid.toml", "slow.toml";
    "king-5-recurrences": "entry.toml";
    "king-6-2-terms": "arm.toml", "entry.toml", "state.toml";
    "korayem-2-counts": "entry.toml";
    "korayem-3-frequencies": "arm.toml", "entry.toml", "hanging.toml";
    "korayem-3-swing": "arm.toml", "entry.toml", "swing.toml";
    "manipulators-crossover": "entry.toml";
    "manipulators-three-bases": "entry.toml", "floating-arm.toml", "floating.toml", "held-arm.toml", "held.toml", "mobile-arm.toml", "mobile.toml";
    "theodore-2-terms": "arm.toml", "coriolis.toml", "entry.toml", "straight.toml", "turning.toml";
    "theodore-4-stability": "arm.toml", "entry.toml", "extension.toml", "retraction.toml";
    "theodore-5-eigenvalues": "arm.toml", "entry.toml", "extension.toml", "retraction.toml";
    "theodore-5-integrators": "arm.toml", "entry.toml", "extension.toml", "retraction.toml";
    "theodore-5-motion": "arm.toml", "entry.toml", "extension.toml", "retraction.toml";
};
