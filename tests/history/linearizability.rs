//! Check of linearizability: could simultaneous operations on an object have run one after another?
//!
//! This is Lowe's just-in-time linearization of Wing and Gong's search. It goes through the history
//! once and keeps every possible state of the object, each with the running operations that already
//! took effect. Its time is proportional to the history, its memory to the simultaneous operations.

use std::{collections::HashSet, hash::Hash};

const MAX_SIMULTANEOUS: usize = 64;

/// Sequential behaviour of an object.
pub trait Model {
    /// State of the object; the default is the initial one.
    type State: Clone + Default + Eq + Hash;
    /// Operation with its response.
    type Operation;

    /// Returns the state after an operation; none if its response is impossible in the state before it.
    fn step(state: &Self::State, operation: &Self::Operation) -> Option<Self::State>;

    /// Returns true if an operation with this response changes some states, but not all.
    ///
    /// If it changes nothing now, it may still take effect later.
    fn may_change_later(_operation: &Self::Operation) -> bool {
        false
    }
}

/// Operation on an object, with the logical times between which it took effect.
#[derive(Clone, Debug)]
pub struct Call<O> {
    pub operation: O,
    /// Time when the client sent it.
    pub invoked: u64,
    /// Time when the client received the response.
    pub completed: u64,
}

/// Possible state of the object, and a bit mask of the slots of running operations that took effect.
type Configuration<S> = (S, u64);

/// Searches for an order of the calls that the model allows. Each call must come before those that
/// were sent after its response.
///
/// # Errors
///
/// Returns the index of the first call, by the time of its response, up to which there is no such order.
pub fn linearize<M: Model>(calls: &[Call<M::Operation>]) -> Result<(), usize> {
    let mut ends: Vec<(u64, usize)> = Vec::with_capacity(2 * calls.len());
    for (index, call) in calls.iter().enumerate() {
        assert!(call.invoked < call.completed, "a response comes after its request");
        ends.extend([(call.invoked, index), (call.completed, index)]);
    }
    ends.sort_unstable();

    let mut running: [Option<usize>; MAX_SIMULTANEOUS] = [None; MAX_SIMULTANEOUS];
    let mut configurations = HashSet::from([(M::State::default(), 0)]);
    for (_, index) in ends {
        match running.iter().position(|slot| *slot == Some(index)) {
            None => {
                let free = running.iter().position(Option::is_none).expect("a free slot");
                running[free] = Some(index);
            }
            Some(slot) => {
                let operations = || {
                    let slots = running.iter().enumerate();
                    slots.filter_map(|(slot, index)| Some((1 << slot, &calls[(*index)?].operation)))
                };
                configurations = complete::<M, _>(configurations, operations, 1 << slot);
                if configurations.is_empty() {
                    return Err(index);
                }
                running[slot] = None;
            }
        }
    }
    Ok(())
}

/// Returns the possible states of the object after one of the running operations completed.
fn complete<'a, M, O>(
    configurations: HashSet<Configuration<M::State>>,
    running: impl Fn() -> O,
    completed: u64,
) -> HashSet<Configuration<M::State>>
where
    M: Model<Operation: 'a>,
    O: Iterator<Item = (u64, &'a M::Operation)>,
{
    let mut reached = HashSet::new();
    let mut seen = HashSet::new();
    let mut pending: Vec<_> = configurations.into_iter().collect();
    while let Some((state, mut applied)) = pending.pop() {
        let before = applied;
        let mut next = Vec::new();
        for (slot, operation) in running().filter(|(slot, _)| before & slot == 0) {
            match M::step(&state, operation) {
                // An operation that never changes anything can always take effect now.
                Some(same) if same == state && !M::may_change_later(operation) => applied |= slot,
                Some(other) => next.push((other, slot)),
                None => {}
            }
        }
        if applied & completed != 0 {
            reached.insert((state, applied & !completed));
            continue;
        }
        for (state, slot) in next {
            let configuration = (state, applied | slot);
            if seen.insert(configuration.clone()) {
                pending.push(configuration);
            }
        }
    }
    reached
}

/// Checks calls that run one after another.
///
/// # Errors
///
/// Returns the index of the first impossible call.
#[cfg(test)]
pub fn in_sequence<M: Model<Operation: Clone>>(operations: &[M::Operation]) -> Result<(), usize> {
    let calls = operations.iter().cloned().zip((0..).step_by(2));
    let calls = calls.map(|(operation, time)| Call { operation, invoked: time, completed: time + 1 });
    linearize::<M>(&calls.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Register that holds a number; an access writes it (true) or reads it.
    struct Register;

    impl Model for Register {
        type State = u8;
        type Operation = (bool, u8);

        fn step(state: &u8, (is_write, value): &(bool, u8)) -> Option<u8> {
            (*is_write || value == state).then_some(*value)
        }
    }

    #[test]
    fn write_happens_once_within_its_call() {
        let call = |operation, invoked, completed| Call { operation, invoked, completed };
        for (reads, expected) in [([0, 0], Ok(())), ([0, 1], Ok(())), ([1, 1], Ok(())), ([1, 0], Err(2))] {
            let [first, second] = reads.map(|value| (false, value));
            let calls = [call((true, 1), 0, 9), call(first, 1, 2), call(second, 3, 4)];
            assert_eq!(linearize::<Register>(&calls), expected, "{reads:?}");
        }
        let late = [call((true, 1), 0, 1), call((true, 2), 2, 3), call((false, 1), 4, 5)];
        assert_eq!(linearize::<Register>(&late), Err(2));
    }
}
