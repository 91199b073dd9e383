/**
 * The place of a new component in a group, as the server chooses it (`in_group.rs`), so that a component is shown where
 * it will be before the server has answered. `placement.cases.json` has cases for both.
 */
import { ancestorsOf } from '../containment/containment';
import { range, type Size } from '../drawing/card';
import metrics from '../drawing/card.json';
import { textWidth } from '../drawing/textMetrics';
import {
  boundingBox,
  containsRect,
  expandRect,
  GRID_SIZE,
  NODE_SIZE,
  overlaps,
  type Point,
  type Rect,
} from '../scene/geometry';
import {
  GROUP_PADDING,
  GROUP_TITLE_HEIGHT,
  groupBounds,
  groupFrame,
  nodeRects,
  type Scene,
} from '../scene/scene';
import spacing from './spacing.json';

/** Distance that a new component keeps to others. */
const MARGIN = 20;
/** Maximum number of columns and of rows that are tried. */
const MAX_TRACKS = 48;
/** Groups become about this much wider than high. */
const ASPECT = 1.8;

/**
 * A free cell of the group, otherwise the place where the group grows least into free room. `obstacles` are the areas of
 * notes and images. Null if there is no room, or if the group is not expanded.
 */
export function placeInGroup(
  scene: Scene,
  obstacles: readonly Rect[],
  group: string,
  size: Readonly<Size> = NODE_SIZE,
): Point | null {
  const { containment, indexOf, nodes } = scene;
  // Cards with their smallest size: they grow into free room only.
  const rects = nodeRects(scene);
  const rectOf = (id: string): Rect | undefined =>
    nodes[indexOf.get(id) ?? -1]?.id === id ? rects[indexOf.get(id) ?? -1] : undefined;
  const frame = rectOf(group);
  if (!frame || !nodes[indexOf.get(group) ?? -1]?.isGroup) return null;
  const parts = (containment.children.get(group) ?? []).flatMap((id) => rectOf(id) ?? []);
  const around = [group, ...ancestorsOf(containment, group)];
  const groups = around.flatMap((id) => {
    const rect = rectOf(id);
    const node = nodes[indexOf.get(id) ?? -1];
    return rect && node ? [{ rect, component: node.component }] : [];
  });
  const others = rects.filter((rect) => !groups.some((one) => one.rect === rect));
  const allOthers = [...others, ...obstacles];
  const isFree = ({ x, y }: Point): boolean => {
    const rect = { x, y, ...size };
    if (allOthers.some((other) => overlaps(expandRect(rect, MARGIN), other))) return false;
    let inner: Rect = rect;
    for (const { rect: before, component } of groups) {
      // A group without contents has only its own size, if it has one.
      const isEmpty = before === frame && parts.length === 0;
      const grown = groupFrame(component, isEmpty ? [inner] : [inner, inside(before)]);
      if (containsRect(before, grown)) return true;
      const [near, wide] = [expandRect(before, MARGIN), expandRect(grown, MARGIN)];
      // What was as close before may stay as close.
      if (allOthers.some((other) => overlaps(other, wide) && !overlaps(other, near))) return false;
      inner = grown;
    }
    return true;
  };
  const room = inside(frame);
  if (parts.length === 0) return isFree(room) ? { x: room.x, y: room.y } : null;
  return firstFree(cells(parts, frame, size), isFree);
}

/** Space that all shapes of cards need for their outline, at both sides together. */
const OUTLINE = 20;
/** How much longer a name is that is broken into lines. */
const BROKEN = 1.15;

/** The size of the card of a new component, for which the server looks for room (`card_size` in `geometry.rs`). */
export function expectedCardSize(name: string): Size {
  const { width, height, icon, name: face, note } = metrics;
  const length = textWidth(name, face.size);
  const room = (wide: number) => wide - OUTLINE - icon.size - icon.gap;
  const widths = range(width);
  const inOneLine = widths.find((wide) => length <= room(wide));
  const inLines = widths.find((wide) => length * BROKEN <= 2 * room(wide)) ?? width.max;
  const needed = OUTLINE + (inOneLine === undefined ? face.lines : 1) * face.line + note.line;
  const high = range(height).find((high) => high >= needed) ?? height.max;
  return { width: inOneLine ?? inLines, height: high };
}

/** The first free place of the first list that has one. */
function firstFree(lists: readonly (readonly Point[])[], isFree: (at: Point) => boolean): Point | null {
  for (const list of lists) {
    const free = list.find(isFree);
    if (free) return free;
  }
  return null;
}

/** The places to try, best first: in columns and rows of the contents, others inside the frame, and where the group grows. */
function cells(parts: readonly Rect[], frame: Rect, size: Readonly<Size>): Point[][] {
  const room = inside(frame);
  const bounds = boundingBox(parts) ?? room;
  const right = snapUp(bounds.x + bounds.width + spacing.node);
  const below = snapUp(bounds.y + bounds.height + spacing.node);
  const fits = (at: Point) => containsRect(room, { ...at, ...size });
  const aligned = cross(tracks(parts.map(({ x }) => x)), tracks(parts.map(({ y }) => y)));
  const columns = tracks([...parts.flatMap(({ x, width }) => [x, snapUp(x + width + spacing.node)]), room.x]);
  const rows = tracks([...parts.flatMap(({ y, height }) => [y, snapUp(y + height + spacing.node)]), room.y]);
  const all = cross(columns, rows);
  const growing = [
    ...rows.map((y) => ({ x: right, y })),
    ...columns.map((x) => ({ x, y: below })),
    ...all.filter((at) => !fits(at) && at.x >= room.x && at.y >= room.y),
  ];
  const reading = ({ x, y }: Point) => (y - frame.y) * 1000 + (x - frame.x);
  const grown = (at: Point) => {
    const { width, height } = boundingBox([frame, groupBounds({ ...at, ...size })]) ?? frame;
    return Math.max(width / ASPECT, height);
  };
  return [
    sortedBy(aligned.filter(fits), reading),
    sortedBy(all.filter(fits), reading),
    sortedBy(growing, grown),
  ];
}

/** The area for the contents of a group. */
function inside({ x, y, width, height }: Rect): Rect {
  return {
    x: x + GROUP_PADDING,
    y: y + GROUP_PADDING + GROUP_TITLE_HEIGHT,
    width: width - 2 * GROUP_PADDING,
    height: height - 2 * GROUP_PADDING - GROUP_TITLE_HEIGHT,
  };
}

function tracks(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b).slice(0, MAX_TRACKS);
}

function cross(columns: readonly number[], rows: readonly number[]): Point[] {
  return columns.flatMap((x) => rows.map((y) => ({ x, y })));
}

function sortedBy(points: readonly Point[], cost: (at: Point) => number): Point[] {
  return points
    .map((at) => ({ at, cost: cost(at) }))
    .sort((a, b) => a.cost - b.cost)
    .map(({ at }) => at);
}

function snapUp(value: number): number {
  return Math.ceil(value / GRID_SIZE) * GRID_SIZE;
}
