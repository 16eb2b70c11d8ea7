//! Choice of the best free seats of an area, for buyers who do not pick seats themselves.
//!
//! [`Rows::choose`] takes one of the best choices at random, so that simultaneous buyers do not all want the same
//! seats.

mod nearest;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::seat_map::Seat;
use domain::seat_kind::{SeatKind, Usable};
use nearest::{Plane, Point};

/// Number of choices among which a buyer without a collision gets one.
const BEST: usize = 8;

/// Factor by which each collision widens the number of choices.
const WIDENING: usize = 4;

/// Number of collisions after which a buyer also gets a choice of less worth, rather than none.
const PATIENCE: u32 = 4;

/// Factor by which the seats of a choice of about equal worth may be farther from each other than those of the best.
const ABOUT_EQUAL: f32 = 1.25;

/// Maximum number of seats around which a nearby group is searched.
const CENTRES: usize = 2_048;

/// Maximum number of wheelchair places around which the nearest places are searched: those in the first rows. Halls
/// have fewer, but a hall of many of them must not take the time for each one.
const WHEELCHAIRS: usize = 256;

/// Seats that a buyer wants together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Number of seats, 1 to 10.
    pub count: usize,
    /// True if the seats must have one row and consecutive numbers.
    pub adjacent: bool,
    /// Seats that the group can use.
    pub usable: Usable,
}

/// Free seats of an area that one buyer may get.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Indexes of the seats in the area, in the order of row and number.
    pub seats: Vec<usize>,
    /// True if a free seat beside these would have two neighbours by number that are both taken.
    ///
    /// Nobody wants such a single seat. The end of a row, or a gap in its numbers, is no neighbour.
    pub leaves_single: bool,
    /// Sum of the distances between all pairs of the seats, or zero if the group is adjacent.
    pub distance: f32,
}

/// Seats of an area in the order of row and number.
///
/// It does not depend on which seats are free, so it can be kept as long as the hall does not change.
#[derive(Clone, Debug)]
pub struct Rows {
    places: Vec<Place>,
    rows: Vec<Row>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    /// Index of the seat in the area.
    index: usize,
    /// Index of its row.
    row: usize,
    cx: f64,
    cy: f64,
    kind: Option<SeatKind>,
    /// True if the place before has the same row and the number before.
    follows: bool,
}

#[derive(Clone, Debug)]
struct Row {
    places: Range<usize>,
    /// Middle between the smallest and the largest `cx`.
    middle: f64,
}

impl Rows {
    /// Sorts the seats of an area.
    #[must_use]
    pub fn new(seats: &[Seat]) -> Self {
        let mut order: Vec<_> = (0..seats.len()).collect();
        order.sort_unstable_by_key(|index| (seats[*index].row, seats[*index].number));
        let mut places: Vec<Place> = Vec::with_capacity(seats.len());
        let mut rows = Vec::new();
        for row in order.chunk_by(|one, next| seats[*one].row == seats[*next].row) {
            let start = places.len();
            let cx = || row.iter().map(|index| seats[*index].cx.value());
            let middle = f64::midpoint(cx().fold(f64::INFINITY, f64::min), cx().fold(f64::NEG_INFINITY, f64::max));
            places.extend(row.iter().enumerate().map(|(at, &index)| Place {
                index,
                row: rows.len(),
                cx: seats[index].cx.value(),
                cy: seats[index].cy.value(),
                kind: seats[index].kind,
                follows: at > 0 && seats[row[at - 1]].number + 1 == seats[index].number,
            }));
            rows.push(Row { places: start..places.len(), middle });
        }
        Self { places, rows }
    }

    /// Takes one of the best choices at random, or returns `None` if there are none.
    ///
    /// `is_free` gets the index of a seat in the area. Seats that the group cannot use count as taken.
    ///
    /// `collisions` counts how often other buyers were faster than this one. The first time, it is one of the best
    /// eight choices. Each collision makes them four times as many. From the first collision on, they have no seats in
    /// common, so they soon lie in all parts of the area.
    ///
    /// For the first three collisions they are also of about equal worth: they leave a single seat only if the best
    /// choice does, and their `distance` is at most a quarter larger.
    ///
    /// `random` is any number, uniformly distributed.
    #[must_use]
    pub fn choose(
        &self,
        is_free: impl Fn(usize) -> bool,
        group: Group,
        collisions: u32,
        random: u32,
    ) -> Option<Choice> {
        let limit = BEST.saturating_mul(WIDENING.saturating_pow(collisions));
        let mut choices = self.ranked(&self.free(is_free, group), group, limit, collisions > 0);
        if collisions < PATIENCE {
            let best = choices.first()?;
            let (leaves_single, distance) = (best.leaves_single, best.distance * ABOUT_EQUAL);
            choices.retain(|choice| choice.leaves_single <= leaves_single && choice.distance <= distance);
        }
        let index = (u64::from(random) * choices.len() as u64) >> u32::BITS;
        choices.into_iter().nth(usize::try_from(index).ok()?)
    }

    fn free(&self, is_free: impl Fn(usize) -> bool, group: Group) -> Vec<bool> {
        self.places.iter().map(|place| group.usable.includes(place.kind) && is_free(place.index)).collect()
    }

    /// Returns at most `limit` choices of free places, the best first; if they are `disjoint`, they have no seat in
    /// common.
    ///
    /// If the group is adjacent or one seat, a choice is better
    ///
    /// 1. if it leaves no single seat;
    /// 2. if its row is lower;
    /// 3. if the mean of its `cx` is nearer to the middle of the row;
    /// 4. if its numbers are lower.
    ///
    /// Otherwise the smaller `distance`, in seven digits, comes before these rules, and the row is the lowest one of
    /// its seats. An exact search would take too long for many seats. In an area with at most 2,048 free seats, the
    /// smallest distance of two seats is exact; that of more seats is nearly always exact, and less than twice as
    /// large. In a larger area, only 2,048 free seats are tried as the centre of a group: half of them in the first
    /// rows, half where free seats are nearest to each other.
    ///
    /// A group that needs a wheelchair place gets as few of them as possible, but one. If it need not be adjacent, its
    /// other seats are those nearest to that place.
    ///
    /// There are no choices only if the area has none.
    fn ranked(&self, free: &[bool], group: Group, limit: usize, disjoint: bool) -> Vec<Choice> {
        let mut choices = Vec::new();
        let mut used = vec![false; self.places.len()];
        let mut add = |choice: Choice| {
            if choices.len() < limit && !(disjoint && choice.seats.iter().any(|place| used[*place])) {
                choice.seats.iter().for_each(|place| used[*place] = true);
                choices.push(choice);
            }
            choices.len() < limit
        };
        if group.usable.needs_wheelchair() {
            self.rank_with_wheelchair(free, group).into_iter().all(&mut add);
        } else if group.adjacent || group.count == 1 {
            self.rank_adjacent(free, group.count, &mut add);
        } else {
            self.rank_near(free, group.count).into_iter().all(&mut add);
        }
        for seat in choices.iter_mut().flat_map(|choice| &mut choice.seats) {
            *seat = self.places[*seat].index;
        }
        choices
    }

    /// Adds choices of adjacent places, the best first, while `add` returns true.
    fn rank_adjacent(&self, free: &[bool], count: usize, mut add: impl FnMut(Choice) -> bool) {
        for leaves_single in [false, true] {
            for row in &self.rows {
                let mut choices = Vec::new();
                let mut free_together = 0;
                for last in row.places.clone() {
                    free_together = match free[last] {
                        true if self.places[last].follows => free_together + 1,
                        true => 1,
                        false => 0,
                    };
                    if free_together >= count {
                        let choice = last + 1 - count..last + 1;
                        if self.leaves_single(free, choice.clone(), |place| choice.contains(&place)) == leaves_single {
                            choices.push((self.off_middle(choice.clone()), choice));
                        }
                    }
                }
                choices.sort_by(|(one, _), (other, _)| one.total_cmp(other));
                for (_, choice) in choices {
                    if !add(Choice { seats: choice.collect(), leaves_single, distance: 0.0 }) {
                        return;
                    }
                }
            }
        }
    }

    /// Returns choices with a wheelchair place, the best first.
    fn rank_with_wheelchair(&self, free: &[bool], group: Group) -> Vec<Choice> {
        let mut choices = Vec::new();
        if group.adjacent || group.count == 1 {
            self.rank_adjacent(free, group.count, |choice| {
                choices.push(choice);
                true
            });
        } else {
            choices = self.around_wheelchairs(free, group.count);
        }
        let wheelchairs = |choice: &Choice| choice.seats.iter().filter(|place| self.has_wheelchair(**place)).count();
        choices.retain(|choice| wheelchairs(choice) > 0);
        choices.sort_by_key(wheelchairs);
        choices
    }

    /// Returns each wheelchair place with the places nearest to it, first those of companions; the nearest choices
    /// first.
    fn around_wheelchairs(&self, free: &[bool], count: usize) -> Vec<Choice> {
        let usable = (0..self.places.len()).filter(|place| free[*place]);
        let (wheelchairs, companions): (Vec<_>, Vec<_>) = usable.partition(|place| self.has_wheelchair(*place));
        if wheelchairs.len() + companions.len() < count {
            return Vec::new();
        }
        let plane = |places: &[usize]| Plane::new(places.iter().map(|place| self.point(*place)).collect());
        let planes = [plane(&companions), plane(&wheelchairs)];
        let around = |place: &usize| {
            let nearest = planes.iter().flat_map(|plane| plane.nearest(self.point(*place), count - 1));
            let mut seats: Vec<_> =
                [*place].into_iter().chain(nearest.map(|(point, _)| point.id)).take(count).collect();
            seats.sort_unstable();
            let leaves_single = self.leaves_single(free, seats.iter().copied(), |place| seats.contains(&place));
            Choice { distance: self.distance(&seats), seats, leaves_single }
        };
        let mut choices: Vec<_> = wheelchairs.iter().take(WHEELCHAIRS).map(around).collect();
        choices.sort_by(|one, other| one.distance.total_cmp(&other.distance));
        choices
    }

    fn has_wheelchair(&self, place: usize) -> bool {
        self.places[place].kind == Some(SeatKind::Wheelchair)
    }

    fn point(&self, place: usize) -> Point {
        Point { x: self.places[place].cx, y: self.places[place].cy, id: place }
    }

    /// Returns the sum of the distances between all pairs of places.
    fn distance(&self, places: &[usize]) -> f32 {
        let points: Vec<_> = places.iter().map(|place| self.point(*place)).collect();
        let pairs = points.iter().enumerate().flat_map(|(at, one)| points[..at].iter().map(move |other| (one, other)));
        rounded(pairs.map(|(one, other)| (one.x - other.x).hypot(one.y - other.y)).sum())
    }

    /// Returns choices of places that are near to each other, the best first.
    ///
    /// Each place is the centre of choices that begin with the nearest places and are then improved. A choice of the
    /// smallest distance `d` has a place with distances to the others of at most `2 * d / count` together. So the
    /// nearest ones of that place have at most this sum, and by the triangle inequality less than `2 * d` between all
    /// pairs.
    fn rank_near(&self, free: &[bool], count: usize) -> Vec<Choice> {
        let mut centres: Vec<_> = (0..self.places.len()).filter(|place| free[*place]).collect();
        if centres.len() < count {
            return Vec::new();
        }
        let mut groups = self.in_one_spot(&centres, count);
        if groups.is_empty() {
            let plane = Plane::new(centres.iter().map(|place| self.point(*place)).collect());
            if centres.len() > CENTRES {
                centres.truncate(CENTRES / 2);
                centres.extend(plane.dense(CENTRES / 2));
            }
            groups = centres.into_iter().flat_map(|centre| plane.groups(self.point(centre), count)).collect();
        }
        for (seats, _) in &mut groups {
            seats.sort_unstable();
        }
        groups.sort_by(|(one, _), (other, _)| one.cmp(other));
        groups.dedup_by(|(one, _), (other, _)| one == other);
        let mut choices: Vec<_> = groups
            .into_iter()
            .map(|(seats, distance)| {
                let leaves_single = self.leaves_single(free, seats.iter().copied(), |place| seats.contains(&place));
                let off_middle = self.off_middle(seats.iter().copied());
                (off_middle, Choice { seats, leaves_single, distance: rounded(distance) })
            })
            .collect();
        choices.sort_by(|(off_middle, one), (other_off_middle, other)| {
            let worth = |choice: &Choice| (choice.leaves_single, self.places[choice.seats[0]].row);
            let by_distance = one.distance.total_cmp(&other.distance).then(worth(one).cmp(&worth(other)));
            by_distance.then(off_middle.total_cmp(other_off_middle)).then(one.seats.cmp(&other.seats))
        });
        choices.into_iter().map(|(_, choice)| choice).collect()
    }

    /// Returns groups of places in one spot, as in a standing area: each free place with those that follow there.
    fn in_one_spot(&self, free: &[usize], count: usize) -> Vec<(Vec<usize>, f64)> {
        let spot = |place: usize| (self.places[place].cx, self.places[place].cy);
        let mut places = free.to_vec();
        places.sort_by(|one, other| {
            let ((x, y), (other_x, other_y)) = (spot(*one), spot(*other));
            x.total_cmp(&other_x).then(y.total_cmp(&other_y)).then(one.cmp(other))
        });
        let spots = places.chunk_by(|one, next| spot(*one) == spot(*next));
        spots.flat_map(|places| places.windows(count)).map(|group| (group.to_vec(), 0.0)).collect()
    }

    /// Returns true if a free neighbour of the chosen places would have two neighbours that are taken.
    fn leaves_single(
        &self,
        free: &[bool],
        chosen: impl IntoIterator<Item = usize>,
        is_chosen: impl Fn(usize) -> bool,
    ) -> bool {
        let before = |place: usize| self.places[place].follows.then(|| place - 1);
        let after = |place: usize| self.places.get(place + 1).filter(|next| next.follows).map(|_| place + 1);
        let is_left = |place: usize| free[place] && !is_chosen(place);
        let is_taken = |place: usize| !is_left(place);
        chosen.into_iter().any(|place| {
            before(place).is_some_and(|left| is_left(left) && before(left).is_some_and(is_taken))
                || after(place).is_some_and(|right| is_left(right) && after(right).is_some_and(is_taken))
        })
    }

    /// Returns the distance between the mean `cx` of places and the middle of the row of the first one.
    fn off_middle(&self, places: impl IntoIterator<Item = usize>) -> f64 {
        let (mut sum, mut count, mut middle) = (0.0, 0.0, 0.0);
        for place in places {
            if count == 0.0 {
                middle = self.rows[self.places[place].row].middle;
            }
            sum += self.places[place].cx;
            count += 1.0;
        }
        (sum / count - middle).abs()
    }
}

/// Rounds a sum of distances to seven digits, so that errors of its additions do not decide which choice is better.
#[expect(clippy::cast_possible_truncation, reason = "rounding is the purpose, and a sum is far below the maximum")]
fn rounded(sum: f64) -> f32 {
    sum as f32
}
