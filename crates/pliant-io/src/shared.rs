//! Tables of several kinds that have keys in common.

use crate::node::{Node, Value};
use crate::reader::{Fields, Reader};
use crate::spec::{Form, Key, LeftOut, TableSpec};
use crate::table::{Entries, Kinds, Table};
use std::marker::PhantomData;
use std::ops::Range;

/// The keys that every kind has, and those of its own. Messages call it as `C` is called.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shared<C, K> {
    /// Those of every kind.
    pub(crate) all: C,
    /// Its own.
    pub(crate) own: K,
}

/// Kinds that can share keys, defined by [`kinds_sharing!`].
pub(crate) trait Sharing<C>: Kinds {
    /// The kinds there are, with the keys of `C`.
    const WITH_SHARED: &'static [&'static TableSpec];
}

/// Like [`kinds!`](crate::table::kinds), for kinds that stand in a [`Shared`]. The keys that they
/// share have the `kind`.
macro_rules! kinds_sharing {
    (
        $(#[doc = $about:literal])+
        $vis:vis enum $Kinds:ident = $name:literal { $($Kind:ident($table:ty),)* }
    ) => {
        $crate::table::kinds! {
            $(#[doc = $about])+
            $vis enum $Kinds = $name { $($Kind($table),)* }
        }

        impl<C: $crate::table::Table> $crate::shared::Sharing<C> for $Kinds {
            const WITH_SHARED: &'static [&'static $crate::spec::TableSpec] =
                &[$($crate::shared::Both::<C, Self, $table>::SPEC),*];
        }
    };
}
pub(crate) use kinds_sharing;

/// The keys of two tables in one: those of every kind, and those of one of the kinds `K`.
pub(crate) struct Both<C, K, T>(PhantomData<(C, K, T)>);

impl<C: Table, K: Kinds, T: Table> Both<C, K, T> {
    pub(crate) const SPEC: &'static TableSpec = &TableSpec {
        name: T::SPEC.name,
        doc: T::SPEC.doc,
        example: T::SPEC.example,
        keys: &[&[flat("", C::SPEC), flat(K::NAME, T::SPEC)]],
        elsewhere: &[],
        aliases: &[],
        later: &[],
    };
}

const fn flat(name: &'static str, spec: &'static TableSpec) -> Key {
    Key { name, form: Form::Flat(spec), left_out: LeftOut::Means(""), doc: spec.doc }
}

/// The keys that every kind has, and of each kind its own under the name of the kinds, where they
/// stand in a [`Shared`].
pub(crate) fn apart(
    specs: &'static [&'static TableSpec],
) -> Option<(&'static TableSpec, Vec<(&'static str, &'static TableSpec)>)> {
    let both = |spec: &&'static TableSpec| match spec.keys {
        [[Key { form: Form::Flat(all), .. }, Key { name, form: Form::Flat(own), .. }]] => {
            Some((*all, (*name, *own)))
        }
        _ => None,
    };
    let (all, _) = specs.first().and_then(both)?;
    Some((all, specs.iter().filter_map(both).map(|(_, own)| own).collect()))
}

impl<C: Table, K: Sharing<C>> Kinds for Shared<C, K> {
    const NAME: &'static str = C::SPEC.noun();
    const SPECS: &'static [&'static TableSpec] = K::WITH_SHARED;

    fn read(reader: &mut Reader, _: &str, node: &Node) -> Option<Self> {
        let TableSpec { name, example, .. } = C::SPEC;
        let Value::Table(_) = node.value else {
            reader.wrong_type(name, node, "a table", *example);
            return None;
        };
        let (kind, fields) = reader.fields_of_kind(name, Self::NAME, node, Self::SPECS)?;
        Self::of_kind(reader, kind, &fields)
    }

    fn of_kind(reader: &mut Reader, kind: &str, fields: &Fields<'_>) -> Option<Self> {
        let all = C::from_fields(reader, fields);
        Some(Self { all, own: K::of_kind(reader, kind, fields)? })
    }

    fn word(&self) -> &'static str {
        self.own.word()
    }

    fn span(&self) -> &Range<usize> {
        self.own.span()
    }

    fn entries(&self) -> Entries {
        let mut entries = self.own.entries();
        // after the kind
        entries.splice(1..1, self.all.entries());
        entries
    }
}
