//! Points and rectangles in map units, with y pointing down.

/// The largest coordinate and size that are drawn; larger ones are replaced by it. Values of the API are smaller.
const FARTHEST: f64 = 1e7;

/// A point.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Point {
    /// Distance to the right.
    pub x: f64,
    /// Distance downward.
    pub y: f64,
}

impl Point {
    /// The closest point that can be drawn.
    #[must_use]
    pub fn near(self) -> Self {
        Self { x: near(self.x), y: near(self.y) }
    }
}

/// A rectangle.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Rect {
    /// The closest rectangle that can be drawn.
    #[must_use]
    pub fn near(self) -> Self {
        Self { x: near(self.x), y: near(self.y), width: near(self.width), height: near(self.height) }
    }

    /// The right edge.
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    /// The bottom edge.
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    /// The center.
    pub fn center(&self) -> Point {
        Point { x: self.x + self.width / 2.0, y: self.y + self.height / 2.0 }
    }

    /// Expanded by a margin on all sides.
    #[must_use]
    pub fn expanded(&self, by: f64) -> Self {
        Self { x: self.x - by, y: self.y - by, width: self.width + 2.0 * by, height: self.height + 2.0 * by }
    }

    /// Whether the insides of both have a common point.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }

    /// Whether `inner` is inside.
    pub fn contains(&self, inner: &Self) -> bool {
        self.x <= inner.x && self.y <= inner.y && inner.right() <= self.right() && inner.bottom() <= self.bottom()
    }
}

impl From<Point> for Rect {
    fn from(Point { x, y }: Point) -> Self {
        Self { x, y, width: 0.0, height: 0.0 }
    }
}

fn near(number: f64) -> f64 {
    if number.is_nan() { 0.0 } else { number.clamp(-FARTHEST, FARTHEST) }
}

/// The bounding box of all rectangles, or `None` if there are none.
pub fn bounding_box(rects: impl IntoIterator<Item = Rect>) -> Option<Rect> {
    let mut rects = rects.into_iter();
    let first = rects.next()?;
    let start = (first.x, first.y, first.right(), first.bottom());
    let (left, top, right, bottom) = rects.fold(start, |(left, top, right, bottom), rect| {
        (left.min(rect.x), top.min(rect.y), right.max(rect.right()), bottom.max(rect.bottom()))
    });
    Some(Rect { x: left, y: top, width: right - left, height: bottom - top })
}
