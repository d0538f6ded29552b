//! What files may say, from the schemas that editors use.

use crate::random::Random;
use crate::tree::Tree;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The keys of files with what they take.
#[derive(Debug)]
pub struct Grammar {
    definitions: Map<String, Value>,
    /// What a key of this name takes, in every table that has it.
    by_key: BTreeMap<String, Vec<Value>>,
    /// The keys of every table.
    tables: Vec<Vec<String>>,
}

/// How deep a value that is made anew may be.
const DEEPEST: usize = 6;

impl Grammar {
    /// The grammar of a JSON schema.
    pub fn of(schema: &Value) -> Self {
        let definitions = schema.get("$defs").and_then(Value::as_object).cloned();
        let mut grammar = Self {
            definitions: definitions.unwrap_or_default(),
            by_key: BTreeMap::new(),
            tables: Vec::new(),
        };
        grammar.gather(schema);
        grammar
    }

    fn gather(&mut self, schema: &Value) {
        match schema {
            Value::Object(inside) => {
                if let Some(Value::Object(properties)) = inside.get("properties") {
                    self.tables.push(properties.keys().cloned().collect());
                    for (key, value) in properties {
                        let values = self.by_key.entry(key.clone()).or_default();
                        if !values.contains(value) {
                            values.push(value.clone());
                        }
                    }
                }
                inside.values().for_each(|value| self.gather(value));
            }
            Value::Array(items) => items.iter().for_each(|item| self.gather(item)),
            _ => {}
        }
    }

    /// A key that a table with these keys could have besides.
    pub fn further_key(&self, entries: &[(String, Tree)], random: &mut Random) -> Option<&str> {
        let has = |key: &String| entries.iter().any(|(own, _)| own == key);
        let likeness = |keys: &&Vec<String>| keys.iter().filter(|key| has(key)).count();
        let most = self.tables.iter().map(|keys| likeness(&keys)).max()?;
        let alike: Vec<_> = self.tables.iter().filter(|keys| likeness(keys) == most).collect();
        let table = *random.pick(&alike)?;
        random.pick(table).map(String::as_str)
    }

    /// Any key of any table.
    pub fn any_key(&self, random: &mut Random) -> Option<&str> {
        let table = random.pick(&self.tables)?;
        random.pick(table).map(String::as_str)
    }

    /// All keys.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.by_key.keys().map(String::as_str)
    }

    /// A value that a key of this name could have.
    pub fn value(&self, key: &str, random: &mut Random) -> Option<Tree> {
        let schema = random.pick(self.by_key.get(key)?)?;
        Some(self.make(schema, DEEPEST, random))
    }

    fn make(&self, schema: &Value, deepest: usize, random: &mut Random) -> Tree {
        let list = |name: &str| schema.get(name).and_then(Value::as_array);
        if let Some(word) = schema.get("const") {
            return crate::tree::from_json(word.clone());
        }
        if let Some(word) = list("enum").and_then(|words| random.pick(words)) {
            return crate::tree::from_json(word.clone());
        }
        if let Some(one) = list("anyOf").or(list("oneOf")).and_then(|all| random.pick(all)) {
            return self.make(one, deepest, random);
        }
        let named = schema.get("$ref").and_then(Value::as_str);
        if let Some(name) = named.and_then(|name| name.rsplit('/').next()) {
            let definition = self.definitions.get(name).filter(|_| deepest > 0);
            return definition.map_or(Tree::Table(Vec::new()), |definition| {
                self.make(definition, deepest - 1, random)
            });
        }
        let kind = match schema.get("type") {
            Some(Value::Array(kinds)) => random.pick(kinds).and_then(Value::as_str),
            Some(kind) => kind.as_str(),
            None => None,
        };
        match kind {
            Some("boolean") => Tree::Literal(random.chance(50).to_string()),
            Some("integer") => Tree::Literal(random.below(5).to_string()),
            Some("string") => match list("examples").and_then(|all| random.pick(all)) {
                Some(example) => crate::tree::from_json(example.clone()),
                None => Tree::Text("a".to_owned()),
            },
            Some("array") => {
                let least = schema.get("minItems").and_then(Value::as_u64);
                let count = least.map_or_else(|| random.below(4), |least| least as usize);
                let items = schema.get("items").unwrap_or(&Value::Null);
                let make = |_| self.make(items, deepest.saturating_sub(1), random);
                Tree::List((0..count).map(make).collect())
            }
            Some("object") => self.table(schema, deepest, random),
            _ => Tree::Literal(short(random.between(-1.0, 3.0))),
        }
    }

    /// What must be there, and sometimes something else.
    fn table(&self, schema: &Value, deepest: usize, random: &mut Random) -> Tree {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            return Tree::Table(Vec::new());
        };
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |key: &String| {
            key == "kind" || required.is_some_and(|all| all.iter().any(|one| one == key))
        };
        let mut entries = Vec::new();
        for (key, value) in properties {
            if is_required(key) || deepest > 0 && random.chance(10) {
                entries.push((key.clone(), self.make(value, deepest.saturating_sub(1), random)));
            }
        }
        Tree::Table(entries)
    }
}

/// A number with few digits.
pub fn short(number: f64) -> String {
    format!("{}", (number * 1e3).round() / 1e3)
}

/// A grammar of URDF, whose elements and attributes (`@`) are the keys of tables.
pub fn urdf() -> Value {
    let text = json!({ "type": "string" });
    let number = |examples: &[&str]| json!({ "type": "string", "examples": examples });
    let (plain, vector) =
        (number(&["0", "1", "0.5", "-2"]), number(&["0 0 1", "1 0 0", "0 0.2 0"]));
    let origin = json!({ "type": "object", "properties": { "@xyz": vector, "@rpy": vector } });
    let value =
        json!({ "type": "object", "required": ["@value"], "properties": { "@value": plain } });
    let reference =
        json!({ "type": "object", "required": ["@link"], "properties": { "@link": text } });
    let moments = ["@ixx", "@ixy", "@ixz", "@iyy", "@iyz", "@izz"];
    let diagonal: Map<String, Value> =
        moments.iter().map(|key| ((*key).to_owned(), number(&["0.1", "0.2", "0", "1"]))).collect();
    let inertial = json!({ "type": "object", "required": ["mass", "inertia"], "properties": {
        "origin": origin, "mass": value,
        "inertia": { "type": "object", "required": moments, "properties": diagonal },
    } });
    let kinds =
        ["revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical", "ball"];
    let joint = json!({ "type": "object", "required": ["@name", "@type", "parent", "child"],
        "properties": {
            "@name": text, "@type": { "enum": kinds }, "parent": reference, "child": reference,
            "origin": origin,
            "axis": { "type": "object", "required": ["@xyz"], "properties": { "@xyz": vector } },
            "limit": { "type": "object", "properties":
                { "@lower": plain, "@upper": plain, "@effort": plain, "@velocity": plain } },
            "dynamics": { "type": "object", "properties": { "@damping": plain, "@friction": plain } },
            "mimic": { "type": "object", "required": ["@joint"], "properties":
                { "@joint": text, "@multiplier": plain, "@offset": plain } },
            "calibration": { "type": "object", "properties": { "@rising": plain } },
            "safety_controller": { "type": "object", "properties": { "@k_velocity": plain } },
        } });
    let link = json!({ "type": "object", "required": ["@name"], "properties": {
        "@name": text, "inertial": inertial,
        "visual": { "type": "object", "properties": { "origin": origin } },
    } });
    json!({ "type": "object", "properties": { "robot": { "type": "object", "required": ["@name"],
        "properties": { "@name": text, "link": link, "joint": joint,
            "material": { "type": "object", "properties": { "@name": text } } } } } })
}
