//! How values of scenarios are written: times, weights, whole numbers, names.

use super::refusal::CONTROLLER;
use crate::arm_file::ArmTable;
use crate::codes;
use crate::node::{Node, Value, one_or_many, quoted, unnamed};
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::shapes::{ManyOfKinds, Tables, Unread, later, list};
use crate::spec::Form;
use crate::state::Side;
use crate::table::{Entries, Field, Keyed, Kinds, Shape, Table};
use crate::units::{self, Quantity, short};
use pliant::arm::Arm;
use std::marker::PhantomData;
use std::ops::Range;

/// Larger whole numbers are not exact in a file.
pub(super) const LARGEST: f64 = 9_007_199_254_740_992.0;

/// A time that lasts.
pub(crate) struct Lasting;

impl Shape for Lasting {
    type Value = f64;
    const FORM: Form = Form::Number(&units::TIME);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<f64> {
        let time = reader.number(key, node, &units::TIME)?;
        if time > 0.0 {
            return Some(time);
        }
        reader.push(
            Problem::error(
                &codes::NO_TIME,
                format!("{key} is {} s, which is no time", short(time)),
            )
            .at(node.span.clone())
            .label(if time < 0.0 { "below zero" } else { "zero" })
            .help(format!("give a positive time, such as {key} = \"5 s\"")),
        );
        None
    }
    fn write(value: &f64) -> Value {
        Value::Number(*value)
    }
}

/// A time from now on, zero or positive.
pub(crate) struct FromNow;

impl Shape for FromNow {
    type Value = f64;
    const FORM: Form = Form::Number(&units::TIME);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<f64> {
        let time = reader.number(key, node, &units::TIME)?;
        if time >= 0.0 {
            return Some(time);
        }
        reader.push(
            Problem::error(&codes::NO_TIME, format!("{key} is {} s, before now", short(time)))
                .at(node.span.clone())
                .label("below zero")
                .help("give zero or a positive time"),
        );
        None
    }
    fn write(value: &f64) -> Value {
        Value::Number(*value)
    }
}

/// A plain number of a controller, zero or more.
pub(crate) struct NotNegative;

impl Shape for NotNegative {
    type Value = f64;
    const FORM: Form = Form::Number(&units::NUMBER);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<f64> {
        let number = reader.number(key, node, &units::NUMBER)?;
        if number >= 0.0 {
            return Some(number);
        }
        let message = format!("{key} is {number}, below zero");
        CONTROLLER.refuse(reader, node.span.clone(), message, "give zero or more");
        None
    }
    fn write(value: &f64) -> Value {
        Value::Number(*value)
    }
}

/// A share of the run, from 0 to 1.
pub(crate) struct Share;

impl Shape for Share {
    type Value = f64;
    const FORM: Form = Form::Number(&units::NUMBER);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<f64> {
        let number = NotNegative::read(reader, key, node)?;
        if number <= 1.0 {
            return Some(number);
        }
        let message = format!("{key} is {number}");
        CONTROLLER.refuse(reader, node.span.clone(), message, "give a share of the run, 0 to 1");
        None
    }
    fn write(value: &f64) -> Value {
        Value::Number(*value)
    }
}

/// A whole number from `LEAST` on.
pub(crate) struct Whole<const LEAST: u32>;

impl<const LEAST: u32> Shape for Whole<LEAST> {
    type Value = f64;
    const FORM: Form = Form::Count;
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<f64> {
        let example = LEAST.max(1);
        match node.value {
            Value::Number(number)
                if number.fract() == 0.0 && (f64::from(LEAST)..=LARGEST).contains(&number) =>
            {
                return Some(number);
            }
            Value::Number(number) => reader.push(
                Problem::error(
                    &codes::COUNT_OUT_OF_RANGE,
                    format!("{key} is {number}, expected a whole number from {LEAST} on"),
                )
                .at(node.span.clone())
                .label("not such a number")
                .help(format!("write {key} = {example}")),
            ),
            _ => {
                let help = format!("write {key} = {example}, without quotes");
                reader.wrong_type(key, node, "a whole number", help);
            }
        }
        None
    }
    fn write(value: &f64) -> Value {
        Value::Number(*value)
    }
}

/// What has a name of its own: its word goes before messages.
pub(crate) trait Called {
    /// What it is.
    const WORD: &'static str;

    /// How messages about one begin.
    fn whose(name: &str) -> String {
        format!("{} {}", Self::WORD, quoted(name))
    }
}

/// The name of a thing, which messages about its other keys begin with.
pub(crate) struct Name<C>(PhantomData<C>);

impl<C: Called> Shape for Name<C> {
    type Value = String;
    const FORM: Form = Form::Text;
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<String> {
        let name = reader.text(key, node)?;
        reader.whose = C::whose(name);
        Some(name.to_owned())
    }
    fn write(value: &String) -> Value {
        Value::Text(value.clone())
    }
}

/// The word that says which kind of table it is, which [`kinds!`](crate::table::kinds) reads and
/// writes: here is where it stands.
pub(crate) struct KindAt;

impl Keyed for KindAt {
    type Held = Range<usize>;
    type LeftOut = ();
    const FORM: Form = Form::Text;
    fn unsaid(_: Option<()>) -> Range<usize> {
        0..0
    }
    fn take(_: &mut Reader, fields: &Fields<'_>, key: &'static str, _: Option<()>) -> Range<usize> {
        fields.span_of(key)
    }
    fn add_to(_: &mut Entries, _: &'static str, _: &Range<usize>, _: Option<()>) {}
}

later! {
    /// An arm, or the path of its file.
    ArmOrPath = Form::OrTable(&Form::Text, ArmTable::SPEC);
    /// A number in the unit of what the table is about.
    OfSubject = Form::Measured;
    /// Numbers in the unit of what the table is about.
    ListOfSubject = Form::MeasuredList;
    /// Points, whose numbers have the units of what goes through them.
    Points = Form::MeasuredRows;
    /// Times, of which one may be pointed at.
    Times = Form::Numbers(&units::TIME);
}

/// Zero, in any unit.
pub(crate) fn zero() -> Node {
    Node { span: 0..0, value: Value::Number(0.0) }
}

impl Field<Node> {
    /// A number of a kind that is known now.
    pub(crate) fn number(&self, reader: &mut Reader, quantity: &Quantity) -> Option<f64> {
        reader.number(self.name(), self.get()?, quantity)
    }
}

impl Field<Unread> {
    /// A number in the unit of a velocity coordinate with a motor.
    pub(crate) fn of_motor(&self, reader: &mut Reader, arm: &Arm, velocity: usize) -> Option<f64> {
        let Unread { node, measure } = self.get()?;
        reader.number(self.name(), node, Side::Velocity(*measure).quantity(arm, velocity))
    }
}

impl<T> Field<T> {
    /// What the key is called, where a file gives it.
    pub(crate) fn name(&self) -> &'static str {
        self.place.as_ref().map_or("", |place| place.name)
    }
}

/// Tables in a list, or one alone; those that are wrong are told and left out.
pub(crate) struct Each<T>(PhantomData<T>);

impl<T: Table> Shape for Each<T> {
    type Value = Vec<T>;
    const FORM: Form = Form::Tables(T::SPEC);
    fn read(reader: &mut Reader, _: &str, node: &Node) -> Option<Vec<T>> {
        let noun = T::SPEC.noun();
        let what = format!("the {noun}");
        Some(each(reader, (noun, node), |reader, node| T::read(reader, &what, node)))
    }
    fn write(value: &Vec<T>) -> Value {
        Tables::write(value)
    }
}

/// Tables whose keys depend on their kind, in a list, or one alone; those that are wrong are told and
/// left out.
pub(crate) struct EachOfKinds<K>(PhantomData<K>);

impl<K: Kinds> Shape for EachOfKinds<K> {
    type Value = Vec<K>;
    const FORM: Form = Form::ByKind(K::NAME, K::SPECS);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<Vec<K>> {
        Some(each(reader, (key, node), |reader, node| K::read(reader, key, node)))
    }
    fn write(value: &Vec<K>) -> Value {
        ManyOfKinds::write(value)
    }
}

/// Reads each table of a list, or the one; whose keys they are is forgotten after each. One of
/// several that has no name is told by its number.
fn each<T>(
    reader: &mut Reader,
    (noun, node): (&str, &Node),
    read: impl Fn(&mut Reader, &Node) -> Option<T>,
) -> Vec<T> {
    let (whose, many) = (reader.whose.clone(), one_or_many(node));
    let mut read_one = |(item, node): (usize, &Node)| {
        if whose.is_empty() {
            reader.whose = unnamed(noun, node, item, many.len()).unwrap_or_default();
        }
        let table = read(reader, node);
        reader.whose.clone_from(&whose);
        table
    };
    many.iter().enumerate().filter_map(&mut read_one).collect()
}

/// A name in a list, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) span: Range<usize>,
}

/// What a list of names is of.
pub(crate) trait Nameable {
    /// In the plural: `joints`.
    const WHAT: &'static str;
    /// One of them.
    const EXAMPLE: &'static str;
}

/// Names, as many as one likes.
pub(crate) struct Names<N>(PhantomData<N>);

impl<N: Nameable> Shape for Names<N> {
    type Value = Vec<Listed>;
    const FORM: Form = Form::Texts;
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<Vec<Listed>> {
        let Value::List(list) = &node.value else {
            let help = format!("write {key} = [\"{}\"]", N::EXAMPLE);
            reader.wrong_type(key, node, &format!("a list of {}", N::WHAT), help);
            return None;
        };
        let mut name = |node: &Node| {
            let name = reader.text(key, node)?.to_owned();
            Some(Listed { name, span: node.span.clone() })
        };
        // all of them are read, so that all faults are found
        list.iter().map(&mut name).collect::<Vec<_>>().into_iter().collect()
    }
    fn write(value: &Vec<Listed>) -> Value {
        list(value.iter().map(|listed| Value::Text(listed.name.clone())))
    }
}

macro_rules! nameable {
    ($($(#[$doc:meta])* $name:ident = $what:literal, $example:literal;)*) => { $(
        $(#[$doc])*
        pub(crate) enum $name {}
        impl Nameable for $name {
            const WHAT: &'static str = $what;
            const EXAMPLE: &'static str = $example;
        }
    )* };
}

nameable! {
    /// Joints.
    Joints = "joints", "upper";
    /// Sensors.
    Sensors = "names", "shaft";
    /// Channels and groups of them.
    Channels = "channels", "coordinates";
}
