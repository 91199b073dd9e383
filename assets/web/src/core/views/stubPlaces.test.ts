import { describe, expect, it } from 'vitest';
import { containsRect, overlaps } from '../scene/geometry';
import { MAX_STUBS, placeStubs } from './stubPlaces';

const members = [
  { x: 0, y: 0, width: 180, height: 64 },
  { x: 600, y: 0, width: 180, height: 64 },
  { x: 0, y: 400, width: 180, height: 64 },
  { x: 600, y: 400, width: 180, height: 64 },
];
const bounds = { x: 0, y: 0, width: 780, height: 464 };
const stub = (id: string, relationships = 1) => ({
  componentId: id,
  relationshipIds: Array.from({ length: relationships }, (_, at) => `${id}${at}`),
});

describe('neighbors outside of a view', () => {
  it('are placed around the members without overlaps', () => {
    const all = Array.from({ length: 40 }, (_, at) => stub(`s${at}`));
    const placed = placeStubs(all, members, ({ componentId }) => [
      members[Number(componentId.slice(1)) % 4] as (typeof members)[0],
    ]);
    expect(placed).toHaveLength(40);
    for (const [at, { rect }] of placed.entries()) {
      expect(overlaps(rect, bounds)).toBe(false);
      for (const { rect: other } of placed.slice(at + 1)) expect(overlaps(rect, other)).toBe(false);
    }
  });

  it('are at the side of the members that they are related to', () => {
    const [placed] = placeStubs([stub('a')], members, () => [members[1], members[3]] as typeof members);
    expect(placed?.rect.x).toBeGreaterThan(780);
    expect(placed?.rect.y).toBe(464 / 2 - 18);
    expect(placed?.ends).toHaveLength(2);
  });

  it('are the most connected ones if there are many', () => {
    const all = [...Array.from({ length: 80 }, (_, at) => stub(`s${at}`)), stub('hub', 9)];
    const placed = placeStubs(all, members, () => [members[0] as (typeof members)[0]]);
    expect(placed).toHaveLength(MAX_STUBS);
    expect(placed.some(({ id }) => id === 'hub')).toBe(true);
    expect(placed.some(({ rect }) => containsRect(bounds, rect))).toBe(false);
  });

  it('are not shown without members', () => {
    expect(placeStubs([stub('a')], [], () => [])).toEqual([]);
  });
});
