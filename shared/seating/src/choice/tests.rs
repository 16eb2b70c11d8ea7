use std::collections::{BTreeSet, HashMap};

use domain::coordinate::Coordinate;
use proptest::prelude::*;

use super::*;

/// Small area, and which of its seats are free.
#[derive(Clone, Debug)]
struct Area {
    seats: Vec<Seat>,
    free: Vec<bool>,
    usable: Usable,
}

fn seat(row: u32, number: u32, cx: f64, cy: f64) -> Seat {
    Seat { cx: Coordinate::from_stored(cx), cy: Coordinate::from_stored(cy), row, number, kind: None }
}

/// Area drawn as a line for each row: `.` is free, `x` is taken, and a space is a gap; `w`, `c` and `v` are free places
/// for wheelchairs, for companions and with a restricted view.
fn drawn(rows: &[&str]) -> Area {
    let mut area = Area { seats: Vec::new(), free: Vec::new(), usable: Usable::Ordinary };
    for (row, places) in (0..).zip(rows) {
        for (number, place) in (0..).zip(places.chars()).filter(|(_, place)| *place != ' ') {
            let kind = match place {
                'w' => Some(SeatKind::Wheelchair),
                'c' => Some(SeatKind::Companion),
                'v' => Some(SeatKind::RestrictedView),
                _ => None,
            };
            area.seats.push(Seat { kind, ..seat(row, number, f64::from(number), f64::from(row)) });
            area.free.push(place != 'x');
        }
    }
    area
}

impl Area {
    fn ranked(&self, count: usize, adjacent: bool, limit: usize) -> Vec<Choice> {
        let (rows, group) = (Rows::new(&self.seats), Group { count, adjacent, usable: self.usable });
        rows.ranked(&rows.free(|seat| self.free[seat], group), group, limit, false)
    }

    fn choose(&self, count: usize, adjacent: bool, collisions: u32, random: u32) -> Option<Choice> {
        Rows::new(&self.seats).choose(
            |seat| self.free[seat],
            Group { count, adjacent, usable: self.usable },
            collisions,
            random,
        )
    }

    /// Returns the rows and numbers of the best choice.
    fn best(&self, count: usize, adjacent: bool) -> Vec<(u32, u32)> {
        let best = self.ranked(count, adjacent, 1).into_iter().next();
        best.map_or(Vec::new(), |best| self.positions(&best.seats))
    }

    fn positions(&self, seats: &[usize]) -> Vec<(u32, u32)> {
        seats.iter().map(|seat| (self.seats[*seat].row, self.seats[*seat].number)).collect()
    }

    /// Returns all sets of free seats, each in the order of row and number.
    fn sets(&self, count: usize) -> Vec<Vec<usize>> {
        let mut free: Vec<_> = (0..self.seats.len()).filter(|seat| self.free[*seat]).collect();
        free.sort_by_key(|seat| (self.seats[*seat].row, self.seats[*seat].number));
        (0_u32..1 << free.len())
            .filter(|set| set.count_ones() as usize == count)
            .map(|set| free.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).map(|(_, seat)| *seat).collect())
            .collect()
    }

    fn is_adjacent(&self, seats: &[usize]) -> bool {
        self.positions(seats).windows(2).all(|pair| (pair[0].0, pair[0].1 + 1) == pair[1])
    }

    fn distance(&self, seats: &[usize]) -> f64 {
        let point = |seat: usize| (self.seats[seat].cx.value(), self.seats[seat].cy.value());
        let pairs = seats.iter().flat_map(|one| seats.iter().map(|other| (point(*one), point(*other))));
        pairs.map(|(one, other)| (one.0 - other.0).hypot(one.1 - other.1)).sum::<f64>() / 2.0
    }

    fn leaves_single(&self, seats: &[usize]) -> bool {
        let positions = self.seats.iter().zip(&self.free).enumerate();
        let left: HashMap<_, _> = positions
            .map(|(index, (seat, free))| ((seat.row, seat.number), *free && !seats.contains(&index)))
            .collect();
        self.positions(seats).into_iter().any(|(row, number)| {
            [number.checked_sub(1), Some(number + 1)].into_iter().flatten().any(|number| {
                let is_taken = |number: Option<u32>| number.and_then(|number| left.get(&(row, number))) == Some(&false);
                left.get(&(row, number)) == Some(&true) && is_taken(number.checked_sub(1)) && is_taken(Some(number + 1))
            })
        })
    }

    fn off_middle(&self, seats: &[usize]) -> f64 {
        let row = self.seats[seats[0]].row;
        let mut cx: Vec<_> = self.seats.iter().filter(|seat| seat.row == row).map(|seat| seat.cx.value()).collect();
        cx.sort_by(f64::total_cmp);
        let (mut sum, mut count) = (0.0, 0.0);
        for seat in seats {
            sum += self.seats[*seat].cx.value();
            count += 1.0;
        }
        (sum / count - f64::midpoint(cx[0], cx[cx.len() - 1])).abs()
    }

    /// Compares choices by the rules for adjacent seats.
    fn order(&self, one: &[usize], other: &[usize]) -> std::cmp::Ordering {
        let worth = |seats: &[usize]| (self.leaves_single(seats), self.seats[seats[0]].row);
        let by_place = self.off_middle(one).total_cmp(&self.off_middle(other));
        worth(one).cmp(&worth(other)).then(by_place).then(self.positions(one).cmp(&self.positions(other)))
    }
}

/// Areas of at most 14 seats with gaps, some of them standing areas, in any order.
fn areas() -> impl Strategy<Value = Area> {
    let seats = prop::collection::btree_map((0_u32..4, 0_u32..7), (any::<bool>(), 0_u8..9, 0_u8..9), 1..14);
    (seats.prop_map(Vec::from_iter).prop_shuffle(), 0_u8..3).prop_map(|(seats, kind)| {
        let place = |((row, number), (_, x, y)): &((u32, u32), (bool, u8, u8))| match kind {
            0 => seat(*row, *number, f64::from(*number), f64::from(*row)),
            1 => seat(*row, *number, f64::from(*x), f64::from(*y)),
            _ => seat(*row, *number, 0.0, 0.0),
        };
        Area {
            seats: seats.iter().map(place).collect(),
            free: seats.iter().map(|(_, (free, ..))| *free).collect(),
            usable: Usable::Ordinary,
        }
    })
}

proptest! {
    #[test]
    fn adjacent_choices_are_all_in_order(area in areas(), count in 1_usize..=5) {
        let mut expected = area.sets(count);
        expected.retain(|seats| area.is_adjacent(seats));
        expected.sort_by(|one, other| area.order(one, other));
        let ranked = area.ranked(count, true, usize::MAX);
        prop_assert_eq!(ranked.iter().map(|choice| &choice.seats).collect::<Vec<_>>(), expected.iter().collect::<Vec<_>>());
        for choice in ranked {
            prop_assert_eq!(choice.leaves_single, area.leaves_single(&choice.seats));
        }
    }

    #[test]
    fn near_choices_are_nearest_in_order(area in areas(), count in 2_usize..=5) {
        let ranked = area.ranked(count, false, usize::MAX);
        let smallest = area.sets(count).iter().map(|seats| area.distance(seats)).min_by(f64::total_cmp);
        let best = ranked.first().map(|choice| area.distance(&choice.seats));
        prop_assert_eq!(best.is_none(), smallest.is_none());
        if let (Some(best), Some(smallest)) = (best, smallest) {
            let factor = if count == 2 { 1.0 } else { 2.0 };
            prop_assert!(best <= smallest * factor + 1e-9, "{best} instead of {smallest}");
        }
        for choice in &ranked {
            prop_assert!(area.sets(count).contains(&choice.seats));
            prop_assert!((f64::from(choice.distance) - area.distance(&choice.seats)).abs() < 1e-4);
            prop_assert_eq!(choice.leaves_single, area.leaves_single(&choice.seats));
        }
        for pair in ranked.windows(2) {
            let by_distance = pair[0].distance.total_cmp(&pair[1].distance);
            prop_assert!(by_distance.then(area.order(&pair[0].seats, &pair[1].seats)).is_lt());
        }
    }

    #[test]
    fn first_choice_is_one_of_best_eight(
        area in areas(), count in 1_usize..=5, adjacent: bool, random: u32, collisions: u32,
    ) {
        let best = area.ranked(count, adjacent, 8);
        let chosen = area.choose(count, adjacent, 0, random);
        prop_assert_eq!(chosen.is_none(), best.is_empty());
        if let Some(chosen) = chosen {
            prop_assert!(best.contains(&chosen));
            prop_assert!(chosen.leaves_single <= best[0].leaves_single);
        }
        let after_collisions = area.choose(count, adjacent, collisions, random);
        prop_assert_eq!(after_collisions.is_none(), best.is_empty());
        if let Some(chosen) = after_collisions {
            prop_assert!(area.ranked(count, adjacent, usize::MAX).contains(&chosen));
        }
    }
}

#[test]
fn single_seat_is_avoided() {
    // The middle of the first row would leave a single seat.
    assert_eq!(drawn(&["x...x", "....."]).best(2, true), [(1, 1), (1, 2)]);
    assert_eq!(drawn(&["x...x", "x...x"]).best(2, true), [(0, 1), (0, 2)]);
    // The end of a row and a gap are no neighbours.
    assert_eq!(drawn(&["...", "....."]).best(2, true), [(0, 0), (0, 1)]);
    assert_eq!(drawn(&["x... .", "......"]).best(2, true), [(0, 1), (0, 2)]);
}

#[test]
fn near_seats_form_a_block() {
    assert_eq!(drawn(&["......", "......", "......"]).best(4, false), [(0, 2), (0, 3), (1, 2), (1, 3)]);
    // In the middle, they would leave a single seat.
    assert_eq!(drawn(&["x.....", "......", "......"]).best(4, false), [(0, 1), (0, 2), (1, 1), (1, 2)]);
    assert_eq!(drawn(&["x.x.x.", ".x.x.x", "xx.x.x"]).best(3, false), [(0, 3), (1, 2), (2, 2)]);
}

#[test]
fn standing_area_has_places_for_many_buyers() {
    let seats = (0..1_000).map(|number| seat(0, number, 5.0, 5.0)).collect();
    let area = Area { seats, free: vec![true; 1_000], usable: Usable::Ordinary };
    // After two collisions, each of 128 buyers can get other places.
    let choices = (0..128).map(|buyer| area.choose(2, false, 2, buyer << 25).unwrap());
    assert_eq!(choices.flat_map(|choice| choice.seats).collect::<BTreeSet<_>>().len(), 256);
}

#[test]
fn standing_area_sells_every_place() {
    for adjacent in [false, true] {
        let seats = (0..1_000).map(|number| seat(0, number, 5.0, 5.0)).collect();
        let mut area = Area { seats, free: vec![true; 1_000], usable: Usable::Ordinary };
        while let Some(choice) = area.choose(10, adjacent, 0, 0) {
            choice.seats.iter().for_each(|seat| area.free[*seat] = false);
        }
        assert_eq!(area.free.iter().filter(|free| **free).count(), 0, "{adjacent}");
    }
}

#[test]
fn collisions_spread_choices_over_area() {
    let row = ".".repeat(40);
    let area = drawn(&[&row[..]; 25]);
    for (adjacent, collisions, expected) in [(true, 0, 1), (true, 1, 2), (true, 2, 5), (true, 3, 16), (false, 3, 16)] {
        let random = (0..u32::MAX).step_by(1 << 26);
        let items: BTreeSet<_> = random
            .flat_map(|random| area.choose(2, adjacent, collisions, random).unwrap().seats)
            .map(|seat| seat / 64)
            .collect();
        assert_eq!(items.len(), expected, "{adjacent} {collisions}");
    }
}

/// Returns the rows and numbers of the best choice of a group that can use these seats.
fn best_of(rows: &[&str], usable: Usable, count: usize, adjacent: bool) -> Vec<(u32, u32)> {
    Area { usable, ..drawn(rows) }.best(count, adjacent)
}

#[test]
fn ordinary_group_gets_no_seat_with_kind() {
    for adjacent in [false, true] {
        assert_eq!(best_of(&["wcv.."], Usable::Ordinary, 2, adjacent), [(0, 3), (0, 4)]);
        assert_eq!(best_of(&["wcv.."], Usable::Ordinary, 3, adjacent), []);
        assert_eq!(best_of(&["wcv.."], Usable::AnyView, 3, adjacent), [(0, 2), (0, 3), (0, 4)]);
        assert_eq!(best_of(&["wcv.."], Usable::AnyView, 4, adjacent), []);
    }
    // The ordinary seat between a taken one and a wheelchair place would stay single.
    assert_eq!(best_of(&["x...w"], Usable::Ordinary, 2, true), [(0, 1), (0, 2)]);
    assert_eq!(best_of(&["x...w", "....."], Usable::Ordinary, 2, true), [(1, 1), (1, 2)]);
}

#[test]
fn group_with_wheelchair_gets_wheelchair_place() {
    use Usable::{Wheelchair, WheelchairAndCompanion};
    for adjacent in [false, true] {
        assert_eq!(best_of(&["...", "..w"], Wheelchair, 1, adjacent), [(1, 2)]);
        assert_eq!(best_of(&["...", ".cw"], Wheelchair, 2, adjacent), []);
        assert_eq!(best_of(&["...", ".cw"], WheelchairAndCompanion, 2, adjacent), [(1, 1), (1, 2)]);
        assert_eq!(best_of(&["cc.", "..."], WheelchairAndCompanion, 2, adjacent), []);
        assert_eq!(
            best_of(&["wwcc"], WheelchairAndCompanion, 2, adjacent),
            [(0, 1), (0, 2)],
            "fewer wheelchair places"
        );
        assert_eq!(best_of(&["ww.."], WheelchairAndCompanion, 2, adjacent), [(0, 0), (0, 1)]);
    }
    // Apart, but in one area.
    assert_eq!(best_of(&["w..", "...", "..c"], WheelchairAndCompanion, 2, true), []);
    assert_eq!(best_of(&["w..", "...", "..c"], WheelchairAndCompanion, 2, false), [(0, 0), (2, 2)]);
    assert_eq!(best_of(&["w...w", "....c"], WheelchairAndCompanion, 2, false), [(0, 4), (1, 4)]);
    assert_eq!(best_of(&["w.w.."], WheelchairAndCompanion, 3, false), []);
}

#[test]
fn every_wheelchair_place_is_sold() {
    for adjacent in [false, true] {
        let mut area = Area { usable: Usable::WheelchairAndCompanion, ..drawn(&["cwwc", "wcw."]) };
        let mut sold = 0;
        while let Some(choice) = area.choose(1, adjacent, sold, u32::MAX) {
            choice.seats.iter().for_each(|seat| area.free[*seat] = false);
            sold += 1;
        }
        assert_eq!(sold, 4, "{adjacent}");
    }
}
