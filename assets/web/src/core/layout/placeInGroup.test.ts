/** The place of a new component in a group. The server has a test with the same cases. */
import { describe, expect, it } from 'vitest';
import { NODE_SIZE, type Rect } from '../scene/geometry';
import { buildScene } from '../scene/scene';
import type { Rows } from '../sync/rows';
import { expectedCardSize, placeInGroup } from './placeInGroup';
import cases from './placement.cases.json';

interface CaseItem {
  id: string;
  x: number;
  y: number;
  parent?: string;
  isGroup?: boolean;
  width?: number;
  height?: number;
}

interface Case {
  name: string;
  items: readonly CaseItem[];
  notes?: readonly Rect[];
  group: string;
  size?: readonly [number, number];
  /** The name of the card, which determines its size. */
  card?: string;
  at: readonly [number, number];
}

function sceneOf(items: readonly CaseItem[], collapsed: readonly string[] = []) {
  const component = items.map(({ isGroup, parent: _, ...row }) => ({
    ...row,
    name: row.id,
    typeId: isGroup ? 'group' : 'service',
    properties: {},
  }));
  const relationship = items.flatMap(({ id, parent }) =>
    parent ? [{ id: `r-${id}`, sourceId: parent, targetId: id, typeId: 'contains' }] : [],
  );
  const byId = (rows: readonly { id: string }[]) => new Map(rows.map((row) => [row.id, row]));
  const rows = { component: byId(component), relationship: byId(relationship) };
  return buildScene(rows as unknown as Pick<Rows, 'component' | 'relationship'>, new Set(collapsed));
}

describe('the place of a new component in a group', () => {
  it.each(cases as unknown as Case[])('is $name', ({ items, notes = [], group, size, card, at }) => {
    const named = card === undefined ? NODE_SIZE : expectedCardSize(card);
    const [width, height] = size ?? [named.width, named.height];
    const place = placeInGroup(sceneOf(items), notes, group, { width, height });
    expect(place && [place.x, place.y]).toEqual(at);
  });

  it('is left to others if there is no room, or no frame', () => {
    const items: CaseItem[] = [
      { id: 'g', x: 0, y: 0 },
      { id: 'a', x: 20, y: 60, parent: 'g' },
    ];
    const wall = { x: -300, y: -300, width: 2000, height: 2000 };
    expect(placeInGroup(sceneOf(items), [wall], 'g')).toBeNull();
    expect(placeInGroup(sceneOf(items), [], 'missing')).toBeNull();
    expect(placeInGroup(sceneOf(items, ['g']), [], 'g'), 'collapsed').toBeNull();
  });
});
