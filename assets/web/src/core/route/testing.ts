/** Maps for router tests. */
import { readFileSync } from 'node:fs';
import { buildScene, type Scene } from '../scene/scene';
import type { Rows } from '../sync/rows';

interface TestMap {
  components: readonly { id: string; name: string; x: number; y: number }[];
  relationships: readonly {
    id: string;
    sourceId: string;
    targetId: string;
    typeId: string;
    label?: string;
  }[];
}

export function mapScene({ components, relationships }: TestMap): Scene {
  const rows = {
    component: new Map(components.map((row) => [row.id, row])),
    relationship: new Map(relationships.map((row) => [row.id, row])),
  };
  return buildScene(rows as unknown as Pick<Rows, 'component' | 'relationship'>, new Set());
}

/** The sample workspace included with Planroom. */
export function sampleScene(): Scene {
  const file = `${import.meta.dirname}/../../../../sample.json`;
  return mapScene(JSON.parse(readFileSync(file, 'utf8')) as TestMap);
}

/** A pseudorandom number generator with a fixed seed. */
function randomBelow(start: number): (below: number) => number {
  let seed = start;
  return (below) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
}

/** A grid of components, each with lines to two nearby components, as in `benches/frames.ts`. */
export function gridMap(count: number): TestMap {
  const random = randomBelow(7);
  const columns = Math.ceil(Math.sqrt(count));
  const near = (at: number) => Math.min(count - 1, Math.max(0, at + random(4 * columns) - 2 * columns));
  return {
    components: Array.from({ length: count }, (_, at) => ({
      id: `c${at}`,
      name: `Component ${at}`,
      x: (at % columns) * 240,
      y: Math.floor(at / columns) * 160,
    })),
    relationships: Array.from({ length: count * 2 }, (_, at) => ({
      id: `r${at}`,
      sourceId: `c${at % count}`,
      targetId: `c${near(at % count)}`,
      typeId: at % 3 ? 'uses' : 'calls',
    })),
  };
}

/**
 * Components at irregular distances, each with lines to two nearby components; every eighth also has a line to a hub.
 */
export function irregularMap(count: number): TestMap {
  const random = randomBelow(11);
  const columns = Math.ceil(Math.sqrt(count));
  const near = (at: number) => {
    const target = at + random(5) - 2 + (random(5) - 2) * columns;
    return Math.min(count - 1, Math.max(0, target));
  };
  const hub = (at: number) => at - (at % (4 * columns)) + Math.floor(columns / 2);
  return {
    components: Array.from({ length: count }, (_, at) => ({
      id: `c${at}`,
      name: `Component ${at}`,
      x: (at % columns) * 280 + random(60),
      y: Math.floor(at / columns) * 180 + random(80),
    })),
    relationships: Array.from({ length: count * 2 }, (_, at) => ({
      id: `r${at}`,
      sourceId: `c${at % count}`,
      targetId: `c${at % 8 === 0 ? Math.min(count - 1, hub(at % count)) : near(at % count)}`,
      typeId: at % 3 ? 'uses' : 'calls',
      label: at % 10 === 0 ? `Sends order ${at}` : '',
    })),
  };
}

/**
 * Components in a small grid with many lines between all of them: every third line leads to one of four hubs, as in maps
 * of services that share a message broker, a feature service and telemetry.
 */
export function denseMap(count: number, lineCount: number): TestMap {
  const random = randomBelow(23);
  const columns = Math.ceil(Math.sqrt(count));
  const pairs = new Set<string>();
  for (let at = 0; pairs.size < lineCount; at++) {
    const source = random(count);
    const target = at % 3 === 0 ? random(4) : random(count);
    if (source !== target) pairs.add(`c${source} c${target}`);
  }
  return {
    components: Array.from({ length: count }, (_, at) => ({
      id: `c${at}`,
      name: `Component ${at}`,
      x: (at % columns) * 260,
      y: Math.floor(at / columns) * 180,
    })),
    relationships: [...pairs].map((pair, at) => {
      const [sourceId = '', targetId = ''] = pair.split(' ');
      return { id: `r${at}`, sourceId, targetId, typeId: at % 2 ? 'calls' : 'streams-to' };
    }),
  };
}
