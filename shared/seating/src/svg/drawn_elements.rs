//! Count of drawn elements, including what references repeat.
//!
//! A dozen nested `<use>` elements, in less than a kilobyte, can draw a billion shapes and crash a browser. So can a
//! marker at each vertex of a long path, or a pattern that each shape of a group inherits. So elements count as often
//! as references draw them.

use std::collections::HashMap;

use domain::violation::DrawnElement;

use super::style_sheet::is_generated_class;

/// Maximum number of drawn elements of an event, in all drawings together.
pub const MAX_DRAWN_ELEMENTS: u64 = 150_000;

/// Number of elements whose counts an error names.
const NAMED: usize = 3;

/// Quarters of an element. Four numbers of a path, or four stops of a gradient, count as one element.
const ELEMENT: u64 = 4;

/// Bytes of text and attributes that count as an element, so that references cannot repeat a long text for nothing.
const BYTES: usize = 1_000;

/// Number of drawn elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnElements {
    /// Count of all elements.
    pub total: u64,
    /// Elements that draw most by themselves and by their references, without their children.
    pub most: Vec<DrawnElement>,
}

/// Relation of an element to others that it draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    Child,
    /// Copy with everything in it.
    Link,
    /// Element with the id that the node stands for; if several have it, the largest counts.
    Candidate,
    /// Mask or clip path, once for the element.
    Mask,
    /// Marker at the ends of each line in the element.
    Marker,
    /// Marker at each vertex in the element.
    VertexMarker,
    /// Fill or stroke of each shape in the element, also in markers.
    Paint,
}

impl Edge {
    /// References in properties.
    const PROPERTIES: [Self; 4] = [Self::Mask, Self::Marker, Self::VertexMarker, Self::Paint];
}

/// Element, or an id, class or rule that elements refer to.
#[derive(Debug, Default)]
struct Node {
    element: Option<Element>,
    own: Count,
    bytes: usize,
    edges: Vec<(Edge, usize)>,
}

#[derive(Clone, Copy, Debug)]
struct Element {
    name: &'static str,
    /// Offset in its drawing.
    at: usize,
    line: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    quarters: u64,
    shapes: u64,
    vertices: u64,
}

impl Count {
    fn add(&mut self, other: Self, times: u64) {
        let sum = |one: u64, other: u64| one.saturating_add(other.saturating_mul(times));
        self.quarters = sum(self.quarters, other.quarters);
        self.shapes = sum(self.shapes, other.shapes);
        self.vertices = sum(self.vertices, other.vertices);
    }

    fn max(self, other: Self) -> Self {
        Self {
            quarters: self.quarters.max(other.quarters),
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
    ids: HashMap<String, usize>,
    /// Classes that a rule may select, as places in `class_nodes`.
    classes: HashMap<String, usize>,
    /// Nodes of each class for each kind of reference in properties; those of the page if there are none.
    class_nodes: Vec<[usize; Edge::PROPERTIES.len()]>,
    /// Elements with their classes, in ascending order of the elements.
    styled: Vec<(usize, usize)>,
    /// Count of the drawing, without others on the page.
    pub(super) drawn: DrawnElements,
}

/// Node of the page.
pub const PAGE: usize = 0;

impl Default for References {
    fn default() -> Self {
        Self {
            nodes: vec![Node::default()],
            ids: HashMap::new(),
            classes: HashMap::new(),
            class_nodes: Vec::new(),
            styled: Vec::new(),
            drawn: DrawnElements::default(),
        }
    }
}

impl References {
    /// Adds an element at an offset and line.
    pub(super) fn add_element(&mut self, parent: usize, name: &'static str, at: usize, line: usize) -> usize {
        let quarters = match name {
            "linearGradient" | "radialGradient" => 0,
            "stop" => 1,
            _ => ELEMENT,
        };
        let is_shape = matches!(name, "circle" | "ellipse" | "line" | "path" | "polygon" | "polyline" | "rect")
            || matches!(name, "text" | "textPath" | "tspan");
        let own = Count { quarters, shapes: u64::from(is_shape), vertices: 0 };
        let node = self.add_node(Node { element: Some(Element { name, at, line }), own, ..Node::default() });
        self.nodes[parent].edges.push((Edge::Child, node));
        node
    }

    pub(super) fn add_attribute(&mut self, element: usize, name: &str, value: &str) {
        self.add_text(element, value.len());
        match name {
            "id" => {
                // An XML parser reads line ends in attributes as spaces.
                let id = self.id(&value.replace(['\t', '\n', '\r'], " "));
                self.nodes[id].edges.push((Edge::Candidate, element));
            }
            "class" => {
                for class in value.split_ascii_whitespace().filter(|class| is_generated_class(class)) {
                    let class = self.class(class);
                    self.styled.push((element, class));
                }
            }
            "d" | "points" => {
                let numbers = count_numbers(value);
                let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
                let Node { own, bytes, .. } = &mut self.nodes[element];
                own.quarters += numbers as u64;
                own.vertices = numbers.max(letters) as u64;
                // Numbers count already.
                *bytes -= value.len().min(100 * numbers);
            }
            _ => {}
        }
    }

    /// Adds the length of a text in an element.
    pub(super) fn add_text(&mut self, element: usize, bytes: usize) {
        self.nodes[element].bytes += bytes;
    }

    /// Adds a comment, which a link copies like an element.
    pub(super) fn add_comment(&mut self, parent: usize, bytes: usize) {
        self.nodes[parent].own.quarters += ELEMENT;
        self.add_text(parent, bytes);
    }

    /// Adds the link of an element to an id.
    pub(super) fn add_link(&mut self, element: usize, id: &str) {
        let id = self.id(id);
        self.nodes[element].edges.push((Edge::Link, id));
    }

    /// Adds a reference in a property of an element.
    pub(super) fn add_reference(&mut self, element: usize, edge: Edge, id: &str) {
        let id = self.id(id);
        self.nodes[element].edges.push((edge, id));
    }

    /// Adds a rule of a style sheet, whose references are those of all elements with its classes.
    pub(super) fn add_rule(&mut self, classes: &[&str], references: &[(Edge, &str)]) {
        for (property, edge) in Edge::PROPERTIES.into_iter().enumerate() {
            let ids = references.iter().filter(|reference| reference.0 == edge);
            let edges: Vec<_> = ids.map(|(_, id)| (Edge::Link, self.id(id))).collect();
            if edges.is_empty() {
                continue;
            }
            let rule = self.add_node(Node { edges, ..Node::default() });
            for class in classes {
                let class = self.class(class);
                let mut node = self.class_nodes[class][property];
                if node == PAGE {
                    node = self.add_node(Node::default());
                    self.class_nodes[class][property] = node;
                }
                self.nodes[node].edges.push((Edge::Link, rule));
            }
        }
    }

    /// Adds another drawing to the page, where drawings can refer to each other.
    pub fn merge(&mut self, other: Self) {
        if self.nodes.len() == 1 {
            *self = other;
            return;
        }
        let offset = self.nodes.len();
        self.nodes.extend(other.nodes);
        for node in &mut self.nodes[offset..] {
            node.edges.iter_mut().for_each(|(_, drawn)| *drawn += offset);
        }
        self.nodes[PAGE].edges.push((Edge::Child, offset));
        for (id, node) in other.ids {
            let first = *self.ids.entry(id).or_insert(node + offset);
            self.unite(first, node + offset);
        }
        let mut classes = vec![0; other.class_nodes.len()];
        for (name, other_class) in other.classes {
            let class = self.class(&name);
            classes[other_class] = class;
            let nodes = other.class_nodes[other_class].into_iter().enumerate();
            for (property, node) in nodes.filter(|(_, node)| *node != PAGE) {
                if self.class_nodes[class][property] == PAGE {
                    self.class_nodes[class][property] = node + offset;
                }
                self.unite(self.class_nodes[class][property], node + offset);
            }
        }
        self.styled.extend(other.styled.into_iter().map(|(element, class)| (element + offset, classes[class])));
    }

    /// Lets the first node of a name stand for the elements or rules of both.
    fn unite(&mut self, first: usize, node: usize) {
        if first != node {
            let edges = std::mem::replace(&mut self.nodes[node].edges, vec![(Edge::Link, first)]);
            self.nodes[first].edges.extend(edges);
        }
    }

    /// Returns the count of a drawing, without others on the page.
    #[must_use]
    pub const fn drawn(&self) -> &DrawnElements {
        &self.drawn
    }

    /// Counts the drawn elements.
    ///
    /// # Errors
    ///
    /// Returns the offset of an element that draws itself.
    pub fn count(&self) -> Result<DrawnElements, usize> {
        let counts = self.count_nodes()?;
        let mut most: Vec<DrawnElement> = Vec::new();
        for (node, count) in self.nodes.iter().zip(&counts) {
            let Some(Element { name, line, .. }) = node.element else { continue };
            let children = node.edges.iter().filter(|(edge, _)| *edge == Edge::Child);
            let children = children.fold(0_u64, |sum, &(_, child)| sum.saturating_add(counts[child].quarters));
            let count = count.quarters.saturating_sub(children) / ELEMENT;
            if most.len() < NAMED || most.last().is_some_and(|least| count > least.count) {
                let place = most.partition_point(|other| other.count >= count);
                most.insert(place, DrawnElement { name, line, count });
                most.truncate(NAMED);
            }
        }
        Ok(DrawnElements { total: counts[PAGE].quarters / ELEMENT, most })
    }

    /// Counts what each node draws; a node is counted after those that it draws.
    fn count_nodes(&self) -> Result<Vec<Count>, usize> {
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
                            return Err(element.map_or(0, |element| element.at));
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
        let Node { own: mut count, bytes, .. } = self.nodes[node];
        count.quarters += ELEMENT * (bytes / BYTES) as u64;
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
        let without_shapes = |count: Count| Count { quarters: count.quarters, ..Count::default() };
        count.add(without_shapes(paints), count.shapes);
        count.add(without_shapes(masks), 1);
        count
    }

    /// Returns the edges of a node, with those of its classes.
    fn edges(&self, node: usize) -> impl Iterator<Item = (Edge, usize)> {
        let start = self.styled.partition_point(|(element, _)| *element < node);
        let classes = self.styled[start..].iter().take_while(move |(element, _)| *element == node);
        let of_classes = classes.flat_map(|(_, class)| {
            let nodes = self.class_nodes[*class];
            Edge::PROPERTIES.into_iter().zip(nodes).filter(|(_, node)| *node != PAGE)
        });
        self.nodes[node].edges.iter().copied().chain(of_classes)
    }

    fn id(&mut self, id: &str) -> usize {
        if let Some(&node) = self.ids.get(id) {
            return node;
        }
        let node = self.add_node(Node::default());
        self.ids.insert(id.to_owned(), node);
        node
    }

    fn class(&mut self, name: &str) -> usize {
        if let Some(&class) = self.classes.get(name) {
            return class;
        }
        self.classes.insert(name.to_owned(), self.class_nodes.len());
        self.class_nodes.push([PAGE; Edge::PROPERTIES.len()]);
        self.class_nodes.len() - 1
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
