//! Tables of files as plain data: a key is written once.
//!
//! [`table!`] defines a table: its struct, which holds what a file says and where it stands, and from
//! the same lines how it is read, how it is written, its schema, its page and the neighbours of
//! unknown keys. A [`Shape`] is how a value is written in a file and what it is in Rust. What the
//! values mean together (conflicts, units that depend on other keys, the arm that is built of them)
//! is said where the tables are used.

use crate::node::{Entry, Node, Value};
use crate::reader::{Fields, Reader};
use crate::spec::{Form, TableSpec};
use std::ops::Range;

/// How a value is written in a file, and what it is in Rust.
pub(crate) trait Shape {
    /// What it is in Rust.
    type Value: Clone + std::fmt::Debug + PartialEq;

    /// How it is written, for the schema and the page of all keys.
    const FORM: Form;

    /// Reads a value; `key` is what messages call it.
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<Self::Value>;

    /// The value as a file has it.
    fn write(value: &Self::Value) -> Value;

    /// Whether a value is meant so, where a key may be written in several ways.
    fn suits(value: &Value) -> bool {
        !matches!(value, Value::Table(_))
    }
}

/// What a table can have: a key with a value of some [`Shape`], or what stands for several keys.
pub(crate) trait Keyed {
    /// What the table's struct holds.
    type Held: Clone + std::fmt::Debug + PartialEq;

    /// What may stand for it where it is left out.
    type LeftOut;

    /// How it is written.
    const FORM: Form;

    /// What is held where nothing is given.
    fn unsaid(left_out: Option<Self::LeftOut>) -> Self::Held;

    /// Reads it out of a table, or takes what stands for it where it is left out.
    fn take(
        reader: &mut Reader,
        fields: &Fields<'_>,
        key: &'static str,
        left_out: Option<Self::LeftOut>,
    ) -> Self::Held;

    /// Adds it to what is written, unless leaving it out says the same.
    fn add_to(
        entries: &mut Entries,
        key: &'static str,
        held: &Self::Held,
        left_out: Option<Self::LeftOut>,
    );
}

impl<S: Shape> Keyed for S {
    type Held = Field<S::Value>;
    type LeftOut = S::Value;
    const FORM: Form = <S as Shape>::FORM;

    fn unsaid(left_out: Option<S::Value>) -> Self::Held {
        Field { value: left_out, place: None }
    }

    fn take(
        reader: &mut Reader,
        fields: &Fields<'_>,
        key: &'static str,
        left_out: Option<S::Value>,
    ) -> Self::Held {
        match fields.written(key) {
            Some((word, entry)) => Field {
                value: S::read(reader, word, &entry.node),
                place: Some(Place::new(word, entry)),
            },
            None => Self::unsaid(left_out),
        }
    }

    fn add_to(
        entries: &mut Entries,
        key: &'static str,
        held: &Self::Held,
        left_out: Option<S::Value>,
    ) {
        if let Some(value) = &held.value
            && left_out.as_ref() != Some(value)
        {
            entries.push((key.to_owned(), S::write(value)));
        }
    }
}

/// Keys and values in the order in which they are written.
pub(crate) type Entries = Vec<(String, Value)>;

/// What a table says under one of its keys.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field<T> {
    /// The value, or what stands for it where it is left out. `None` where nothing does, or where
    /// the file is wrong or lacks what it needs, which has been told.
    pub(crate) value: Option<T>,
    /// Where it stands, if a file gives it.
    pub(crate) place: Option<Place>,
}

/// A key of a file, and where it and its value stand in the text, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) name: &'static str,
    pub(crate) key: Range<usize>,
    pub(crate) value: Range<usize>,
}

impl Place {
    pub(crate) fn new(name: &'static str, entry: &Entry) -> Self {
        Self { name, key: entry.key_span.clone(), value: entry.node.span.clone() }
    }
}

impl<T> Default for Field<T> {
    fn default() -> Self {
        Self { value: None, place: None }
    }
}

impl<T> From<T> for Field<T> {
    fn from(value: T) -> Self {
        Self { value: Some(value), place: None }
    }
}

impl<T> From<Option<T>> for Field<T> {
    fn from(value: Option<T>) -> Self {
        Self { value, place: None }
    }
}

impl<T> Field<T> {
    /// Where the file gives it, rightly or not.
    pub(crate) fn given(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// Whether the file gives it, rightly or not.
    pub(crate) fn is_given(&self) -> bool {
        self.place.is_some()
    }

    /// Whether the file gives it wrongly, which has been told.
    pub(crate) fn is_wrong(&self) -> bool {
        self.is_given() && self.value.is_none()
    }

    /// Its value, if there is one.
    pub(crate) fn get(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// Its value, or `unsaid` where it is left out; `None` where it is wrong.
    pub(crate) fn or(&self, unsaid: T) -> Option<T>
    where
        T: Clone,
    {
        if self.is_given() { self.value.clone() } else { Some(unsaid) }
    }

    /// The same for what may be missing: `Some(None)` where it is left out.
    #[allow(clippy::option_option, reason = "what is wrong ends with `?` what needs it")]
    pub(crate) fn if_given(&self) -> Option<Option<T>>
    where
        T: Clone,
    {
        if self.is_wrong() { None } else { Some(self.value.clone()) }
    }

    /// Where its value stands, or else `other`.
    pub(crate) fn span_or(&self, other: &Range<usize>) -> Range<usize> {
        self.span().unwrap_or_else(|| other.clone())
    }

    /// Where its value stands.
    pub(crate) fn span(&self) -> Option<Range<usize>> {
        self.place.as_ref().map(|place| place.value.clone())
    }
}

/// A table of a file, defined by [`table!`].
pub(crate) trait Table: Clone + std::fmt::Debug + Default + PartialEq {
    /// Its keys and what they mean.
    const SPEC: &'static TableSpec;

    /// Reads it; `what` is what messages call it. `None` where it is no table; keys that it lacks
    /// and values that are wrong are told and have no value.
    fn read(reader: &mut Reader, what: &str, node: &Node) -> Option<Self> {
        let fields = reader.fields(what, node, Self::SPEC)?;
        Some(Self::from_fields(reader, &fields))
    }

    /// Reads its keys out of a table that may have more.
    fn from_fields(reader: &mut Reader, fields: &Fields<'_>) -> Self;

    /// What is written of it.
    fn entries(&self) -> Entries;
}

/// Defines a table of a file.
///
/// ```text
/// table! {
///     /// What it says, for the schema and the page of all keys.
///     pub(crate) struct Rigid = "the rigid parts", "write { root = \"50 mm\" }";
///     elsewhere { "hub" => "the hub is a body at the root: body = [{ mass = \"2 kg\" }]" }
///     keys {
///         /// Length of the part at the root.
///         root: Number<Length> [= 0.0],
///     }
/// }
/// ```
///
/// After the shape of a value stands what is true where it is left out: `[required]`, `[= value]`,
/// or `[or "in words"]`; `[flat]` is for keys of another table that stand in this one. A key that
/// is no name in Rust is written `ei_y as "EIy"`. `elsewhere` tells those who look for a key in this
/// table where it is, `later` what a later version will bring. `also` has words that others use for a
/// key, `formerly` those of earlier versions, which are read with a note: `also { "kp" => "stiffness" }`.
macro_rules! table {
    (
        $(#[doc = $about:literal])+
        $vis:vis struct $Table:ident = $name:literal, $example:expr;
        $(elsewhere { $($wrong:literal => $right:literal),* $(,)? })?
        $(later { $($coming:literal => $what:literal),* $(,)? })?
        $(also { $($usual:literal => $usual_key:literal),* $(,)? })?
        $(formerly { $($former:literal => $former_key:literal),* $(,)? })?
        keys { $(
            $(#[doc = $doc:literal])+
            $field:ident $(as $key:literal)? : $shape:ty [$($presence:tt)*],
        )* }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq)]
        #[allow(
            clippy::doc_markdown,
            clippy::doc_link_with_quotes,
            reason = "the words are for those who write files"
        )]
        $vis struct $Table {
            /// Where it stands: its header, or the whole of it where it is written inline.
            pub(crate) span: std::ops::Range<usize>,
            $($(#[doc = $doc])+ pub(crate) $field: <$shape as $crate::table::Keyed>::Held,)*
        }

        impl Default for $Table {
            fn default() -> Self {
                Self {
                    span: 0..0,
                    $($field: <$shape as $crate::table::Keyed>::unsaid(
                        $crate::table::left_out!($shape, $($presence)*),
                    ),)*
                }
            }
        }

        impl $crate::table::Table for $Table {
            const SPEC: &'static $crate::spec::TableSpec = &$crate::spec::TableSpec {
                name: $name,
                doc: concat!($($about),+),
                example: $example,
                keys: &[&[$($crate::spec::Key {
                    name: $crate::table::key!($field $($key)?),
                    form: <$shape as $crate::table::Keyed>::FORM,
                    left_out: $crate::table::in_words!($shape, $($presence)*),
                    doc: concat!($($doc),+),
                }),*]],
                elsewhere: &[$($(($wrong, $right)),*)?],
                aliases: &[
                    $($($crate::spec::Alias {
                        word: $usual, key: $usual_key, is_former: false,
                    },)*)?
                    $($($crate::spec::Alias {
                        word: $former, key: $former_key, is_former: true,
                    },)*)?
                ],
                later: &[$($(($coming, $what)),*)?],
            };

            fn from_fields(
                reader: &mut $crate::reader::Reader,
                fields: &$crate::reader::Fields<'_>,
            ) -> Self {
                Self {
                    span: fields.span().clone(),
                    $($field: <$shape as $crate::table::Keyed>::take(
                        reader,
                        fields,
                        $crate::table::key!($field $($key)?),
                        $crate::table::left_out!($shape, $($presence)*),
                    ),)*
                }
            }

            fn entries(&self) -> $crate::table::Entries {
                let mut entries = $crate::table::Entries::new();
                $(<$shape as $crate::table::Keyed>::add_to(
                    &mut entries,
                    $crate::table::key!($field $($key)?),
                    &self.$field,
                    $crate::table::left_out!($shape, $($presence)*),
                );)*
                entries
            }
        }
    };
}

/// The name of a key: that of its field, unless another is given.
macro_rules! key {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $key:literal) => {
        $key
    };
}

/// What stands for a key that is left out.
macro_rules! left_out {
    ($shape:ty, = $value:expr) => {
        Some($value)
    };
    ($shape:ty, $($other:tt)*) => {
        None
    };
}

/// The same for readers of the schema.
macro_rules! in_words {
    ($shape:ty, required) => {
        $crate::spec::LeftOut::Never
    };
    ($shape:ty, = $value:expr) => {
        $crate::spec::LeftOut::Is(|| <$shape as $crate::table::Shape>::write(&$value))
    };
    ($shape:ty, or $words:literal) => {
        $crate::spec::LeftOut::Means($words)
    };
    ($shape:ty, flat) => {
        $crate::spec::LeftOut::Means("")
    };
}

/// Defines a table whose other keys depend on its `kind`: an enum of tables, each called by its word.
macro_rules! kinds {
    (
        $(#[doc = $about:literal])+
        $vis:vis enum $Kinds:ident = $name:literal { $($Kind:ident($table:ty),)* }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq)]
        #[allow(clippy::large_enum_variant, reason = "a file has few of them")]
        $vis enum $Kinds { $(
            #[doc = concat!("See [`", stringify!($table), "`].")]
            $Kind($table),
        )* }

        impl $crate::table::Kinds for $Kinds {
            const NAME: &'static str = $name;
            const SPECS: &'static [&'static $crate::spec::TableSpec] =
                &[$(<$table as $crate::table::Table>::SPEC),*];

            fn of_kind(
                reader: &mut $crate::reader::Reader,
                kind: &str,
                fields: &$crate::reader::Fields<'_>,
            ) -> Option<Self> {
                use $crate::table::Table as _;
                $(if kind == <$table>::SPEC.name {
                    return Some(Self::$Kind(<$table>::from_fields(reader, fields)));
                })*
                None
            }

            fn word(&self) -> &'static str {
                match self { $(Self::$Kind(_) => <$table as $crate::table::Table>::SPEC.name,)* }
            }

            fn span(&self) -> &std::ops::Range<usize> {
                match self { $(Self::$Kind(table) => &table.span,)* }
            }

            fn entries(&self) -> $crate::table::Entries {
                use $crate::table::Table as _;
                let mut entries = vec![(
                    "kind".to_owned(),
                    $crate::node::Value::Text($crate::table::Kinds::word(self).to_owned()),
                )];
                entries.extend(match self { $(Self::$Kind(table) => table.entries(),)* });
                entries
            }
        }
    };
}

pub(crate) use {in_words, key, kinds, left_out, table};

/// A table whose other keys depend on its `kind`, defined by [`kinds!`].
pub(crate) trait Kinds: Clone + std::fmt::Debug + PartialEq + Sized {
    /// What the schema calls it.
    const NAME: &'static str;

    /// The kinds there are, each called by its word.
    const SPECS: &'static [&'static TableSpec];

    /// Reads it; `what` is what messages call it.
    fn read(reader: &mut Reader, what: &str, node: &Node) -> Option<Self> {
        let (kind, fields) = reader.fields_of_kind(what, Self::NAME, node, Self::SPECS)?;
        Self::of_kind(reader, kind, &fields)
    }

    /// Reads the keys of a kind.
    fn of_kind(reader: &mut Reader, kind: &str, fields: &Fields<'_>) -> Option<Self>;

    /// The word of its kind.
    fn word(&self) -> &'static str;

    /// Where it stands.
    fn span(&self) -> &Range<usize>;

    /// What is written of it, the kind first.
    fn entries(&self) -> Entries;
}
