//! What things look like: roles and their styles, glyphs and their ASCII twins. The only place that
//! names a colour or a glyph.

use ratatui::style::{Color, Modifier, Style};

/// A set of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Theme {
    /// The terminal's own 16 colours and background.
    #[default]
    Default,
    /// Dark on a painted light background, for a projector in a bright room.
    Light,
    /// Light on a painted dark background.
    Dark,
    /// The strongest colours on black.
    HighContrast,
    /// No colours: bold, dim, underlined and reversed only.
    Mono,
}

/// What a piece of the screen means. Every state also differs by glyph or word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Plain text.
    Text,
    /// What matters less.
    Dim,
    /// A heading.
    Title,
    /// Lines between panes.
    Rule,
    /// The agent, and what it sends.
    Request,
    /// What the service answers.
    Response,
    /// A message that takes longer than the network's latency.
    Late,
    /// A lookup and its finding.
    Lookup,
    /// A message that was lost, a timer that ran out.
    Lost,
    /// The ledger.
    Ledger,
    /// As it should be.
    Good,
    /// As it should not be.
    Bad,
    /// Nobody can know.
    Unknown,
    /// An agent that does not know and says so: a right answer, though not a done task.
    Honest,
    /// What an agent beside the first sends.
    Other,
    /// What the client has not learned of.
    Unseen,
    /// The instant at which two runs part.
    Parting,
    /// The present instant, what is chosen.
    Cursor,
    /// The bar at the top.
    Bar,
    /// A key to press.
    Key,
}

/// A sign, with a twin for terminals that know only ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the table below says what each looks like; the names say what for")]
pub enum Glyph {
    Horizontal,
    Vertical,
    TeeDown,
    TeeUp,
    Ellipsis,
    Times,
    Dot,
    Fresh,
    Paused,
    Playing,
    AtEnd,
    TimerFull,
    TimerEmpty,
    TravelDone,
    TravelLeft,
    BackDone,
    Waiting,
    Pausing,
    LookingUp,
    TimedOut,
    Lost,
    Done,
    Failed,
    Unsure,
    Holding,
    Unseen,
    Wrong,
    Agree,
    Tick,
    Bar,
    Honest,
    Down,
    Working,
    Crashed,
    Resumed,
    Expired,
    Trouble,
    More,
    MoreLeft,
    MoreRight,
    MoreUp,
    MoreDown,
    Parting,
    PartingFoot,
    Because,
    Chosen,
    // Outcomes on a map, and what else stands there.
    IsRight,
    IsHonestFailure,
    IsFalseFailure,
    IsLoudDuplicate,
    IsFalseSuccess,
    IsQuietDuplicate,
    IsTooLong,
    Own,
    UpperHalf,
    Level1,
    Level2,
    Level3,
    Level4,
    Level5,
    Level6,
    Level7,
    Level8,
}

impl Glyph {
    /// The sign and its ASCII twin, each as many columns wide as the other.
    #[expect(clippy::match_same_arms, reason = "a table: two meanings may share a sign today and part tomorrow")]
    const fn forms(self) -> (&'static str, &'static str) {
        match self {
            Self::Horizontal => ("─", "-"),
            Self::Vertical => ("│", "|"),
            Self::TeeDown => ("┬", "+"),
            Self::TeeUp => ("┴", "+"),
            Self::Ellipsis => ("…", "~"),
            Self::Times => ("×", "x"),
            Self::Dot => ("·", "."),
            Self::Fresh => ("▸", ">"),
            Self::Paused => ("▮▮", "||"),
            Self::Playing => ("▶ ", "> "),
            Self::AtEnd => ("■ ", "# "),
            Self::TimerFull => ("▰", "#"),
            Self::TimerEmpty => ("▱", "."),
            Self::TravelDone => ("▸", ">"),
            Self::TravelLeft => ("·", "."),
            Self::BackDone => ("◂", "<"),
            Self::Waiting => ("─", "-"),
            Self::Pausing => ("·", "."),
            Self::LookingUp => ("╌", "~"),
            Self::TimedOut => ("✗", "x"),
            Self::Lost => ("✗", "x"),
            Self::Done => ("✓", "*"),
            Self::Failed => ("✗", "x"),
            Self::Unsure => ("?", "?"),
            Self::Holding => ("━", "="),
            Self::Unseen => ("░", ":"),
            Self::Wrong => ("▓", "#"),
            Self::Agree => ("·", "."),
            Self::Tick => ("╵", "'"),
            Self::Bar => ("█", "#"),
            Self::Honest => ("◆", "^"),
            Self::Down => ("▒", "%"),
            Self::Working => ("═", "w"),
            Self::Crashed => ("†", "X"),
            Self::Resumed => ("↻", "@"),
            Self::Expired => ("◇", "o"),
            Self::Trouble => ("!", "!"),
            Self::More => ("↺", "r"),
            Self::MoreLeft => ("◂", "<"),
            Self::MoreRight => ("▸", ">"),
            Self::MoreUp => ("▴", "^"),
            Self::MoreDown => ("▾", "v"),
            Self::Parting => ("┊", ":"),
            Self::PartingFoot => ("▴", "^"),
            Self::Because => ("◂", "<"),
            Self::Chosen => ("▸", ">"),
            Self::IsRight => ("·", "."),
            Self::IsHonestFailure => ("-", "-"),
            Self::IsFalseFailure => ("!", "!"),
            Self::IsLoudDuplicate => ("2", "2"),
            Self::IsFalseSuccess => ("0", "0"),
            Self::IsQuietDuplicate => ("×", "x"),
            Self::IsTooLong => ("~", "~"),
            Self::Own => ("●", "O"),
            Self::UpperHalf => ("▀", "\""),
            Self::Level1 => ("▁", "_"),
            Self::Level2 => ("▂", "_"),
            Self::Level3 => ("▃", "."),
            Self::Level4 => ("▄", "-"),
            Self::Level5 => ("▅", "-"),
            Self::Level6 => ("▆", "="),
            Self::Level7 => ("▇", "#"),
            Self::Level8 => ("█", "#"),
        }
    }
}

/// The theme and whether signs are ASCII: all that painting needs to know about looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// The colours.
    pub theme: Theme,
    /// Whether signs are ASCII only.
    pub ascii: bool,
}

/// The colours of a theme that paints with colours.
struct Palette {
    ground: Option<Color>,
    text: Option<Color>,
    dim: Option<Color>,
    request: Color,
    response: Color,
    late: Color,
    lookup: Color,
    good: Color,
    bad: Color,
    unknown: Color,
    honest: Color,
    other: Color,
}

const SIXTEEN: Palette = Palette {
    ground: None,
    text: None,
    dim: None,
    request: Color::Cyan,
    response: Color::Green,
    late: Color::Yellow,
    lookup: Color::Magenta,
    good: Color::Green,
    bad: Color::Red,
    unknown: Color::Magenta,
    honest: Color::Cyan,
    other: Color::Blue,
};

const LIGHT: Palette = Palette {
    ground: Some(Color::Indexed(231)),
    text: Some(Color::Indexed(234)),
    dim: Some(Color::Indexed(242)),
    request: Color::Indexed(25),
    response: Color::Indexed(28),
    late: Color::Indexed(130),
    lookup: Color::Indexed(24),
    good: Color::Indexed(28),
    bad: Color::Indexed(160),
    unknown: Color::Indexed(91),
    honest: Color::Indexed(30),
    other: Color::Indexed(94),
};

const DARK: Palette = Palette {
    ground: Some(Color::Indexed(234)),
    text: Some(Color::Indexed(253)),
    dim: Some(Color::Indexed(245)),
    request: Color::Indexed(80),
    response: Color::Indexed(114),
    late: Color::Indexed(221),
    lookup: Color::Indexed(75),
    good: Color::Indexed(114),
    bad: Color::Indexed(210),
    unknown: Color::Indexed(183),
    honest: Color::Indexed(116),
    other: Color::Indexed(216),
};

const HIGH_CONTRAST: Palette = Palette {
    ground: Some(Color::Indexed(16)),
    text: Some(Color::Indexed(231)),
    dim: Some(Color::Indexed(252)),
    request: Color::Indexed(51),
    response: Color::Indexed(48),
    late: Color::Indexed(226),
    lookup: Color::Indexed(117),
    good: Color::Indexed(48),
    bad: Color::Indexed(217),
    unknown: Color::Indexed(219),
    honest: Color::Indexed(87),
    other: Color::Indexed(215),
};

impl Theme {
    /// All themes, in the order in which the key goes through them.
    pub const ALL: [Self; 5] = [Self::Default, Self::Light, Self::Dark, Self::HighContrast, Self::Mono];

    /// The theme's name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Light => "light",
            Self::Dark => "dark",
            Self::HighContrast => "high-contrast",
            Self::Mono => "mono",
        }
    }

    /// The theme of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.name() == name)
    }

    /// The next theme, the first after the last.
    #[must_use]
    pub fn next(self) -> Self {
        let place = Self::ALL.iter().position(|theme| *theme == self).unwrap_or_default();
        Self::ALL[(place + 1) % Self::ALL.len()]
    }

    const fn palette(self) -> Option<&'static Palette> {
        match self {
            Self::Default => Some(&SIXTEEN),
            Self::Light => Some(&LIGHT),
            Self::Dark => Some(&DARK),
            Self::HighContrast => Some(&HIGH_CONTRAST),
            Self::Mono => None,
        }
    }
}

impl Look {
    /// The sign as this terminal can show it.
    #[must_use]
    pub const fn glyph(self, glyph: Glyph) -> &'static str {
        let (sign, twin) = glyph.forms();
        if self.ascii { twin } else { sign }
    }

    /// What the whole screen is painted with before anything else.
    #[must_use]
    pub fn ground(self) -> Style {
        let Some(palette) = self.theme.palette() else { return Style::new() };
        Style { fg: palette.text, bg: palette.ground, ..Style::new() }
    }

    /// The style of a role.
    #[must_use]
    pub fn style(self, role: Role) -> Style {
        let modifier = match role {
            Role::Title | Role::Key | Role::Parting | Role::Ledger | Role::Good | Role::Honest | Role::Bad => {
                Modifier::BOLD
            }
            Role::Cursor | Role::Bar => Modifier::REVERSED.union(Modifier::BOLD),
            _ => Modifier::empty(),
        };
        let style = Style::new().add_modifier(modifier);
        let Some(palette) = self.theme.palette() else {
            return match role {
                Role::Dim | Role::Rule => style.add_modifier(Modifier::DIM),
                Role::Late | Role::Unknown | Role::Honest => style.add_modifier(Modifier::UNDERLINED),
                _ => style,
            };
        };
        match role {
            Role::Text | Role::Title | Role::Cursor | Role::Bar => style,
            Role::Dim | Role::Rule => match palette.dim {
                Some(dim) => style.fg(dim),
                None => style.add_modifier(Modifier::DIM),
            },
            Role::Request | Role::Key => style.fg(palette.request),
            Role::Response => style.fg(palette.response),
            Role::Late | Role::Unseen => style.fg(palette.late),
            Role::Lookup => style.fg(palette.lookup),
            Role::Ledger | Role::Good => style.fg(palette.good),
            Role::Bad | Role::Lost => style.fg(palette.bad),
            Role::Honest => style.fg(palette.honest),
            Role::Other => style.fg(palette.other),
            Role::Unknown | Role::Parting => style.fg(palette.unknown),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_theme_but_the_default_and_mono_leaves_the_background_to_the_terminal() {
        for theme in Theme::ALL {
            let painted = Look { theme, ascii: false }.ground().bg.is_some();
            assert_eq!(painted, !matches!(theme, Theme::Default | Theme::Mono), "{theme:?}");
        }
    }

    #[test]
    fn the_key_goes_through_all_themes_and_comes_back() {
        let round: Vec<_> = std::iter::successors(Some(Theme::Default), |theme| Some(theme.next())).take(6).collect();
        assert_eq!(round[..5], Theme::ALL);
        assert_eq!(round[5], Theme::Default);
    }
}
