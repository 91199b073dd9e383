/** The appearance of a map as plain shapes, from which images are drawn. */
import type { Catalogue, Component, Relationship } from '@/api/generated';
import { NODE_SIZE, type Point, type Rect } from '@/core/scene/geometry';
import { buildContainment, CONTAINS, type Containment } from '../containment/containment';

/** The rows to draw: all of them or a selection. */
export interface ExportModel {
  name: string;
  components: readonly Pick<Component, 'id' | 'name' | 'typeId' | 'x' | 'y'>[];
  relationships: readonly Pick<Relationship, 'id' | 'sourceId' | 'targetId' | 'typeId' | 'label'>[];
  catalogue: Pick<Catalogue, 'componentTypes' | 'relationTypes'>;
}

export interface ExportShape {
  id: string;
  name: string;
  type: string;
  color: string;
  rect: Rect;
  /** The nesting depth; groups are drawn before their contents. */
  depth: number;
  isGroup: boolean;
}

export interface ExportLine {
  id: string;
  from: Point;
  to: Point;
  label: string;
  color: string;
  directed: boolean;
  /** Whether the line starts and ends at the same component. */
  isLoop: boolean;
}

export interface ExportScene {
  name: string;
  bounds: Rect;
  /** Groups first, outermost first. */
  shapes: readonly ExportShape[];
  lines: readonly ExportLine[];
}

/** Padding of groups. */
const PADDING = 24;
/** Height of a group title. */
const TITLE_HEIGHT = 36;
/** Margin around the drawing. */
const MARGIN = 40;
/** Distance between parallel lines. */
const LINE_GAP = 14;
const GRAY = '#6b7280';

export function toExportScene({ name, components, relationships, catalogue }: ExportModel): ExportScene {
  const types = new Map(catalogue.componentTypes.map((type) => [type.id, type]));
  const kinds = new Map(catalogue.relationTypes.map((type) => [type.id, type]));
  const byId = new Map(components.map((component) => [component.id, component]));
  const containment = buildContainment(relationships, byId);
  const rects = new Map<string, Rect>();
  const depths = new Map<string, number>();
  for (const { id } of components)
    if (!containment.parent.has(id)) measure(id, 0, byId, containment.children, rects, depths);

  const shapes = components.map(({ id, name, typeId }): ExportShape => {
    const type = types.get(typeId);
    const rect = rects.get(id) ?? { x: 0, y: 0, ...NODE_SIZE };
    const isGroup = containment.children.has(id);
    return {
      id,
      name,
      type: type?.name ?? typeId,
      color: type?.color ?? GRAY,
      rect,
      depth: depths.get(id) ?? 0,
      isGroup,
    };
  });
  shapes.sort((one, other) => Number(other.isGroup) - Number(one.isGroup) || one.depth - other.depth);
  const lines = linesOf(relationships, rects, kinds);
  return { name, bounds: boundingBox([...rects.values()]), shapes, lines };
}

/** Measures a component; a group is as large as its contents need. Iterative, because nesting may be deep. */
function measure(
  root: string,
  depth: number,
  byId: ReadonlyMap<string, Point>,
  children: Containment['children'],
  rects: Map<string, Rect>,
  depths: Map<string, number>,
): void {
  const order: string[] = [];
  const open: [string, number][] = [[root, depth]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [id, level] = next;
    if (depths.has(id)) continue;
    depths.set(id, level);
    order.push(id);
    for (const child of children.get(id) ?? []) open.push([child, level + 1]);
  }
  for (const id of order.reverse()) {
    const { x, y } = byId.get(id) ?? { x: 0, y: 0 };
    const inner = (children.get(id) ?? []).flatMap((child) => rects.get(child) ?? []);
    rects.set(id, inner.length > 0 ? boxAround(inner) : { x, y, ...NODE_SIZE });
  }
}

function boxAround(inner: readonly Rect[]): Rect {
  const { x, y, width, height } = union(inner);
  return {
    x: x - PADDING,
    y: y - PADDING - TITLE_HEIGHT,
    width: width + 2 * PADDING,
    height: height + 2 * PADDING + TITLE_HEIGHT,
  };
}

function union(rects: readonly Rect[]): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of rects) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function boundingBox(rects: readonly Rect[]): Rect {
  if (rects.length === 0) return { x: 0, y: 0, width: 400, height: 200 };
  const { x, y, width, height } = union(rects);
  return { x: x - MARGIN, y: y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
}

function linesOf(
  relationships: ExportModel['relationships'],
  rects: ReadonlyMap<string, Rect>,
  kinds: ReadonlyMap<string, { color: string; directed: boolean; name: string }>,
): ExportLine[] {
  const counts = new Map<string, number>();
  const lines: ExportLine[] = [];
  for (const { id, sourceId, targetId, typeId, label } of relationships) {
    const [source, target] = [rects.get(sourceId), rects.get(targetId)];
    if (typeId === CONTAINS || !source || !target) continue;
    const kind = kinds.get(typeId);
    const pair = JSON.stringify([sourceId, targetId].sort());
    const count = counts.get(pair) ?? 0;
    counts.set(pair, count + 1);
    // 0, 1, -1, 2, -2 …: the first lies in the middle.
    const shift = (count % 2 === 0 ? -1 : 1) * Math.ceil(count / 2) * LINE_GAP;
    const [from, to] = ends(source, target, sourceId > targetId ? -shift : shift);
    lines.push({
      id,
      from,
      to,
      label: label || (kind?.name ?? typeId),
      color: kind?.color ?? GRAY,
      directed: kind?.directed ?? true,
      isLoop: sourceId === targetId,
    });
  }
  return lines;
}

/** The points where a line leaves one rectangle and enters the other. */
function ends(source: Rect, target: Rect, shift: number): [Point, Point] {
  const a = middle(source);
  const b = middle(target);
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy) || 1;
  const aside = { x: (-dy / length) * shift, y: (dx / length) * shift };
  const moved = (point: Point) => ({ x: point.x + aside.x, y: point.y + aside.y });
  return [border(source, moved(a), dx, dy), border(target, moved(b), -dx, -dy)];
}

function middle({ x, y, width, height }: Rect): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

/** The border point of a rectangle in a direction from a point inside. */
function border({ x, y, width, height }: Rect, from: Point, dx: number, dy: number): Point {
  if (dx === 0 && dy === 0) return { x: x + width, y: y + height / 2 };
  const right = dx > 0 ? (x + width - from.x) / dx : dx < 0 ? (x - from.x) / dx : Infinity;
  const down = dy > 0 ? (y + height - from.y) / dy : dy < 0 ? (y - from.y) / dy : Infinity;
  const part = Math.max(0, Math.min(right, down));
  return { x: from.x + dx * part, y: from.y + dy * part };
}
