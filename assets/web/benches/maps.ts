/** Maps for benchmarks. */
export interface Bulk {
  workspace: { name: string };
  components: unknown[];
  relationships: unknown[];
}

/** A grid of components with two relationships each, the same in every run. */
export function gridMap(count: number): Bulk {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  const types = ['service', 'database', 'web-app', 'queue', 'library', 'api'];
  const columns = Math.ceil(Math.sqrt(count));
  const near = (at: number) => Math.min(count - 1, Math.max(0, at + random(4 * columns) - 2 * columns));
  return {
    workspace: { name: `Made of ${count}` },
    components: Array.from({ length: count }, (_, at) => ({
      id: `c${at}`,
      typeId: types[at % types.length],
      name: `Component ${at}`,
      x: (at % columns) * 240,
      y: Math.floor(at / columns) * 160,
      properties: { lifecycle: 'live' },
    })),
    relationships: Array.from({ length: count * 2 }, (_, at) => ({
      id: `r${at}`,
      sourceId: `c${at % count}`,
      targetId: `c${near(at % count)}`,
      typeId: at % 3 ? 'uses' : 'calls',
    })),
  };
}

export const middle = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
