/** Where the components of an imported file are placed, so that groups do not stretch over the map. */
import { withDescendants } from '@/core/containment/containment';
import { NODE_SIZE, type Rect } from '@/core/scene/geometry';
import { GROUP_PADDING, type Placement } from '@/core/scene/scene';
import { importOrigin } from '@/core/table/edits';
import {
  type Block,
  MAX_GROUP_WIDTH,
  nestedItems,
  newSize,
  type PackedItem,
  packedBlock,
  packedPositions,
  packedRows,
} from '@/core/table/importPositions';
import type { SheetImport } from '@/core/table/importSheet';
import { currentScene } from '../state/scenes';
import { rows, shiftedPositions } from './edits';
import { frameOfEmpty, framesLeftEmpty } from './frames';
import { freePositionsIn } from './groups';
import { rectOf } from './room';

interface Item extends PackedItem {
  isNew: boolean;
}

/**
 * The positions of new components, and of existing ones that change their group, with their contents; and the frames of
 * groups that become empty or get their first part. Components with a position in the file are not placed.
 */
export function importedPlaces({ created, updated }: SheetImport): Map<string, Placement> {
  const items: Item[] = [
    ...created.map(({ id, parent, fields }) => ({ id, parent, size: newSize(fields.typeId), isNew: true })),
    ...updated.flatMap(({ component: { id }, parent }) =>
      parent === undefined ? [] : [{ id, parent, size: rectOf(id) ?? NODE_SIZE, isNew: false }],
    ),
  ];
  const parts = nestedItems(items);
  const outside = parts.get(null) ?? [];
  const places = new Map<string, Placement>();
  const add = (id: string, to: Placement) => {
    if (!rows().component.has(id)) {
      places.set(id, to);
      return;
    }
    const { x, y } = rectOf(id) ?? rows().component.get(id) ?? to;
    for (const [moved, place] of shiftedPositions([id], { x: to.x - x, y: to.y - y }))
      places.set(moved, place);
  };
  // New components that are in no existing group are placed in rows below the map.
  const isBelow = ({ parent, isNew }: Item) => isNew && (parent ?? null) === null;
  const below = outside.filter(isBelow).flatMap((item) => withParts(item, parts));
  for (const [id, at] of packedPositions(below, importOrigin(rows()))) add(id, at);
  const moved = items.filter(({ isNew }) => !isNew).map(({ id }) => id);
  const except = withDescendants(currentScene().containment, moved);
  const inGroups = Map.groupBy(
    outside.filter((item) => !isBelow(item)),
    ({ parent }) => parent ?? null,
  );
  for (const [parent, contents] of inGroups) {
    const blocks = blocksOf(parent, contents, parts);
    const rects = new Map(
      [...blocks].map(([id, { size }]): [string, Rect] => [id, { ...startOf(id, parent), ...size }]),
    );
    for (const [id, at] of freePositionsIn(parent, rects, except))
      for (const [part, { x, y }] of blocks.get(id)?.positions ?? []) add(part, { x: at.x + x, y: at.y + y });
  }
  for (const [id, frame] of frames(items, moved)) if (!places.has(id)) places.set(id, frame);
  return places;
}

/** If a group gets more components than this, they are placed together, because finding room for each takes long. */
const MAX_SEPARATE = 30;

/** The blocks to find room for, by the ID of their first component. */
function blocksOf(
  parent: string | null,
  contents: readonly Item[],
  parts: ReadonlyMap<string | null, Item[]>,
): Map<string, Block> {
  const blocks = new Map(contents.map((item) => [item.id, packedBlock(item, parts)]));
  const [first] = contents;
  if (!first || contents.length <= MAX_SEPARATE) return blocks;
  const frame = parent === null ? undefined : rectOf(parent);
  const width = Math.max(MAX_GROUP_WIDTH, (frame?.width ?? 0) - 2 * GROUP_PADDING);
  return new Map([[first.id, packedRows([...blocks.values()], width)]]);
}

function withParts(item: Item, parts: ReadonlyMap<string | null, Item[]>): Item[] {
  return [item, ...(parts.get(item.id) ?? []).flatMap((part) => withParts(part, parts))];
}

/** The preferred position: the current one, or the corner of the group. */
function startOf(id: string, parent: string | null): { x: number; y: number } {
  return (
    rectOf(id) ?? rows().component.get(id) ?? (parent === null ? undefined : rectOf(parent)) ?? { x: 0, y: 0 }
  );
}

/** The frames to store: of groups that only lose parts, and of empty groups that get their first part. */
function frames(items: readonly Item[], moved: readonly string[]): Map<string, Rect> {
  const targets = new Set(items.flatMap(({ parent }) => parent ?? []));
  const left = [...framesLeftEmpty(new Set(moved))].filter(([id]) => !targets.has(id));
  return new Map([...left, ...[...targets].flatMap((id) => [...frameOfEmpty(id)])]);
}
