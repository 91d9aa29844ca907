//! The phase machine, cell by cell. A new phase or signal does not compile until its cells are
//! written.

use dapdock::session::phase::Effect::{self, DropReads, End, Finish, Handshake, Snapshot};
use dapdock::session::phase::Phase::{
    self, Ended, Ending, Idle, Preparing, Running, Starting, Stopped,
};
use dapdock::session::phase::Signal;

const PHASES: [Phase; 7] = [Preparing, Starting, Idle, Running, Stopped, Ending, Ended];
const SIGNALS: [Signal; 11] = [
    Signal::Connected,
    Signal::Configured,
    Signal::Stopped,
    Signal::Resumed,
    Signal::Refused,
    Signal::Over,
    Signal::Lost,
    Signal::Close,
    Signal::Gone,
    Signal::Opened,
    Signal::Exited,
];

type Cell = (Phase, &'static [Effect]);

fn number(signal: Signal) -> usize {
    match signal {
        Signal::Connected => 0,
        Signal::Configured => 1,
        Signal::Stopped => 2,
        Signal::Resumed => 3,
        Signal::Refused => 4,
        Signal::Over => 5,
        Signal::Lost => 6,
        Signal::Close => 7,
        Signal::Gone => 8,
        Signal::Opened => 9,
        Signal::Exited => 10,
    }
}

/// The cells of one phase, in the order of [`SIGNALS`].
fn row(phase: Phase) -> [Cell; 11] {
    let stay: Cell = (phase, &[]);
    let end: Cell = (Ending, &[DropReads, End]);
    let gone: Cell = (Ended, &[Finish]);
    let read: Cell = (Stopped, &[Snapshot]);
    match phase {
        // Connected, Configured, Stopped, Resumed, Refused, Over, Lost, Close, Gone, Opened, Exited
        Preparing => {
            [(Starting, &[Handshake]), stay, stay, stay, stay, end, end, end, gone, stay, stay]
        }
        Starting => {
            [stay, (Running, &[]), read, stay, stay, end, end, end, gone, (Idle, &[]), stay]
        }
        Idle => [stay, stay, read, (Running, &[]), stay, end, end, end, gone, stay, stay],
        Running => {
            let over = (Idle, &[DropReads] as &[Effect]);
            [stay, stay, read, stay, (Stopped, &[]), end, end, end, gone, stay, over]
        }
        Stopped => [
            stay,
            stay,
            (Stopped, &[DropReads, Snapshot]),
            (Running, &[DropReads]),
            stay,
            end,
            end,
            end,
            gone,
            stay,
            (Idle, &[DropReads]),
        ],
        Ending => [stay, stay, stay, stay, stay, stay, stay, stay, gone, stay, stay],
        Ended => [stay; 11],
    }
}

#[test]
fn every_cell_is_as_written() {
    for phase in PHASES {
        for (at, signal) in SIGNALS.into_iter().enumerate() {
            assert_eq!(number(signal), at, "SIGNALS is out of order");
            assert_eq!(phase.on(signal), row(phase)[at], "{phase:?} on {signal:?}");
        }
    }
}

/// Over all sequences of signals the session finishes exactly once.
#[test]
fn every_walk_finishes_once() {
    let mut walks: Vec<(Phase, usize)> = vec![(Preparing, 0)];
    for _ in 0..6 {
        let mut longer = Vec::new();
        for (phase, finished) in walks {
            for signal in SIGNALS {
                let (next, effects) = phase.on(signal);
                let more = effects.iter().filter(|effect| **effect == Finish).count();
                longer.push((next, finished + more));
            }
        }
        walks = longer;
        walks.sort_by_key(|(phase, finished)| (phase.word(), *finished));
        walks.dedup();
    }
    for (phase, finished) in walks {
        assert_eq!(finished, usize::from(phase == Ended), "{phase:?}");
    }
}

#[test]
fn words_are_distinct() {
    let words = PHASES.map(Phase::word);
    assert_eq!(words, ["preparing", "starting", "idle", "running", "stopped", "ending", "ended"]);
}
