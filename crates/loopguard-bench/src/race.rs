//! Measuring in turns.

use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::Options;
use crate::allocations::allocations;

/// A sample shorter than this says more about the clock than about the code.
const MIN_SAMPLE: Duration = Duration::from_micros(200);

/// Contestants that are measured in turns, round after round.
///
/// The machine may slow down for a while, for other builds or for heat. In turns every
/// contestant gets its share of that, and the medians over the rounds leave it out.
#[derive(Default)]
pub struct Race<'a> {
    contestants: Vec<Contestant<'a>>,
}

struct Contestant<'a> {
    /// Runs the code so many times.
    run: Box<dyn FnMut(u64) -> Duration + 'a>,
    /// How many calls one run is.
    calls: u64,
    runs: u64,
    samples: Vec<Duration>,
    allocations: f64,
}

/// What one contestant took, per call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Nanoseconds, the median over the rounds.
    pub ns: f64,
    /// How far the middle half of the rounds spreads, as a part of the median.
    pub spread: f64,
    /// Blocks allocated, the mean over the last round.
    pub allocations: f64,
}

impl<'a> Race<'a> {
    /// A race without contestants.
    pub fn new() -> Self {
        Self::default()
    }

    /// One more contestant: its place in the results is the order in which it came.
    pub fn add<T>(&mut self, code: impl FnMut() -> T + 'a) {
        self.add_calls(1, code);
    }

    /// A contestant of which one run is so many calls.
    pub fn add_calls<T>(&mut self, calls: usize, mut code: impl FnMut() -> T + 'a) {
        // The loop is compiled together with the code, so that it costs the same for all.
        let run = move |runs| {
            let start = Instant::now();
            for _ in 0..runs {
                black_box(code());
            }
            start.elapsed()
        };
        self.contestants.push(Contestant {
            run: Box::new(run),
            calls: calls.max(1) as u64,
            runs: 1,
            samples: Vec::new(),
            allocations: 0.0,
        });
    }

    /// Runs the rounds.
    pub fn run(mut self, options: &Options) -> Vec<Measured> {
        self.contestants.iter_mut().for_each(Contestant::warm_up);
        for _ in 0..options.rounds() {
            self.contestants.iter_mut().for_each(Contestant::sample);
        }
        self.contestants
            .iter_mut()
            .map(Contestant::measured)
            .collect()
    }
}

impl Contestant<'_> {
    /// Finds how many runs make a sample, which warms caches and tables on the way.
    ///
    /// The shortest of some tries has to be long enough: a single one may be long because
    /// something else got the core in between, and samples of one cold call each would follow.
    fn warm_up(&mut self) {
        loop {
            let tries = (0..5).map(|_| (self.run)(self.runs));
            if tries.min().unwrap_or_default() >= MIN_SAMPLE {
                return;
            }
            self.runs *= 2;
        }
    }

    fn sample(&mut self) {
        let before = allocations();
        let time = (self.run)(self.runs);
        let blocks = allocations() - before;
        self.allocations = blocks as f64 / (self.runs * self.calls) as f64;
        self.samples.push(time);
    }

    fn measured(&mut self) -> Measured {
        self.samples.sort_unstable();
        let at = |part: usize| {
            let time = self.samples[(self.samples.len() - 1) * part / 4];
            time.as_nanos() as f64 / (self.runs * self.calls) as f64
        };
        Measured {
            ns: at(2),
            spread: (at(3) - at(1)) / at(2),
            allocations: self.allocations,
        }
    }
}

impl fmt::Debug for Race<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Race")
            .field("contestants", &self.contestants.len())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disturbance_at_the_start_makes_no_short_samples() {
        let mut calls = 0;
        let run = move |runs: u64| {
            calls += 1;
            match calls {
                1 => MIN_SAMPLE * 10,
                _ => Duration::from_nanos(runs * 50),
            }
        };
        let mut contestant = Contestant {
            run: Box::new(run),
            calls: 1,
            runs: 1,
            samples: Vec::new(),
            allocations: 0.0,
        };
        contestant.warm_up();
        assert!(contestant.runs * 50 >= MIN_SAMPLE.as_nanos() as u64);
    }
}
