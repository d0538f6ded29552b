//! How values are written in files: numbers with units, words, tables and lists of them.

use crate::node::{Entry, Node, Value};
use crate::reader::{Fields, Reader};
use crate::spec::Form;
use crate::table::{Entries, Field, Kinds, Shape, Table};
use crate::units::{self, Quantity};
use std::marker::PhantomData;

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
    /// m/s².
    Acceleration = ACCELERATION;
    /// s.
    Time = TIME;
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
}

/// Says by which words a file means the values of a type: `words! { Axes: "world" => Axes::World }`.
macro_rules! words {
    ($type:ty: $($word:literal => $value:expr),* $(,)?) => {
        impl $crate::shapes::Words for $type {
            const WORDS: &'static [&'static str] = &[$($word),*];
            const MEANINGS: &'static [Self] = &[$($value),*];
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
        let word = reader.word(key, node, T::WORDS.iter().copied())?;
        T::WORDS.iter().position(|known| *known == word).map(|index| T::MEANINGS[index])
    }
    fn write(value: &T) -> Value {
        let index = T::MEANINGS.iter().position(|known| known == value);
        Value::Text(index.map_or("", |index| T::WORDS[index]).to_owned())
    }
}

/// One table.
pub(crate) struct One<T>(PhantomData<T>);

impl<T: Table> Shape for One<T> {
    type Value = T;
    const FORM: Form = Form::Table(T::SPEC);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<T> {
        T::read(reader, key, node)
    }
    fn write(value: &T) -> Value {
        entries(value.entries())
    }
}

/// The keys of another table, as if they stood in this one.
pub(crate) struct Flat<T>(PhantomData<T>);

impl<T: Table> Shape for Flat<T> {
    type Value = T;
    const FORM: Form = Form::Flat(T::SPEC);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<T> {
        T::read(reader, key, node)
    }
    fn write(value: &T) -> Value {
        entries(value.entries())
    }
    fn field(reader: &mut Reader, fields: &Fields<'_>, _: &'static str, _: Option<T>) -> Field<T> {
        T::from_fields(reader, fields).into()
    }
    fn add_to(to: &mut Entries, _: &'static str, field: &Field<T>, _: Option<T>) {
        to.extend(field.get().into_iter().flat_map(Table::entries));
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

macro_rules! later {
    ($($(#[$doc:meta])* $name:ident = $form:ident;)*) => { $(
        $(#[$doc])*
        pub(crate) enum $name {}
        impl Later for $name {
            const FORM: Form = Form::$form;
        }
    )* };
}

later! {
    /// A number whose unit depends on what else the table says.
    OfJoint = Measured;
    /// A number, a list of them, or a table by coordinate.
    PerCoordinate = PerCoordinate;
    /// Two numbers, or a table of such by coordinate.
    LimitsOfJoint = Limits;
}

/// The word that says which kind of table it is; see [`kinds!`](crate::table::kinds).
pub(crate) struct Kind;

impl Shape for Kind {
    type Value = ();
    const FORM: Form = Form::Text;
    fn read(_: &mut Reader, _: &str, _: &Node) -> Option<()> {
        Some(())
    }
    fn write((): &()) -> Value {
        Value::Text(String::new())
    }
    fn add_to(_: &mut Entries, _: &'static str, _: &Field<()>, _: Option<()>) {
        // written first, by the enum of the kinds
    }
}

/// One table whose keys depend on its kind.
pub(crate) struct OneOfKinds<K>(PhantomData<K>);

impl<K: Kinds> Shape for OneOfKinds<K> {
    type Value = K;
    const FORM: Form = Form::OneByKind(K::NAME, K::SPECS);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<K> {
        K::read(reader, key, node)
    }
    fn write(value: &K) -> Value {
        entries(value.entries())
    }
}

/// Keys and values as a table.
pub(crate) fn entries(entries: Entries) -> Value {
    let entry = |(key, value)| Entry { key, key_span: 0..0, node: Node { span: 0..0, value } };
    Value::Table(entries.into_iter().map(entry).collect())
}

/// Numbers as a list.
pub(crate) fn numbers(values: &[f64]) -> Value {
    let node = |&value: &f64| Node { span: 0..0, value: Value::Number(value) };
    Value::List(values.iter().map(node).collect())
}
