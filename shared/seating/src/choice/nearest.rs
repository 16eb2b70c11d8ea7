//! Search for points of a plane that are near to each other.

/// Maximum number of points in a leaf of the tree.
const LEAF: usize = 8;

/// Number of points beyond those of a group that may replace some of them.
const SPARE: usize = 14;

/// Point of a plane.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Horizontal coordinate.
    pub x: f64,
    /// Vertical coordinate.
    pub y: f64,
    /// Number that is different for each point.
    pub id: usize,
}

/// Points of a plane, in a k-d tree.
///
/// The middle point of a slice divides the others, along the axis in which they extend farther.
#[derive(Clone, Debug)]
pub struct Plane {
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    point: Point,
    is_horizontal: bool,
}

/// Nearest points found so far, in the order of the squares of their distances.
struct Nearest {
    from: Point,
    found: Vec<(Point, f64)>,
    count: usize,
}

impl Plane {
    /// Builds the tree.
    pub fn new(points: Vec<Point>) -> Self {
        let mut nodes: Vec<_> = points.into_iter().map(|point| Node { point, is_horizontal: true }).collect();
        divide(&mut nodes);
        Self { nodes }
    }

    /// Returns the `count` points nearest to a point, except itself, with their distances, the nearest first.
    pub fn nearest(&self, from: Point, count: usize) -> Vec<(Point, f64)> {
        let mut nearest = Nearest { from, found: Vec::with_capacity(count + 1), count };
        nearest.visit(&self.nodes);
        nearest.found.iter_mut().for_each(|(_, square)| *square = square.sqrt());
        nearest.found
    }

    /// Returns groups of `count` points around a point, each with the sum of the distances between all pairs.
    ///
    /// A group begins with the nearest points. While it makes the sum smaller, one of them is replaced by another point
    /// nearby. Of points that are equally near, each group prefers those in another direction.
    pub fn groups(&self, centre: Point, count: usize) -> Vec<(Vec<usize>, f64)> {
        let mut points = vec![(centre, 0.0)];
        points.extend(self.nearest(centre, count - 1 + SPARE));
        let distance = |one: Point, other: Point| (one.x - other.x).hypot(one.y - other.y);
        let distances: Vec<Vec<_>> =
            points.iter().map(|(one, _)| points.iter().map(|(other, _)| distance(*one, *other)).collect()).collect();
        let group = |(right, down): (f64, f64)| {
            let along = |point: Point| (point.x - centre.x) * right + (point.y - centre.y) * down;
            let mut order: Vec<_> = (0..points.len()).collect();
            order[1..].sort_by(|one, other| {
                let ((one, near), (other, far)) = (points[*one], points[*other]);
                near.total_cmp(&far).then(along(other).total_cmp(&along(one)))
            });
            let sum = improve(&distances, &mut order, count);
            (order[..count].iter().map(|point| points[*point].0.id).collect(), sum)
        };
        [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)].map(group).into()
    }

    /// Returns at most `count` points, from the parts in which points are nearest to each other.
    pub fn dense(&self, count: usize) -> Vec<usize> {
        let mut leaves = Vec::new();
        collect_leaves(&self.nodes, &mut leaves);
        let extent = |leaf: &[Node]| extent(leaf, true) + extent(leaf, false);
        let mut leaves: Vec<_> = leaves.into_iter().map(|leaf| (extent(leaf), leaf)).collect();
        leaves.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        leaves.into_iter().flat_map(|(_, leaf)| leaf).map(|node| node.point.id).take(count).collect()
    }
}

/// Replaces points among the first `count` while that makes the sum of their distances smaller, and returns the sum.
fn improve(distances: &[Vec<f64>], order: &mut [usize], count: usize) -> f64 {
    let mut sums: Vec<_> =
        distances.iter().map(|from| order[..count].iter().map(|to| from[*to]).sum::<f64>()).collect();
    loop {
        let sum = order[..count].iter().map(|point| sums[*point]).sum::<f64>() / 2.0;
        // A smaller saving may be an error of the additions, and be repeated for ever.
        let error = sum * 1e-9;
        let (mut best, mut replacement) = (error, None);
        for new in count..order.len() {
            for out in 0..count {
                let (to, from) = (order[new], order[out]);
                let saved = sums[from] - sums[to] + distances[from][to];
                if saved > best + error {
                    (best, replacement) = (saved, Some((out, new)));
                }
            }
        }
        let Some((out, new)) = replacement else { return sum };
        for (sum, from) in sums.iter_mut().zip(distances) {
            *sum += from[order[new]] - from[order[out]];
        }
        order.swap(out, new);
    }
}

impl Node {
    fn position(&self, is_horizontal: bool) -> f64 {
        if is_horizontal { self.point.x } else { self.point.y }
    }
}

impl Nearest {
    fn visit(&mut self, nodes: &[Node]) {
        if nodes.len() <= LEAF {
            for node in nodes {
                self.add(node.point);
            }
            return;
        }
        let (before, after) = nodes.split_at(nodes.len() / 2);
        let Some((node, after)) = after.split_first() else { return };
        let axis = if node.is_horizontal { self.from.x - node.point.x } else { self.from.y - node.point.y };
        let (near, far) = if axis < 0.0 { (before, after) } else { (after, before) };
        self.visit(near);
        if axis * axis < self.farthest() {
            self.add(node.point);
            self.visit(far);
        }
    }

    fn add(&mut self, point: Point) {
        let (x, y) = (point.x - self.from.x, point.y - self.from.y);
        let square = x * x + y * y;
        if square < self.farthest() && point.id != self.from.id {
            let at = self.found.iter().rposition(|(_, other)| *other <= square).map_or(0, |at| at + 1);
            self.found.insert(at, (point, square));
            self.found.truncate(self.count);
        }
    }

    /// Returns the square of the distance that a further point must be below.
    fn farthest(&self) -> f64 {
        if self.found.len() < self.count { f64::INFINITY } else { self.found[self.count - 1].1 }
    }
}

fn divide(nodes: &mut [Node]) {
    if nodes.len() <= LEAF {
        return;
    }
    let is_horizontal = extent(nodes, true) >= extent(nodes, false);
    let middle = nodes.len() / 2;
    let order = |one: &Node, other: &Node| one.position(is_horizontal).total_cmp(&other.position(is_horizontal));
    nodes.select_nth_unstable_by(middle, order);
    nodes[middle].is_horizontal = is_horizontal;
    let (before, after) = nodes.split_at_mut(middle);
    divide(before);
    divide(&mut after[1..]);
}

/// Collects the leaves of a tree; the points that divide them are in none.
fn collect_leaves<'a>(nodes: &'a [Node], leaves: &mut Vec<&'a [Node]>) {
    if nodes.len() <= LEAF {
        leaves.push(nodes);
        return;
    }
    let (before, after) = nodes.split_at(nodes.len() / 2);
    collect_leaves(before, leaves);
    collect_leaves(&after[1..], leaves);
}

fn extent(nodes: &[Node], is_horizontal: bool) -> f64 {
    let positions = || nodes.iter().map(|node| node.position(is_horizontal));
    positions().fold(f64::NEG_INFINITY, f64::max) - positions().fold(f64::INFINITY, f64::min)
}
