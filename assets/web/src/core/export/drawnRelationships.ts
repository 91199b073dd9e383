/** Relationships with the ends at which the map draws them. */
import type { Relationship } from '@/api/generated';
import { CONTAINS } from '../containment/containment';
import { rollUpLabel } from '../scene/rollUp';
import type { SceneRows, TypeCount } from '../scene/scene';

/** Several relationships that are drawn as one line become one, which has the label of the line. */
export function drawnRelationships(
  { relationship, lifted }: Pick<SceneRows, 'relationship' | 'lifted'>,
  nameOf: (typeId: string) => string,
): Relationship[] {
  if (!lifted || lifted.size === 0) return [...relationship.values()];
  const drawn: Relationship[] = [];
  const merged = new Map<string, { at: number; types: TypeCount[] }>();
  for (const row of relationship.values()) {
    const sourceId = lifted.get(row.sourceId) ?? row.sourceId;
    const targetId = lifted.get(row.targetId) ?? row.targetId;
    const isLifted = sourceId !== row.sourceId || targetId !== row.targetId;
    if (!isLifted || row.typeId === CONTAINS) {
      drawn.push(row);
      continue;
    }
    const pair = JSON.stringify([sourceId, targetId]);
    const same = merged.get(pair);
    if (!same) {
      merged.set(pair, { at: drawn.length, types: [{ typeId: row.typeId, count: 1 }] });
      drawn.push({ ...row, sourceId, targetId });
      continue;
    }
    const types = counted(same.types, row.typeId);
    merged.set(pair, { at: same.at, types });
    const [most] = types as [TypeCount];
    const first = drawn[same.at] as Relationship;
    drawn[same.at] = { ...first, typeId: most.typeId, label: rollUpLabel(types, nameOf) };
  }
  return drawn;
}

/** The counts with one more relationship of a type, most frequent first. */
function counted(types: readonly TypeCount[], typeId: string): TypeCount[] {
  const known = types.some((one) => one.typeId === typeId);
  const more = known
    ? types.map((one) => (one.typeId === typeId ? { typeId, count: one.count + 1 } : one))
    : [...types, { typeId, count: 1 }];
  return more.sort((one, other) => other.count - one.count);
}
