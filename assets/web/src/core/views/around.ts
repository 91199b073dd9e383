/** The components that relationships lead to from others, in the direction in which impact analysis follows them. */
import type { RelationType } from '@/api/generated';
import type { Model } from '../model/model';
import type { Around } from '../sync/viewRows';

type Way = 'up' | 'down';
type Types = ReadonlyMap<string, RelationType>;

/** The components `of` and all that are reached from them. IDs that do not exist are ignored. */
export function componentsAround(model: Model, around: Around): Set<string> {
  const { direction = 'both', depth = 1 } = around;
  const start = around.of.filter((id) => model.rows.component.has(id));
  const follows = followedTypes(model, around.relationTypes ?? null);
  const found = new Set(start);
  const ways: readonly Way[] = direction === 'both' ? ['up', 'down'] : [direction];
  for (const way of ways) for (const id of reach(model, start, way, follows, depth)) found.add(id);
  return found;
}

/** The relationship types to follow: the given ones, or those that express a dependency. */
function followedTypes(model: Model, wanted: readonly string[] | null): Types {
  const types = model.catalogue.relationTypes;
  const followed = types.filter(({ id, dependsOn }) => (wanted ? wanted.includes(id) : dependsOn !== 'none'));
  return new Map(followed.map((type) => [type.id, type]));
}

function reach(
  { outgoing, incoming, rows }: Model,
  start: readonly string[],
  way: Way,
  follows: Types,
  depth: number,
): Set<string> {
  const reached = new Set(start);
  let edge = start;
  for (let distance = 0; distance < depth && edge.length > 0; distance++) {
    const next: string[] = [];
    const visit = (id: string) => {
      if (reached.has(id) || !rows.component.has(id)) return;
      reached.add(id);
      next.push(id);
    };
    for (const id of edge) {
      for (const { typeId, targetId } of outgoing.get(id) ?? [])
        if (leads(follows.get(typeId), way, true)) visit(targetId);
      for (const { typeId, sourceId } of incoming.get(id) ?? [])
        if (leads(follows.get(typeId), way, false)) visit(sourceId);
    }
    edge = next;
  }
  return reached;
}

/** Whether a relationship is followed from its source (`isOutgoing`) or target. */
function leads(type: RelationType | undefined, way: Way, isOutgoing: boolean): boolean {
  if (!type) return false;
  // Relationships without a dependency keep their direction.
  const isDownstream = (type.dependsOn !== 'source') === isOutgoing;
  return !type.directed || isDownstream === (way === 'down');
}
