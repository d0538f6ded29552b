//! What can be wrong with any file.

codes! { FILE:
    SYNTAX = "pliant::file::syntax", "the file is not well-formed",
        "The text breaks the rules of its format (TOML for arms, JSON for states) before pliant\n\
        can look at what it says. The usual causes:\n\n\
        - text without quotes: `name = upper` should be `name = \"upper\"`;\n\
        - a number with a unit without quotes: `mass = 2 kg` should be `mass = \"2 kg\"`;\n\
        - a decimal comma: `1,5` should be `1.5`;\n\
        - a bracket that is not closed: `[0, 0, 1` should be `[0, 0, 1]`.\n\n\
        After a bracket that is not closed pliant does not look further, since all that follows\n\
        would seem wrong. Mend it and check again.\n";

    UNREADABLE = "pliant::file::unreadable", "the file cannot be read",
        "There is no file of this name, or you may not read it. Paths are relative to the folder\n\
        in which you run the command. A path `-` means the standard input.\n";

    TOO_LARGE = "pliant::file::too-large", "the file is too large",
        "pliant reads arm files of up to 1 MiB and 2000 links; an arm of a hundred links takes\n\
        about 20 kB. A larger file is most likely not an arm file.\n";

    NOT_TEXT = "pliant::file::not-text", "the file is not text",
        "pliant reads text in UTF-8. Some editors save in other encodings, in which letters such\n\
        as `ä` or `°` become other bytes. Save the file as UTF-8.\n";

    WRONG_TYPE = "pliant::file::wrong-type", "a value is of the wrong type",
        "A key has a value of another type than it needs: text instead of a number, a number\n\
        instead of a list, and so on. The message says what is wanted.\n\n\
        Numbers can be plain, then they are in SI units and radians (`mass = 2`), or have a unit,\n\
        then they stand in quotes (`mass = \"2 kg\"`). Lists stand in brackets, `[0, 0, 1]`, and\n\
        tables in braces, `{ kind = \"revolute\", axis = \"z\" }`.\n";

    UNKNOWN_KEY = "pliant::file::unknown-key", "an unknown key",
        "pliant refuses keys that it does not know, so that a slip of the pen is found instead of\n\
        being ignored. The message names the nearest key, or all that there are. `pliant schema`\n\
        prints every key with its meaning; editors can use it to complete and to check.\n";

    RENAMED = "pliant::file::renamed", "a word of earlier versions",
        "A warning. A key or a word has another name now, which the message tells. Files with the\n\
        earlier one are read as before, and mean the same.\n";

    MISSING_KEY = "pliant::file::missing-key", "a key is missing",
        "Something cannot be understood without a further key: a link needs a `name`, a joint a\n\
        `kind`, a shape a `mass` or a `density`, and so on. The message says which and shows how\n\
        it could look.\n";

    NOT_YET = "pliant::file::not-yet", "a key of a later version",
        "The key is kept free for something that pliant will do later: links that slide through\n\
        their joints (`slides`), actuators, controllers, dry friction. Remove it.\n";

    CONFLICT = "pliant::file::conflict", "two keys contradict each other",
        "The same thing is said in two ways, and pliant does not choose between them: a turn both\n\
        as `rpy` and as `quaternion`, a placement and a Denavit-Hartenberg row, a mass and a\n\
        density, a section and a mass. Remove one of them.\n";

    NOT_FINITE = "pliant::file::not-finite", "a number is not finite",
        "A number is `nan` or `inf`, or too large to be represented. Only the limits of a joint\n\
        may be infinite.\n";

    UNKNOWN_UNIT = "pliant::file::unknown-unit", "an unknown unit",
        "A number in quotes needs a unit that pliant knows:\n\n\
        - length: m, mm, cm, km, um, in, ft\n\
        - angle: rad, deg, °, rev\n\
        - mass: kg, g, t, lb, oz\n\
        - time: s, ms, min\n\
        - force: N, kN, lbf; pressure: Pa, MPa, GPa, bar, psi; energy J; power W\n\
        - speed of rotation: rad/s, deg/s, rpm\n\n\
        Units are multiplied by a space, `*` or `·`, divided by `/`, and raised by `^`: `N m/rad`,\n\
        `kg*m^2`, `g/cm^3`, `m/s^2`. Capital letters matter: `mm` is a millimetre, `Mm` a thousand\n\
        kilometres.\n\n\
        A number without quotes needs no unit: it is in SI units and radians.\n";

    WRONG_UNIT = "pliant::file::wrong-unit", "a unit of the wrong kind",
        "The unit exists but measures something else than the key asks for: a mass where a length\n\
        is wanted. Check whether two values were exchanged.\n\n\
        Radians may be left out beside other units: a stiffness of `5 N m` is `5 N m/rad`.\n";

    DOUBTFUL_UNIT = "pliant::file::doubtful-unit", "a plain number that seems to lack its unit",
        "A warning. Plain numbers are in SI units and radians. An angle of more than two turns was\n\
        most likely meant in degrees, and a density below 10 kg/m^3 in g/cm^3. Write the unit:\n\
        `\"90 deg\"`, `\"2.7 g/cm^3\"`. If the number is right, `\"90 rad\"` says so.\n";

    WRONG_COUNT = "pliant::file::wrong-count", "a list of the wrong length",
        "A list has too many or too few entries. A position has three, a quaternion four, and what\n\
        belongs to a joint has one per coordinate: none for a fixed joint, one for revolute and\n\
        prismatic, two for cylindrical (slide, turn) and universal (first, second), three for\n\
        planar (x, y, turn) and spherical, six for free joints. With several coordinates a table\n\
        reads better: `damping = { slide = 5, turn = 0.1 }`.\n";

    UNKNOWN_WORD = "pliant::file::unknown-word", "an unknown word",
        "A key can have one of a few words as its value, and this is none of them. The message\n\
        lists them. Words are written in small letters.\n";
}
