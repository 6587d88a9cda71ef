//! A real browser, without a window, in which tests look at pages.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value as Json;

/// Names the browser. If it is set, a browser that cannot be run is a failure.
const VARIABLE: &str = "IOA_BROWSER";

/// Browsers that take these flags.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

const FLAGS: &str = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
                     --disable-component-update --disable-sync --disable-dev-shm-usage --window-size=1200,900";

/// A browser that is installed.
pub(crate) struct Browser {
    program: PathBuf,
}

/// How a page is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Light {
    Bright,
    Dark,
}

impl Browser {
    /// The browser that the environment names, or one on the path; without one, says what is not tested.
    pub(crate) fn find(untested: &str) -> Option<Self> {
        if let Some(program) = std::env::var_os(VARIABLE) {
            let program = PathBuf::from(program);
            return Some(Self { program });
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let mut programs = NAMES
            .iter()
            .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
        let program = programs.find(|program| program.is_file());
        if program.is_none() {
            // Not by `eprintln`, which a test that passes keeps to itself.
            let note = format!("SKIPPED, no browser is installed: {untested}\n");
            std::io::stderr()
                .write_all(note.as_bytes())
                .expect("a note");
        }
        program.map(|program| Self { program })
    }

    /// What a script says about a page after the scripts of the page have run. The script is a list of statements that
    /// return a value.
    pub(crate) fn ask(&self, page: &Path, light: Light, script: &str) -> Json {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let text = fs::read_to_string(page).expect("the page");
        let (before, after) = text.rsplit_once("</body>").expect("a body");
        let asked = format!(
            "{before}<script>{{ const said = JSON.stringify((() => {{ {TOOLS} {script} }})()); \
             document.documentElement.innerHTML = '<body></body>'; document.body.textContent = 'SAID' + said; }}</script></body>{after}"
        );
        let copy = folder.path().join("page.html");
        fs::write(&copy, asked).expect("a written page");
        let mut command = Command::new(&self.program);
        command.args(FLAGS.split_whitespace());
        command.arg(format!(
            "--user-data-dir={}",
            folder.path().join("user").display()
        ));
        if light == Light::Dark {
            command.arg("--blink-settings=preferredColorScheme=0");
        }
        command.args(["--timeout=60000", "--dump-dom"]);
        command.arg(format!("file://{}", copy.display()));
        let output = command.stdin(Stdio::null()).output();
        let output = output.unwrap_or_else(|e| panic!("{}: {e}", self.program.display()));
        let dumped = String::from_utf8_lossy(&output.stdout);
        let said = dumped.split_once("SAID").and_then(|(_, rest)| {
            let (said, _) = rest.split_once("</body>")?;
            let said = said.replace("&lt;", "<").replace("&gt;", ">");
            serde_json::from_str(&said.replace("&amp;", "&")).ok()
        });
        said.unwrap_or_else(|| panic!("the page says nothing: {dumped}\n{output:?}"))
    }
}

/// What scripts may use: whether something can be seen, a key, and what a panel shows.
const TOOLS: &str = "
const seen = element => element.getClientRects().length > 0;
const all = (within, what) => [...within.querySelectorAll(what)];
const press = key => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
const shown = panel => ({
  where: panel.querySelector('.where').textContent,
  titles: all(panel, '[data-at]').filter(seen).map(state => state.querySelector('h4').textContent),
  changed: all(panel, '[data-at]').filter(seen).flatMap(state => all(state, '.new').map(row => row.textContent)),
  here: all(panel, '.here text:not(.number)').map(text => text.textContent),
  faint: all(panel, '[data-step]').filter(mark => getComputedStyle(mark).opacity < 1).length,
});
";
