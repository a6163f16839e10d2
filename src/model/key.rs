//! stub
/// stub
#[must_use]
pub fn intent_key(task: &str, tool: &str, _args: &serde_json::Value) -> String {
    format!("{task}:{tool}:d92921d3b53e")
}
