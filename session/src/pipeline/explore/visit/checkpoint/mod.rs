//! Checkpoints: a search in a file, so that a long one is never lost.
//!
//! A file is a sequence of 64-bit words, lowest byte first: sixteen bytes with its format, the fingerprint of what is
//! explored and asked, a sum over the words so far; the ranges of integers and the dictionaries, and a sum again; then the time that was
//! spent, the cells that rows name, the search, and a sum over everything.
//!
//! What a search on disk is taken up from has the same form, but for the states: these are in files of their own.

mod sums;
mod unusable;

use std::io::{BufReader, BufWriter, ErrorKind, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use explorer::{Bounds, Lost, Question, Search};
use interpreter::{Cell, Instance, Rows, Successors};
use ioa_lang::core::{AutomatonId, Fingerprint, fingerprint};

pub use self::sums::make_sums_right;
use self::sums::{Sink, Source};
use self::unusable::Unusable;
use super::super::plan::ExplorePlan;
use super::super::symmetry::BySymmetry;
use super::ranges;
use crate::host::{Host, Place, SearchFolder, Stopwatch};
use crate::study::Study;

/// The first bytes of a checkpoint of any version of the format.
pub const MARK: &str = "ioa checkpoint ";

/// The first bytes of the file from which a search on disk is resumed, of any version of the format.
pub const DISK_MARK: &str = "ioa disk search";

/// The first sixteen bytes of a checkpoint of this version of the format.
const FORMAT: [u8; 16] = *b"ioa checkpoint C";

/// The same for a search on disk, whose files are of this version too.
const DISK_FORMAT: [u8; 16] = *b"ioa disk search6";

/// No cell is made of more words than this: each of its parts takes a few.
const MAX_CELL: u64 = 1 << 24;

/// Bytes that go to a file and come from it at once.
const BUFFER: usize = 1 << 16;

/// What a checkpoint has to agree on with who takes it up: the model, sizes, interpretation and questions.
#[must_use]
pub(in crate::pipeline::explore) fn identity(
    study: &Study,
    instance: &Instance,
    (plan, reduced): (&ExplorePlan, bool),
    checked: &[usize],
) -> Fingerprint {
    let stated = &study.model.invariants;
    let asked: Vec<_> = checked.iter().map(|i| &stated[*i]).collect();
    let model = instance.fingerprint(plan.automaton);
    let counts = [plan.find.len(), plan.check.len(), plan.within.len()];
    fingerprint(&(model, asked, counts, reduced))
}

/// What is kept of a search beside the search itself.
pub(in crate::pipeline::explore) struct Kept<'k, 'i> {
    /// What is explored.
    pub(in crate::pipeline::explore) identity: Fingerprint,
    /// The cells that the states' rows name.
    pub(in crate::pipeline::explore) rows: &'k Rows<'i>,
    /// How many invariants are checked.
    pub(in crate::pipeline::explore) invariants: usize,
    /// How many transition clauses there are.
    pub(in crate::pipeline::explore) clauses: usize,
    /// The ranges of integers, as words.
    pub(in crate::pipeline::explore) instance: &'k Instance,
    pub(in crate::pipeline::explore) automaton: AutomatonId,
    /// Where the states are, if not in the checkpoint.
    pub(in crate::pipeline::explore) disk: Option<Arc<dyn SearchFolder>>,
}

/// Who writes checkpoints while a search goes on.
pub(in crate::pipeline::explore) struct Keeper<'k, 'i> {
    place: Option<&'k dyn Place>,
    every: Duration,
    last: Stopwatch<'k>,
    kept: &'k Kept<'k, 'i>,
    /// Seconds that were spent before this search was taken up.
    earlier: f64,
    started: Stopwatch<'k>,
    host: &'k dyn Host,
    /// Whether a checkpoint was written.
    has_kept: bool,
    /// Why the last one was not.
    trouble: Option<String>,
}

impl<'k, 'i> Keeper<'k, 'i> {
    pub(in crate::pipeline::explore) fn new(
        plan: &'k ExplorePlan,
        kept: &'k Kept<'k, 'i>,
        earlier: f64,
        host: &'k dyn Host,
    ) -> Self {
        let now = Stopwatch::start(host);
        Self {
            place: plan.checkpoint.as_deref(),
            every: Duration::from_secs_f64(plan.checkpoint_every),
            last: now,
            kept,
            earlier,
            started: now,
            host,
            has_kept: false,
            trouble: None,
        }
    }

    /// All seconds that were spent on the search.
    pub(in crate::pipeline::explore) fn seconds(&self) -> f64 {
        self.earlier + self.started.seconds()
    }

    /// Writes a checkpoint if it is time for one. That it cannot be written is said, and no reason to stop. Of a search on
    /// disk, the first one is written at once.
    pub(in crate::pipeline::explore) fn keep_if_due(
        &mut self,
        search: &mut Search<impl Successors>,
    ) {
        let is_first = self.kept.disk.is_some() && !self.has_kept;
        if is_first || search.has_stale_files() || self.last.elapsed() >= self.every {
            self.keep(search);
        }
    }

    /// Writes a checkpoint, if one is wanted and there is something to keep.
    pub(in crate::pipeline::explore) fn keep(&mut self, search: &mut Search<impl Successors>) {
        let Some(place) = self.place else { return };
        if self.kept.disk.is_some() && !search.has_settled() {
            return;
        }
        let synced = search.sync();
        let written = synced.and_then(|()| save(place, self.kept, self.seconds(), search));
        if written.is_ok() {
            search.clean();
            self.has_kept = true;
        }
        if let (Err(trouble), None) = (&written, &self.trouble) {
            self.host.warns(&format!(
                "{trouble}; the search goes on, and a checkpoint written before is kept"
            ));
        }
        self.trouble = written.err();
        self.last = Stopwatch::start(self.host);
    }

    /// Where the search was kept when it was stopped, or why it was not.
    pub(in crate::pipeline::explore) fn result(self) -> Option<Result<String, String>> {
        if self.kept.disk.is_some() && !self.has_kept && self.trouble.is_none() {
            return None;
        }
        let name = self.place?.name();
        Some(self.trouble.map_or(Ok(name), Err))
    }
}

/// Writes a search whole, or leaves what is there.
fn save(
    place: &dyn Place,
    kept: &Kept<'_, '_>,
    seconds: f64,
    search: &Search<impl Successors>,
) -> Result<(), String> {
    place.replace(&mut |out| {
        let mut sink = Sink {
            out: BufWriter::with_capacity(BUFFER, out),
            sum: 0,
        };
        let format = format(kept.disk.is_some());
        let (first, second) = format.split_at(size_of::<u64>());
        sink.put(&[word(first), word(second)])?;
        sink.put(&halves(kept.identity))?;
        sink.seal()?;
        let places = ranges::words(kept.instance, kept.automaton);
        sink.put(&[places.len() as u64])?;
        sink.put(&places)?;
        sink.seal()?;
        sink.put(&[seconds.to_bits()])?;
        let cells = kept.rows.cells().named();
        sink.put(&[cells.len() as u64])?;
        let mut words = Vec::new();
        for (name, cell) in &cells {
            words.clear();
            cell.push_words(&mut words);
            sink.put(&[*name, words.len() as u64])?;
            sink.put(&words)?;
        }
        search.save(&mut |words| sink.put(words))?;
        sink.seal()?;
        sink.out.flush()
    })
}

/// Takes up a search from a checkpoint, with the seconds that it took until then.
///
/// # Errors
/// Says why it cannot be used: it is none, damaged, cut short, or about something else.
pub(in crate::pipeline::explore) fn load<S: Successors>(
    place: &dyn Place,
    kept: &Kept<'_, '_>,
    steps: Vec<S>,
    bounds: Bounds,
) -> Result<(Search<S>, f64), String> {
    let mut source = opened(place)?;
    let on_disk = kept.disk.is_some();
    restore(&mut source, kept, steps, bounds).map_err(|e| e.told((on_disk, &place.name())))
}

/// How a checkpoint begins, of a search on disk or of another one.
fn format(on_disk: bool) -> [u8; 16] {
    match on_disk {
        true => DISK_FORMAT,
        false => FORMAT,
    }
}

/// The ranges of integers and the dictionaries with which a search was kept, as words.
///
/// # Errors
/// As those of [`load`].
pub(in crate::pipeline::explore) fn places(
    place: &dyn Place,
    study: &Study,
    instance: &Instance,
    plan: &ExplorePlan,
) -> Result<Vec<u64>, String> {
    let checked = plan.evaluated(study).all();
    let identity = identity(
        study,
        instance,
        (plan, plan.symmetry == BySymmetry::Always),
        &checked,
    );
    let most = ranges::most_words(instance, plan.automaton);
    let mut source = opened(place)?;
    check_head(&mut source, (plan.disk.is_some(), identity), most)
        .map_err(|e| e.told((plan.disk.is_some(), &place.name())))
}

/// What is kept in a place, from its first word on.
fn opened(place: &dyn Place) -> Result<Source<Box<dyn Read + '_>>, String> {
    Ok(Source {
        input: BufReader::with_capacity(BUFFER, place.open()?),
        sum: 0,
    })
}

fn restore<S: Successors>(
    source: &mut Source<impl Read>,
    kept: &Kept<'_, '_>,
    steps: Vec<S>,
    bounds: Bounds,
) -> Result<(Search<S>, f64), Unusable> {
    let of = (kept.disk.is_some(), kept.identity);
    let places = ranges::words(kept.instance, kept.automaton);
    if check_head(source, of, places.len())? != places {
        return Err(Unusable::Damaged);
    }
    let seconds = f64::from_bits(source.word()?);
    restore_cells(source, kept.rows)?;
    let get = &mut |words: &mut [u64]| source.get(words);
    let restored = match kept.disk.clone() {
        Some(folder) => Search::restore_on_disk(steps, bounds, folder, get),
        None => Search::restore(steps, bounds, get),
    };
    let search = restored.map_err(|e| match e {
        Lost::Unread(e) => Unusable::Unread(e),
        Lost::Wrong => Unusable::Damaged,
        Lost::File(why) => Unusable::File(why),
    })?;
    source.check_seal()?;
    let is_asked = |q| !matches!(q, Question::Invariant(p) if p >= kept.invariants);
    let is_whole = seconds.is_finite()
        && seconds >= 0.0
        && source.is_at_end()?
        && search.findings().iter().all(|f| is_asked(f.question))
        && [0, kept.clauses].contains(&search.fired().len());
    if !is_whole {
        return Err(Unusable::Damaged);
    }
    // Machine code takes whatever it is given for a state.
    let mut check = kept.rows.check();
    if !search.states().all(|row| check.is_state(&row)) {
        return Err(Unusable::NoState);
    }
    if let Some(why) = search.trouble() {
        return Err(Unusable::File(why.into()));
    }
    Ok((search, seconds))
}

/// Reads the cells that rows name, which stand by their names.
fn restore_cells(source: &mut Source<impl Read>, rows: &Rows<'_>) -> Result<(), Unusable> {
    let mut last = None;
    for _ in 0..source.word()? {
        let (name, length) = (source.word()?, source.word()?);
        if last.replace(name).is_some_and(|last| last >= name) {
            return Err(Unusable::Damaged);
        }
        let cell = cell(source, length)?;
        rows.cells().restore(name, cell);
    }
    match rows.cells().are_named_right() {
        true => Ok(()),
        false => Err(Unusable::Damaged),
    }
}

/// Reads what comes before the search, and gives the ranges of integers and the dictionaries, which are at most so many words.
fn check_head(
    source: &mut Source<impl Read>,
    (on_disk, identity): (bool, Fingerprint),
    most: usize,
) -> Result<Vec<u64>, Unusable> {
    let mark = if on_disk { DISK_MARK } else { MARK };
    let mut found = [0; FORMAT.len()];
    match source.input.read_exact(&mut found) {
        Err(e) if e.kind() == ErrorKind::UnexpectedEof => return Err(Unusable::NoCheckpoint),
        read => read?,
    }
    if found != format(on_disk) {
        return Err(match found.starts_with(mark.as_bytes()) {
            true => Unusable::OtherVersion,
            false => Unusable::NoCheckpoint,
        });
    }
    let (first, second) = found.split_at(size_of::<u64>());
    source.add(&[word(first), word(second)]);
    let found = [source.word()?, source.word()?];
    source.check_seal()?;
    if found != halves(identity) {
        return Err(Unusable::Other);
    }
    let count = usize::try_from(source.word()?).unwrap_or(usize::MAX);
    if count > most {
        return Err(Unusable::Damaged);
    }
    let mut words = vec![0; count];
    source.get(&mut words)?;
    source.check_seal()?;
    Ok(words)
}

/// A cell of so many words.
fn cell(source: &mut Source<impl Read>, length: u64) -> Result<Cell, Unusable> {
    if length > MAX_CELL {
        return Err(Unusable::Damaged);
    }
    let words: Vec<u64> = (0..length)
        .map(|_| source.word())
        .collect::<Result<_, _>>()?;
    Cell::of_words(&words).ok_or(Unusable::Damaged)
}

fn word(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
}

fn halves(fingerprint: Fingerprint) -> [u64; 2] {
    [(fingerprint.0 >> 64) as u64, fingerprint.0 as u64]
}
