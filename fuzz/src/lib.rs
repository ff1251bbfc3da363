//! What the targets share.

use std::sync::{Arc, LazyLock};

use loopguard::{Base, Preset, Setup};

/// Both presets, and the guards with all that they can do.
pub static SETUPS: LazyLock<[Arc<Setup>; 3]> = LazyLock::new(|| {
    let everything = include_str!("../seeds/configuration/everything.yaml");
    let everything = Setup::from_yaml("everything.yaml", everything, Base::default());
    [
        Setup::preset(Preset::Original),
        Setup::preset(Preset::Recommended),
        everything.expect("a configuration").setup,
    ]
    .map(Arc::new)
});
