//! Relations between the elements of a drawing.

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
    pub const PROPERTIES: [Self; 4] = [Self::Mask, Self::Marker, Self::VertexMarker, Self::Paint];
}
