/** Positions of imported components. New groups surround their parts, so parts are placed together. */
import { GROUP_TYPE } from '@/core/containment/containment';
import type { Size } from '@/core/drawing/card';
import { NODE_SIZE, type Point } from '@/core/scene/geometry';
import { EMPTY_GROUP_SIZE, GROUP_PADDING, GROUP_TITLE_HEIGHT } from '@/core/scene/scene';

const GAP = { x: 40, y: 46 };
/** Maximum width of a row of components outside of groups, and in a group. */
const MAX_WIDTH = 1760;
export const MAX_GROUP_WIDTH = 880;

/** A component to place. */
export interface PackedItem {
  id: string;
  parent?: string | null | undefined;
  /** The size, unless other items are inside it. */
  size: Readonly<Size>;
}

export interface Block {
  size: Size;
  /** Positions relative to the top left corner of the block. */
  positions: readonly (readonly [string, Point])[];
}

/** The size of a new component without parts. */
export function newSize(typeId: unknown): Readonly<Size> {
  return typeId === GROUP_TYPE ? EMPTY_GROUP_SIZE : NODE_SIZE;
}

/** The items inside each item, and those outside of all items under null. */
export function nestedItems<T extends PackedItem>(items: readonly T[]): Map<string | null, T[]> {
  const ids = new Set(items.map(({ id }) => id));
  return Map.groupBy(items, ({ parent }) => (typeof parent === 'string' && ids.has(parent) ? parent : null));
}

/** Places components in rows. */
export function packedPositions(items: readonly PackedItem[], { x, y }: Point): Map<string, Point> {
  const parts = nestedItems(items);
  const { positions } = packedRows(
    (parts.get(null) ?? []).map((item) => packedBlock(item, parts)),
    MAX_WIDTH,
  );
  return new Map(positions.map(([id, at]) => [id, { x: x + at.x, y: y + at.y }]));
}

/** A component with its parts inside it. */
export function packedBlock(
  { id, size }: PackedItem,
  parts: ReadonlyMap<string | null, PackedItem[]>,
): Block {
  const inside = parts.get(id);
  const own = [id, { x: 0, y: 0 }] as const;
  if (!inside) return { size, positions: [own] };
  const rows = packedRows(
    inside.map((part) => packedBlock(part, parts)),
    MAX_GROUP_WIDTH,
  );
  const [dx, dy] = [GROUP_PADDING, GROUP_TITLE_HEIGHT + GROUP_PADDING];
  return {
    size: { width: rows.size.width + 2 * GROUP_PADDING, height: rows.size.height + dy + GROUP_PADDING },
    positions: [own, ...rows.positions.map(([part, { x, y }]) => [part, { x: x + dx, y: y + dy }] as const)],
  };
}

/** Blocks in rows of at most this width. */
export function packedRows(blocks: readonly Block[], maxWidth: number): Block {
  const positions: (readonly [string, Point])[] = [];
  const size = { width: 0, height: 0 };
  let [left, top] = [0, 0];
  for (const block of blocks) {
    if (left > 0 && left + block.size.width > maxWidth) [left, top] = [0, size.height + GAP.y];
    for (const [id, { x, y }] of block.positions) positions.push([id, { x: x + left, y: y + top }]);
    size.width = Math.max(size.width, left + block.size.width);
    size.height = Math.max(size.height, top + block.size.height);
    left += block.size.width + GAP.x;
  }
  return { size, positions };
}
