//! The intent key: one name for one intent, the same on every attempt and on every machine.
//!
//! `{task}:{tool}:{first 12 hex digits of SHA-256 over the canonical arguments}`. Canonical is the JSON Canonicalization
//! Scheme ([RFC 8785]): no white space (section 3.2.1), strings and numbers written as ECMAScript does (3.2.2), names
//! sorted by their UTF-16 code units (3.2.3), all in UTF-8 (3.2.4). So the order in which a model happens to write the
//! arguments does not make a new intent, and neither do `49.0` and `49`.
//!
//! [RFC 8785]: https://www.rfc-editor.org/rfc/rfc8785

use std::fmt::{self, Write as _};

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::json::{self, Kind};

/// SHA-256 over the canonical form of a tool call's arguments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The fingerprint of `args`.
    #[must_use]
    pub fn of(args: &Value) -> Self {
        Self(Sha256::digest(canonical(args)).into())
    }

    /// All 32 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The first 12 hex digits, as they stand in an intent key.
    #[must_use]
    pub fn short(&self) -> String {
        hex(&self.0[..6])
    }
}

/// 64 hex digits.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&hex(&self.0))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// `args` in canonical form (RFC 8785).
///
/// # Panics
/// Never: the scheme has no form for NaN, infinities and doubled names, and a [`Value`] holds none of these.
#[must_use]
pub fn canonical(args: &Value) -> String {
    serde_json_canonicalizer::to_string(args).expect("a JSON value has a canonical form")
}

/// The intent key of a tool call: `task-42:create_charge:d92921d3b53e`.
#[must_use]
pub fn intent_key(task: &str, tool: &str, args: &Value) -> String {
    format!("{task}:{tool}:{}", Fingerprint::of(args).short())
}

/// Reads a tool call's arguments, strictly: see [`json::parse`].
///
/// # Errors
/// When the text is not I-JSON (RFC 7493), or not an object.
pub fn args_from_str(text: &str) -> Result<Value, json::Error> {
    let node = json::parse(text)?;
    if !matches!(node.kind, Kind::Object(_)) {
        return Err(node.refused("an object such as {\"customer\": \"acme\"}"));
    }
    serde::Deserialize::deserialize(&node)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        write!(digits, "{byte:02x}").expect("a string takes all that is written to it");
        digits
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn canonical_of(text: &str) -> String {
        canonical(&json::from_str(text).unwrap())
    }

    /// RFC 8785, section 3.2.2 (input), 3.2.3 (output) and 3.2.4 (its bytes).
    #[test]
    fn the_sample_of_the_rfc() {
        let sample = r#"{
            "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
            "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
            "literals": [null, true, false]
        }"#;
        let expected = "{\"literals\":[null,true,false],\
            \"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\
            \"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}";
        assert_eq!(canonical_of(sample), expected);
        let bytes = "7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b\
            3333333333333333332e333333333333332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22\
            e282ac245c75303030665c6e4127425c225c5c5c5c5c222f227d";
        assert_eq!(hex(canonical_of(sample).as_bytes()), bytes);
    }

    /// RFC 8785, section 3.2.3: names sort by UTF-16 code units, so U+1F600 stands before U+FB33.
    #[test]
    fn names_sort_by_utf_16() {
        let sample = r#"{
            "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
            "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
        }"#;
        let expected = "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\",\
            \"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\
            \"\u{fb33}\":\"Hebrew Letter Dalet With Dagesh\"}";
        assert_eq!(canonical_of(sample), expected);
    }

    /// RFC 8785, appendix B: the bits of a double and how it is written. NaN and Infinity, the two rows left out, are
    /// values that a [`Value`] cannot hold.
    #[test]
    fn the_numbers_of_the_rfc() {
        for (bits, written) in [
            (0x0000_0000_0000_0000, "0"),
            (0x8000_0000_0000_0000, "0"),
            (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"),
            (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
            (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0xc340_0000_0000_0000, "-9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
            (0x44b5_2d02_c7e1_4af6, "1e+23"),
            (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
            (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
            (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
            (0x444b_1ae4_d6e2_ef50, "1e+21"),
            (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
            (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
            (0x41b3_de43_5555_5553, "333333333.3333332"),
            (0x41b3_de43_5555_5554, "333333333.33333325"),
            (0x41b3_de43_5555_5555, "333333333.3333333"),
            (0x41b3_de43_5555_5556, "333333333.3333334"),
            (0x41b3_de43_5555_5557, "333333333.33333343"),
            (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
            (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
        ] {
            let number = f64::from_bits(bits);
            assert_eq!(canonical(&json!(number)), written, "{bits:016x}");
            // The shortest text of a double is one that we read back, to the same double.
            let read: f64 = json::from_str(written).unwrap();
            assert!(read.to_bits() == bits || number == 0.0, "{written}");
        }
    }

    #[test]
    fn what_means_the_same_is_written_the_same() {
        for (text, expected) in [
            ("{}", "{}"),
            ("[ ]", "[]"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("49.0", "49"),
            ("4900e-2", "49"),
            ("1e21", "1e+21"),
            ("999999999999999900000", "999999999999999900000"),
            ("0.0000001", "1e-7"),
            (r#""\/\u00e9\u001F\u007f\u2028""#, "\"/é\\u001f\u{7f}\u{2028}\""),
            (r#""\b\t\n\f\r\u0008""#, r#""\b\t\n\f\r\b""#),
            (r#""e\u0301""#, "\"e\u{301}\""),
            (
                r#"{"b": {"z": 1, "a": [{"y": 2, "x": 1}, []]}, "a": null}"#,
                r#"{"a":null,"b":{"a":[{"x":1,"y":2},[]],"z":1}}"#,
            ),
            (r#"{"aa": 1, "a": 2, "": 3, "A": 4, "\\": 5, "\"": 6}"#, r#"{"":3,"\"":6,"A":4,"\\":5,"a":2,"aa":1}"#),
        ] {
            assert_eq!(canonical_of(text), expected, "{text}");
            assert_eq!(canonical_of(expected), expected, "canonical text stays as it is");
        }
    }

    #[test]
    fn the_intent_key_of_the_design() {
        let key = "task-42:create_charge:d92921d3b53e";
        for args in
            [r#"{"customer":"acme","amountCents":4900}"#, r#" { "amountCents" : 4900.0, "customer" : "\u0061cme" } "#]
        {
            assert_eq!(intent_key("task-42", "create_charge", &args_from_str(args).unwrap()), key);
        }
        let args = json!({"customer": "acme", "amountCents": 4900});
        let other = json!({"customer": "acme", "amountCents": 4901});
        assert_ne!(Fingerprint::of(&args), Fingerprint::of(&other));
        let all = Fingerprint::of(&args).to_string();
        assert_eq!((all.len(), &all[..12]), (64, "d92921d3b53e"));
    }

    #[test]
    fn arguments_are_an_object() {
        for (text, error) in [
            ("[1]", r#"found an array, allowed: an object such as {"customer": "acme"} (line 1, column 1)"#),
            (" \"x\"", r#"found "x", allowed: an object such as {"customer": "acme"} (line 1, column 2)"#),
            ("null", r#"found null, allowed: an object such as {"customer": "acme"} (line 1, column 1)"#),
            (r#"{"a":1,"a":2}"#, "a: the name stands here twice, allowed: once (line 1, column 8)"),
            (r#"{"a":NaN}"#, "found NaN, allowed: a number (JSON has no NaN) (line 1, column 6)"),
            ("{} {}", "found text after the end, allowed: one JSON value (line 1, column 4)"),
            ("{customer: 1}", "this is no JSON: key must be a string (line 1, column 2)"),
        ] {
            assert_eq!(args_from_str(text).unwrap_err().to_string(), error);
        }
    }
}
