//! Count of drawn elements, including what references repeat.
//!
//! A dozen nested `<use>` elements, in less than a kilobyte, can draw a billion shapes and crash a browser. So can a
//! marker at each vertex of a long path, or a pattern that each shape of a group inherits. So elements count as often
//! as references draw them.

use std::{cmp::Reverse, collections::HashMap, mem};

use domain::violation::{DrawnElement, Position};

use super::{edge::Edge, syntax::is_generated_class};

/// Maximum number of drawn elements of an event, in all drawings together.
pub const MAX_DRAWN_ELEMENTS: u64 = 150_000;

/// Number of elements whose counts an error names.
const NAMED: usize = 3;

/// Numbers of a path or polygon that count as one more element.
const NUMBERS: usize = 4;

/// Number of drawn elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnElements {
    /// Count of all elements.
    pub total: u64,
    /// Elements that draw most by themselves and by their references, without their children.
    pub most: Vec<DrawnElement>,
}

/// Element, or an id, class or rule that elements refer to.
#[derive(Debug, Default)]
struct Node {
    element: Option<(&'static str, Position)>,
    own: Count,
    edges: Vec<(Edge, usize)>,
    /// Classes that a rule may select.
    classes: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    elements: u64,
    shapes: u64,
    vertices: u64,
}

impl Count {
    fn add(&mut self, other: Self, times: u64) {
        let sum = |one: u64, other: u64| one.saturating_add(other.saturating_mul(times));
        self.elements = sum(self.elements, other.elements);
        self.shapes = sum(self.shapes, other.shapes);
        self.vertices = sum(self.vertices, other.vertices);
    }

    fn max(self, other: Self) -> Self {
        Self {
            elements: self.elements.max(other.elements),
            shapes: self.shapes.max(other.shapes),
            vertices: self.vertices.max(other.vertices),
        }
    }
}

/// Elements of a drawing, or of all drawings on a page, with their references.
#[derive(Debug)]
pub struct References {
    /// Nodes; the first stands for the page.
    nodes: Vec<Node>,
    /// Nodes of each id, as `#id`, and of each class, as `.class` and for each kind of reference in its rules.
    names: HashMap<String, Vec<(Edge, usize)>>,
    /// Count of the drawing, without others on the page.
    pub drawn: DrawnElements,
}

/// Node of the page.
pub const PAGE: usize = 0;

/// Position of the page.
pub const START: Position = Position { line: 1, column: 1 };

impl Default for References {
    fn default() -> Self {
        Self { nodes: vec![Node::default()], names: HashMap::new(), drawn: DrawnElements::default() }
    }
}

impl References {
    /// Adds an element.
    pub(super) fn add_element(&mut self, parent: usize, name: &'static str, position: Position) -> usize {
        let is_shape = matches!(name, "circle" | "ellipse" | "line" | "path" | "polygon" | "polyline" | "rect")
            || matches!(name, "text" | "textPath" | "tspan");
        let own = Count { elements: 1, shapes: u64::from(is_shape), vertices: 0 };
        let node = self.add_node(Node { element: Some((name, position)), own, ..Node::default() });
        self.nodes[parent].edges.push((Edge::Child, node));
        node
    }

    pub(super) fn add_attribute(&mut self, element: usize, name: &str, value: &str) {
        match name {
            // A gradient is no drawing that a reference repeats.
            "id" if !self.is_gradient(element) => {
                // An XML parser reads line ends in attributes as spaces.
                let id = self.id(&value.replace(['\t', '\n', '\r'], " "));
                self.nodes[id].edges.push((Edge::Candidate, element));
            }
            "class" => {
                let classes = value.split_ascii_whitespace().filter(|class| is_generated_class(class));
                self.nodes[element].classes.extend(classes.map(|class| format!(".{class}")));
            }
            "d" | "points" => {
                let numbers = count_numbers(value);
                let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
                let own = &mut self.nodes[element].own;
                own.elements += (numbers / NUMBERS) as u64;
                own.vertices = numbers.max(letters) as u64;
            }
            _ => {}
        }
    }

    fn is_gradient(&self, node: usize) -> bool {
        matches!(self.nodes[node].element, Some(("linearGradient" | "radialGradient", _)))
    }

    /// Adds a reference of an element to an id.
    pub(super) fn add_reference(&mut self, element: usize, edge: Edge, id: &str) {
        let id = self.id(id);
        self.nodes[element].edges.push((edge, id));
    }

    /// Adds a rule of a style sheet, whose references are those of all elements with its classes.
    pub(super) fn add_rule(&mut self, classes: &[&str], references: &[(Edge, &str)]) {
        for edge in Edge::PROPERTIES {
            let ids = references.iter().filter(|reference| reference.0 == edge);
            let edges: Vec<_> = ids.map(|(_, id)| (Edge::Link, self.id(id))).collect();
            if edges.is_empty() {
                continue;
            }
            let rule = self.add_node(Node { edges, ..Node::default() });
            for class in classes {
                let class = self.named(format!(".{class}"), edge);
                self.nodes[class].edges.push((Edge::Link, rule));
            }
        }
    }

    /// Adds another drawing to the page, where drawings can refer to each other.
    pub fn merge(&mut self, other: Self) {
        let offset = self.nodes.len();
        self.nodes.extend(other.nodes);
        for node in &mut self.nodes[offset..] {
            node.edges.iter_mut().for_each(|(_, drawn)| *drawn += offset);
        }
        self.nodes[PAGE].edges.push((Edge::Child, offset));
        for (name, nodes) in other.names {
            for (edge, node) in nodes {
                // A name of the drawing stands for the elements or rules that have it on the page.
                let on_page = self.named(name.clone(), edge);
                let edges = mem::replace(&mut self.nodes[offset + node].edges, vec![(Edge::Link, on_page)]);
                self.nodes[on_page].edges.extend(edges);
            }
        }
    }

    /// Counts the drawn elements.
    ///
    /// # Errors
    ///
    /// Returns the position of an element that draws itself.
    pub fn count(&self) -> Result<DrawnElements, Position> {
        let counts = self.count_nodes()?;
        let without_children = |(node, count): (&Node, &Count)| {
            let (name, position) = node.element?;
            let children = node.edges.iter().filter(|(edge, _)| *edge == Edge::Child);
            let children = children.fold(0_u64, |sum, &(_, child)| sum.saturating_add(counts[child].elements));
            Some(DrawnElement { name, line: position.line, count: count.elements.saturating_sub(children) })
        };
        let mut most: Vec<_> = self.nodes.iter().zip(&counts).filter_map(without_children).collect();
        most.sort_by_key(|element| Reverse(element.count));
        most.truncate(NAMED);
        Ok(DrawnElements { total: counts[PAGE].elements, most })
    }

    /// Counts what each node draws; a node is counted after those that it draws.
    fn count_nodes(&self) -> Result<Vec<Count>, Position> {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            Open,
            Counted,
        }
        let mut states = vec![State::New; self.nodes.len()];
        let mut counts = vec![Count::default(); self.nodes.len()];
        // A stack of our own, because references may be chained a hundred thousand times.
        let mut pending = vec![PAGE];
        while let Some(&current) = pending.last() {
            if states[current] == State::New {
                states[current] = State::Open;
                for (_, drawn) in self.edges(current) {
                    match states[drawn] {
                        State::New => pending.push(drawn),
                        State::Open => {
                            let element = self.nodes[drawn].element.or(self.nodes[current].element);
                            return Err(element.map_or(START, |(_, position)| position));
                        }
                        State::Counted => {}
                    }
                }
            } else {
                if states[current] == State::Open {
                    states[current] = State::Counted;
                    counts[current] = self.count_node(current, &counts);
                }
                pending.pop();
            }
        }
        Ok(counts)
    }

    fn count_node(&self, node: usize, counts: &[Count]) -> Count {
        let mut count = self.nodes[node].own;
        let [mut masks, mut markers, mut vertex_markers, mut paints] = [Count::default(); 4];
        for (edge, drawn) in self.edges(node) {
            let drawn = counts[drawn];
            match edge {
                Edge::Child | Edge::Link => count.add(drawn, 1),
                Edge::Candidate => count = count.max(drawn),
                Edge::Mask => masks.add(drawn, 1),
                Edge::Marker => markers.add(drawn, 1),
                Edge::VertexMarker => vertex_markers.add(drawn, 1),
                Edge::Paint => paints.add(drawn, 1),
            }
        }
        let Count { shapes, vertices, .. } = count;
        count.add(markers, shapes);
        count.add(vertex_markers, vertices);
        // Shapes in masks and patterns do not inherit paint from what they mask and paint.
        let without_shapes = |count: Count| Count { elements: count.elements, ..Count::default() };
        count.add(without_shapes(paints), count.shapes);
        count.add(without_shapes(masks), 1);
        count
    }

    /// Returns the edges of a node, with those of its classes.
    fn edges(&self, node: usize) -> impl Iterator<Item = (Edge, usize)> {
        let Node { edges, classes, .. } = &self.nodes[node];
        edges.iter().chain(classes.iter().filter_map(|class| self.names.get(class)).flatten()).copied()
    }

    fn id(&mut self, id: &str) -> usize {
        self.named(format!("#{id}"), Edge::Link)
    }

    /// Returns the node of a name for a kind of reference.
    fn named(&mut self, name: String, edge: Edge) -> usize {
        let nodes = self.names.entry(name).or_default();
        if let Some((_, node)) = nodes.iter().find(|(other, _)| *other == edge) {
            return *node;
        }
        nodes.push((edge, self.nodes.len()));
        self.add_node(Node::default())
    }

    fn add_node(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }
}

/// Counts the numbers of a list, as in `M0-.5.5 1e-5`.
pub fn count_numbers(list: &str) -> usize {
    let (mut count, mut in_number, mut has_fraction, mut previous) = (0, false, false, b' ');
    for byte in list.bytes() {
        match byte {
            b'0'..=b'9' if in_number => {}
            b'.' if in_number && !has_fraction => has_fraction = true,
            b'0'..=b'9' | b'.' => {
                count += 1;
                in_number = true;
                has_fraction = byte == b'.';
            }
            b'e' | b'E' if in_number => has_fraction = true,
            b'+' | b'-' if in_number && matches!(previous, b'e' | b'E') => {}
            _ => in_number = false,
        }
        previous = byte;
    }
    count
}

#[cfg(test)]
mod tests;
