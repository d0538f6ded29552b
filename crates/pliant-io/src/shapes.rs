//! How values are written in files: numbers with units, words, tables and lists of them.

mod tables;

use crate::codes;
use crate::coordinates::{self, Measure};
use crate::node::{Entry, Node, Value};
use crate::problem::Problem;
use crate::reader::Reader;
use crate::spec::Form;
use crate::table::{Entries, Shape};
use crate::units::{self, Quantity, short};
use std::marker::PhantomData;
pub(crate) use tables::{
    Either, Flat, Kind, ManyOfKinds, One, OneOfKinds, OneOrMany, Or, Tables, every,
};

/// A kind of quantity, as a type.
pub(crate) trait Measured {
    /// The kind.
    const QUANTITY: &'static Quantity;
}

macro_rules! measured {
    ($($(#[$doc:meta])* $name:ident = $quantity:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) enum $name {}
        impl Measured for $name {
            const QUANTITY: &'static Quantity = &units::$quantity;
        }
    )* };
}

measured! {
    /// m.
    Length = LENGTH;
    /// rad.
    Angle = ANGLE;
    /// kg.
    Mass = MASS;
    /// kg m².
    Inertia = INERTIA;
    /// N.
    Force = FORCE;
    /// N m.
    Moment = MOMENT;
    /// kg/m³.
    Density = DENSITY;
    /// Pa, of elasticity.
    Modulus = MODULUS;
    /// Pa.
    Pressure = PRESSURE;
    /// N m².
    BendingStiffness = BENDING_STIFFNESS;
    /// kg/m.
    MassPerLength = MASS_PER_LENGTH;
    /// kg m.
    InertiaPerLength = INERTIA_PER_LENGTH;
    /// N s/m.
    Damping = DAMPING;
    /// 1/s.
    Rate = RATE;
    /// m/s².
    Acceleration = ACCELERATION;
    /// s.
    Time = TIME;
    /// Hz.
    Frequency = FREQUENCY;
    /// Of no unit.
    Plain = NUMBER;
}

/// A finite number of one kind, plain or with a unit.
pub(crate) struct Number<Q>(PhantomData<Q>);

impl<Q: Measured> Shape for Number<Q> {
    type Value = f64;
    const FORM: Form = Form::Number(Q::QUANTITY);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<f64> {
        reader.number(key, node, Q::QUANTITY)
    }
    fn write(value: &f64) -> Value {
        Value::Number(*value)
    }
    fn suits(value: &Value) -> bool {
        matches!(value, Value::Number(_))
    }
}

/// Three numbers of one kind.
pub(crate) struct Vector<Q>(PhantomData<Q>);

impl<Q: Measured> Shape for Vector<Q> {
    type Value = [f64; 3];
    const FORM: Form = Form::Vector(Q::QUANTITY);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<[f64; 3]> {
        reader.numbers(key, node, Q::QUANTITY)
    }
    fn write(value: &[f64; 3]) -> Value {
        numbers(value)
    }
    fn suits(value: &Value) -> bool {
        matches!(value, Value::List(_))
    }
}

/// As many numbers of one kind as there are.
pub(crate) struct Numbers<Q>(PhantomData<Q>);

impl<Q: Measured> Shape for Numbers<Q> {
    type Value = Vec<f64>;
    const FORM: Form = Form::Numbers(Q::QUANTITY);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<Vec<f64>> {
        reader.any_numbers(key, node, Q::QUANTITY)
    }
    fn write(value: &Vec<f64>) -> Value {
        numbers(value)
    }
}

/// A length above zero.
pub(crate) struct PositiveLength;

impl Shape for PositiveLength {
    type Value = f64;
    const FORM: Form = Form::Number(&units::LENGTH);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<f64> {
        let length = reader.number(key, node, &units::LENGTH)?;
        if length > 0.0 {
            return Some(length);
        }
        reader.push(
            Problem::error(
                &codes::NOT_POSITIVE,
                format!("{key} is {} m, expected a positive length", short(length)),
            )
            .at(node.span.clone())
            .help("give a length above zero, such as \"10 mm\""),
        );
        None
    }
    fn write(value: &f64) -> Value {
        Value::Number(*value)
    }
}

/// A whole number from one to another.
pub(crate) struct Count<const LEAST: u32, const MOST: u32>;

impl<const LEAST: u32, const MOST: u32> Shape for Count<LEAST, MOST> {
    type Value = usize;
    const FORM: Form = Form::Count;
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<usize> {
        reader.count(key, node, (LEAST, MOST))
    }
    fn write(value: &usize) -> Value {
        Value::Number(*value as f64)
    }
}

/// Four plain numbers.
pub(crate) struct FourNumbers;

impl Shape for FourNumbers {
    type Value = [f64; 4];
    const FORM: Form = Form::Quaternion;
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<[f64; 4]> {
        reader.numbers(key, node, &units::NUMBER)
    }
    fn write(value: &[f64; 4]) -> Value {
        numbers(value)
    }
}

/// Three rows of three plain numbers.
pub(crate) struct Matrix;

impl Shape for Matrix {
    type Value = [[f64; 3]; 3];
    const FORM: Form = Form::Matrix;
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<[[f64; 3]; 3]> {
        reader.matrix(key, node, &units::NUMBER)
    }
    fn write(value: &[[f64; 3]; 3]) -> Value {
        list(value.iter().map(|row| numbers(row)))
    }
}

/// A direction: `"x"`, `"-z"`, or three plain numbers.
pub(crate) struct Axis;

impl Shape for Axis {
    type Value = [f64; 3];
    const FORM: Form = Form::Axis;
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<[f64; 3]> {
        reader.axis(key, node)
    }
    fn write(value: &[f64; 3]) -> Value {
        let named = [("x", [1.0, 0.0, 0.0]), ("y", [0.0, 1.0, 0.0]), ("z", [0.0, 0.0, 1.0])];
        for (word, axis) in named {
            if *value == axis {
                return Value::Text(word.to_owned());
            }
            if *value == axis.map(|c: f64| -c) {
                return Value::Text(format!("-{word}"));
            }
        }
        numbers(value)
    }
}

/// Two directions.
pub(crate) struct Axes;

impl Shape for Axes {
    type Value = [[f64; 3]; 2];
    const FORM: Form = Form::Axes;
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<[[f64; 3]; 2]> {
        let axes: &[Node; 2] = reader.list(key, node, "[\"x\", \"y\"]")?;
        let [first, second] = axes.each_ref().map(|axis| reader.axis(key, axis));
        Some([first?, second?])
    }
    fn write(value: &[[f64; 3]; 2]) -> Value {
        list(value.iter().map(Axis::write))
    }
}

/// Text that is not empty.
pub(crate) struct Text;

impl Shape for Text {
    type Value = String;
    const FORM: Form = Form::Text;
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<String> {
        reader.text(key, node).map(str::to_owned)
    }
    fn write(value: &String) -> Value {
        Value::Text(value.clone())
    }
}

/// True or false.
pub(crate) struct Flag;

impl Shape for Flag {
    type Value = bool;
    const FORM: Form = Form::Flag;
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<bool> {
        reader.flag(key, node)
    }
    fn write(value: &bool) -> Value {
        Value::Flag(*value)
    }
}

/// What can be said by one of some words.
pub(crate) trait Words: Copy + std::fmt::Debug + PartialEq + 'static {
    /// The words.
    const WORDS: &'static [&'static str];
    /// What they mean, in the same order.
    const MEANINGS: &'static [Self];
    /// Words of earlier versions, and those that they are now.
    const FORMER: &'static [(&'static str, &'static str)] = &[];

    /// The word for it.
    fn in_a_word(self) -> &'static str {
        let index = Self::MEANINGS.iter().position(|known| *known == self);
        index.map_or("", |index| Self::WORDS[index])
    }
}

/// Says by which words a file means the values of a type: `words! { Axes: "world" => Axes::World }`,
/// and after `formerly` by which words earlier versions did.
macro_rules! words {
    (
        $type:ty: $($word:literal => $value:expr),* $(,)?
        $(; formerly $($former:literal => $now:literal),* $(,)?)?
    ) => {
        impl $crate::shapes::Words for $type {
            const WORDS: &'static [&'static str] = &[$($word),*];
            const MEANINGS: &'static [Self] = &[$($value),*];
            $(const FORMER: &'static [(&'static str, &'static str)] = &[$(($former, $now)),*];)?
        }
    };
}
pub(crate) use words;

/// One of some words.
pub(crate) struct Word<T>(PhantomData<T>);

impl<T: Words> Shape for Word<T> {
    type Value = T;
    const FORM: Form = Form::Word(T::WORDS);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<T> {
        let word = match reader.former_word(node, T::FORMER) {
            Some(now) => now,
            None => reader.word(key, node, T::WORDS.iter().copied())?,
        };
        T::WORDS.iter().position(|known| *known == word).map(|index| T::MEANINGS[index])
    }
    fn write(value: &T) -> Value {
        Value::Text(value.in_a_word().to_owned())
    }
    fn suits(value: &Value) -> bool {
        matches!(value, Value::Text(_))
    }
}

/// A value that is read later, when what it is measured in is known.
pub(crate) trait Later {
    /// How it is written.
    const FORM: Form;
}

/// A value as it stands in the file, for a form that another key decides about.
pub(crate) struct AsWritten<L>(PhantomData<L>);

impl<L: Later> Shape for AsWritten<L> {
    type Value = Node;
    const FORM: Form = L::FORM;
    fn read(_: &mut Reader, _: &str, node: &Node) -> Option<Node> {
        Some(node.clone())
    }
    fn write(value: &Node) -> Value {
        value.value.clone()
    }
}

/// Defines values that are read later by their forms: `later! { OfSubject = Form::Measured; }`.
macro_rules! later {
    ($($(#[$doc:meta])* $name:ident = $form:expr;)*) => { $(
        $(#[$doc])*
        pub(crate) enum $name {}
        impl $crate::shapes::Later for $name {
            const FORM: $crate::spec::Form = $form;
        }
    )* };
}
pub(crate) use later;

later! {
    /// Two numbers, or a table of such by coordinate.
    LimitsOfJoint = Form::Limits;
    /// How many shapes, or whether there are any.
    Way = Form::CountOrFlag;
}

/// What the coordinates of a joint are measured in, as a type.
pub(crate) trait InJoint {
    /// By coordinates that turn, and by those that slide.
    const MEASURE: Measure;
}

macro_rules! in_joint {
    ($($(#[$doc:meta])* $name:ident = $measure:ident;)*) => { $(
        $(#[$doc])*
        pub(crate) enum $name {}
        impl InJoint for $name {
            const MEASURE: Measure = coordinates::$measure;
        }
    )* };
}

in_joint! {
    /// rad, m.
    JointPosition = POSITION;
    /// rad/s, m/s.
    JointSpeed = VELOCITY;
    /// rad/s², m/s².
    JointAcceleration = ACCELERATION;
    /// N m, N.
    JointForce = FORCE;
    /// N m/rad, N/m.
    JointStiffness = SPRING;
    /// N m s/rad, N s/m.
    JointDamping = DAMPING;
    /// N m/(rad s), N/(m s).
    JointIntegral = INTEGRAL;
    /// kg m², kg.
    JointInertia = ARMATURE;
    /// 1/s², accelerations per distance.
    JointPull = PULL;
    /// 1/s, accelerations per speed.
    JointBrake = BRAKE;
    /// N m s, N s, forces per rate of strain.
    JointStrainDamping = STRAIN_DAMPING;
    /// Of no unit.
    JointPlain = PLAIN;
}

/// A value as it stands in the file, and what it is measured in when the joint is known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unread {
    pub(crate) node: Node,
    pub(crate) measure: Measure,
}

impl Unread {
    /// What a file would say.
    pub(crate) fn new<M: InJoint>(value: Value) -> Self {
        Self { node: unplaced(value), measure: M::MEASURE }
    }
}

/// A number whose unit depends on whether the joint turns or slides.
pub(crate) struct OfJoint<M>(PhantomData<M>);

impl<M: InJoint> Shape for OfJoint<M> {
    type Value = Unread;
    const FORM: Form = Form::OfJoint(M::MEASURE);
    fn read(_: &mut Reader, _: &str, node: &Node) -> Option<Unread> {
        Some(Unread { node: node.clone(), measure: M::MEASURE })
    }
    fn write(value: &Unread) -> Value {
        value.node.value.clone()
    }
}

/// A number, a list of them, or a table by coordinate.
pub(crate) struct OfCoordinates<M>(PhantomData<M>);

impl<M: InJoint> Shape for OfCoordinates<M> {
    type Value = Unread;
    const FORM: Form = Form::OfCoordinates(M::MEASURE);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<Unread> {
        OfJoint::<M>::read(reader, key, node)
    }
    fn write(value: &Unread) -> Value {
        OfJoint::<M>::write(value)
    }
}

/// A value that stands in no file yet.
pub(crate) fn unplaced(value: Value) -> Node {
    Node { span: 0..0, value }
}

/// Keys and values as a table.
pub(crate) fn entries(entries: Entries) -> Value {
    let entry = |(key, value)| Entry { key, key_span: 0..0, node: unplaced(value) };
    Value::Table(entries.into_iter().map(entry).collect())
}

/// Values as a list.
pub(crate) fn list(values: impl Iterator<Item = Value>) -> Value {
    Value::List(values.map(unplaced).collect())
}

/// Numbers as a list.
pub(crate) fn numbers(values: &[f64]) -> Value {
    list(values.iter().copied().map(Value::Number))
}
