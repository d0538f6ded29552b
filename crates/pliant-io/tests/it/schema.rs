//! The schema accepts what the reader accepts, and refuses what the reader refuses.

use crate::files;
use serde_json::{Value, json};

/// As much of JSON schema as ours uses.
fn fits(value: &Value, schema: &Value, root: &Value) -> bool {
    let Some(schema) = schema.as_object() else {
        return false;
    };
    schema.iter().all(|(word, rule)| match word.as_str() {
        "$ref" => {
            let pointer = rule.as_str().and_then(|text| text.strip_prefix('#'));
            fits(value, root.pointer(pointer.expect("a pointer")).expect("a definition"), root)
        }
        "type" => match rule {
            Value::Array(types) => types.iter().any(|rule| is_of_type(value, rule)),
            _ => is_of_type(value, rule),
        },
        "enum" => rule.as_array().is_some_and(|words| words.contains(value)),
        "const" => rule == value,
        "anyOf" => rule.as_array().is_some_and(|any| any.iter().any(|one| fits(value, one, root))),
        "oneOf" => {
            let all = rule.as_array().expect("a list");
            all.iter().filter(|one| fits(value, one, root)).count() == 1
        }
        "items" => value.as_array().is_none_or(|list| list.iter().all(|x| fits(x, rule, root))),
        "minItems" => {
            value.as_array().is_none_or(|list| list.len() as u64 >= rule.as_u64().expect("a count"))
        }
        "maxItems" => {
            value.as_array().is_none_or(|list| list.len() as u64 <= rule.as_u64().expect("a count"))
        }
        "minimum" => value.as_i64().is_none_or(|x| x >= rule.as_i64().expect("a bound")),
        "minLength" => value.as_str().is_none_or(|text| !text.is_empty()),
        "required" => value.as_object().is_none_or(|table| {
            let keys = rule.as_array().expect("keys");
            keys.iter().all(|key| table.contains_key(key.as_str().expect("a key")))
        }),
        "properties" => value.as_object().is_none_or(|table| {
            table.iter().all(|(key, x)| rule.get(key).is_none_or(|rule| fits(x, rule, root)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|table| {
            let known = schema.get("properties").and_then(Value::as_object);
            let mut others =
                table.iter().filter(|(key, _)| known.is_none_or(|known| !known.contains_key(*key)));
            match rule {
                Value::Bool(allowed) => *allowed || others.next().is_none(),
                _ => others.all(|(_, x)| fits(x, rule, root)),
            }
        }),
        "allOf" => rule.as_array().expect("rules").iter().all(|rule| fits(value, rule, root)),
        "$schema" | "$defs" | "title" | "description" | "examples" | "deprecated" => true,
        other => panic!("the test does not know {other}"),
    })
}

fn is_of_type(value: &Value, rule: &Value) -> bool {
    match rule.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("boolean") => value.is_boolean(),
        other => panic!("the test does not know {other:?}"),
    }
}

fn accepted(text: &str) -> bool {
    accepted_by(&pliant_io::arm_schema(), text)
}

fn accepted_by(schema: &Value, text: &str) -> bool {
    let value: toml::Value = toml::from_str(text).expect("TOML");
    fits(&serde_json::to_value(value).expect("JSON"), schema, schema)
}

#[test]
fn robots_and_templates_fit() {
    let mut count = 0;
    for folder in [
        "robots",
        "scenarios",
        "crates/pliant-cli/templates",
        "crates/pliant-cli/templates/scenarios",
        "crates/pliant-io/tests/former/robots",
        "crates/pliant-io/tests/former/scenarios",
    ] {
        for path in files::listed(folder, &["toml"]).expect("a folder") {
            let text = std::fs::read_to_string(&path).expect("readable");
            let schema = if text.contains("\nduration = ") {
                pliant_io::scenario_schema()
            } else {
                pliant_io::arm_schema()
            };
            assert!(accepted_by(&schema, &text), "{path:?}");
            count += 1;
        }
    }
    assert!(count >= 14);
}

#[test]
fn a_required_key_may_have_another_of_its_names() {
    let text = |gains: &str| {
        format!(
            "duration = \"1 s\"\nrecord = {{ every = \"1 ms\" }}\narm = \"arm.toml\"\n\
             [[controller]]\nkind = \"gravity-pd\"\nname = \"law\"\n{gains}"
        )
    };
    let fits = |gains: &str| accepted_by(&pliant_io::scenario_schema(), &text(gains));
    assert!(fits("stiffness = { a = 1 }\ndamping = { a = 1 }"));
    assert!(fits("kp = { a = 1 }\nkd = { a = 1 }"));
    assert!(fits("kp = { a = 1 }\ndamping = { a = 1 }"));
    assert!(!fits("kp = { a = 1 }"));
}

#[test]
fn slips_do_not_fit() {
    let good = "[[link]]\nname = \"a\"\nmass = \"2 kg\"\njoint = { kind = \"revolute\", limits = [-1, 1] }\n";
    assert!(accepted(good));
    for (from, to) in [
        ("name = \"a\"", ""),
        ("mass", "mas"),
        ("\"2 kg\"", "[2]"),
        ("\"2 kg\"", "true"),
        ("revolute", "revolut"),
        ("kind = \"revolute\",", ""),
        ("[-1, 1]", "\"wide\""),
        ("mass = \"2 kg\"", "shape = { kind = \"box\", size = [1, 2], mass = 1 }"),
        ("mass = \"2 kg\"", "shape = { kind = \"ball\", radius = 2, mass = 1 }"),
        ("[[link]]", "actuator = \"motor\"\n[[link]]"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert!(!accepted(&bad), "{bad}");
    }
    let shape = "shape = [{ kind = \"box\", size = [1, 2, 3], mass = 1 }, { kind = \"sphere\", radius = 1, density = 1 }]";
    assert!(accepted(&good.replace("mass = \"2 kg\"", shape)));
}

#[test]
fn slips_of_bending_links_do_not_fit() {
    let good = "[[link]]\nname = \"a\"\nlength = 1\nsection = { kind = \"tube\", diameter = 0.1, \
                wall = \"2 mm\" }\nmaterial = \"steel\"\nbends = { y = 2, damping = 0.01 }\n";
    assert!(accepted(good));
    let layup = "{ layup = [\"0 deg\"], density = 1600 }";
    assert!(accepted(&good.replace("\"steel\"", layup)));
    for (from, to) in [
        ("\"steel\"", "\"stel\""),
        ("tube", "pipe"),
        ("wall", "walls"),
        ("y = 2", "y = -2"),
        ("y = 2", "y = 0.5"),
        ("y = 2", "x = 2"),
        ("damping = 0.01", "damping = \"little\""),
        ("damping = 0.01", "shapes = \"clamped\""),
    ] {
        let bad = good.replacen(from, to, 1);
        assert!(!accepted(&bad), "{bad}");
    }
}

#[test]
fn slips_of_scenarios_do_not_fit() {
    let schema = pliant_io::scenario_schema();
    let good = "arm = \"a.toml\"\nduration = \"1 s\"\nmethod = \"rk4\"\n[initial]\nupper = 1\n\
                [[input]]\nmotor = \"upper\"\nkind = \"step\"\nat = 1\nafter = \"5 N m\"\n";
    assert!(accepted_by(&schema, good));
    for (from, to) in [
        ("arm = \"a.toml\"", ""),
        ("duration", "length"),
        ("rk4", "euler"),
        ("step", "stair"),
        ("after", "behind"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert!(!accepted_by(&schema, &bad), "{bad}");
    }
    let inside = "duration = 1\n[[arm.link]]\nname = \"a\"\n";
    assert!(accepted_by(&schema, inside));
    assert!(!accepted_by(&schema, &inside.replace("name", "nam")));
}

#[test]
fn entries_fit_and_slips_of_them_do_not() {
    let schema = pliant_io::entry_schema();
    let gallery =
        pliant_io::gallery::Gallery::embedded().unwrap_or_else(|report| panic!("{report}"));
    for entry in &gallery.entries {
        for (name, text) in entry.files().expect("files") {
            assert_eq!(accepted_by(&schema, &text), name == "entry.toml", "{}/{name}", entry.id);
        }
    }
    let good = "document = \"King\"\nplace = \"here\"\ntitle = \"one\"\nabout = \"two\"\n[[table]]\n\
                column = [{ kind = \"formula\", name = \"a\", unit = \"1\", expression = \"1\" }]\n\
                row = [{ printed = \"1\" }]\n";
    assert!(accepted_by(&schema, good));
    for (from, to) in [
        ("King", "Queen"),
        ("place = \"here\"\n", ""),
        ("formula", "formular"),
        ("unit = \"1\", ", ""),
        ("expression", "equation"),
        ("printed = \"1\"", "printed = 1"),
        ("row = ", "rows = "),
    ] {
        let bad = good.replacen(from, to, 1);
        assert!(!accepted_by(&schema, &bad), "{bad}");
    }
}

#[test]
fn every_key_has_a_description() {
    fn walk(schema: &Value) {
        match schema {
            Value::Object(table) => {
                if let Some(Value::Object(properties)) = table.get("properties") {
                    for (key, property) in properties {
                        assert!(property["description"].is_string(), "{key}");
                    }
                }
                table.values().for_each(walk);
            }
            Value::Array(list) => list.iter().for_each(walk),
            _ => {}
        }
    }
    walk(&pliant_io::scenario_schema());
    let schema = pliant_io::arm_schema();
    walk(&schema);
    assert_eq!(schema["required"], json!(["link"]));
    assert!(schema["$defs"]["link"]["properties"]["joint"].is_object());
}

/// `PLIANT_BLESS=1 cargo test -p pliant-io schema` writes the page anew.
#[test]
fn the_page_of_all_keys_is_kept() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/keys.md");
    let page = pliant_io::key_page();
    if std::env::var_os("PLIANT_BLESS").is_some() {
        std::fs::write(&path, &page).expect("writable");
    }
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        assert!(cells.len() >= 5 && !cells[3].trim().is_empty(), "left out, what is true? {row}");
    }
    let kept = std::fs::read_to_string(&path).expect("the page");
    assert!(kept == page, "{path:?} is not what the definitions say");
    for row in [
        "| `mass` | a mass | kg | no mass | Mass. |",
        "| `gear` | a plain number |  | 1 | ",
        "| `convention` | `\"standard\"`, `\"modified\"` |  | \"standard\" | ",
        "### section: tube\n",
        "### an input\n",
        "### function: step\n\n`kind = \"step\"`: One value before a time",
        "| `sensor` | a text |  | required, unless full_state = true | ",
        "| `name` | a text |  | **required** | The name of the link, ",
    ] {
        assert!(page.contains(row), "{row}");
    }
}

#[test]
fn sections_of_the_page_are_found_by_name() {
    let link = pliant_io::key_sections("link").expect("a section");
    assert!(link.starts_with("### a link\n") && link.matches("###").count() == 1, "{link}");
    assert_eq!(pliant_io::key_sections("a link"), Ok(link));
    let count = |name| pliant_io::key_sections(name).map(|text| text.matches("###").count());
    assert_eq!(count("tube"), Ok(2));
    assert_eq!(count("section"), Ok(6));
    assert_eq!(count("section: tube"), Ok(1));
    assert_eq!(count("function"), Ok(7));
    assert_eq!(count("lnik"), Err("did you mean link?".to_owned()));
    let unknown = count("helicopter").expect_err("no such table");
    assert!(unknown.starts_with("there are: arm, link, joint, "), "{unknown}");
}

/// The schema tells units and what is true of keys that are left out.
#[test]
fn descriptions_tell_units_and_defaults() {
    let schema = pliant_io::arm_schema();
    let of = |pointer: &str| schema.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    assert_eq!(
        of("/$defs/frame/properties/position/description"),
        "Position of the origin. Unit: m. Default: [0, 0, 0]."
    );
    assert!(of("/$defs/link/properties/name/description").ends_with("of its coordinates."));
    let state = pliant_io::state_schema();
    assert!(fits(&json!({ "q": { "elbow": "90 deg" } }), &state, &state));
    assert!(!fits(&json!({ "torque": [1] }), &state, &state));
}
