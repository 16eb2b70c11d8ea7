//! Whether what clients saw of an object at the same time could have happened one after another.
//!
//! This is Lowe's just-in-time linearization of Wing and Gong's search: it goes through the history
//! once and keeps every state that the object may be in by now, each with the running operations
//! that took effect already. So it takes time in proportion to the history, and memory in proportion
//! to what runs at once.

use std::{collections::HashSet, hash::Hash};

/// The most operations that may run at once.
const MAX_AT_ONCE: usize = 64;

/// How an object behaves that one client uses at a time.
pub trait Model {
    /// What the object remembers; at first it is the default.
    type State: Clone + Default + Eq + Hash;
    /// An operation and how it was answered.
    type Operation;

    /// The state after an operation; none where it is not answered like that in the state before it.
    fn step(state: &Self::State, operation: &Self::Operation) -> Option<Self::State>;
}

/// An operation on an object, with the logical times between which it took effect.
#[derive(Clone, Debug)]
pub struct Call<O> {
    /// The operation.
    pub operation: O,
    /// When the client sent it.
    pub invoked: u64,
    /// When the client had the answer.
    pub answered: u64,
}

/// A state that the object may be in, and the running operations that took effect, by their places.
type Configuration<S> = (S, u64);

/// Looks for an order of the calls which the model allows, and in which each comes before those that
/// were sent after its answer.
///
/// # Errors
///
/// The index of the first call, by the time of its answer, up to which there is none.
pub fn linearize<M: Model>(calls: &[Call<M::Operation>]) -> Result<(), usize> {
    let mut ends: Vec<(u64, usize)> = Vec::with_capacity(2 * calls.len());
    for (index, call) in calls.iter().enumerate() {
        assert!(call.invoked < call.answered, "an answer comes after its question");
        ends.extend([(call.invoked, index), (call.answered, index)]);
    }
    ends.sort_unstable();

    let mut running: [Option<usize>; MAX_AT_ONCE] = [None; MAX_AT_ONCE];
    let mut configurations = HashSet::from([(M::State::default(), 0)]);
    for (_, index) in ends {
        match running.iter().position(|place| *place == Some(index)) {
            None => {
                let free = running.iter().position(Option::is_none).expect("a place for what runs");
                running[free] = Some(index);
            }
            Some(place) => {
                let operations = || {
                    let placed = running.iter().enumerate();
                    placed.filter_map(|(place, index)| Some((1 << place, &calls[(*index)?].operation)))
                };
                configurations = answered::<M, _>(configurations, operations, 1 << place);
                if configurations.is_empty() {
                    return Err(index);
                }
                running[place] = None;
            }
        }
    }
    Ok(())
}

/// Where the object may be once one of the running operations took effect.
fn answered<'a, M, O>(
    configurations: HashSet<Configuration<M::State>>,
    running: impl Fn() -> O,
    answered: u64,
) -> HashSet<Configuration<M::State>>
where
    M: Model<Operation: 'a>,
    O: Iterator<Item = (u64, &'a M::Operation)>,
{
    let mut found = HashSet::new();
    let mut seen = HashSet::new();
    let mut open: Vec<_> = configurations.into_iter().collect();
    while let Some((state, mut effective)) = open.pop() {
        let before = effective;
        let mut next = Vec::new();
        for (place, operation) in running().filter(|(place, _)| before & place == 0) {
            match M::step(&state, operation) {
                // What changes nothing may as well take effect now, whatever comes later.
                Some(same) if same == state => effective |= place,
                Some(other) => next.push((other, place)),
                None => {}
            }
        }
        if effective & answered != 0 {
            found.insert((state, effective & !answered));
            continue;
        }
        for (state, place) in next {
            let configuration = (state, effective | place);
            if seen.insert(configuration.clone()) {
                open.push(configuration);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A register of a number.
    struct Register;

    #[derive(Clone, Copy, Debug)]
    enum Use {
        Write(u8),
        Read(u8),
    }

    use Use::{Read, Write};

    impl Model for Register {
        type State = u8;
        type Operation = Use;

        fn step(state: &u8, operation: &Use) -> Option<u8> {
            match *operation {
                Write(value) => Some(value),
                Read(value) => (value == *state).then_some(value),
            }
        }
    }

    /// Calls drawn as lines: each begins at its first mark and ends at its last.
    fn drawn(lines: &[(&str, Use)]) -> Vec<Call<Use>> {
        let call = |(row, (line, operation)): (usize, &(&str, Use))| {
            let time = |column: usize| (column * lines.len() + row) as u64;
            let [first, last] = [line.find('|').unwrap(), line.rfind('|').unwrap()];
            Call { operation: *operation, invoked: time(first), answered: time(last) }
        };
        lines.iter().enumerate().map(call).collect()
    }

    #[test]
    fn read_returns_last_write() {
        let history = drawn(&[
            ("|-|                ", Write(1)),
            ("    |-|            ", Read(1)),
            ("        |-|        ", Write(2)),
            ("            |-|    ", Read(2)),
        ]);
        assert_eq!(linearize::<Register>(&history), Ok(()));
    }

    #[test]
    fn overwritten_value_is_not_read() {
        let history = drawn(&[
            ("|-|                ", Write(1)),
            ("    |-|            ", Write(2)),
            ("        |-|        ", Read(1)),
        ]);
        assert_eq!(linearize::<Register>(&history), Err(2));
    }

    #[test]
    fn unwritten_value_is_not_read() {
        let history = drawn(&[("|-----|", Write(1)), (" |---| ", Read(2))]);
        assert_eq!(linearize::<Register>(&history), Err(1));
    }

    #[test]
    fn write_takes_effect_within_its_call() {
        for reads in [[0, 0], [0, 1], [1, 1]] {
            let history = drawn(&[
                ("|-------------|", Write(1)),
                ("  |-|          ", Read(reads[0])),
                ("        |-|    ", Read(reads[1])),
            ]);
            assert_eq!(linearize::<Register>(&history), Ok(()), "{reads:?}");
        }
    }

    #[test]
    fn effect_is_not_undone() {
        let history = drawn(&[
            ("|-------------|", Write(1)),
            ("  |-|          ", Read(1)),
            ("        |-|    ", Read(0)),
        ]);
        assert_eq!(linearize::<Register>(&history), Err(2));
    }

    #[test]
    fn reads_decide_order_of_writes() {
        let writes = [("|-----------------|", Write(1)), (" |----------------| ", Write(2))];
        let read = |value| ("     |--|          ", Read(value));
        let later = |value| ("            |--|   ", Read(value));
        let end = |value| ("                      |--|", Read(value));
        for (reads, held) in [([1, 2, 2], true), ([2, 1, 1], true), ([1, 2, 1], false), ([2, 2, 1], true)] {
            let reads = [read(reads[0]), later(reads[1]), end(reads[2])];
            let history = drawn(&[writes.as_slice(), &reads].concat());
            assert_eq!(linearize::<Register>(&history).is_ok(), held, "{reads:?}");
        }
    }

    #[test]
    fn writes_may_take_effect_in_reverse() {
        let history = drawn(&[
            ("|--------------------|", Write(1)),
            ("|--------------------|", Write(2)),
            ("|--------------------|", Write(3)),
            ("  |-|                 ", Read(3)),
            ("        |-|           ", Read(2)),
            ("              |-|     ", Read(1)),
        ]);
        assert_eq!(linearize::<Register>(&history), Ok(()));
    }

    #[test]
    fn violation_is_found_in_long_history() {
        // Each of a hundred thousand reads overlaps the write before it, and the one after.
        let mut history = Vec::new();
        for round in 0..50_000_u64 {
            let time = round * 6;
            let value = u8::try_from(round % 200 + 1).unwrap();
            history.push(Call { operation: Write(value), invoked: time, answered: time + 4 });
            history.push(Call { operation: Read(value), invoked: time + 3, answered: time + 8 });
        }
        assert_eq!(linearize::<Register>(&history), Ok(()));
        let lie = history.len() - 1;
        history[lie].operation = Read(0);
        assert_eq!(linearize::<Register>(&history), Err(lie));
    }
}
