/** Divides the components of a large map into regions that an organic layout keeps apart. */
import { communities, type WeightedLink } from './communities';
import type { LayoutNode } from './layoutTask';

/** Smaller maps are one region. */
const MIN_NODES = 60;
/** If a larger part of the components has the same type, types do not divide the map. */
const MAX_TYPE_SHARE = 0.5;
/** Smaller communities join the one that they have most lines to. */
const MIN_COMMUNITY = 5;
const PERSON = 'person';

/** Components by index. */
export interface Regions {
  /** Regions that contain a single group, components of one type, or a community. */
  regions: number[][];
  /** People, which are placed at the border of the map. */
  people: number[];
}

/** The regions of components that are not inside others. Groups with contents are regions of their own. */
export function regionsOf(
  nodes: readonly Pick<LayoutNode, 'typeId'>[],
  isGroup: (at: number) => boolean,
  links: readonly WeightedLink[],
): Regions {
  const all = [...nodes.keys()];
  const isPerson = (at: number) => nodes[at]?.typeId === PERSON && !isGroup(at);
  const people = all.filter(isPerson);
  if (people.length > all.length / 2) return { regions: [all], people: [] };
  const rest = all.filter((at) => !isPerson(at));
  if (rest.length < MIN_NODES) return { regions: [rest], people };
  const groups = rest.filter((at) => isGroup(at));
  const cards = rest.filter((at) => !isGroup(at));
  const byType = [...Map.groupBy(cards, (at) => nodes[at]?.typeId).values()];
  const largest = Math.max(0, ...byType.map((some) => some.length));
  const parts = largest <= cards.length * MAX_TYPE_SHARE ? byType : communitiesOf(cards, links);
  return { regions: [...groups.map((at) => [at]), ...parts], people };
}

/** The communities of some nodes. Nodes without lines form one. */
function communitiesOf(members: readonly number[], links: readonly WeightedLink[]): number[][] {
  const indexOf = new Map(members.map((at, index) => [at, index]));
  const inner = links.flatMap(({ source, target, weight }) => {
    const [from, to] = [indexOf.get(source), indexOf.get(target)];
    return from === undefined || to === undefined ? [] : [{ source: from, target: to, weight }];
  });
  const community = communities(members.length, inner);
  joinSmall(community, inner);
  return [...Map.groupBy(members, (_, index) => community[index]).values()];
}

/** Merges small communities into those that they are connected to; small ones without connections into one. */
function joinSmall(community: number[], links: readonly WeightedLink[]): void {
  const sizes = new Map<number, number>();
  for (const id of community) sizes.set(id, (sizes.get(id) ?? 0) + 1);
  const weights = new Map<number, Map<number, number>>();
  const add = (from: number, to: number, weight: number) => {
    const known = weights.get(from) ?? new Map<number, number>();
    weights.set(from, known.set(to, (known.get(to) ?? 0) + weight));
  };
  for (const { source, target, weight } of links) {
    const [from, to] = [community[source] as number, community[target] as number];
    if (from === to) continue;
    add(from, to, weight);
    add(to, from, weight);
  }
  const joined = new Map<number, number>();
  for (const [id, size] of sizes) {
    if (size >= MIN_COMMUNITY) continue;
    const large = [...(weights.get(id) ?? [])].filter(([to]) => (sizes.get(to) ?? 0) >= MIN_COMMUNITY);
    joined.set(id, large.sort((a, b) => b[1] - a[1])[0]?.[0] ?? -1);
  }
  for (const [at, id] of community.entries()) community[at] = joined.get(id) ?? id;
}
