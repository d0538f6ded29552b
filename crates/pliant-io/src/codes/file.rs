//! What can be wrong with any file.

codes! { FILE:
    SYNTAX = "pliant::file::syntax", "the file is not well-formed",
        "The text violates the syntax of its format (TOML for arms, JSON for states). The usual\n\
        causes:\n\n\
        - text without quotes: `name = upper` should be `name = \"upper\"`;\n\
        - a number with a unit without quotes: `mass = 2 kg` should be `mass = \"2 kg\"`;\n\
        - a decimal comma: `1,5` should be `1.5`;\n\
        - a bracket that is not closed: `[0, 0, 1` should be `[0, 0, 1]`.\n\n\
        pliant stops at a bracket that is not closed, since everything after it would seem wrong.\n\
        Fix it and check again.\n";

    UNREADABLE = "pliant::file::unreadable", "the file cannot be read",
        "There is no file of this name, or you lack permission to read it, or it is no plain file but\n\
        a folder, a device or a pipe. Paths are relative to the folder in which you run the command.\n\
        The path `-` is the standard input.\n";

    TOO_LARGE = "pliant::file::too-large", "the file is too large",
        "pliant reads arm files of up to 1 MiB and 2000 links; an arm of a hundred links takes\n\
        about 20 kB. A larger file is most likely not an arm file.\n";

    NOT_TEXT = "pliant::file::not-text", "the file is not text",
        "pliant reads text in UTF-8. Some editors save in other encodings, which store characters\n\
        such as `ä` or `°` as other bytes. Save the file as UTF-8.\n";

    FOREIGN = "pliant::file::foreign", "the file is none of pliant's",
        "Nothing in the file belongs to an arm or a scenario: no line begins with a key of theirs.\n\
        pliant then shows no line of it, since it may be anyone's. Check the path. An arm file has\n\
        `[[link]]` tables, a URDF begins with `<robot>`, a scenario has `arm` and `duration`;\n\
        `pliant new` writes examples. A state is a JSON object such as `{\"q\": {\"upper\": 0.1}}`.\n";

    WRONG_TYPE = "pliant::file::wrong-type", "a value is of the wrong type",
        "The value of a key has the wrong type: text instead of a number, a number instead of a\n\
        list, and so on. The message says which type is expected.\n\n\
        Numbers without a unit are in SI units and radians (`mass = 2`); numbers with a unit are in\n\
        quotes (`mass = \"2 kg\"`). Lists are in brackets, `[0, 0, 1]`, and tables in braces,\n\
        `{ kind = \"revolute\", axis = \"z\" }`.\n";

    UNKNOWN_KEY = "pliant::file::unknown-key", "an unknown key",
        "pliant rejects unknown keys, so that typing errors are found instead of ignored. The\n\
        message suggests the nearest key or lists all keys. `pliant explain keys` describes every\n\
        key; with `pliant schema` editors can complete and check them.\n";

    RENAMED = "pliant::file::renamed", "a name of earlier versions",
        "A warning. A key or a value has a new name, which the message gives. The old one is still\n\
        read and means the same.\n";

    MISSING_KEY = "pliant::file::missing-key", "a key is missing",
        "A required key is missing: a link needs a `name`, a joint a `kind`, a shape a `mass` or a\n\
        `density`, and so on. The message says which and shows an example.\n";

    NOT_YET = "pliant::file::not-yet", "a key of a later version",
        "The key is reserved for a later version of pliant; the message says for what. Remove it.\n";

    CONFLICT = "pliant::file::conflict", "two keys contradict each other",
        "Two keys give the same quantity, and pliant does not choose between them: a rotation as\n\
        `rpy` and as `quaternion`, a placement and a Denavit-Hartenberg row, a mass and a density, a\n\
        section and a mass. Remove one of them.\n";

    SETTING = "pliant::file::setting", "a setting that leads nowhere",
        "`--set PATH=VALUE` changes a value of an arm or scenario file for one command. The path\n\
        has the keys of the file: `duration`, `plan.profile`, `link.upper.length`. An entry of a\n\
        list of tables is found by its name, or else by its motor, joint or frame, or by its index\n\
        from zero: `controller.servo.kind`, `link[0].length`. The arm of a scenario is below `arm`,\n\
        also when it has its own file: `arm.link.upper.length`. Names with points stand in quotes.\n\n\
        The last key of a path may be new; everything before it must be in the file. A table is\n\
        added as a whole: `--set 'initial={ upper = \"45 deg\" }'`.\n";

    PARAMETER = "pliant::file::parameter", "a number that cannot be a parameter",
        "A parameter is a number of the arm file that stays an input of compiled or generated code. It\n\
        is named by its path, as for `--set`: `link.upper.payload.mass`, `link.upper.material.young`,\n\
        `gravity[2]`. The file must give the number itself; write `material = { young = \"69 GPa\", … }`\n\
        instead of the name of a material.\n\n\
        Code depends on its parameters by products and sums. Masses, moduli, densities, stiffness,\n\
        damping, gravity and friction can be parameters; lengths, angles and dimensions of sections\n\
        mostly cannot: build an arm for each of their values. Shapes of links that bend stay those of\n\
        the file, and so do the modes that damping ratios are of.\n\n\
        A number that is zero in the file has no part in the arm: give it a value that is not zero.\n";

    NOT_FINITE = "pliant::file::not-finite", "a number is not finite",
        "A number is `nan` or `inf`, or too large to be represented. Only the limits of a joint\n\
        may be infinite.\n";

    UNKNOWN_UNIT = "pliant::file::unknown-unit", "an unknown unit",
        "A number in quotes needs one of these units:\n\n\
        - length: m, mm, cm, km, um, in, ft\n\
        - angle: rad, deg, °, rev\n\
        - mass: kg, g, t, lb, oz\n\
        - time: s, ms, min\n\
        - force: N, kN, lbf; pressure: Pa, MPa, GPa, bar, psi; energy J; power W\n\
        - angular velocity: rad/s, deg/s, rpm\n\n\
        Multiply units by a space, `*` or `·`, divide by `/`, and raise them by `^`: `N m/rad`,\n\
        `kg*m^2`, `g/cm^3`, `m/s^2`. Units are case-sensitive: `mm` is a millimetre, `Mm` a thousand\n\
        kilometres.\n\n\
        A number without quotes has no unit: it is in SI units and radians.\n";

    WRONG_UNIT = "pliant::file::wrong-unit", "a unit of the wrong kind",
        "The unit exists but has the wrong dimension: a mass where a length is expected. Check\n\
        whether two values were exchanged.\n\n\
        Radians may be omitted in products with other units: a stiffness of `5 N m` is `5 N m/rad`.\n";

    DOUBTFUL_UNIT = "pliant::file::doubtful-unit", "a number that seems to lack its unit",
        "A warning. Numbers without a unit are in SI units and radians. An angle of more than two\n\
        revolutions was probably meant in degrees, and a density below 10 kg/m^3 in g/cm^3. Write\n\
        the unit: `\"90 deg\"`, `\"2.7 g/cm^3\"`. If the number is right, write `\"90 rad\"`.\n";

    WRONG_COUNT = "pliant::file::wrong-count", "a list of the wrong length",
        "A list has too many or too few entries. A position has three, a quaternion four, and the\n\
        properties of a joint have one per coordinate: none for a fixed joint, one for revolute and\n\
        prismatic, two for cylindrical (slide, turn) and universal (first, second), three for\n\
        planar (x, y, turn) and spherical, six for free joints. With several coordinates a table\n\
        is easier to read: `damping = { slide = 5, turn = 0.1 }`.\n";

    UNKNOWN_WORD = "pliant::file::unknown-word", "an unknown value",
        "The value of this key must be one of a few words, in lower case; the message lists them.\n";
}
