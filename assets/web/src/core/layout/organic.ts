/** Force-directed layout: connected components attract each other, all components repel each other. */
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3-force';
import type { LayoutPositions, LayoutTask } from './layoutTask';

interface SimulationBody extends SimulationNodeDatum {
  id: string;
  width: number;
  height: number;
  /** The previous left edge. */
  left: number;
  top: number;
}

const SPACE = 36;

/** New positions. Groups move as a whole, with their contents. */
export function organicLayout({ nodes, lines }: LayoutTask): LayoutPositions {
  const top = new Map<string, string>();
  for (const { id, parent } of nodes) top.set(id, parent === null ? id : (top.get(parent) ?? parent));
  const outer = nodes.filter(({ parent }) => parent === null);
  const bodies: SimulationBody[] = outer.map(({ id, x, y, width, height }) => ({
    id,
    width,
    height,
    left: x,
    top: y,
  }));
  const links = lines
    .map(({ from, to }) => ({ source: top.get(from) ?? from, target: top.get(to) ?? to }))
    .filter(({ source, target }) => source !== target);
  const radius = ({ width, height }: SimulationBody) => Math.hypot(width, height) / 2 + SPACE / 2;
  const rounds = bodies.length > 1500 ? 160 : 300;
  forceSimulation(bodies)
    .force(
      'link',
      forceLink<SimulationBody, { source: string; target: string }>(links)
        .id(({ id }) => id)
        .distance(240),
    )
    .force('charge', forceManyBody<SimulationBody>().strength(-900).distanceMax(2400))
    .force('collide', forceCollide<SimulationBody>(radius).iterations(2))
    .force('x', forceX(0).strength(0.04))
    .force('y', forceY(0).strength(0.06))
    .alphaDecay(1 - 0.001 ** (1 / rounds))
    .stop()
    .tick(rounds);
  const by = new Map(
    bodies.map((body) => [
      body.id,
      {
        x: (body.x ?? 0) - body.width / 2 - body.left,
        y: (body.y ?? 0) - body.height / 2 - body.top,
      },
    ]),
  );
  return Object.fromEntries(
    nodes.map(({ id, x, y }) => {
      const shift = by.get(top.get(id) ?? id);
      return [id, { x: x + (shift?.x ?? 0), y: y + (shift?.y ?? 0) }];
    }),
  );
}
