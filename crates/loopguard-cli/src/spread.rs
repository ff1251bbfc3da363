//! Jobs spread over threads, and what they yield put back in the jobs' order.
//!
//! What a job yields goes straight through while it is that job's turn, which is when all jobs
//! before it are done. What it yields earlier waits in memory, within two bounds:
//! [`MAX_AHEAD`] and [`MAX_WAITING_BYTES`].

use std::collections::VecDeque;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// No job begins that is as many jobs as this behind the one whose turn it is. Enough to keep
/// the threads busy beside a large job, and little to remember.
pub(crate) const MAX_AHEAD: usize = 32;

/// A job that would keep more than this waiting, together with all others, pauses until there
/// is room again or its turn has come. One piece may be larger by itself.
pub(crate) const MAX_WAITING_BYTES: usize = 16 << 20;

/// What takes the pieces, in order.
pub(crate) trait Sink: Send {
    /// What jobs yield.
    type Piece: Send;

    /// About how many bytes a piece takes while it waits.
    fn weight(piece: &Self::Piece) -> usize;

    /// Takes the next piece. A break ends all work.
    fn put(&mut self, piece: Self::Piece) -> ControlFlow<()>;
}

/// Where a job puts what it yields.
pub(crate) struct Lane<'a, S: Sink> {
    shared: &'a Shared<S>,
    job: usize,
}

impl<S: Sink> Lane<'_, S> {
    /// Yields a piece; a break says that nobody wants more.
    pub(crate) fn put(&self, piece: S::Piece) -> ControlFlow<()> {
        self.shared.put(self.job, piece)
    }

    /// Whether nobody wants more.
    pub(crate) fn is_over(&self) -> bool {
        self.shared.over.load(Ordering::Relaxed)
    }
}

/// Does the jobs from 0 on, each on one of the threads, and gives back the sink that took what
/// they yielded. `worker` makes what a thread does its jobs with.
///
/// What reaches the sink does not depend on the number of threads.
pub(crate) fn spread<S: Sink, W>(
    jobs: usize,
    threads: NonZero<usize>,
    sink: S,
    worker: impl Fn() -> W + Sync,
) -> S
where
    W: FnMut(usize, &Lane<'_, S>),
{
    let shared = Shared {
        jobs,
        state: Mutex::new(State {
            sink,
            turn: 0,
            begun: 0,
            ahead: VecDeque::new(),
            waiting: 0,
        }),
        over: AtomicBool::new(false),
        changed: Condvar::new(),
    };
    let work = || {
        let _end = EndOnPanic(&shared);
        let mut worker = worker();
        while let Some(job) = shared.begin() {
            let lane = Lane {
                shared: &shared,
                job,
            };
            worker(job, &lane);
            shared.done(job);
        }
    };
    thread::scope(|scope| {
        // This thread is one of them.
        for _ in 1..threads.get().min(jobs) {
            scope.spawn(work);
        }
        work();
    });
    let state = shared.state.into_inner();
    state.unwrap_or_else(PoisonError::into_inner).sink
}

struct Shared<S: Sink> {
    jobs: usize,
    state: Mutex<State<S>>,
    /// Nobody wants more.
    over: AtomicBool,
    /// The turn, what waits, or `over` has changed.
    changed: Condvar,
}

struct State<S: Sink> {
    sink: S,
    /// The job whose turn it is.
    turn: usize,
    /// How many jobs have begun.
    begun: usize,
    /// The jobs that have begun, from the one whose turn it is on.
    ahead: VecDeque<Begun<S::Piece>>,
    /// The weight of all pieces that wait.
    waiting: usize,
}

struct Begun<P> {
    /// What waits for the job's turn.
    pieces: Vec<P>,
    done: bool,
}

impl<S: Sink> Shared<S> {
    fn lock(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next job, once it is not too far ahead.
    fn begin(&self) -> Option<usize> {
        let mut state = self.lock();
        loop {
            if self.over.load(Ordering::Relaxed) || state.begun == self.jobs {
                return None;
            }
            if state.begun < state.turn + MAX_AHEAD {
                state.begun += 1;
                state.ahead.push_back(Begun {
                    pieces: Vec::new(),
                    done: false,
                });
                return Some(state.begun - 1);
            }
            state = self.wait(state);
        }
    }

    fn put(&self, job: usize, piece: S::Piece) -> ControlFlow<()> {
        let weight = S::weight(&piece);
        let mut state = self.lock();
        loop {
            if self.over.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            if state.turn == job {
                return match state.sink.put(piece) {
                    ControlFlow::Continue(()) => ControlFlow::Continue(()),
                    ControlFlow::Break(()) => self.end(),
                };
            }
            // The job whose turn it is never waits, so the turn comes.
            if state.waiting == 0 || state.waiting + weight <= MAX_WAITING_BYTES {
                state.waiting += weight;
                let at = job - state.turn;
                state.ahead[at].pieces.push(piece);
                return ControlFlow::Continue(());
            }
            state = self.wait(state);
        }
    }

    /// Passes the turn on, over every job that is done already.
    fn done(&self, job: usize) {
        let mut state = self.lock();
        let at = job - state.turn;
        state.ahead[at].done = true;
        while state.ahead.front().is_some_and(|first| first.done) {
            state.ahead.pop_front();
            state.turn += 1;
            let Some(next) = state.ahead.front_mut() else {
                break;
            };
            for piece in std::mem::take(&mut next.pieces) {
                state.waiting -= S::weight(&piece);
                if !self.over.load(Ordering::Relaxed) && state.sink.put(piece).is_break() {
                    let _ = self.end();
                }
            }
        }
        self.changed.notify_all();
    }

    fn end(&self) -> ControlFlow<()> {
        self.over.store(true, Ordering::Relaxed);
        self.changed.notify_all();
        ControlFlow::Break(())
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State<S>>) -> MutexGuard<'s, State<S>> {
        let woken = self.changed.wait(state);
        woken.unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread that panics must not leave the others waiting for its job's turn.
struct EndOnPanic<'a, S: Sink>(&'a Shared<S>);

impl<S: Sink> Drop for EndOnPanic<'_, S> {
    fn drop(&mut self) {
        if thread::panicking() {
            // Under the lock: whoever is about to wait has not looked yet, or is waiting.
            let _state = self.0.lock();
            let _ = self.0.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gathers, and checks what waits.
    struct Gather {
        taken: Vec<(usize, usize)>,
        most: usize,
    }

    impl Sink for Gather {
        type Piece = (usize, usize);

        fn weight(_: &Self::Piece) -> usize {
            MAX_WAITING_BYTES / 3
        }

        fn put(&mut self, piece: Self::Piece) -> ControlFlow<()> {
            self.taken.push(piece);
            match self.taken.len() >= self.most {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        }
    }

    fn gather(jobs: usize, threads: usize, most: usize) -> Vec<(usize, usize)> {
        let sink = Gather {
            taken: Vec::new(),
            most,
        };
        let threads = NonZero::new(threads).unwrap();
        let worker = || {
            |job: usize, lane: &Lane<'_, Gather>| {
                for piece in 0..=job % 7 {
                    if job.is_multiple_of(5) {
                        thread::yield_now();
                    }
                    if lane.put((job, piece)).is_break() {
                        assert!(lane.is_over());
                        return;
                    }
                }
            }
        };
        spread(jobs, threads, sink, worker).taken
    }

    #[test]
    fn the_order_is_that_of_the_jobs_however_many_threads_there_are() {
        for jobs in [0, 1, 2, 200] {
            let expected: Vec<_> = (0..jobs)
                .flat_map(|job| (0..=job % 7).map(move |piece| (job, piece)))
                .collect();
            for threads in [1, 2, 3, 16] {
                assert_eq!(gather(jobs, threads, usize::MAX), expected, "{threads}");
            }
        }
    }

    #[test]
    fn a_break_ends_all_work() {
        for threads in [1, 2, 8] {
            let taken = gather(500, threads, 40);
            assert_eq!(taken.len(), 40, "{threads}");
            assert_eq!(taken, gather(500, 1, usize::MAX)[..40]);
        }
    }

    #[test]
    fn no_job_begins_far_ahead_of_the_one_whose_turn_it_is() {
        struct Nothing;
        impl Sink for Nothing {
            type Piece = ();
            fn weight((): &()) -> usize {
                1
            }
            fn put(&mut self, (): ()) -> ControlFlow<()> {
                ControlFlow::Continue(())
            }
        }
        let (begun, first) = (Mutex::new(0), Mutex::new(None));
        let worker = || {
            |job: usize, lane: &Lane<'_, Nothing>| {
                if job == 0 {
                    // The others go on as far as they may.
                    thread::sleep(std::time::Duration::from_millis(50));
                    *first.lock().unwrap() = Some(*begun.lock().unwrap());
                }
                *begun.lock().unwrap() += 1;
                let _ = lane.put(());
            }
        };
        spread(200, NonZero::new(3).unwrap(), Nothing, worker);
        assert!(first.lock().unwrap().unwrap() < MAX_AHEAD);
        assert_eq!(*begun.lock().unwrap(), 200);
    }

    #[test]
    #[should_panic]
    fn a_panic_does_not_hang() {
        let sink = Gather {
            taken: Vec::new(),
            most: usize::MAX,
        };
        let worker = || {
            |job: usize, lane: &Lane<'_, Gather>| {
                assert_ne!(job, 3);
                let _ = lane.put((job, 0));
            }
        };
        spread(1_000, NonZero::new(2).unwrap(), sink, worker);
    }
}
