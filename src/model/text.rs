//! stub
use serde::{Deserialize, Serialize};
/// stub
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Text(Box<str>);
impl Text {
    /// stub
    #[must_use]
    pub fn new(s: &str) -> Self {
        Self(s.into())
    }
}
impl std::ops::Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}
impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.0)
    }
}
