use super::*;
use crate::Help;
use crate::arm::{Joint, Link};
use crate::beam::{Basis, Beam, CrossSection, Damping, Material, Matter, ShapeLoad, Slide, Ways};
use crate::compile::{Functions, Port, RowBlock, Trace};
use crate::spatial::Pose;

/// Nominal values of the arm below, with names.
const ALL: [(&str, f64); 10] = [
    ("mass", 2.0),
    ("payload", 0.7),
    ("gravity", -9.81),
    ("spring", 3.0),
    ("damping", 0.2),
    ("young", 69e9),
    ("shear", 26e9),
    ("density", 2700.0),
    ("ratio", 0.02),
    ("rayleigh", 1e-4),
];

#[derive(Clone, Copy, PartialEq)]
enum Bends {
    Not,
    Loaded,
    Elements,
    Slides,
}

/// A hub with a spring and a damper, and an arm with a load on it.
fn describe(bends: Bends, values: &[f64]) -> Builder {
    let &[mass, payload, gravity, spring, damping, young, shear, density, ratio, rayleigh] = values
    else {
        panic!("ten values");
    };
    let tensor = [[0.01, 0.001, 0.0], [0.001, 0.02, 0.0], [0.0, 0.0, 0.02]];
    let hub = Link::new("hub")
        .joint(Joint::revolute([0.3, 0.0, 1.0]))
        .body(mass, [0.1, 0.02, 0.05], tensor)
        .spring(&[spring], &[0.2])
        .damping(&[damping]);
    let arm = Link::new("arm").joint(Joint::revolute([0.0, 1.0, 0.0]));
    let material = Material { young, shear, density, ..Material::named("steel").expect("steel") };
    let outline = CrossSection::Round { diameter: 0.01 };
    let ways = Ways::new(2, 1, 1, 0);
    let basis = match bends {
        Bends::Elements => Basis::Hermite { elements: 2, ways: Ways::new(true, true, true, false) },
        Bends::Slides => Basis::ClampedMass { ways, load: ShapeLoad::Outboard },
        _ => Basis::loaded(ways),
    };
    let mut beam = Beam::new(1.1, Matter::Made { outline, material }, basis);
    beam.damping = Damping { mass: 0.0, stiffness: rayleigh, ratios: vec![ratio] };
    if bends == Bends::Slides {
        beam.slide = Some(Slide::between(0.4, 0.9));
        beam.damping.ratios.clear();
    }
    let arm = match bends {
        Bends::Not => arm.payload(payload, [1.1, 0.0, 0.1]),
        _ => arm.beam(beam).tip_body(payload, [0.05, 0.0, 0.02], tensor),
    };
    Builder::new("arm")
        .gravity([0.0, 0.0, gravity])
        .link(hub)
        .link(arm.placed(Pose::at(0.3, 0.0, 0.1)))
}

/// The parameters of these names.
fn parameters(bends: Bends, names: &[&str]) -> Result<Parameters, ParameterError> {
    let all = |values: &[f64]| {
        let mut all = ALL.map(|(_, nominal)| nominal);
        for (name, value) in names.iter().zip(values) {
            all[place(name)] = *value;
        }
        Ok(describe(bends, &all))
    };
    let one = |name: &&str| Parameter::new(*name, ALL[place(name)].1, "");
    Parameters::new(&names.iter().map(one).collect::<Vec<_>>(), all)
}

fn place(name: &str) -> usize {
    ALL.iter().position(|(own, _)| *own == name).expect("a known name")
}

/// A state of moderate size.
fn state(arm: &Arm, inputs: &[Port], seed: u32) -> Vec<Vec<f64>> {
    let mut number = seed;
    let mut random = || {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(number) / 2_147_483_648.0 - 1.0
    };
    let block = |port: &Port| match port.name {
        "q" => {
            let mut q = arm.neutral();
            q.iter_mut()
                .enumerate()
                .for_each(|(i, q)| *q += if i < 2 { 1.0 } else { 0.03 } * random());
            q
        }
        _ => (0..port.len).map(|_| random()).collect(),
    };
    inputs.iter().map(block).collect()
}

fn outputs(evaluator: &mut Evaluator, state: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let inputs: Vec<&[f64]> = state.iter().map(Vec::as_slice).collect();
    let ports = evaluator.outputs().iter();
    let mut blocks: Vec<Vec<f64>> = ports.map(|port| vec![f64::NAN; port.len]).collect();
    let mut slices: Vec<&mut [f64]> = blocks.iter_mut().map(Vec::as_mut_slice).collect();
    evaluator.run_into(&inputs, &mut slices);
    blocks
}

const QUANTITIES: [Quantity; 9] = [
    Quantity::ForwardDynamics,
    Quantity::InverseDynamics,
    Quantity::MassMatrixAndBias,
    Quantity::Terms,
    Quantity::Kinematics,
    Quantity::Jacobian { frame: 1 },
    Quantity::InverseDerivatives,
    Quantity::ConfigurationRate,
    Quantity::DampingPower,
];

/// Those that an arm has; damping ratios and moduli are of beams, and only of some.
fn names(bends: Bends) -> Vec<&'static str> {
    let has = |name: &str| match bends {
        Bends::Not => place(name) < 5,
        Bends::Slides => name != "ratio",
        _ => true,
    };
    ALL.iter().map(|(name, _)| *name).filter(|name| has(name)).collect()
}

const KINDS: [Bends; 4] = [Bends::Not, Bends::Loaded, Bends::Elements, Bends::Slides];

#[test]
fn nominal_values_give_the_numbers_of_the_arm() {
    for bends in KINDS {
        let parameters = parameters(bends, &names(bends)).expect("parameters");
        let nominal: Vec<f64> = parameters.list().iter().map(|one| one.nominal).collect();
        for (quantity, mut general) in QUANTITIES.into_iter().zip(compiled(&parameters)) {
            let mut own = parameters.arm().evaluator(quantity);
            for seed in 0..10 {
                let mut state = state(parameters.arm(), own.inputs(), seed);
                let wanted = outputs(&mut own, &state);
                state.push(nominal.clone());
                assert_eq!(outputs(&mut general, &state), wanted, "{quantity:?}");
            }
        }
    }
}

/// Whether all numbers are near, relative to the largest of their block.
fn assert_near(got: &[Vec<f64>], wanted: &[Vec<f64>], bound: f64, what: &str) {
    for (got, wanted) in got.iter().zip(wanted) {
        let size = wanted.iter().fold(0.0_f64, |size, number| size.max(number.abs()));
        for (got, wanted) in got.iter().zip(wanted) {
            assert!((got - wanted).abs() <= bound * size, "{what}: {got} instead of {wanted}");
        }
    }
}

/// Every quantity of parameters, compiled where there is machine code.
fn compiled(parameters: &Parameters) -> Vec<Evaluator> {
    let mut all = QUANTITIES.map(|quantity| parameters.evaluator(quantity)).to_vec();
    for evaluator in &mut all {
        let _ = evaluator.compile(false);
    }
    all
}

/// Compares parameters at other values with an arm that is built for them.
fn compare(evaluators: &mut [Evaluator], other: &[f64], rebuilt: &Arm, bounds: [f64; 2]) {
    for general in evaluators {
        let mut own = rebuilt.evaluator(general.quantity());
        let bound = bounds[usize::from(general.quantity() == Quantity::ForwardDynamics)];
        for seed in 0..3 {
            let mut state = state(rebuilt, own.inputs(), seed);
            let wanted = outputs(&mut own, &state);
            state.push(other.to_vec());
            let what = format!("{other:?}, {:?}", general.quantity());
            assert_near(&outputs(general, &state), &wanted, bound, &what);
        }
    }
}

/// All values, those of the names times factors.
fn times(names: &[&str], factors: &[f64]) -> Vec<f64> {
    let mut all = ALL.map(|(_, nominal)| nominal);
    for (name, factor) in names.iter().zip(factors) {
        all[place(name)] *= factor;
    }
    all.to_vec()
}

/// The values of these names, times factors.
fn values(names: &[&str], factors: &[f64]) -> Vec<f64> {
    let all = times(names, factors);
    names.iter().map(|name| all[place(name)]).collect()
}

#[test]
fn other_values_give_the_arm_rebuilt_in_the_same_shapes() {
    for bends in KINDS {
        let names = names(bends);
        let parameters = parameters(bends, &names).expect("parameters");
        let mut evaluators = compiled(&parameters);
        let mixed: Vec<f64> = (0..names.len()).map(|i| [1.7, 0.6, 2.5][i % 3]).collect();
        let one = |i: usize| {
            let mut factors = vec![1.0; names.len()];
            factors[i] = 3.0;
            factors
        };
        for factors in (0..names.len()).map(one).chain([mixed]) {
            let other = describe(bends, &times(&names, &factors));
            let rebuilt = other.build_in_shapes_of(Some(parameters.arm())).expect("an arm");
            compare(&mut evaluators, &values(&names, &factors), &rebuilt, [1e-12, 1e-10]);
        }
    }
}

#[test]
fn where_shapes_stay_the_same_the_arm_is_the_one_described() {
    let check = |bends, names: &[&str], factors: &[f64], bounds| {
        let parameters = parameters(bends, names).expect("parameters");
        let rebuilt = describe(bends, &times(names, factors)).build().expect("an arm");
        compare(&mut compiled(&parameters), &values(names, factors), &rebuilt, bounds);
    };
    // rigid links have no shapes, and those of elements do not know what they are made of; ratios
    // are of the modes of the nominal arm, which another one does not have
    let names = ["mass", "payload", "spring", "gravity"];
    check(Bends::Not, &names, &[3.0, 0.2, 1.5, 0.16], [1e-12, 1e-10]);
    let names = ["young", "shear", "density", "payload", "ratio"];
    check(Bends::Elements, &names, &[2.0, 3.0, 0.5, 4.0, 0.0], [1e-12, 1e-10]);
    // the modes of a stiffer beam are the same
    check(Bends::Loaded, &["young", "shear", "ratio"], &[2.0, 2.0, 0.0], [1e-8, 1e-6]);
}

#[test]
fn rows_have_parameters_of_their_own_or_one_for_all() {
    let parameters = parameters(Bends::Loaded, &["payload", "young"]).expect("parameters");
    let mut single = parameters.evaluator(Quantity::InverseDynamics);
    let mut rows = parameters.row_evaluator(Quantity::InverseDynamics, false).expect("rows");
    assert_eq!(rows.inputs().last(), Some(&Port { name: "parameters", len: 2 }));
    let (n, ports) = (parameters.arm().nv(), parameters.arm().evaluator(Quantity::InverseDynamics));
    let states: Vec<Vec<Vec<f64>>> =
        (0..11).map(|seed| state(parameters.arm(), ports.inputs(), seed)).collect();
    let block = |k: usize| states.iter().flat_map(|state| state[k].clone()).collect::<Vec<f64>>();
    let [q, u, ud] = [0, 1, 2].map(block);
    let values: Vec<f64> =
        (0..11).flat_map(|k| [0.1 * f64::from(k), 60e9 + 1e9 * f64::from(k)]).collect();
    for each in [true, false] {
        let block = if each { RowBlock::Each(&values) } else { RowBlock::Same(&values[4..6]) };
        let mut tau = vec![f64::NAN; 11 * n];
        let inputs = [RowBlock::Each(&q), RowBlock::Each(&u), RowBlock::Each(&ud), block];
        rows.rows_into(11, &inputs, &mut [&mut tau]);
        for (row, state) in states.iter().enumerate() {
            let own = if each { &values[2 * row..2 * row + 2] } else { &values[4..6] };
            let mut inputs = state.clone();
            inputs.push(own.to_vec());
            assert_eq!(outputs(&mut single, &inputs), [&tau[row * n..(row + 1) * n]]);
        }
    }
    // beyond the range of sines the recursion takes over, with the parameters of the row
    let far: Vec<f64> = q.iter().enumerate().map(|(i, q)| if i == 0 { 2e6 } else { *q }).collect();
    let mut tau = vec![f64::NAN; 11 * n];
    let inputs = [&far, &u, &ud, &values].map(|block| RowBlock::Each(block));
    rows.rows_into(11, &inputs, &mut [&mut tau]);
    let first = [&far[..states[0][0].len()], &states[0][1], &states[0][2], &values[..2]];
    let first: Vec<Vec<f64>> = first.into_iter().map(<[f64]>::to_vec).collect();
    assert_eq!(outputs(&mut single, &first), [&tau[..n]]);
}

#[test]
fn traces_name_their_parameters() {
    let parameters = parameters(Bends::Not, &["payload", "gravity"]).expect("parameters");
    let trace = Trace::with_parameters(&parameters, Quantity::InverseDynamics, Functions::Called);
    assert_eq!(trace.parameters(), parameters.list());
    assert_eq!(trace.inputs().last(), Some(&Port { name: "parameters", len: 2 }));
    assert_eq!(trace.tape().inputs(), 3 * 2 + 2);
    let own = Trace::new(parameters.arm(), Quantity::InverseDynamics, Functions::Called);
    let (few, more) = (own.tape().ops().len(), trace.tape().ops().len());
    assert!(few < more && more < 2 * few, "{few} {more}");
}

/// A link of parameters with a formula, and why they are refused.
fn refused(nominal: &[f64], link: impl Fn(&[f64]) -> Link) -> String {
    let list = nominal.iter().zip(["one", "two", "three"]);
    let list: Vec<_> = list.map(|(value, name)| Parameter::new(name, *value, "m")).collect();
    let describe = |values: &[f64]| Ok(Builder::new("arm").link(link(values)));
    let refused: ParameterError = Parameters::new(&list, describe).expect_err("refused");
    assert!(refused.help().is_some());
    refused.to_string()
}

#[test]
fn what_is_no_product_and_sum_is_refused_with_the_reason() {
    let hinge = || Link::new("arm").joint(Joint::revolute([0.0, 0.0, 1.0]));
    let beam = |length: f64, diameter: f64| {
        let material = Material::named("steel").expect("steel");
        let outline = CrossSection::Round { diameter };
        Beam::new(length, Matter::Made { outline, material }, Basis::loaded(Ways::new(1, 1, 0, 0)))
    };
    for (told, wanted) in [
        (
            refused(&[0.5], |v| hinge().payload(1.0, [v[0], 0.0, 0.0])),
            "the inertia of the link \"arm\" does not change in proportion to one",
        ),
        (
            refused(&[0.01], |v| hinge().beam(beam(1.0, v[0]))),
            "the inertia of the link \"arm\" does not change in proportion to one",
        ),
        (
            refused(&[1.0], |v| hinge().beam(beam(v[0], 0.01))),
            "with one = 2 m the link \"arm\" cannot bend in the shapes of the nominal arm",
        ),
        (
            refused(&[0.0], |v| hinge().payload(1.0, [1.0, 0.0, 0.0]).damping(&[v[0]])),
            "with one = 0.0625 m the arm has other parts than the nominal one",
        ),
        (
            refused(&[0.0], |v| hinge().payload(1.0, [1.0, 0.0, 0.0]).armature(&[v[0]])),
            "with one = 0.0625 m the arm has other parts than the nominal one",
        ),
        (
            refused(&[2.0, 3.0, 5.0], |v| hinge().payload(v[0] * v[1] * v[2], [1.0, 0.0, 0.0])),
            "the inertia of the link \"arm\" depends on these parameters by more than products of \
             two of them",
        ),
        (refused(&[-1.0], |v| hinge().payload(v[0], [1.0, 0.0, 0.0])), "link \"arm\""),
        (refused(&[f64::NAN], |_| hinge()), "the nominal value NaN of one is not finite"),
    ] {
        assert!(told.contains(wanted), "{told}");
    }
    let twice = parameters(Bends::Not, &["mass", "mass"]).expect_err("twice");
    assert_eq!(twice.to_string(), "the parameter mass is there twice");
}

/// A slide on a spring, then a hinge with a small rotor that has this inertia (kg m²).
fn beside_a_spring(stiffness: f64, armature: f64) -> Builder {
    let ball = |size: f64| [[size, 0.0, 0.0], [0.0, size, 0.0], [0.0, 0.0, size]];
    let slide = Link::new("slide")
        .joint(Joint::prismatic([1.0, 0.0, 0.0]))
        .body(1.0, [0.0; 3], ball(0.1))
        .spring(&[stiffness], &[0.0]);
    let hinge = Link::new("hinge")
        .joint(Joint::revolute([0.0, 0.0, 1.0]))
        .body(0.001, [0.0; 3], ball(1e-7))
        .armature(&[armature]);
    Builder::new("arm").link(slide).link(hinge)
}

#[test]
fn stiff_springs_hide_neither_squares_nor_products() {
    for stiffness in [1e3, 1e6, 1e8, 1e9, 1e10, 1e14] {
        let gear = [Parameter::new("gear", 10.0, "")];
        let describe = |v: &[f64]| Ok(beside_a_spring(stiffness, v[0] * v[0] * 1e-8));
        let refused: ParameterError = Parameters::new(&gear, describe).expect_err("a square");
        assert!(matches!(refused, ParameterError::NotAffine { .. }), "{stiffness:e}: {refused}");
        let two = ["x", "y"].map(|name| Parameter::new(name, 1e-3, ""));
        let describe = |v: &[f64]| Ok::<_, ParameterError>(beside_a_spring(stiffness, v[0] * v[1]));
        let product = Parameters::new(&two, describe).expect("a product");
        let mut mass = [0.0; 4];
        let inputs: [&[f64]; 2] = [&[0.0; 2], &[5e-3, 5e-3]];
        product.evaluator(Quantity::MassMatrix).run_into(&inputs, &mut [&mut mass]);
        assert!((mass[3] - (1e-7 + 25e-6)).abs() < 1e-18, "{stiffness:e}: {mass:?}");
    }
}

#[test]
fn small_nominal_values_lose_no_digits() {
    for nominal in [1.0, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 1e-17] {
        let payload = [Parameter::new("payload", nominal, "kg")];
        let link = |mass: f64| {
            let tensor = [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];
            Link::new("link")
                .joint(Joint::revolute([0.0, 0.0, 1.0]))
                .body(20.0, [0.3, 0.0, 0.0], tensor)
                .payload(mass, [1.0, 0.0, 0.0])
        };
        let describe = |v: &[f64]| {
            Ok::<_, ParameterError>(Builder::new("arm").gravity([0.0, -9.81, 0.0]).link(link(v[0])))
        };
        let parameters = Parameters::new(&payload, describe).expect("a payload");
        let mut tau = [0.0];
        let inputs: [&[f64]; 4] = [&[0.0], &[0.0], &[0.0], &[5.0]];
        parameters.evaluator(Quantity::InverseDynamics).run_into(&inputs, &mut [&mut tau]);
        let wanted = 9.81 * (20.0 * 0.3 + 5.0);
        assert!((tau[0] / wanted - 1.0).abs() < 1e-13, "{nominal:e}: {} {wanted}", tau[0]);
    }
}

#[test]
fn what_is_lost_in_rounding_is_refused() {
    let hinge = || Link::new("arm").joint(Joint::revolute([0.0, 0.0, 1.0]));
    let told = refused(&[2.0], |_| hinge().payload(1.0, [1.0, 0.0, 0.0]));
    assert_eq!(told, "one changes nothing of the arm");
    // a larger value, that would show what it changes, is none
    let least = |v: f64| if v < 1.0 { 20.0 + v } else { f64::NAN };
    let told = refused(&[1e-9], |v| hinge().payload(least(v[0]), [1.0, 0.0, 0.0]));
    assert_eq!(told, "what one changes of the inertia of the link \"arm\" is lost in rounding");
}

#[test]
fn code_is_tried_with_parameters_that_are_nominally_zero() {
    let gravity = [Parameter::new("gravity", 0.0, "m/s^2")];
    let describe = |v: &[f64]| {
        let bob = Link::new("bob").joint(Joint::revolute([0.0, 0.0, 1.0]));
        let arm = Builder::new("arm").gravity([v[0], -9.81, 0.0]);
        Ok::<_, ParameterError>(arm.link(bob.payload(1.0, [1.0, 0.0, 0.0])))
    };
    let parameters = Parameters::new(&gravity, describe).expect("gravity");
    let model = Model::with_parameters(&parameters, Quantity::InverseDynamics);
    for round in 0..9 {
        let mut inputs = [f64::NAN; 4];
        model.trial(round, 0.1, &mut inputs);
        assert!(inputs[3] != 0.0 && inputs[3].abs() <= 0.1, "{inputs:?}");
    }
}
