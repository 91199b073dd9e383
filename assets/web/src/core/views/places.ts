/**
 * The positions of a view's members. Members that have a place stay there; others are placed in their group or beside
 * their neighbors.
 */
import { ancestorsOf, type Containment, GROUP_TYPE } from '../containment/containment';
import type { Size } from '../drawing/card';
import { findFreePosition } from '../layout/freePosition';
import { type Model, neighborsOf } from '../model/model';
import { RectIndex } from '../route/rectIndex';
import {
  boundingBox,
  expandRect,
  NODE_SIZE,
  overlaps,
  type Point,
  type Rect,
  snapToGrid,
} from '../scene/geometry';
import { GROUP_PADDING, GROUP_TITLE_HEIGHT, groupFrame } from '../scene/scene';
import { memberContainment } from './resolve';

/** The position of a member. */
export interface MemberPosition extends Point {
  /** Whether it has no place in the view yet. */
  isNew: boolean;
}

/** Distance between neighbors. */
const GAP = 80;
/** Distance in which free space is searched before a component is placed below all others. */
const REACH = 1_600;
/** If there are more new members, they are placed as a block: searching space for each would take too long. */
const MAX_SINGLE = 200;

/**
 * The positions of all members. With the shared layout, these are the positions of the components; also with a layout of
 * its own as long as no member has a place, because then nobody has arranged the view yet.
 */
export function placeMembers(
  model: Model,
  memberIds: readonly string[],
  layout: 'shared' | 'own',
  places: ReadonlyMap<string, Point>,
): Map<string, MemberPosition> {
  const isArranged = layout === 'own' && memberIds.some((id) => places.has(id));
  if (!isArranged) return new Map(memberIds.map((id) => [id, { ...pointOf(model, id), isNew: false }]));
  const placing = new Placing(model, memberIds, places);
  placing.placeAll();
  return new Map(memberIds.map((id) => [id, placing.position(id)]));
}

function pointOf({ rows }: Model, id: string): Point {
  const { x = 0, y = 0 } = rows.component.get(id) ?? {};
  return { x, y };
}

/** A new member that is placed with all that it contains. */
interface Unit extends Size {
  id: string;
  /** The positions of its parts and of itself, relative to it. */
  parts: ReadonlyMap<string, Point>;
}

class Placing {
  readonly #model: Model;
  readonly #members: ReadonlySet<string>;
  readonly #places: ReadonlyMap<string, Point>;
  readonly #containment: Containment;
  readonly #positions: Map<string, Point>;
  /** The rectangles of the members that have a position, or contain one that has. */
  readonly #rects = new Map<string, Rect>();
  #index = new RectIndex([]);
  #indexed: string[] = [];

  constructor(model: Model, memberIds: readonly string[], places: ReadonlyMap<string, Point>) {
    this.#model = model;
    this.#members = new Set(memberIds);
    this.#places = places;
    this.#containment = memberContainment(model.containment, this.#members);
    this.#positions = new Map(
      memberIds.flatMap((id) => (places.has(id) ? [[id, places.get(id) as Point]] : [])),
    );
    for (const id of this.#outermost(memberIds)) this.#measure(id);
    for (const id of this.#rects.keys()) this.#enter(id);
  }

  position(id: string): MemberPosition {
    const { x, y } = this.#positions.get(id) ?? this.#rects.get(id) ?? pointOf(this.#model, id);
    return { x, y, isNew: !this.#places.has(id) };
  }

  placeAll(): void {
    const units = this.#units();
    if (units.length > MAX_SINGLE) this.#placeBlock(units);
    let left = units.length > MAX_SINGLE ? [] : units;
    while (left.length > 0) {
      const near = left.filter((unit) => this.#hasAnchor(unit));
      // Members without neighbors are placed one by one, because others may be related to them.
      const next = near.length > 0 ? near : left.slice(0, 1);
      for (const unit of next) this.#place(unit);
      left = left.filter((unit) => !next.includes(unit));
    }
  }

  /** The rectangle of a member with all that it contains; none if nothing of it has a position. */
  #measure(id: string): Rect | null {
    const inner = this.#childrenOf(id).flatMap((child) => this.#measure(child) ?? []);
    const at = this.#positions.get(id);
    const component = this.#model.rows.component.get(id);
    let rect: Rect | null = null;
    if (inner.length > 0) rect = groupFrame({ ...component, ...(at ?? cornerOf(inner)) }, inner);
    else if (at && component?.typeId === GROUP_TYPE) rect = groupFrame({ ...component, ...at }, []);
    else if (at) rect = { ...at, ...NODE_SIZE };
    if (rect) this.#rects.set(id, rect);
    return rect;
  }

  #enter(id: string): void {
    this.#indexed[this.#index.add(this.#rects.get(id) as Rect)] = id;
  }

  #childrenOf(id: string): readonly string[] {
    return this.#containment.children.get(id) ?? [];
  }

  #outermost(ids: readonly string[]): string[] {
    return ids.filter((id) => !this.#containment.parent.has(id));
  }

  /** The outermost new members of which nothing has a position. */
  #units(): Unit[] {
    const isNew = (id: string | undefined) => id !== undefined && !this.#rects.has(id);
    const outermost = [...this.#members].filter(
      (id) => isNew(id) && !isNew(this.#containment.parent.get(id)),
    );
    return outermost.map((id) => this.#unit(id));
  }

  #unit(id: string): Unit {
    const children = this.#childrenOf(id).map((child) => this.#unit(child));
    const parts = new Map([[id, { x: 0, y: 0 }]]);
    const component = this.#model.rows.component.get(id);
    if (children.length === 0) {
      const isGroup = component?.typeId === GROUP_TYPE;
      const { width, height } = isGroup ? groupFrame({ ...component, x: 0, y: 0 }, []) : NODE_SIZE;
      return { id, parts, width, height };
    }
    const inset = { x: GROUP_PADDING, y: GROUP_PADDING + GROUP_TITLE_HEIGHT };
    const inner = inRows(children, inset);
    for (const [at, child] of children.entries()) {
      const corner = inner[at] as Rect;
      for (const [part, { x, y }] of child.parts) parts.set(part, { x: corner.x + x, y: corner.y + y });
    }
    const { width, height } = groupFrame({ ...component, x: 0, y: 0 }, inner);
    return { id, parts, width, height };
  }

  /** Whether a unit belongs to something that has a position: its group or a neighbor. */
  #hasAnchor(unit: Unit): boolean {
    return this.#containment.parent.has(unit.id) || this.#neighbors(unit).size > 0;
  }

  /** The members with a position that a unit has relationships to, with their number. */
  #neighbors({ parts }: Unit): Map<string, number> {
    const found = new Map<string, number>();
    for (const part of parts.keys()) {
      for (const id of neighborsOf(this.#model, part)) {
        const isGroup = ancestorsOf(this.#containment, part).includes(id);
        if (this.#rects.has(id) && !isGroup) found.set(id, (found.get(id) ?? 0) + 1);
      }
    }
    return found;
  }

  #place(unit: Unit): void {
    const group = this.#containment.parent.get(unit.id);
    const neighbors = this.#neighbors(unit);
    const most = Math.max(0, ...neighbors.values());
    const near = [...neighbors].find(([, count]) => count === most)?.[0];
    const frame = group === undefined ? undefined : this.#rects.get(group);
    const within = frame ? insideOf(frame) : null;
    const wanted = near === undefined ? this.#end(within) : this.#beside(unit, near, group);
    // A neighbor may be outside of the group.
    const preferred = within ? nearestIn(within, wanted, unit) : wanted;
    const spot = this.#freePosition(unit, preferred, within);
    // Without free space nearby, it is below what is nearby, where something else may be.
    const isFree = this.#around(unit, spot, 0).length === 0;
    this.#put(unit, isFree ? spot : this.#freePosition(unit, this.#end(null), null));
  }

  #freePosition(unit: Unit, preferred: Point, within: Rect | null): Point {
    return findFreePosition(preferred, this.#around(unit, preferred, REACH), { size: unit, within });
  }

  /** The rectangles at most this far from a unit at a position, without the groups that contain it. */
  #around({ id, width, height }: Unit, { x, y }: Point, reach: number): Rect[] {
    const groups = new Set(ancestorsOf(this.#containment, id));
    const area = expandRect({ x, y, width, height }, reach);
    const found: Rect[] = [];
    this.#index.visit(area.x, area.y, area.x + area.width, area.y + area.height, (_, at) => {
      const other = this.#indexed[at] as string;
      // Groups that have grown are in the index several times.
      const rect = this.#rects.get(other);
      if (rect && !groups.has(other) && overlaps(rect, area)) found.push(rect);
    });
    return found;
  }

  /** The preferred position beside a neighbor: to the right of what leads to it, otherwise to the left. */
  #beside({ width, parts }: Unit, near: string, group: string | undefined): Point {
    const own = this.#rects.get(near) as Rect;
    // Outside of the groups that do not contain both.
    const groups = [near, ...ancestorsOf(this.#containment, near)];
    const end = group === undefined ? -1 : groups.indexOf(group);
    const outer = this.#rects.get(groups.at(end === -1 ? -1 : Math.max(0, end - 1)) ?? near) ?? own;
    const isAfter = this.#model.outgoing.get(near)?.some(({ targetId }) => parts.has(targetId));
    return { x: isAfter ? outer.x + outer.width + GAP : outer.x - GAP - width, y: own.y };
  }

  /** The preferred position of what has no neighbors: in the group, or below everything. */
  #end(within: Rect | null): Point {
    if (within) return { x: within.x, y: within.y };
    const all = boundingBox(this.#rects.values());
    return all ? { x: all.x, y: all.y + all.height + GAP } : { x: 0, y: 0 };
  }

  /** Places many units in rows, below everything, or below the contents of their group. */
  #placeBlock(units: readonly Unit[]): void {
    const byGroup = Map.groupBy(units, ({ id }) => this.#containment.parent.get(id));
    // Groups first, because their frames grow.
    for (const [group, some] of [...byGroup].sort(([one], [other]) => rank(one) - rank(other))) {
      const inner =
        group === undefined ? [] : this.#childrenOf(group).flatMap((id) => this.#rects.get(id) ?? []);
      const all = boundingBox(group === undefined ? this.#rects.values() : inner);
      const frame = group === undefined ? undefined : this.#rects.get(group);
      const within = frame ? insideOf(frame) : null;
      const corner = all ? { x: all.x, y: all.y + all.height + GAP } : this.#end(within);
      const rects = inRows(some, { x: snapToGrid(corner.x), y: snapToGrid(corner.y) });
      for (const [at, unit] of some.entries()) this.#put(unit, rects[at] as Rect);
    }
  }

  #put({ id, parts }: Unit, { x, y }: Point): void {
    for (const [part, by] of parts) this.#positions.set(part, { x: x + by.x, y: y + by.y });
    this.#measure(id);
    for (const part of parts.keys()) this.#enter(part);
    for (const group of ancestorsOf(this.#containment, id)) {
      const inner = this.#childrenOf(group).flatMap((child) => this.#rects.get(child) ?? []);
      const corner = this.#positions.get(group) ?? cornerOf(inner);
      this.#rects.set(group, groupFrame({ ...this.#model.rows.component.get(group), ...corner }, inner));
      this.#enter(group);
    }
  }
}

/** The point nearest to `wanted` at which a unit is inside an area, as far as it fits. */
function nearestIn({ x, y, width, height }: Rect, wanted: Point, unit: Size): Point {
  return {
    x: Math.max(x, Math.min(wanted.x, x + width - unit.width)),
    y: Math.max(y, Math.min(wanted.y, y + height - unit.height)),
  };
}

function rank(group: string | undefined): number {
  return group === undefined ? 1 : 0;
}

function cornerOf(rects: readonly Rect[]): Point {
  const { x, y } = boundingBox(rects) ?? { x: 0, y: 0 };
  return { x, y };
}

function insideOf({ x, y, width, height }: Rect): Rect {
  const top = GROUP_PADDING + GROUP_TITLE_HEIGHT;
  return {
    x: x + GROUP_PADDING,
    y: y + top,
    width: width - 2 * GROUP_PADDING,
    height: height - top - GROUP_PADDING,
  };
}

/** Rectangles of these sizes in rows of about the same width as the height of all, from a corner. */
function inRows(sizes: readonly Readonly<Size>[], corner: Point): Rect[] {
  const columns = Math.ceil(Math.sqrt(sizes.length));
  const rects: Rect[] = [];
  let { y } = corner;
  for (let row = 0; row < sizes.length; row += columns) {
    let { x } = corner;
    let lowest = y;
    for (const { width, height } of sizes.slice(row, row + columns)) {
      rects.push({ x, y, width, height });
      x += width + GAP;
      lowest = Math.max(lowest, y + height);
    }
    y = lowest + GAP;
  }
  return rects;
}
