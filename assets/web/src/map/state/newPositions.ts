/** Where members of an own layout are shown that nobody has placed yet. */
import type { Model } from '@/core/model/model';
import type { Point } from '@/core/scene/geometry';
import { memoizeLast } from '@/core/scene/memoize';
import { placeMembers } from '@/core/views/places';

/** The positions of members without a place. */
export interface NewPositions {
  positions: ReadonlyMap<string, Point>;
  /** Whether they are marked as new. Not if nobody has arranged the view yet. */
  areNew: boolean;
}

const NONE: NewPositions = { positions: new Map(), areNew: false };

/** The last positions of each view in this window. A new member stays where it is while others are moved. */
const known = new Map<string, NewPositions>();

/**
 * The positions of members without a place: in their group, or beside their neighbors. All readers of the scene ask for
 * them, so they are determined again only if something has changed.
 */
export const newPositions = memoizeLast(findPositions);

function findPositions(
  view: string,
  model: Model,
  members: ReadonlySet<string>,
  places: ReadonlyMap<string, Point>,
): NewPositions {
  const missing = [...members].filter((id) => !places.has(id));
  if (missing.length === 0) {
    known.delete(view);
    return NONE;
  }
  if (missing.length === members.size) return unarranged(view, model, missing);
  const before = known.get(view);
  const kept = new Map(
    before?.areNew ? [...before.positions].filter(([id]) => members.has(id) && !places.has(id)) : [],
  );
  if (kept.size === missing.length && before?.positions.size === kept.size) return before;
  const placed = placeMembers(model, [...members], 'own', new Map([...places, ...kept]));
  const positions = new Map(
    missing.flatMap((id) => {
      const at = kept.get(id) ?? placed.get(id);
      return at ? [[id, { x: at.x, y: at.y }] as const] : [];
    }),
  );
  const next = { positions, areNew: true };
  known.set(view, next);
  return next;
}

/** While nobody has arranged the view, components are where they are on the map. */
function unarranged(view: string, { rows }: Model, ids: readonly string[]): NewPositions {
  const positions = new Map(
    ids.flatMap((id) => {
      const row = rows.component.get(id);
      return row ? [[id, { x: row.x, y: row.y }] as const] : [];
    }),
  );
  const before = known.get(view);
  const isSame =
    before?.areNew === false &&
    before.positions.size === positions.size &&
    [...positions].every(([id, { x, y }]) => {
      const at = before.positions.get(id);
      return at?.x === x && at.y === y;
    });
  if (isSame) return before;
  const next = { positions, areNew: false };
  known.set(view, next);
  return next;
}
