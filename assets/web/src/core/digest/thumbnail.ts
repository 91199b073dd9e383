/** A thumbnail of a map: colored rectangles, lines, and outlines of groups. */
import type { Digest, DigestComponent } from './digest';

export interface Thumbnail {
  /** The `viewBox`. */
  viewBox: string;
  /** One path per color. */
  boxes: readonly { color: string; path: string }[];
  lines: string;
  outlines: string;
  /** The stroke width, in map units. */
  stroke: number;
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The approximate size of a component on the map. */
const WIDTH = 160;
const HEIGHT = 56;
/** The approximate size of the drawing. Nothing in it is smaller than `MIN_SIZE`. */
const SIZE = { width: 300, height: 140 };
const MIN_SIZE = 2.4;
const MARGIN = 0.06;
const MAX_LINES = 3000;

/** Draws the map; undefined if it is empty. */
export function drawThumbnail(
  { components, lines }: Digest,
  colorOf: (component: DigestComponent) => string,
): Thumbnail | null {
  const all = boundingBox(components.map(({ x, y }) => boxAt(x, y, 1)));
  if (!all) return null;
  const width = all.right - all.left;
  const height = all.bottom - all.top;
  const unit = Math.max(width / SIZE.width, height / SIZE.height);
  const grown = Math.max(1, (MIN_SIZE * unit) / HEIGHT);
  const boxes = components.map(({ x, y }) => boxAt(x, y, grown));
  const parents = parentsOf(lines);
  const byColor = new Map<string, string[]>();
  for (const [at, component] of components.entries()) {
    const box = boxes[at];
    if (!box || parents.has(at)) continue;
    const color = colorOf(component);
    const paths = byColor.get(color);
    if (paths) paths.push(rectangle(box));
    else byColor.set(color, [rectangle(box)]);
  }
  const drawn = lines.filter(({ contains }) => !contains).slice(0, MAX_LINES);
  return {
    viewBox: [
      all.left - width * MARGIN,
      all.top - height * MARGIN,
      width * (1 + 2 * MARGIN),
      height * (1 + 2 * MARGIN),
    ]
      .map(round)
      .join(' '),
    boxes: [...byColor].map(([color, paths]) => ({ color, path: paths.join('') })),
    lines: drawn.map(({ from, to }) => segment(boxes[from], boxes[to])).join(''),
    outlines: [...parents.keys()].map((at) => rectangle(outline(at, parents, boxes, new Set()))).join(''),
    stroke: round(unit * 0.8),
  };
}

function boxAt(x: number, y: number, grown: number): Box {
  const wide = (WIDTH * (grown - 1)) / 2;
  const high = (HEIGHT * (grown - 1)) / 2;
  return { left: x - wide, top: y - high, right: x + WIDTH + wide, bottom: y + HEIGHT + high };
}

function boundingBox(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null;
  const all = {
    left: Number.POSITIVE_INFINITY,
    top: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    bottom: Number.NEGATIVE_INFINITY,
  };
  for (const box of boxes) {
    all.left = Math.min(all.left, box.left);
    all.top = Math.min(all.top, box.top);
    all.right = Math.max(all.right, box.right);
    all.bottom = Math.max(all.bottom, box.bottom);
  }
  return all;
}

/** The children of each group. */
function parentsOf(lines: Digest['lines']): Map<number, number[]> {
  const parts = new Map<number, number[]>();
  for (const { from, to, contains } of lines) {
    if (!contains) continue;
    const known = parts.get(from);
    if (known) known.push(to);
    else parts.set(from, [to]);
  }
  return parts;
}

function outline(at: number, parts: Map<number, number[]>, boxes: readonly Box[], seen: Set<number>): Box {
  const own = boxes[at] ?? { left: 0, top: 0, right: 0, bottom: 0 };
  if (seen.has(at)) return own;
  seen.add(at);
  const inner = (parts.get(at) ?? []).map((part) => outline(part, parts, boxes, seen));
  const all = boundingBox([own, ...inner]) ?? own;
  const pad = inner.length > 0 ? 14 : 0;
  return { left: all.left - pad, top: all.top - pad, right: all.right + pad, bottom: all.bottom + pad };
}

function rectangle({ left, top, right, bottom }: Box): string {
  return `M${round(left)} ${round(top)}H${round(right)}V${round(bottom)}H${round(left)}z`;
}

function segment(from: Box | undefined, to: Box | undefined): string {
  if (!from || !to) return '';
  return `M${middle(from)}L${middle(to)}`;
}

function middle({ left, right, top, bottom }: Box): string {
  return `${round((left + right) / 2)} ${round((top + bottom) / 2)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
