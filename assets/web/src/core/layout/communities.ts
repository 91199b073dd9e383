/** Finds the communities of a graph: parts with many lines inside and few lines to others (Louvain method). */

/** A connection between two nodes, by index. Nodes are numbered from 0. */
export interface WeightedLink {
  source: number;
  target: number;
  weight: number;
}

const MAX_LEVELS = 10;
const MAX_PASSES = 20;

/** The community of each node. The result depends on the order of nodes and links only. */
export function communities(count: number, links: readonly WeightedLink[]): number[] {
  let community = Array.from({ length: count }, (_, at) => at);
  let level = { count, links };
  for (let round = 0; round < MAX_LEVELS; round++) {
    const moved = numbered(moveNodes(level.count, level.links));
    const merged = Math.max(-1, ...moved) + 1;
    if (merged === level.count) break;
    community = community.map((at) => moved[at] as number);
    level = { count: merged, links: merge(level.links, moved) };
  }
  return numbered(community);
}

/** Moves each node to the neighboring community where it increases the modularity most, until no move does. */
function moveNodes(count: number, links: readonly WeightedLink[]): number[] {
  const neighbors = Array.from({ length: count }, () => [] as [number, number][]);
  const strength = new Float64Array(count);
  let total = 0;
  for (const { source, target, weight } of links) {
    strength[source] = (strength[source] as number) + weight;
    strength[target] = (strength[target] as number) + weight;
    total += 2 * weight;
    if (source === target) continue;
    neighbors[source]?.push([target, weight]);
    neighbors[target]?.push([source, weight]);
  }
  const community = Array.from({ length: count }, (_, at) => at);
  const sum = strength.slice();
  for (let pass = 0, hasMoved = true; hasMoved && pass < MAX_PASSES; pass++) {
    hasMoved = false;
    for (const [at, own] of strength.entries()) {
      const before = community[at] as number;
      sum[before] = (sum[before] as number) - own;
      const towards = new Map([[before, 0]]);
      for (const [other, weight] of neighbors[at] ?? []) {
        const to = community[other] as number;
        towards.set(to, (towards.get(to) ?? 0) + weight);
      }
      const gain = (to: number) => (towards.get(to) ?? 0) - (own * (sum[to] as number)) / total;
      let best = before;
      for (const to of towards.keys()) if (gain(to) > gain(best) + 1e-9) best = to;
      community[at] = best;
      sum[best] = (sum[best] as number) + own;
      hasMoved ||= best !== before;
    }
  }
  return community;
}

/** The links between communities. */
function merge(links: readonly WeightedLink[], community: readonly number[]): WeightedLink[] {
  const merged = new Map<string, WeightedLink>();
  for (const { source, target, weight } of links) {
    const ends = [community[source] as number, community[target] as number].sort((a, b) => a - b);
    const [from, to] = ends as [number, number];
    const known = merged.get(`${from} ${to}`);
    merged.set(`${from} ${to}`, { source: from, target: to, weight: weight + (known?.weight ?? 0) });
  }
  return [...merged.values()];
}

/** Numbers from 0, in the order in which they first appear. */
function numbered(values: readonly number[]): number[] {
  const numbers = new Map<number, number>();
  return values.map((value) => {
    const known = numbers.get(value) ?? numbers.size;
    numbers.set(value, known);
    return known;
  });
}
