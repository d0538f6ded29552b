//! Values that are tables, alone and in lists.

use super::{entries, list};
use crate::node::{Node, Value, one_or_many};
use crate::reader::{Fields, Reader};
use crate::spec::Form;
use crate::table::{Entries, Keyed, Kinds, Shape, Table};
use std::marker::PhantomData;

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

impl<T: Table> Keyed for Flat<T> {
    type Held = T;
    type LeftOut = ();
    const FORM: Form = Form::Flat(T::SPEC);
    fn unsaid(_: Option<()>) -> T {
        T::default()
    }
    fn take(reader: &mut Reader, fields: &Fields<'_>, _: &'static str, _: Option<()>) -> T {
        T::from_fields(reader, fields)
    }
    fn add_to(to: &mut Entries, _: &'static str, held: &T, _: Option<()>) {
        to.extend(held.entries());
    }
}

/// Tables in a list, or one alone.
pub(crate) struct Tables<T>(PhantomData<T>);

impl<T: Table> Shape for Tables<T> {
    type Value = Vec<T>;
    const FORM: Form = Form::Tables(T::SPEC);
    fn read(reader: &mut Reader, _: &str, node: &Node) -> Option<Vec<T>> {
        let what = format!("the {}", T::SPEC.noun());
        every(one_or_many(node), |node| T::read(reader, &what, node))
    }
    fn write(value: &Vec<T>) -> Value {
        list(value.iter().map(|table| entries(table.entries())))
    }
}

/// Tables in a list, or one alone, which is written without brackets.
pub(crate) struct OneOrMany<T>(PhantomData<T>);

impl<T: Table> Shape for OneOrMany<T> {
    type Value = Vec<T>;
    const FORM: Form = Form::Tables(T::SPEC);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<Vec<T>> {
        Tables::read(reader, key, node)
    }
    fn write(value: &Vec<T>) -> Value {
        match value.as_slice() {
            [alone] => One::write(alone),
            _ => Tables::write(value),
        }
    }
}

/// All that are read, unless one is wrong; the faults of all are told.
pub(crate) fn every<T>(nodes: &[Node], read: impl FnMut(&Node) -> Option<T>) -> Option<Vec<T>> {
    let read: Vec<Option<T>> = nodes.iter().map(read).collect();
    read.into_iter().collect()
}

/// What may be written in short, or as a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Either<V, T> {
    /// In short.
    Short(V),
    /// As a table.
    Table(T),
}

impl<V, T> Either<V, T> {
    /// The table, if it is one.
    pub(crate) fn table(&self) -> Option<&T> {
        match self {
            Self::Short(_) => None,
            Self::Table(table) => Some(table),
        }
    }
}

/// A value of some shape, or a table.
pub(crate) struct Or<S, T>(PhantomData<(S, T)>);

impl<S: Shape, T: Table> Shape for Or<S, T> {
    type Value = Either<S::Value, T>;
    const FORM: Form = Form::OrTable(&<S as Shape>::FORM, T::SPEC);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<Self::Value> {
        if S::suits(&node.value) {
            return S::read(reader, key, node).map(Either::Short);
        }
        if let Value::Table(_) = node.value {
            return T::read(reader, key, node).map(Either::Table);
        }
        reader.wrong_type(key, node, &<Self as Shape>::FORM.to_string(), T::SPEC.example);
        None
    }
    fn write(value: &Self::Value) -> Value {
        match value {
            Either::Short(value) => S::write(value),
            Either::Table(table) => One::write(table),
        }
    }
}

/// The word that says which kind of table it is; see [`kinds!`](crate::table::kinds), which reads
/// and writes it.
pub(crate) struct Kind;

impl Keyed for Kind {
    type Held = ();
    type LeftOut = ();
    const FORM: Form = Form::Text;
    fn unsaid(_: Option<()>) {}
    fn take(_: &mut Reader, _: &Fields<'_>, _: &'static str, _: Option<()>) {}
    fn add_to(_: &mut Entries, _: &'static str, (): &(), _: Option<()>) {}
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

/// Tables whose keys depend on their kind, in a list, or one alone.
pub(crate) struct ManyOfKinds<K>(PhantomData<K>);

impl<K: Kinds> Shape for ManyOfKinds<K> {
    type Value = Vec<K>;
    const FORM: Form = Form::ByKind(K::NAME, K::SPECS);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<Vec<K>> {
        every(one_or_many(node), |node| K::read(reader, key, node))
    }
    fn write(value: &Vec<K>) -> Value {
        list(value.iter().map(|table| entries(table.entries())))
    }
}
