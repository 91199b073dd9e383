/** Force simulation of rectangles: connected ones attract each other, all repel each other. */
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force';
import { center, type Point, type Rect } from '../scene/geometry';
import type { WeightedLink } from './communities';

interface Body extends SimulationNodeDatum {
  radius: number;
  target: Point;
}

/** A link, whose ends the simulation replaces by bodies. */
interface Link extends SimulationLinkDatum<Body> {
  weight: number;
}

const ROUNDS = 300;
const ROUNDS_IF_LARGE = 160;
const LARGE = 1500;

interface SimulationOptions {
  /** The minimum distance between rectangles. */
  space: number;
  /** Where each rectangle is drawn to; by default the center of all. */
  targets?: readonly Point[];
}

/** Moves rectangles in place. They may overlap afterwards. */
export function simulate(
  rects: readonly Rect[],
  links: readonly WeightedLink[],
  { space, targets }: SimulationOptions,
): void {
  const bodies = rects.map(
    ({ width, height }, at): Body => ({
      radius: (Math.hypot(width, height) + space) / 2,
      target: targets?.[at] ?? { x: 0, y: 0 },
    }),
  );
  const rounds = rects.length > LARGE ? ROUNDS_IF_LARGE : ROUNDS;
  forceSimulation(bodies)
    .force(
      'link',
      forceLink<Body, Link>(links.map((link) => ({ ...link })))
        .distance(({ source, target }) => radiusOf(source) + radiusOf(target))
        .strength(({ weight }) => weight),
    )
    .force('charge', forceManyBody<Body>().strength(-900).distanceMax(2400))
    .force('collide', forceCollide<Body>(radiusOf).iterations(2))
    .force('x', forceX<Body>(({ target }) => target.x).strength(0.04))
    .force('y', forceY<Body>(({ target }) => target.y).strength(0.06))
    .alphaDecay(1 - 0.001 ** (1 / rounds))
    .stop()
    .tick(rounds);
  for (const [at, rect] of rects.entries()) {
    const { x = 0, y = 0 } = bodies[at] as Body;
    const from = center(rect);
    rect.x += x - from.x;
    rect.y += y - from.y;
  }
}

function radiusOf(body: Body | string | number): number {
  return typeof body === 'object' ? body.radius : 0;
}
