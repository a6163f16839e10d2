use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::*;
use crate::model::text::is_hidden;

fn said<T: DeserializeOwned>(text: &str) -> String {
    from_str::<T>(text).err().map_or_else(|| format!("accepted {text}"), |error| error.to_string())
}

#[test]
fn what_i_json_does_not_allow_is_refused() {
    for (text, error) in [
        ("", "found nothing, allowed: a JSON value (line 1, column 1)"),
        (" \n ", "found nothing, allowed: a JSON value (line 2, column 1)"),
        ("{", "the text ends too early (EOF while parsing an object) (line 1, column 1)"),
        (r#"{"a": 1} x"#, "found text after the end, allowed: one JSON value (line 1, column 10)"),
        ("1 2", "found text after the end, allowed: one JSON value (line 1, column 3)"),
        (r#"{"a": 1,}"#, "found a comma after the last one, allowed: commas between values (line 1, column 9)"),
        ("[1, ]", "found a comma after the last one, allowed: commas between values (line 1, column 5)"),
        ("[01]", "this is no JSON: invalid number (line 1, column 3)"),
        ("[+1]", "this is no JSON: expected value (line 1, column 2)"),
        ("{a: 1}", "this is no JSON: key must be a string (line 1, column 2)"),
        ("{'a': 1}", "found a single quote, allowed: text in double quotes (line 1, column 2)"),
        ("[NaN]", "found NaN, allowed: a number (JSON has no NaN) (line 1, column 2)"),
        ("[Infinity]", "found Infinity, allowed: a number (JSON has no Infinity) (line 1, column 2)"),
        ("[-Infinity]", "found -Infinity, allowed: a number (JSON has no Infinity) (line 1, column 2)"),
        ("{\n// no\n}", "found a comment, allowed: a value or a name (JSON has no comments) (line 2, column 1)"),
        ("\u{feff}{}", "found a byte order mark, allowed: the text without it (line 1, column 1)"),
        (
            "{\"é\": \"é\n\"}",
            "found a control character in a string, allowed: its escape, such as \\n or \\t (line 1, column 9)",
        ),
        (
            "[\"\t\"]",
            "found a control character in a string, allowed: its escape, such as \\n or \\t (line 1, column 3)",
        ),
        ("{\"éé\": é}", "this is no JSON: expected value (line 1, column 8)"),
        (r#"{"a": 1, "b": 2, "a": 3}"#, "a: the name stands here twice, allowed: once (line 1, column 18)"),
        (r#"{"a": 1, "\u0061": 3}"#, "a: the name stands here twice, allowed: once (line 1, column 10)"),
        (
            "{\"fault\": [\n  {\"request\": {\"delay\": 1, \"é\": 2, \"delay\": 2}}]}",
            "fault[0].request.delay: the name stands here twice, allowed: once (line 2, column 36)",
        ),
        (r#"{"a b": {"c": 1, "c": 1}}"#, r#"["a b"].c: the name stands here twice, allowed: once (line 1, column 18)"#),
        (
            r#"["\ud800"]"#,
            "[0]: found half of a surrogate pair in a \\u escape, allowed: whole characters (line 1, column 2)",
        ),
        (
            r#"["\udc00 \ud800"]"#,
            "[0]: found half of a surrogate pair in a \\u escape, allowed: whole characters (line 1, column 2)",
        ),
        (
            r#"{"\ud800": 1}"#,
            "found half of a surrogate pair in a \\u escape, allowed: whole characters (line 1, column 2)",
        ),
        (r#"{"a": "\uffff"}"#, "a: found the noncharacter U+FFFF, allowed: characters (line 1, column 7)"),
        ("[1e400]", "[0]: found 1e400, allowed: a number up to 1.7976931348623157e308 (line 1, column 2)"),
        (
            r#"{"$serde_json::private::RawValue": "{}"}"#,
            r#"["$serde_json::private::RawValue"]: the name is reserved, allowed: any other (line 1, column 2)"#,
        ),
    ] {
        assert_eq!(said::<Value>(text), error, "{text}");
        assert!(parse(text).is_err(), "{text}");
    }
}

#[test]
fn a_number_must_be_one_that_double_precision_holds() {
    for good in [
        "0",
        "-0",
        "0.0",
        "-0.0e7",
        "1",
        "-1",
        "0.1",
        "4.50",
        "1E30",
        "2e-3",
        "1e-27",
        "0.000000000000000000000000001",
        "333333333.33333329",
        "3.1415926535897931",
        "9007199254740991",
        "-9007199254740991",
        "9007199254740992",
        "10000000000000000000000",
        "5e-324",
        "1.7976931348623157e308",
        "0.1000000000000000055511151231257827",
        "9007199254740992.0",
        "2.2250738585072014e-308",
        "49.00000000000000000000",
    ] {
        assert!(parse(good).is_ok(), "{good}: {:?}", parse(good));
    }
    for bad in [
        "9007199254740993",
        "-9007199254740993",
        "9007199254740993.0",
        "12345678901234567890",
        "1e-400",
        "3e-324",
        "3.141592653589793238462643383279",
        "0.100000000000000001",
        "123456789012345678901234567890",
    ] {
        let error = format!(
            "found {bad}, allowed: a number that double precision holds with all its digits; a longer one can be a string"
        );
        assert_eq!(parse(bad).unwrap_err().message, error);
    }
    for bad in ["1e400", "-1e309", "1.8e308"] {
        assert_eq!(
            parse(bad).unwrap_err().message,
            format!("found {bad}, allowed: a number up to 1.7976931348623157e308")
        );
    }
    let digits = "7".repeat(10_000);
    for long in [format!("0.{digits}"), format!("{digits}e-9999")] {
        let message = parse(&long).unwrap_err().message;
        assert!(message.starts_with("found ") && message.chars().count() < 200, "{message}");
    }
}

#[test]
fn free_form_values_come_through_as_they_are() {
    let text = r#"{"a": [1, -2, 3.5, 1e3, true, false, null, "x\u00e9\n"], "b": {"c": {}, "d": []}, "": -0, "big": 10000000000000000000000}"#;
    let value: Value = from_str(text).unwrap();
    let expected = json!({
        "a": [1, -2, 3.5, 1000.0, true, false, null, "xé\n"], "b": {"c": {}, "d": []}, "": 0, "big": 1e22,
    });
    assert_eq!(value, expected);
}

#[test]
fn nesting_and_size_have_limits() {
    let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(&nested(DEPTH_MAX)).is_ok());
    let error = parse(&nested(DEPTH_MAX + 1)).unwrap_err();
    assert_eq!((error.message.as_str(), error.at), ("nested too deep, allowed: 64 levels", Some((1, 65))));
    assert!(error.path.starts_with("[0][0]"));
    assert!(parse(&nested(BYTES_MAX / 2)).is_err());
    assert_eq!(parse(&nested(BYTES_MAX)).unwrap_err().message, "found 2097152 bytes, allowed: at most 1048576 bytes");

    let long_name = "n".repeat(1000);
    let deep = format!("{}1{}", format!("{{\"{long_name}\":").repeat(65), "}".repeat(65));
    assert!(parse(&deep).unwrap_err().to_string().chars().count() < 300);
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Plan {
    task: Task,
    #[serde(default)]
    steps: Vec<Step>,
    note: Option<String>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Task {
    id: String,
    max_attempts: u8,
    #[serde(default)]
    ratio: f64,
    #[serde(default)]
    urgent: bool,
    #[serde(default)]
    args: serde_json::Map<String, Value>,
    #[serde(default)]
    delta: i64,
    #[serde(default)]
    total: u64,
    #[serde(default)]
    pair: Option<(u8, u8)>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Step {
    Lose,
    Delay(Wait),
    Copies { count: u8 },
}

/// A type that checks its text itself, as our durations do.
#[derive(Debug, PartialEq)]
struct Wait(String);

impl<'de> Deserialize<'de> for Wait {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.ends_with('s') {
            return Ok(Self(text));
        }
        let found = serde::de::Unexpected::Str(&text);
        Err(serde::de::Error::invalid_value(found, &"a whole number and a unit, such as 90s"))
    }
}

#[test]
fn derived_types_are_read_with_paths_and_places() {
    let plan: Plan = from_str(
        r#"{"task": {"id": "t", "maxAttempts": 3, "ratio": 2, "urgent": true, "args": {"a": [1]}, "delta": -5, "pair": [1, 2]},
            "steps": ["lose", {"delay": "90s"}, {"copies": {"count": 2}}], "note": null}"#,
    )
    .unwrap();
    assert_eq!(plan.steps, [Step::Lose, Step::Delay(Wait("90s".into())), Step::Copies { count: 2 }]);
    assert_eq!((plan.task.max_attempts, plan.task.delta, plan.task.pair, plan.note), (3, -5, Some((1, 2)), None));
    assert_eq!(plan.task.args["a"], json!([1]));

    let task = |member: &str| format!("{{\"task\": {{\"id\": \"t\",\n \"maxAttempts\": 3, {member}}}}}");
    let steps =
        |step: &str| format!("{{\"task\": {{\"id\": \"t\", \"maxAttempts\": 3}},\n\"steps\": [\"lose\", {step}]}}");
    for (text, error) in [
        ("[]".to_owned(), "found an array, allowed: an object (line 1, column 1)"),
        ("3".to_owned(), "found 3, allowed: an object (line 1, column 1)"),
        ("{}".to_owned(), "task: missing field (line 1, column 1)"),
        (r#"{"task": {"id": "t"}}"#.to_owned(), "task.maxAttempts: missing field (line 1, column 10)"),
        (r#"{"task": ["t", 3]}"#.to_owned(), "task: found an array, allowed: an object (line 1, column 10)"),
        (r#"{"task": null}"#.to_owned(), "task: found null, allowed: an object (line 1, column 10)"),
        (
            r#"{"tsak": {}}"#.to_owned(),
            r#"tsak: unknown field; allowed: task, steps, note (did you mean "task"?) (line 1, column 2)"#,
        ),
        (
            r#"{"x\u001b[1m": {}}"#.to_owned(),
            r#"["x\u{1b}[1m"]: unknown field; allowed: task, steps, note (line 1, column 2)"#,
        ),
        (
            r#"{"task": {"id": 7, "maxAttempts": 3}}"#.to_owned(),
            "task.id: found 7, allowed: a string (line 1, column 17)",
        ),
        (
            r#"{"task": {"id": "t", "maxAttempts": 300}}"#.to_owned(),
            "task.maxAttempts: found 300, allowed: a whole number from 0 to 255 (line 1, column 37)",
        ),
        (
            r#"{"task": {"id": "t", "maxAttempts": 3.0}}"#.to_owned(),
            "task.maxAttempts: found 3.0, allowed: a whole number from 0 to 255 (line 1, column 37)",
        ),
        (
            r#"{"task": {"id": "t", "maxAttempts": "3"}}"#.to_owned(),
            "task.maxAttempts: found \"3\", allowed: a whole number from 0 to 255 (line 1, column 37)",
        ),
        (
            r#"{"task": {"id": "t", "maxAttempts": -1}}"#.to_owned(),
            "task.maxAttempts: found -1, allowed: a whole number from 0 to 255 (line 1, column 37)",
        ),
        (
            task(r#""maxAttemps": 4"#),
            r#"task.maxAttemps: unknown field; allowed: id, maxAttempts, ratio, urgent, args, delta, total, pair (did you mean "maxAttempts"?) (line 2, column 20)"#,
        ),
        (task(r#""ratio": "x""#), "task.ratio: found \"x\", allowed: a number (line 2, column 29)"),
        (task(r#""urgent": 1"#), "task.urgent: found 1, allowed: true or false (line 2, column 30)"),
        (task(r#""args": [1]"#), "task.args: found an array, allowed: an object (line 2, column 28)"),
        (task(r#""delta": 1.5"#), "task.delta: found 1.5, allowed: a whole number (line 2, column 29)"),
        (
            task(r#""total": 9007199254740992"#),
            "task.total: found 9007199254740992, allowed: a whole number from 0 to 9007199254740991 (line 2, column 29)",
        ),
        (task(r#""pair": [1, 2, 3]"#), "task.pair: found 3 of them, allowed: 2 of them (line 2, column 28)"),
        (task(r#""pair": [1]"#), "task.pair: found 1 of them, allowed: a tuple of size 2 (line 2, column 28)"),
        (
            task(r#""pair": [1, "2"]"#),
            "task.pair[1]: found \"2\", allowed: a whole number from 0 to 255 (line 2, column 32)",
        ),
        (steps("7"), "steps[1]: found 7, allowed: lose, delay or copies (line 2, column 19)"),
        (
            steps(r#""loose""#),
            r#"steps[1]: found "loose", allowed: lose, delay or copies (did you mean "lose"?) (line 2, column 19)"#,
        ),
        (steps(r#"{"lose": 1}"#), r#"steps[1]: found an object, allowed: just "lose" (line 2, column 19)"#),
        (steps(r#""delay""#), r#"steps[1]: found "delay", allowed: an object {"delay": ..} (line 2, column 19)"#),
        (
            steps(r#"{"delay": "30"}"#),
            r#"steps[1].delay: found "30", allowed: a whole number and a unit, such as 90s (line 2, column 29)"#,
        ),
        (steps(r#"{"delay": 30}"#), "steps[1].delay: found 30, allowed: a string (line 2, column 29)"),
        (
            steps(r#"{"delay": "30s", "copies": 1}"#),
            "steps[1]: found an object, allowed: lose, delay or copies (line 2, column 19)",
        ),
        (
            steps(r#"{"copies": {"count": 2, "apart": 1}}"#),
            "steps[1].copies.apart: unknown field; allowed: count (line 2, column 43)",
        ),
        (steps(r#"{"copies": [2]}"#), "steps[1].copies: found an array, allowed: an object (line 2, column 30)"),
    ] {
        assert_eq!(said::<Plan>(&text), error, "{text}");
    }
}

#[test]
fn text_from_the_file_is_quoted_safely_and_cut() {
    for (text, message) in [
        (r#""\u001b[2J\u202ex""#.to_owned(), r#"found "\u{1b}[2J\u{202e}x", allowed: an object"#.to_owned()),
        (r#""say \"hi\"""#.to_owned(), r#"found "say \"hi\"", allowed: an object"#.to_owned()),
        (format!("\"{}\"", "東".repeat(5000)), format!("found \"{}…\", allowed: an object", "東".repeat(29))),
    ] {
        assert_eq!(from_str::<Plan>(&text).unwrap_err().message, message);
    }
    let name = format!("{{\"\\u001b{}\": 1}}", "x".repeat(5000));
    for text in [name.as_str(), r#"{"task": {"\u202e": 1}}"#, r#"{"note": {"\u0007": 1, "\u0007": 1}}"#] {
        let said = said::<Plan>(text);
        assert!(!said.contains(is_hidden) && said.chars().count() < 200, "{said}");
    }
}

/// A preset name or an object.
#[derive(Debug, PartialEq)]
struct Policy(u64);

#[derive(Deserialize)]
struct PolicyFields {
    #[serde(deserialize_with = "one_to_ten")]
    attempts: u64,
    #[serde(default)]
    wait: Option<Wait>,
}

fn one_to_ten<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    whole(deserializer, 1..=10)
}

impl TryFrom<PolicyFields> for Policy {
    type Error = &'static str;

    fn try_from(fields: PolicyFields) -> Result<Self, Self::Error> {
        if fields.attempts == 7 && fields.wait.is_none() {
            Err("found 7 attempts without a wait")
        } else {
            Ok(Self(fields.attempts))
        }
    }
}

impl<'de> Deserialize<'de> for Policy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let preset = |name: &str| match name {
            "lost-ack" => Some(Self(1)),
            "late-commit" => Some(Self(2)),
            _ => None,
        };
        preset_or::<D, Self, PolicyFields>(deserializer, &["lost-ack", "late-commit"], "an object", preset)
    }
}

/// A preset name or a list.
#[derive(Debug, PartialEq)]
struct Faults(Vec<Policy>);

impl From<Vec<Policy>> for Faults {
    fn from(list: Vec<Policy>) -> Self {
        Self(list)
    }
}

impl<'de> Deserialize<'de> for Faults {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let preset = |name: &str| (name == "none").then(|| Self(vec![]));
        preset_or::<D, Self, Vec<Policy>>(deserializer, &["none"], "an array of objects", preset)
    }
}

#[derive(Debug, Deserialize, PartialEq)]
struct Scenario {
    policy: Policy,
    #[serde(default)]
    faults: Option<Faults>,
}

#[test]
fn a_preset_or_what_it_stands_for() {
    for (text, policy, faults) in [
        (r#"{"policy": "late-commit"}"#, 2, None),
        (r#"{"policy": {"attempts": 3, "wait": "1s"}, "faults": "none"}"#, 3, Some(0)),
        (r#"{"policy": {"attempts": 10}, "faults": ["lost-ack", {"attempts": 4}]}"#, 10, Some(2)),
    ] {
        let scenario: Scenario = from_str(text).unwrap();
        assert_eq!((scenario.policy.0, scenario.faults.map(|list| list.0.len())), (policy, faults));
    }
    for (text, error) in [
        (
            r#"{"policy": "lost-akc"}"#,
            r#"policy: found "lost-akc", allowed: lost-ack, late-commit or an object (did you mean "lost-ack"?) (line 1, column 12)"#,
        ),
        (
            r#"{"policy": "x\u001b"}"#,
            r#"policy: found "x\u{1b}", allowed: lost-ack, late-commit or an object (line 1, column 12)"#,
        ),
        (r#"{"policy": 3}"#, "policy: found 3, allowed: lost-ack, late-commit or an object (line 1, column 12)"),
        (r#"{"policy": null}"#, "policy: found null, allowed: lost-ack, late-commit or an object (line 1, column 12)"),
        (
            r#"{"policy": [3]}"#,
            "policy: found an array, allowed: lost-ack, late-commit or an object (line 1, column 12)",
        ),
        (r#"{"policy": {}}"#, "policy.attempts: missing field (line 1, column 12)"),
        (
            r#"{"policy": {"attempts": 0}}"#,
            "policy.attempts: found 0, allowed: a whole number from 1 to 10 (line 1, column 25)",
        ),
        (
            r#"{"policy": {"attempts": -3}}"#,
            "policy.attempts: found -3, allowed: a whole number from 1 to 10 (line 1, column 25)",
        ),
        (
            r#"{"policy": {"attempts": 3.0}}"#,
            "policy.attempts: found 3.0, allowed: a whole number from 1 to 10 (line 1, column 25)",
        ),
        (
            r#"{"policy": {"attempts": "3"}}"#,
            r#"policy.attempts: found "3", allowed: a whole number from 1 to 10 (line 1, column 25)"#,
        ),
        (r#"{"policy": {"attempts": 7}}"#, "policy: found 7 attempts without a wait (line 1, column 12)"),
        (
            r#"{"policy": {"attempts": 3, "wait": "x"}}"#,
            r#"policy.wait: found "x", allowed: a whole number and a unit, such as 90s (line 1, column 36)"#,
        ),
        (
            r#"{"policy": {"atempts": 3}}"#,
            r#"policy.atempts: unknown field; allowed: attempts, wait (did you mean "attempts"?) (line 1, column 13)"#,
        ),
        (
            r#"{"policy": "lost-ack", "faults": {}}"#,
            "faults: found an object, allowed: none or an array of objects (line 1, column 34)",
        ),
        (
            r#"{"policy": "lost-ack", "faults": ["lost-ack", [1]]}"#,
            "faults[1]: found an array, allowed: lost-ack, late-commit or an object (line 1, column 47)",
        ),
        (
            r#"{"policy": "lost-ack", "faults": [{"attempts": 1, "x": 2}]}"#,
            "faults[0].x: unknown field; allowed: attempts, wait (line 1, column 51)",
        ),
    ] {
        assert_eq!(said::<Scenario>(text), error, "{text}");
    }
}

/// A type that reads an object itself, through serde's own adapter.
#[derive(Debug)]
struct Adapted;

impl<'de> Deserialize<'de> for Adapted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> serde::de::Visitor<'de> for Object {
            type Value = Adapted;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Adapted, A::Error> {
                Task::deserialize(serde::de::value::MapAccessDeserializer::new(map)).map(|_| Adapted)
            }
        }
        deserializer.deserialize_any(Object)
    }
}

#[test]
fn paths_survive_serdes_own_adapter() {
    let text = r#"[{"id": "t", "maxAttempts": "3"}]"#;
    assert_eq!(
        said::<Vec<Adapted>>(text),
        "[0].maxAttempts: found \"3\", allowed: a whole number from 0 to 255 (line 1, column 29)"
    );
    assert_eq!(said::<Vec<Adapted>>("[true]"), "[0]: found true, allowed: an object (line 1, column 2)");
}

proptest::proptest! {
    #[test]
    fn every_double_is_read_back_from_its_shortest_text(bits: u64) {
        let number = f64::from_bits(bits);
        if number.is_finite() {
            for text in [format!("{number:e}"), serde_json::to_string(&number).unwrap(), format!("{number:.16e}")] {
                proptest::prop_assert_eq!(from_str::<f64>(&text).map(f64::to_bits), Ok(bits));
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused_without_a_panic(text in r#"[\[\]{}",:0-9eE.+\-\\u dé\n]{0,40}"#) {
        let strict = from_str::<Value>(&text);
        let plain = serde_json::from_str::<Value>(&text);
        proptest::prop_assert!(strict.is_err() || plain.is_ok());
        if let Err(error) = strict {
            proptest::prop_assert!(error.at.is_some() && !error.to_string().contains(is_hidden));
        }
    }
}
