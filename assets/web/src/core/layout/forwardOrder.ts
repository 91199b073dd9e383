/**
 * The direction of lines in a layered layout. Lines that lead against it are passed to the layout engine with their ends
 * exchanged, so that people and gateways come first and the order of the model decides which line of a cycle leads back.
 */
import type { LayoutNode, LayoutTask } from './layoutTask';

const PERSON = 'person';
const GATEWAY = 'gateway';

/** Two nodes with the same parent that lines between their contents lead from and to. */
type Siblings = readonly [string, string];

/** Returns whether a line leads forward. */
export function forwardLines({ nodes, lines }: Pick<LayoutTask, 'nodes' | 'lines'>): boolean[] {
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  const pairs = lines.map(({ from, to }) => siblingsOf(parents, from, to));
  const position = forwardPositions(nodes, pairs);
  return pairs.map((pair) => !pair || (position.get(pair[0]) ?? 0) < (position.get(pair[1]) ?? 0));
}

/** The ancestors of both ends, or the ends, that have the same parent; null if one end contains the other. */
function siblingsOf(parents: ReadonlyMap<string, string | null>, from: string, to: string): Siblings | null {
  const [source, target] = [pathTo(parents, from), pathTo(parents, to)];
  const at = source.findIndex((id, level) => id !== target[level]);
  const [one, other] = [source[at], target[at]];
  return one === undefined || other === undefined ? null : [one, other];
}

/** The ancestors of a node, outermost first, and the node. */
function pathTo(parents: ReadonlyMap<string, string | null>, id: string): string[] {
  const path: string[] = [];
  for (let at: string | null | undefined = id; at; at = parents.get(at)) path.unshift(at);
  return path;
}

/** An order of the nodes in which as few lines as possible lead back, by a depth-first search. */
function forwardPositions(
  nodes: readonly LayoutNode[],
  pairs: readonly (Siblings | null)[],
): ReadonlyMap<string, number> {
  const ranks = ranksOf(nodes);
  const counts = new Map<string, Map<string, number>>();
  for (const pair of pairs) {
    if (!pair) continue;
    const [from, to] = orderedByRank(pair, ranks);
    const targets = counts.get(from) ?? new Map<string, number>();
    counts.set(from, targets.set(to, (targets.get(to) ?? 0) + 1));
  }
  const place = new Map(nodes.map(({ id }, at) => [id, at]));
  const placeOf = (id: string) => place.get(id) ?? 0;
  const compare = (a: string, b: string) =>
    (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0) || placeOf(a) - placeOf(b);
  // Of lines in both directions between two nodes, the majority counts, otherwise gateways and the order of the model.
  const leads = (from: string, to: string) => {
    const [out, back] = [counts.get(from)?.get(to) ?? 0, counts.get(to)?.get(from) ?? 0];
    return out > back || (out === back && compare(from, to) < 0);
  };
  const next = new Map<string, string[]>();
  const hasIncoming = new Set<string>();
  for (const [from, targets] of counts) {
    const following = [...targets.keys()].filter((to) => leads(from, to));
    next.set(
      from,
      following.sort((a, b) => placeOf(a) - placeOf(b)),
    );
    for (const to of following) hasIncoming.add(to);
  }
  const starts = nodes
    .map(({ id }) => id)
    .sort(
      (a, b) =>
        (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0) ||
        Number(hasIncoming.has(a)) - Number(hasIncoming.has(b)) ||
        placeOf(a) - placeOf(b),
    );
  return positionsAfterSearch(starts, next);
}

/** The positions in reverse order of completion of a depth-first search, so that only back edges lead back. */
function positionsAfterSearch(
  starts: readonly string[],
  next: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const done: string[] = [];
  const seen = new Set<string>();
  for (const start of starts) {
    // An explicit stack, because a chain of components can be longer than the call stack allows.
    const stack: { id: string; left: string[] }[] = [];
    const enter = (id: string) => {
      if (seen.has(id)) return;
      seen.add(id);
      stack.push({ id, left: (next.get(id) ?? []).toReversed() });
    };
    enter(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const following = top.left.pop();
      if (following !== undefined) enter(following);
      else done.push((stack.pop() as { id: string }).id);
    }
  }
  return new Map(done.toReversed().map((id, at) => [id, at]));
}

/** 0 for people and groups of people, 1 for gateways, 2 for all others. */
function ranksOf(nodes: readonly LayoutNode[]): ReadonlyMap<string, number> {
  const children = Map.groupBy(nodes, ({ parent }) => parent);
  const ranks = new Map<string, number>();
  // Contents follow their group, so iterating backward ranks them before it.
  for (const { id, typeId } of nodes.toReversed()) {
    const parts = children.get(id);
    const areAllPeople = parts?.every((part) => ranks.get(part.id) === 0) ?? typeId === PERSON;
    ranks.set(id, areAllPeople ? 0 : !parts && typeId === GATEWAY ? 1 : 2);
  }
  return ranks;
}

/** Lines between people and others lead from the people. */
function orderedByRank([from, to]: Siblings, ranks: ReadonlyMap<string, number>): Siblings {
  return ranks.get(to) === 0 && ranks.get(from) !== 0 ? [to, from] : [from, to];
}
