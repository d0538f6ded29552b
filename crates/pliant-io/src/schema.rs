//! The JSON schemas of files, made from the keys that the reader knows.

use crate::arm_file::ArmTable;
use crate::gallery::EntryTable;
use crate::scenario::ScenarioTable;
use crate::spec::{Form, Key, TableSpec};
use crate::state::StateTable;
use crate::study::StudyTable;
use crate::table::Table as _;
use crate::units::Quantity;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// A JSON schema by which editors complete and check arm files.
pub fn arm_schema() -> Value {
    schema(ArmTable::SPEC, "pliant arm")
}

/// A JSON schema by which editors complete and check scenario files.
pub fn scenario_schema() -> Value {
    schema(ScenarioTable::SPEC, "pliant scenario")
}

/// A JSON schema by which editors complete and check study files.
pub fn study_schema() -> Value {
    schema(StudyTable::SPEC, "pliant study")
}

/// A JSON schema by which editors complete and check entries of the gallery.
pub fn entry_schema() -> Value {
    schema(EntryTable::SPEC, "pliant entry")
}

/// A JSON schema of the states of arms.
pub fn state_schema() -> Value {
    schema(StateTable::SPEC, "pliant state")
}

fn schema(spec: &'static TableSpec, title: &str) -> Value {
    let mut definitions = Map::new();
    let Value::Object(mut root) = table(spec, None, &mut definitions) else {
        return Value::Null;
    };
    root.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
    root.insert("title".into(), title.into());
    definitions.insert("axis".into(), axis());
    root.insert("$defs".into(), Value::Object(definitions));
    Value::Object(root)
}

/// A table with its keys; `kind` is the only value of the key of that name, where there is one.
fn table(
    spec: &'static TableSpec,
    kind: Option<&str>,
    definitions: &mut Map<String, Value>,
) -> Value {
    let mut properties = Map::new();
    let (mut required, mut in_some_word) = (Vec::new(), Vec::new());
    for key in spec.all_keys() {
        let mut schema = match kind {
            Some(kind) if key.name == "kind" => json!({ "const": kind }),
            _ => form(&key.form, definitions),
        };
        if let Value::Object(schema) = &mut schema {
            schema.insert("description".into(), description(key).into());
        }
        let others: Vec<_> = spec.all_aliases().filter(|alias| alias.key == key.name).collect();
        for alias in &others {
            let of = if alias.is_former { "of earlier versions " } else { "" };
            let words = format!("Another word {of}for {}.", key.name);
            let mut schema = schema.clone();
            if let Value::Object(schema) = &mut schema {
                schema.insert("description".into(), words.into());
                schema.insert("deprecated".into(), alias.is_former.into());
            }
            properties.insert(alias.word.into(), schema);
        }
        properties.insert(key.name.into(), schema);
        if key.is_required() && others.is_empty() {
            required.push(Value::from(key.name));
        } else if key.is_required() {
            let words = std::iter::once(key.name).chain(others.iter().map(|alias| alias.word));
            let one: Vec<Value> = words.map(|word| json!({ "required": [word] })).collect();
            in_some_word.push(json!({ "anyOf": one }));
        }
    }
    let mut table = json!({
        "type": "object",
        "description": spec.doc.trim(),
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    if let (Value::Object(table), false) = (&mut table, in_some_word.is_empty()) {
        table.insert("allOf".into(), in_some_word.into());
    }
    table
}

/// What a key means, in which unit, and what is true where it is left out.
fn description(key: &Key) -> String {
    let mut text = key.meaning().to_owned();
    if let Some(unit) = key.form.unit() {
        let _ = write!(text, " Unit: {unit}.");
    }
    if let Some(unsaid) = key.if_left_out() {
        let _ = write!(text, " Default: {unsaid}.");
    }
    text
}

/// A reference to a table, defined once.
fn reference(spec: &'static TableSpec, definitions: &mut Map<String, Value>) -> Value {
    let name = spec.noun().replace(' ', "-");
    if !definitions.contains_key(&name) {
        // holds the place while the table is made, which may refer to itself
        definitions.insert(name.clone(), Value::Null);
        let schema = table(spec, None, definitions);
        definitions.insert(name.clone(), schema);
    }
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// A value, or a list of such.
fn one_or_many(one: &Value) -> Value {
    json!({ "anyOf": [one, { "type": "array", "items": one }] })
}

fn list(items: &Value, count: usize) -> Value {
    json!({ "type": "array", "items": items, "minItems": count, "maxItems": count })
}

fn number(quantity: &Quantity) -> Value {
    if quantity.si == "1" {
        return json!({ "type": "number" });
    }
    let examples = json!([quantity.example]);
    json!({ "type": ["number", "string"], "examples": examples })
}

fn axis() -> Value {
    let numbers = list(&json!({ "type": "number" }), 3);
    json!({ "anyOf": [{ "enum": ["x", "y", "z", "-x", "-y", "-z"] }, numbers] })
}

fn form(form: &Form, definitions: &mut Map<String, Value>) -> Value {
    let plain = json!({ "type": "number" });
    let with_unit = json!({ "type": ["number", "string"] });
    let an_axis = json!({ "$ref": "#/$defs/axis" });
    match form {
        Form::Text => json!({ "type": "string", "minLength": 1 }),
        Form::Flag => json!({ "type": "boolean" }),
        Form::Word(words) => json!({ "enum": words }),
        Form::Number(quantity) => number(quantity),
        Form::Vector(quantity) => list(&number(quantity), 3),
        Form::Quaternion => list(&plain, 4),
        Form::Matrix => list(&list(&plain, 3), 3),
        Form::Axis => an_axis,
        Form::Axes => list(&an_axis, 2),
        Form::Limits => {
            let pair = list(&with_unit, 2);
            json!({ "anyOf": [
                pair,
                { "type": "array", "items": { "anyOf": [pair, { "const": "none" }] } },
                { "type": "object", "additionalProperties": pair },
            ] })
        }
        Form::OfCoordinates(_) => json!({ "anyOf": [
            with_unit,
            { "type": "array", "items": with_unit },
            { "type": "object" },
        ] }),
        Form::Inertia(spec) => json!({ "anyOf": [
            list(&with_unit, 3),
            list(&list(&with_unit, 3), 3),
            reference(spec, definitions),
        ] }),
        Form::Table(spec) => reference(spec, definitions),
        Form::OrTable(short, spec) => json!({ "anyOf": [
            self::form(short, definitions),
            reference(spec, definitions),
        ] }),
        Form::Tables(spec) => one_or_many(&reference(spec, definitions)),
        Form::ByKind(name, specs) => one_or_many(&by_kind(name, specs, definitions)),
        Form::OneByKind(name, specs) => by_kind(name, specs, definitions),
        Form::Count => json!({ "type": "integer", "minimum": 0 }),
        Form::CountOrFlag => json!({ "type": ["integer", "boolean"], "minimum": 0 }),
        Form::Numbers(quantity) => json!({ "type": "array", "items": number(quantity) }),
        Form::Measured | Form::OfJoint(_) => with_unit,
        Form::MeasuredList => json!({ "type": "array", "items": with_unit }),
        Form::MeasuredRows => {
            json!({ "type": "array", "items": { "type": "array", "items": with_unit } })
        }
        Form::Texts => json!({ "type": "array", "items": { "type": "string", "minLength": 1 } }),
        Form::TextOrTexts => json!({ "anyOf": [
            self::form(&Form::Text, definitions),
            self::form(&Form::Texts, definitions),
        ] }),
        Form::Values => {
            let any = json!({ "type": ["number", "string", "boolean"] });
            json!({ "type": "array", "items": any })
        }
        // its keys are among those of the table
        Form::Flat(_) => Value::Null,
        Form::Rows => json!({ "type": "array", "items": { "type": "array", "items": plain } }),
    }
}

/// A table whose keys depend on its kind, defined once.
fn by_kind(
    name: &str,
    specs: &'static [&'static TableSpec],
    definitions: &mut Map<String, Value>,
) -> Value {
    let name = name.replace(' ', "-");
    if !definitions.contains_key(&name) {
        let kinds: Vec<Value> =
            specs.iter().map(|spec| table(spec, Some(spec.name), definitions)).collect();
        definitions.insert(name.clone(), json!({ "oneOf": kinds }));
    }
    json!({ "$ref": format!("#/$defs/{name}") })
}
