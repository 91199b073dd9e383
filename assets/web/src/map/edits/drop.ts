/** Saves the end of a drag: positions, changes of group, and the shift that keeps cards from covering others. */
import { withDescendants } from '@/core/containment/containment';
import { setParent } from '@/core/model/parents';
import type { Drop } from '@/core/scene/drop';
import { boundingBox, NODE_SIZE, type Point, type Rect, snapToGrid } from '@/core/scene/geometry';
import type { Placement } from '@/core/scene/scene';
import { formatCount } from '@/core/text';
import { showToast } from '@/ui/Toasts';
import { currentScene } from '../state/scenes';
import { checkCanArrange, commitPlacements, edit, rows, short } from './edits';
import { changedFrames, placementOperations, storeFrames } from './frames';
import { notePlacements } from './noteMoves';
import { isExpandedGroup, positionInCollapsed, shiftToFreeRoom } from './room';

/**
 * Drops components at the positions in `moving`, and notes, in one edit. `roots` are the dragged components without
 * their contents, `drop` is their change of group.
 */
export function dropItems(
  roots: readonly string[],
  moving: ReadonlyMap<string, Placement>,
  drop: Drop | null,
  notes: ReadonlyMap<string, Rect>,
): void {
  if (!checkCanArrange()) return;
  const { containment } = currentScene();
  const all = withDescendants(containment, roots);
  const positions = new Map([...moving].filter(([id]) => all.has(id)));
  const { placed, by } = freed(roots, positions, drop);
  const placedNotes = new Map(
    [...notes].map(([id, rect]) => [id, { ...rect, x: rect.x + by.x, y: rect.y + by.y }]),
  );
  if (!drop) {
    commitPlacements(placed, undefined, placedNotes);
    return;
  }
  edit(describeDrop(drop), [
    ...setParent(rows(), drop.ids, drop.target),
    ...placementOperations(rows(), placed),
    ...storeFrames(rows(), changedFrames(drop)),
    ...notePlacements(rows(), placedNotes),
  ]);
}

/** Positions of components, and the shift that notes need to stay next to them. */
interface FreedPositions {
  placed: ReadonlyMap<string, Placement>;
  by: Point;
}

const UNSHIFTED: Point = { x: 0, y: 0 };

/** The positions, shifted to where they cover nothing. Shows a message if they were shifted. */
function freed(
  roots: readonly string[],
  positions: ReadonlyMap<string, Placement>,
  drop: Drop | null,
): FreedPositions {
  const { parent } = currentScene().containment;
  if (drop?.target && !isExpandedGroup(drop.target))
    return { placed: inCollapsed(drop.ids, drop.target, positions), by: UNSHIFTED };
  const shift = shiftToFreeRoom(positions, roots, (id) =>
    drop?.ids.has(id) ? drop.target : (parent.get(id) ?? null),
  );
  if (!shift) return { placed: positions, by: UNSHIFTED };
  const what = roots.length === 1 ? name(roots[0] ?? '') : formatCount(roots.length, 'component');
  showToast(
    `${what} would have covered “${short(shift.beside)}” and was placed next to it.`,
    undefined,
    'room',
  );
  return { placed: shifted(positions, positions.keys(), shift.by), by: shift.by };
}

/** The positions with dropped components below the hidden contents of a collapsed group. */
function inCollapsed(
  ids: ReadonlySet<string>,
  target: string,
  positions: ReadonlyMap<string, Placement>,
): ReadonlyMap<string, Placement> {
  const all = withDescendants(currentScene().containment, ids);
  const bounds = boundingBox(
    [...all].flatMap((id) => positions.get(id) ?? []).map(({ x, y }) => ({ x, y, ...NODE_SIZE })),
  );
  if (!bounds) return positions;
  const to = positionInCollapsed(target);
  return shifted(positions, all, { x: snapToGrid(to.x - bounds.x), y: snapToGrid(to.y - bounds.y) });
}

function shifted(
  positions: ReadonlyMap<string, Placement>,
  ids: Iterable<string>,
  by: Point,
): ReadonlyMap<string, Placement> {
  const result = new Map(positions);
  for (const id of ids) {
    const at = result.get(id);
    if (at) result.set(id, { ...at, x: at.x + by.x, y: at.y + by.y });
  }
  return result;
}

const name = (id: string) => `“${short(rows().component.get(id)?.name ?? id)}”`;

/** The description of a change of group, such as `Move “Orders” into “Backend”`. */
export function describeDrop({ ids, target }: Drop): string {
  const [first = ''] = ids;
  const what = ids.size === 1 ? name(first) : formatCount(ids.size, 'component');
  if (target !== null) return `Move ${what} into ${name(target)}`;
  const groups = new Set([...ids].flatMap((id) => currentScene().containment.parent.get(id) ?? []));
  const [group = ''] = groups;
  return groups.size === 1 ? `Move ${what} out of ${name(group)}` : `Move ${what} out of their groups`;
}
