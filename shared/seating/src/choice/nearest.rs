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

    /// Returns a group of `count` points around a point, with the sum of the distances between all pairs.
    ///
    /// The group begins with the nearest points. While it makes the sum smaller, one of them is replaced by another point
    /// nearby.
    pub fn group(&self, centre: Point, count: usize) -> (Vec<usize>, f64) {
        let mut points = vec![centre];
        points.extend(self.nearest(centre, count - 1 + SPARE).into_iter().map(|(point, _)| point));
        let distance = |one: Point, other: Point| (one.x - other.x).hypot(one.y - other.y);
        let mut sums: Vec<_> =
            points.iter().map(|one| points[..count].iter().map(|other| distance(*one, *other)).sum::<f64>()).collect();
        loop {
            let sum = sums[..count].iter().sum::<f64>() / 2.0;
            let replacements = (0..count).flat_map(|out| (count..points.len()).map(move |new| (out, new)));
            let saved = |(out, new): (usize, usize)| sums[out] - sums[new] + distance(points[out], points[new]);
            let best = replacements
                .map(|replacement| (saved(replacement), replacement))
                .max_by(|(one, _), (other, _)| one.total_cmp(other));
            // A smaller saving may be an error of the additions, and be repeated for ever.
            let Some((_, (out, new))) = best.filter(|(saved, _)| *saved > sum * 1e-9) else {
                return (points[..count].iter().map(|point| point.id).collect(), sum);
            };
            for (sum, point) in sums.iter_mut().zip(&points) {
                *sum += distance(*point, points[new]) - distance(*point, points[out]);
            }
            points.swap(out, new);
            sums.swap(out, new);
        }
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
            nodes.iter().for_each(|node| self.add(node.point));
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
    let extent = |is_horizontal: bool| {
        let positions = || nodes.iter().map(|node| node.position(is_horizontal));
        positions().fold(f64::NEG_INFINITY, f64::max) - positions().fold(f64::INFINITY, f64::min)
    };
    let is_horizontal = extent(true) >= extent(false);
    let middle = nodes.len() / 2;
    let order = |one: &Node, other: &Node| one.position(is_horizontal).total_cmp(&other.position(is_horizontal));
    nodes.select_nth_unstable_by(middle, order);
    nodes[middle].is_horizontal = is_horizontal;
    let (before, after) = nodes.split_at_mut(middle);
    divide(before);
    divide(&mut after[1..]);
}
