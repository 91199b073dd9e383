/** Converts a map to plain shapes, from which images are drawn. */
import type { Catalogue, Component, Relationship } from '@/api/generated';
import { MIN_CARD_SIZE, type Size } from '@/core/drawing/card';
import type { PlacedLabel } from '@/core/route/labels';
import type { LineRoutes } from '@/core/route/mapRoutes';
import { containsPoint, type Point, type Rect } from '@/core/scene/geometry';
import { groupFrame } from '@/core/scene/scene';
import { buildContainment, CONTAINS, type Containment, GROUP_TYPE } from '../containment/containment';

/** The rows to draw: all of them or a selection. */
export interface ExportModel {
  name: string;
  components: readonly (Pick<Component, 'id' | 'name' | 'typeId' | 'x' | 'y'> &
    Partial<Pick<Component, 'width' | 'height'>>)[];
  relationships: readonly Pick<Relationship, 'id' | 'sourceId' | 'targetId' | 'typeId' | 'label'>[];
  catalogue: Pick<Catalogue, 'componentTypes' | 'relationTypes'>;
  /** The sizes of cards on the map; other cards have the minimum size. */
  sizes?: ReadonlyMap<string, Size>;
  /** The routes and labels on the map. Lines without a route are straight. */
  routes?: Pick<LineRoutes, 'points' | 'labels'>;
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
  /** The polyline on the map, and its label there. */
  route?: { points: readonly Point[]; label: PlacedLabel | null };
}

export interface ExportScene {
  name: string;
  bounds: Rect;
  /** Groups first, outermost first. */
  shapes: readonly ExportShape[];
  lines: readonly ExportLine[];
}

/** Margin around the drawing. */
const MARGIN = 40;
/** Distance between parallel lines. */
const LINE_GAP = 14;
const GRAY = '#6b7280';
const NO_SIZES: ReadonlyMap<string, Size> = new Map();

export function toExportScene({
  name,
  components,
  relationships,
  catalogue,
  sizes = NO_SIZES,
  routes,
}: ExportModel): ExportScene {
  const types = new Map(catalogue.componentTypes.map((type) => [type.id, type]));
  const kinds = new Map(catalogue.relationTypes.map((type) => [type.id, type]));
  const byId = new Map(components.map((component) => [component.id, component]));
  const containment = buildContainment(relationships, byId);
  const rects = new Map<string, Rect>();
  const depths = new Map<string, number>();
  for (const { id } of components)
    if (!containment.parent.has(id)) measure(id, 0, byId, containment.children, sizes, rects, depths);

  const shapes = components.map(({ id, name, typeId }): ExportShape => {
    const type = types.get(typeId);
    const rect = rects.get(id) ?? { x: 0, y: 0, ...MIN_CARD_SIZE };
    const isGroup = isDrawnAsGroup(containment.children, { id, typeId });
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
  shapes.sort((a, b) => Number(b.isGroup) - Number(a.isGroup) || a.depth - b.depth);
  const lines = linesOf(relationships, rects, kinds, routes);
  const corners = lines.flatMap(({ route }) => route?.points ?? []);
  const drawn = [...rects.values(), ...corners.map(({ x, y }) => ({ x, y, width: 0, height: 0 }))];
  return { name, bounds: boundingBox(drawn), shapes, lines };
}

function isDrawnAsGroup(
  children: Containment['children'],
  { id, typeId }: Pick<Component, 'id' | 'typeId'>,
): boolean {
  return children.has(id) || typeId === GROUP_TYPE;
}

/** Measures a component; groups are sized as on the map. Iterative, because nesting may be deep. */
function measure(
  root: string,
  depth: number,
  byId: ReadonlyMap<string, ExportModel['components'][number]>,
  children: Containment['children'],
  sizes: ReadonlyMap<string, Size>,
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
    const component = byId.get(id);
    if (!component) continue;
    const { x, y } = component;
    const inner = (children.get(id) ?? []).flatMap((child) => rects.get(child) ?? []);
    const isGroup = isDrawnAsGroup(children, component);
    rects.set(id, isGroup ? groupFrame(component, inner) : { x, y, ...cardSize(sizes.get(id)) });
  }
}

function cardSize({ width, height }: Size = MIN_CARD_SIZE): Size {
  return { width, height };
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
  routes: ExportModel['routes'],
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
    // 0, 1, -1, 2, -2 …: the first line is in the middle.
    const shift = (count % 2 === 0 ? -1 : 1) * Math.ceil(count / 2) * LINE_GAP;
    const points = routes?.points.get(id);
    const route = points &&
      connects(points, source, target) && { points, label: routes?.labels.get(id) ?? null };
    const [from, to] = ends(source, target, sourceId > targetId ? -shift : shift);
    lines.push({
      id,
      from,
      to,
      label: label || (kind?.name ?? typeId),
      color: kind?.color ?? GRAY,
      directed: kind?.directed ?? true,
      isLoop: sourceId === targetId,
      ...(route ? { route } : {}),
    });
  }
  return lines;
}

/** Whether a route ends at these nodes. On the map, they may be in a collapsed group, or a group may be larger. */
function connects(points: readonly Point[], source: Rect, target: Rect): boolean {
  const [first, last] = [points[0], points.at(-1)];
  return (
    first !== undefined && last !== undefined && containsPoint(source, first) && containsPoint(target, last)
  );
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

/** The border point of a rectangle in a direction from an interior point. */
function border({ x, y, width, height }: Rect, from: Point, dx: number, dy: number): Point {
  if (dx === 0 && dy === 0) return { x: x + width, y: y + height / 2 };
  const right = dx > 0 ? (x + width - from.x) / dx : dx < 0 ? (x - from.x) / dx : Infinity;
  const down = dy > 0 ? (y + height - from.y) / dy : dy < 0 ? (y - from.y) / dy : Infinity;
  const part = Math.max(0, Math.min(right, down));
  return { x: from.x + dx * part, y: from.y + dy * part };
}
