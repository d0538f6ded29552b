//! Short scenarios of small arms, one for each part of a scenario.

const BOB: &str = r#"
[arm]
[[arm.link]]
name = "bob"
joint = { kind = "revolute", axis = "y" }
mass = "2 kg"
com = [1, 0, 0]
"#;

const PAIR: &str = r#"
[arm]
gravity = [0, "-9.81 m/s^2", 0]
[[arm.link]]
name = "upper"
joint = { kind = "revolute", axis = "z", limits = ["-170 deg", "170 deg"] }
mass = 2
com = [0.5, 0, 0]
inertia = [0.01, 0.1, 0.1]
[[arm.link]]
name = "fore"
placement = { position = [1, 0, 0] }
joint = { kind = "revolute", axis = "z" }
mass = 1
com = [0.4, 0, 0]
inertia = [0.01, 0.1, 0.1]
frames = [{ name = "hand", position = [0.8, 0, 0] }]
"#;

const BAR: &str = r#"
[arm]
[[arm.link]]
name = "bar"
joint = { kind = "revolute", axis = "z" }
length = "1 m"
section = { kind = "round", radius = "6 mm" }
material = "steel"
bends = { y = 1, shapes = "clamped-free" }
"#;

const PLAN: &str =
    "[plan]\nkind = \"joints\"\npoints = [[0, 0], [\"30 deg\", 0.2]]\ndurations = [\"20 ms\"]\n";
const LINE: &str = "[plan]\nkind = \"line\"\npoints = [[1.6, 0, 0], [1.5, 0.2, 0]]\ndurations = [\"20 ms\"]\nnear = { fore = 0.5 }\n";

/// What stands before an arm, the arm, and what stands after it.
const PARTS: [(&str, &str, &[&str]); 18] = [
    ("", BOB, &[]),
    ("method = \"rk4\"\nstep = \"1 ms\"\ninitial = { bob = \"10 deg\" }\n", BOB, &[]),
    ("method = \"radau5\"\nrates = [1]\ntolerance = 1e-6\n", BOB, &[]),
    ("method = \"generalised-alpha\"\nstep = \"1 ms\"\nlimits = \"stop\"\n", PAIR, &[]),
    ("gravity = [0, 0, 0]\n", BAR, &[]),
    ("start = \"static equilibrium\"\n", BAR, &[]),
    (
        "record = { every = \"2 ms\", channels = [\"coordinates\", \"energies\"] }\n",
        BOB,
        &[
            "[[input]]\nmotor = \"bob\"\nkind = \"sine\"\namplitude = 1\nfrequency = \"3 Hz\"\n",
            "[[input]]\nmotor = \"bob\"\nkind = \"expression\"\nexpression = \"0.01 * sin(2 * pi * t)\"\n",
            "[[input]]\nmotor = \"bob\"\nkind = \"step\"\nat = \"5 ms\"\nbefore = 0\nafter = \"2 N m\"\n",
            "[[input]]\nmotor = \"bob\"\nkind = \"table\"\ntimes = [0, 1]\nvalues = [0, 5]\n",
        ],
    ),
    (
        "",
        BOB,
        &[
            "[[event]]\nname = \"up\"\nexpression = \"bob - 0.01\"\ndirection = \"rising\"\naction = \"stop\"\n",
            "[[event]]\nexpression = \"t - 0.01\"\n",
        ],
    ),
    (
        "",
        BOB,
        &[
            "[[sensor]]\nkind = \"encoder\"\nname = \"shaft\"\ncoordinate = \"bob\"\nperiod = \"1 ms\"\ncounts = 2000\n",
            "[[controller]]\nkind = \"pd\"\nname = \"hold\"\nperiod = \"1 ms\"\njoint = { motor = \"bob\", sensor = \"shaft\", stiffness = 20, damping = 1, limit = 5 }\n",
        ],
    ),
    (
        "",
        BAR,
        &[
            "[[sensor]]\nkind = \"strain\"\nname = \"gauge\"\nlink = \"bar\"\nat = \"50 mm\"\ny = \"5 mm\"\nperiod = \"1 ms\"\nnoise = 1e-6\n",
            "[[sensor]]\nkind = \"accelerometer\"\nname = \"imu\"\nframe = \"bar.tip\"\nperiod = \"1 ms\"\n",
            "[[controller]]\nkind = \"strain-pd\"\nname = \"fast\"\nperiod = \"1 ms\"\njoint = { motor = \"bar\", sensor = \"gauge\", stiffness = 1, damping = 0.1, limit = 1 }\n",
        ],
    ),
    (
        "",
        PAIR,
        &[
            PLAN,
            "[[controller]]\nkind = \"computed-torque\"\nname = \"law\"\nperiod = \"5 ms\"\nfull_state = true\nstiffness = 100\ndamping = 20\n",
        ],
    ),
    (
        "",
        PAIR,
        &[
            PLAN,
            "[[controller]]\nkind = \"gravity-pd\"\nname = \"law\"\nfull_state = true\nstiffness = { upper = 100, fore = 100 }\ndamping = { upper = 10, fore = 10 }\n",
        ],
    ),
    (
        "",
        PAIR,
        &[
            PLAN,
            "[[controller]]\nkind = \"pid\"\nname = \"law\"\nperiod = \"5 ms\"\nfull_state = true\nstiffness = { upper = 100, fore = 100 }\ndamping = { upper = 10, fore = 10 }\nintegral = { upper = 5, fore = 5 }\n",
        ],
    ),
    (
        "method = \"rk4\"\nstep = \"1 ms\"\n",
        PAIR,
        &[
            LINE,
            "[[controller]]\nkind = \"decoupling\"\nname = \"law\"\nperiod = \"5 ms\"\nfull_state = true\nstiffness = 100\ndamping = 20\n",
        ],
    ),
    (
        "",
        PAIR,
        &[
            LINE,
            "[[controller]]\nkind = \"energy-torque\"\nname = \"law\"\nperiod = \"5 ms\"\nfull_state = true\nhorizon = \"10 ms\"\n",
        ],
    ),
    (
        "",
        PAIR,
        &[
            PLAN,
            "[[controller]]\nkind = \"energy-feedback\"\nname = \"law\"\nperiod = \"5 ms\"\nfull_state = true\nhorizon = \"10 ms\"\n",
        ],
    ),
    (
        "",
        PAIR,
        &[
            "[[prescribed]]\ncoordinate = \"upper\"\nkind = \"sine\"\namplitude = 0.1\nfrequency = \"1 Hz\"\n",
            "[[input]]\nkind = \"constant\"\nframe = \"hand\"\nforce = [0, 0, \"1 N\"]\nvalue = 1\n",
        ],
    ),
    (
        "tip = \"hand\"\n",
        PAIR,
        &[
            "[plan]\nkind = \"joints\"\npoints = [[0, 0], [1, 0]]\ndurations = [\"1 s\"]\nshaper = { kind = \"zvd\", modes = 1 }\n",
            "[[controller]]\nkind = \"gravity-pd\"\nname = \"servo\"\nfull_state = true\nstiffness = { upper = 400, fore = 200 }\ndamping = { upper = 8, fore = 4 }\n",
        ],
    ),
];

pub(super) fn seeds() -> Vec<String> {
    let scenario = |(before, arm, after): &(&str, &str, &[&str])| {
        let every = if before.contains("record") { "" } else { "record = { every = \"5 ms\" }\n" };
        format!("duration = \"20 ms\"\n{every}{before}{arm}\n{}", after.concat())
    };
    PARTS.iter().map(scenario).collect()
}
