//! As much of JSON Schema as `docs/schema` uses.

use serde_json::Value;

/// What is wrong with a value, each with its place; nothing if it follows the schema.
pub(crate) fn validate(schema: &Value, value: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    check(schema, schema, value, "$", &mut wrong);
    wrong
}

fn check(root: &Value, schema: &Value, value: &Value, place: &str, wrong: &mut Vec<String>) {
    let Some(rules) = schema.as_object() else {
        return wrong.push(format!("{place}: the schema is no object"));
    };
    for (rule, expected) in rules {
        let fits = match rule.as_str() {
            "$schema" | "title" | "description" | "$defs" | "required" | "properties" => true,
            "$ref" => {
                let pointer = expected.as_str().unwrap().strip_prefix('#').unwrap();
                let target = root.pointer(pointer).expect("references lead somewhere");
                check(root, target, value, place, wrong);
                true
            }
            "const" => value == expected,
            "enum" => expected.as_array().unwrap().contains(value),
            "type" => match expected {
                Value::Array(types) => types.iter().any(|name| has_type(value, name)),
                name => has_type(value, name),
            },
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, expected, item, &format!("{place}[{index}]"), wrong);
                }
                true
            }
            "anyOf" => expected.as_array().unwrap().iter().any(|option| {
                let mut inner = Vec::new();
                check(root, option, value, place, &mut inner);
                inner.is_empty()
            }),
            "additionalProperties" => {
                assert_eq!(expected, &Value::Bool(false));
                let known = &schema["properties"];
                let mut fields = value.as_object().into_iter().flatten();
                fields.all(|(name, _)| known.get(name).is_some())
            }
            other => panic!("the schema uses `{other}`, which is not checked here"),
        };
        if !fits {
            wrong.push(format!("{place}: {rule} {expected}"));
        }
    }
    let Some(object) = value.as_object() else {
        return;
    };
    for name in schema["required"].as_array().into_iter().flatten() {
        if !object.contains_key(name.as_str().unwrap()) {
            wrong.push(format!("{place}: {name} is missing"));
        }
    }
    for (name, rule) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(field) = object.get(name) {
            check(root, rule, field, &format!("{place}.{name}"), wrong);
        }
    }
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("the schema names a type `{other}`"),
    }
}
