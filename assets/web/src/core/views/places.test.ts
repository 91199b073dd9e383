import { describe, expect, it } from 'vitest';
import { buildModel, type Model } from '../model/model';
import { catalogue, sample } from '../model/testing';
import { NODE_SIZE, overlaps, type Point, type Rect } from '../scene/geometry';
import { buildScene, nodeRects } from '../scene/scene';
import { placeMembers } from './places';

type Line = readonly [string, string, string];

function modelOf(ids: readonly string[], relationships: readonly Line[] = []): Model {
  const components = ids.map((id, at) => ({
    id,
    x: at * 1_000,
    y: 7,
    typeId: id.startsWith('group') ? 'group' : 'service',
  }));
  return buildModel(sample({ components, relationships }), catalogue);
}

const place = (model: Model, places: Record<string, readonly [number, number]>, ids?: readonly string[]) =>
  placeMembers(
    model,
    ids ?? [...model.rows.component.keys()],
    'own',
    new Map(Object.entries(places).map(([id, [x, y]]) => [id, { x, y }])),
  );

/** The rectangles of cards and groups as they are drawn. */
function drawn(model: Model, positions: ReadonlyMap<string, Point>): Map<string, Rect> {
  const scene = buildScene(model.rows, new Set());
  return new Map(nodeRects(scene, positions).map((rect, at) => [scene.nodes[at]?.id ?? '', rect]));
}

/** Random integers below a limit, the same in every run. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

/** A model in which every sixth component is a group, some inside others. */
function randomModel(random: (limit: number) => number): Model {
  const ids = Array.from({ length: 3 + random(25) }, (_, at) => (at % 6 === 0 ? `group-${at}` : `c${at}`));
  const any = () => ids[random(ids.length)] as string;
  const relationships: Line[] = ids.map(() => [any(), 'calls', any()]);
  for (const [at, id] of ids.entries()) {
    const group = Math.floor(random(at + 1) / 6) * 6;
    if (group < at && random(3) === 0) relationships.push([`group-${group}`, 'contains', id]);
  }
  return modelOf(ids, relationships);
}

/** Groups with places of their parts that were chosen at random overlap others. */
function onlyCards(rects: ReadonlyMap<string, Rect>): Map<string, Rect> {
  return new Map([...rects].filter(([id]) => !id.startsWith('group')));
}

describe('the members of a view', () => {
  it('have the positions of the map with the shared layout, and until a user arranges the view', () => {
    const model = modelOf(['a', 'b']);
    const onMap = new Map([
      ['a', { x: 0, y: 7, isNew: false }],
      ['b', { x: 1_000, y: 7, isNew: false }],
    ]);
    expect(placeMembers(model, ['a', 'b'], 'shared', new Map([['a', { x: 5, y: 5 }]]))).toEqual(onMap);
    expect(placeMembers(model, ['a', 'b'], 'own', new Map())).toEqual(onMap);
    expect(placeMembers(model, ['b'], 'own', new Map([['a', { x: 5, y: 5 }]])).get('b')).toEqual({
      x: 1_000,
      y: 7,
      isNew: false,
    });
  });

  it('keep their places, and new ones are beside their neighbors', () => {
    const model = modelOf(
      ['a', 'before', 'after', 'far', 'alone'],
      [
        ['a', 'calls', 'after'],
        ['before', 'calls', 'a'],
        ['after', 'calls', 'far'],
      ],
    );
    const found = place(model, { a: [333, 111] });
    expect(found.get('a')).toEqual({ x: 333, y: 111, isNew: false });
    const [after, before, far] = ['after', 'before', 'far'].map((id) => found.get(id) as Point);
    expect(after).toMatchObject({ isNew: true });
    expect(after?.x).toBeGreaterThan(333 + NODE_SIZE.width);
    expect(before?.x).toBeLessThan(333 - NODE_SIZE.width);
    expect(far?.x).toBeGreaterThan((after as Point).x);
    expect(found.get('alone')?.y).toBeGreaterThan(111 + NODE_SIZE.height);
  });

  it('are placed in their group if it is in the view', () => {
    const model = modelOf(
      ['group', 'in', 'other', 'new', 'out'],
      [
        ['group', 'contains', 'in'],
        ['group', 'contains', 'new'],
        ['other', 'calls', 'new'],
        ['new', 'calls', 'out'],
      ],
    );
    const places = { in: [0, 0], other: [600, 0], out: [1_200, 0] } as const;
    const found = place(model, places);
    const rects = drawn(model, found);
    const [group, other] = [rects.get('group') as Rect, rects.get('other') as Rect];
    expect(overlaps(group, other)).toBe(false);
    expect(group.width).toBeLessThan(600);
    const skipped = place(model, places, ['in', 'other', 'new', 'out']);
    expect(skipped.get('new')?.x).toBeGreaterThan(0);
    expect(found.get('group')).toMatchObject({ x: group.x, y: group.y, isNew: true });
  });

  it('are placed with all that they contain', () => {
    const model = modelOf(
      ['a', 'group', 'x', 'group-inner', 'y', 'z', 'group-empty'],
      [
        ['group', 'contains', 'x'],
        ['group', 'contains', 'group-inner'],
        ['group-inner', 'contains', 'y'],
        ['group-inner', 'contains', 'z'],
        ['z', 'calls', 'a'],
      ],
    );
    const found = place(model, { a: [0, 0] });
    const rects = drawn(model, found);
    const outer = rects.get('group') as Rect;
    expect(outer.x + outer.width).toBeLessThan(0);
    for (const id of ['group', 'group-inner', 'group-empty'])
      expect(found.get(id)).toMatchObject({ x: rects.get(id)?.x, y: rects.get(id)?.y });
    expectNoOverlaps(model, rects);
  });

  it('never move, cover nothing, and have the same places every time', () => {
    const random = randomNumbers(7);
    for (let round = 0; round < 60; round++) {
      const model = randomModel(random);
      const ids = [...model.rows.component.keys()];
      // Places far apart, as in an arranged view.
      const placed = ids.filter((id) => !id.startsWith('group') && random(2) === 0);
      const places = Object.fromEntries(
        placed.map((id, at) => [id, [(at % 5) * 400, Math.floor(at / 5) * 300] as const]),
      );
      const found = place(model, places);
      expect([...found.keys()]).toEqual(ids);
      for (const [id, [x, y]] of Object.entries(places))
        expect(found.get(id)).toEqual({ x, y, isNew: false });
      for (const id of ids) expect(found.get(id)?.isNew).toBe(placed.length > 0 && !placed.includes(id));
      expect(place(model, places)).toEqual(found);
      if (placed.length > 0) expectNoOverlaps(model, onlyCards(drawn(model, found)));
    }
  });

  it('are placed without overlaps on a large map, even if almost all are new', () => {
    const count = 3_000;
    const ids = Array.from({ length: count }, (_, at) => `c${at}`);
    const relationships = Array.from(
      { length: 17_000 },
      (_, at) => [`c${(at * 7) % count}`, 'calls', `c${(at * 13 + 1) % count}`] as const,
    );
    const model = modelOf(ids, relationships);
    for (const kept of [10, 2_850]) {
      const places = Object.fromEntries(
        ids.slice(0, kept).map((id, at) => [id, [(at % 50) * 260, Math.floor(at / 50) * 140] as const]),
      );
      const found = place(model, places);
      expectNoOverlaps(model, drawn(model, found));
    }
  });
});

function expectNoOverlaps(model: Model, rects: ReadonlyMap<string, Rect>): void {
  const { parent } = model.containment;
  const isInside = (id: string, group: string) => {
    for (let at = parent.get(id); at !== undefined; at = parent.get(at)) if (at === group) return true;
    return false;
  };
  const sorted = [...rects].sort(([, one], [, other]) => one.x - other.x);
  for (const [at, [id, rect]] of sorted.entries()) {
    for (const [other, beside] of sorted.slice(at + 1)) {
      if (beside.x >= rect.x + rect.width) break;
      if (overlaps(rect, beside) && !isInside(id, other) && !isInside(other, id))
        expect.fail(`${id} covers ${other}`);
    }
  }
}
