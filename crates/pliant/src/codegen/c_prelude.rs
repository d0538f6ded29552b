//! The functions that straight-line programs call, in C99 and CUDA: the arithmetic of the library.

use super::body::{Dialect as _, Function};
use super::c::C;
use super::program::Program;
use super::routine::{Body, Direction, Parameter, Routine};
use crate::scalar::stumpff::inverse_factorials;
use pliant_jit::{Op, Tape};

/// Types and macros of one number, or of lanes.
const SEVERAL: &str = "\
/* One number, or one of each lane; sines and Stumpff functions are computed in double precision. */
typedef PREFIX_real real;
#define PLIANT_LANES UPPER_LANES
#define PLIANT_LANE UPPER_LANE
#if PLIANT_LANES > 1
typedef double wide __attribute__((vector_size(PLIANT_LANES * 8)));
typedef uint64_t bits __attribute__((vector_size(PLIANT_LANES * 8)));
#define PLIANT_WHOLE(x) ((x) - (real){0})
#define PLIANT_WIDE_WHOLE(x) ((x) - (wide){0})
#define PLIANT_WIDE(x) SOME_WIDE
#define PLIANT_NARROW(x) SOME_NARROW
#else
typedef double wide;
typedef uint64_t bits;
#define PLIANT_WHOLE(x) (x)
#define PLIANT_WIDE_WHOLE(x) (x)
#define PLIANT_WIDE(x) (x)
#define PLIANT_NARROW(x) ONE_NARROW
#endif
#if defined(__GNUC__)
#define PLIANT_PART __attribute__((noinline)) static
#else
#define PLIANT_PART static
#endif
#define PLIANT_FUNCTION static inline

";

/// The same for one number alone, in CUDA.
const ONE: &str = "\
/* Sines and Stumpff functions are computed in double precision. */
typedef double wide;
typedef uint64_t bits;
#define PLIANT_LANES 1
#define PLIANT_LANE(x, lane) (x)
#define PLIANT_WHOLE(x) (x)
#define PLIANT_WIDE_WHOLE(x) (x)
#define PLIANT_WIDE(x) (x)
#define PLIANT_NARROW(x) ONE_NARROW
#if defined(__CUDACC__)
#define PLIANT_FUNCTION static inline __host__ __device__
#define PLIANT_PART static __noinline__ __host__ __device__
#else
#define PLIANT_FUNCTION static inline
#define PLIANT_PART static
#endif

";

/// What takes the macros away again where others include the text.
pub(super) const UNDEFINED: &str = "\
#undef PLIANT_LANES
#undef PLIANT_LANE
#undef PLIANT_WHOLE
#undef PLIANT_WIDE_WHOLE
#undef PLIANT_WIDE
#undef PLIANT_NARROW
#undef PLIANT_FUNCTION
#undef PLIANT_PART
";

const ROOT: &str = "\
PLIANT_FUNCTION void root(const real *x, real *to)
{
    real roots = *x;
    for (int lane = 0; lane < PLIANT_LANES; ++lane) {
        PLIANT_LANE(roots, lane) = SQRT(PLIANT_LANE(roots, lane));
    }
    *to = roots;
}

";

const TURN: &str = "\
/* One of two values with a sign, by the quadrant of an angle in the lowest bits of a number. */
PLIANT_FUNCTION void turn(const wide *quadrant, const wide *even, const wide *odd, uint64_t ahead, wide *to)
{
    bits number, first, second;
    memcpy(&number, quadrant, sizeof number);
    memcpy(&first, even, sizeof first);
    memcpy(&second, odd, sizeof second);
    const bits is_odd = -(number & 1);
    const bits sign = ((number + ahead) & 2) << 62;
    const bits turned = ((first & ~is_odd) | (second & is_odd)) ^ sign;
    memcpy(to, &turned, sizeof turned);
}

";

const SIN_COS: &str = "\
/* Sine and cosine of an angle in radians; beyond BOUND those of the platform. */
PLIANT_FUNCTION void sin_cos_wide(const wide *angle, wide both[2])
{
    sin_cos_kernel(angle, both);
    for (int lane = 0; lane < PLIANT_LANES; ++lane) {
        const double own = PLIANT_LANE(*angle, lane);
        if (!(fabs(own) <= BOUND)) {
            PLIANT_LANE(both[0], lane) = sin(own);
            PLIANT_LANE(both[1], lane) = cos(own);
        }
    }
}

";

const SIN_COS_OWN: &str = "\
PLIANT_FUNCTION void sin_cos(const real *angle, real out[2])
{
    const wide own = PLIANT_WIDE(*angle);
    wide both[2];
    sin_cos_wide(&own, both);
    out[0] = PLIANT_NARROW(both[0]);
    out[1] = PLIANT_NARROW(both[1]);
}

";

const BEYOND: &str = "\
/* Stumpff functions of a large square, upwards from sine and cosine. */
PLIANT_FUNCTION void stumpff_beyond(double x, int count, double *c)
{
    const double inverse_factorial[] = {FACTORIALS};
    const double angle = sqrt(x);
    const wide angles = PLIANT_WIDE_WHOLE(angle);
    wide both[2];
    sin_cos_wide(&angles, both);
    for (int k = 0; k < count; ++k) {
        if (k == 0) {
            c[k] = PLIANT_LANE(both[1], 0);
        } else if (k == 1) {
            c[k] = PLIANT_LANE(both[0], 0) / angle;
        } else {
            c[k] = (inverse_factorial[k - 2] - c[k - 2]) / x;
        }
    }
}

";

const STUMPFF: &str = "\
/* The Stumpff functions c_0 to c_LAST of a square. */
PLIANT_FUNCTION void stumpff_COUNT(const real *square, real out[COUNT])
{
    const wide x = PLIANT_WIDE(*square);
    wide c[COUNT];
    stumpff_COUNT_kernel(&x, c);
    for (int lane = 0; lane < PLIANT_LANES; ++lane) {
        const double own = PLIANT_LANE(x, lane);
        if (!(own <= BOUND)) {
            double beyond[COUNT];
            stumpff_beyond(own, COUNT, beyond);
            for (int k = 0; k < COUNT; ++k) {
                PLIANT_LANE(c[k], lane) = beyond[k];
            }
        }
    }
    for (int k = 0; k < COUNT; ++k) {
        out[k] = PLIANT_NARROW(c[k]);
    }
}

";

/// A function of the library as a routine of an array of one number.
pub(super) fn kernel(name: String, tape: &Tape) -> Routine {
    let parameter = |name: &str, length, direction| Parameter {
        name: name.to_owned(),
        length: Some(length),
        direction,
        about: String::new(),
    };
    Routine {
        name,
        about: Vec::new(),
        parameters: vec![
            parameter("x", 1, Direction::In),
            parameter("out", tape.outputs().len(), Direction::Out),
        ],
        body: Body::Tape(tape.clone()),
        is_public: false,
    }
}

/// The largest argument for which a program of the library is right.
pub(super) fn bound(tape: &Tape) -> f64 {
    tape.guards().iter().map(|guard| guard.bound).fold(f64::INFINITY, f64::min)
}

/// All that the functions of a program need.
pub(super) fn text(program: &Program, is_cuda: bool) -> String {
    let functions = program.functions();
    let single = program.settings.single;
    let wide = C { real: "wide", prefix: "", single: false, is_cuda };
    let (to_wide, to_real) = if single {
        ("__builtin_convertvector(x, wide)", "__builtin_convertvector(x, real)")
    } else {
        ("(x)", "(x)")
    };
    let pairs = [
        ("SOME_WIDE", to_wide),
        ("SOME_NARROW", to_real),
        ("ONE_NARROW", if single { "((float)(x))" } else { "(x)" }),
        ("PREFIX", &program.prefix),
        ("UPPER", &program.prefix.to_uppercase()),
    ];
    let mut out = replaced(if is_cuda { ONE } else { SEVERAL }, &pairs);
    if program.tapes().any(|tape| tape.ops().iter().any(|op| matches!(op, Op::Sqrt(_)))) {
        out.push_str(&replaced(ROOT, &[("SQRT", if single { "sqrtf" } else { "sqrt" })]));
    }
    if functions.is_empty() {
        return out;
    }
    let sine = &program.sine;
    out.push_str(TURN);
    out.push_str(&wide.function(&kernel("sin_cos_kernel".into(), sine)));
    out.push_str(&replaced(SIN_COS, &[("BOUND", &wide.literal(bound(sine)))]));
    if functions.contains(&Function::SinCos) {
        out.push_str(SIN_COS_OWN);
    }
    let counts = || functions.iter().filter(|function| **function != Function::SinCos);
    if let Some(most) = counts().map(|function| function.count()).max() {
        let factorials = inverse_factorials().take(usize::from(most.max(3)) - 2);
        let factorials: Vec<String> = factorials.map(|own| wide.literal(own)).collect();
        out.push_str(&replaced(BEYOND, &[("FACTORIALS", &factorials.join(", "))]));
    }
    for function in counts() {
        let count = function.count();
        let tape = &program.stumpff[&count];
        out.push_str(&wide.function(&kernel(format!("{}_kernel", function.name()), tape)));
        let (last, count) = ((count - 1).to_string(), count.to_string());
        let bound = wide.literal(bound(tape));
        let pairs = [("COUNT", &*count), ("LAST", &last), ("BOUND", &bound)];
        out.push_str(&replaced(STUMPFF, &pairs));
    }
    out
}

fn replaced(text: &str, pairs: &[(&str, &str)]) -> String {
    pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}
