import { describe, expect, it } from 'vitest';
import { buildContainment } from '../containment/containment';
import { drawnRelationships } from '../export/drawnRelationships';
import { buildModel } from '../model/model';
import { sample } from '../model/testing';
import { buildScene } from '../scene/scene';
import catalog from './cases/catalog.json';
import { layoutWrites } from './layoutWrites';
import { resolveView } from './resolve';
import {
  arrangedComponents,
  arrangedRelationships,
  liftedEnds,
  memberComponents,
  memberRelationships,
} from './shownRows';
import { select } from './testing';

const rows = sample({
  components: [
    { id: 'outer', x: 0, y: 0 },
    { id: 'inner', x: 0, y: 0 },
    { id: 'web', x: 10, y: 10 },
    { id: 'api', x: 20, y: 20 },
  ],
  relationships: [
    ['outer', 'contains', 'inner'],
    ['inner', 'contains', 'web'],
    ['web', 'calls', 'api'],
  ],
});
const containment = buildContainment(rows.relationship.values());
const [calls = ''] = [...rows.relationship.values()].flatMap(({ id, typeId }) =>
  typeId === 'calls' ? [id] : [],
);

/** The scene of a view with these members and all relationships between them. */
function sceneOf(...ids: string[]) {
  const members = new Set(ids);
  const component = memberComponents(rows.component, members);
  const relationship = memberRelationships(
    rows.relationship,
    containment,
    members,
    new Set(members.has('web') && members.has('api') ? [calls] : []),
    true,
  );
  return buildScene({ component, relationship }, new Set());
}

describe('the members of a view', () => {
  it('are drawn with the relationships between them', () => {
    expect(sceneOf('web', 'api').nodes.map(({ id }) => id)).toEqual(['web', 'api']);
    expect(sceneOf('web', 'api').lines.map(({ id }) => id)).toEqual([calls]);
    expect(sceneOf('web').lines).toEqual([]);
  });

  it('are drawn in the next group that is in the view', () => {
    expect(sceneOf('outer', 'web').containment.parent).toEqual(new Map([['web', 'outer']]));
    expect(sceneOf('outer', 'inner', 'web').containment.parent.get('web')).toBe('inner');
    expect(sceneOf('web').containment.parent.size).toBe(0);
  });

  it('have the positions and lines of the view, and stay the same objects', () => {
    const places = new Map([['web', { x: 500, y: 5 }]]);
    const once = arrangedComponents(rows.component, places);
    expect(once.get('web')).toMatchObject({ x: 500, y: 5 });
    expect(once.get('api')).toBe(rows.component.get('api'));
    expect(arrangedComponents(rows.component, new Map(places)).get('web')).toBe(once.get('web'));
    expect(rows.component.get('web')?.x).toBe(10);
    const lines = new Map([[calls, { via: [[1, 2]] as [number, number][] }]]);
    expect(arrangedRelationships(rows.relationship, lines).get(calls)?.line).toEqual({ via: [[1, 2]] });
    expect(arrangedRelationships(rows.relationship, new Map())).toEqual(rows.relationship);
  });
});

describe('an edit of a view with an own layout', () => {
  it('writes positions to the view and everything else to the model', () => {
    const { positions, lines, model } = layoutWrites(rows, [
      { op: 'move', moves: [{ id: 'web', x: 1, y: 2 }] },
      {
        op: 'update',
        kind: 'component',
        id: 'outer',
        fields: { y: 7, height: 300 },
        before: { y: 0, height: null },
        base: 1,
      },
      { op: 'create', kind: 'component', id: 'new', fields: { name: 'New', x: 3, y: 4 } },
      {
        op: 'update',
        kind: 'relationship',
        id: calls,
        fields: { line: null, label: 'x' },
        before: {},
        base: 1,
      },
      { op: 'delete', kind: 'component', id: 'api', base: 1, fields: {} },
    ]);
    expect([...positions]).toEqual([
      ['web', { x: 1, y: 2 }],
      ['outer', { x: 0, y: 7 }],
      ['new', { x: 3, y: 4 }],
    ]);
    expect([...lines]).toEqual([[calls, null]]);
    expect(model).toEqual([
      {
        op: 'update',
        kind: 'component',
        id: 'outer',
        fields: { height: 300 },
        before: { height: null },
        base: 1,
      },
      { op: 'create', kind: 'component', id: 'new', fields: { name: 'New' } },
      { op: 'update', kind: 'relationship', id: calls, fields: { label: 'x' }, before: {}, base: 1 },
      { op: 'delete', kind: 'component', id: 'api', base: 1, fields: {} },
    ]);
  });

  it('writes nothing to the model if it only arranges', () => {
    const { model } = layoutWrites(rows, [{ op: 'move', moves: [{ id: 'web', x: 1, y: 2 }] }]);
    expect(model).toEqual([]);
  });
});

describe('implied relationships', () => {
  const bank = sample({
    components: ['bank', 'web', 'api', 'mail', 'core', 'ledger'].map((id) => ({ id })),
    relationships: [
      ['bank', 'contains', 'web'],
      ['bank', 'contains', 'api'],
      ['core', 'contains', 'ledger'],
      ['web', 'calls', 'api'],
      ['api', 'uses', 'mail'],
      ['api', 'calls', 'core'],
      ['api', 'calls', 'ledger'],
      ['web', 'reads', 'ledger'],
    ],
  });
  const model = buildModel(bank, catalog as never);
  const ids = ['bank', 'mail', 'core'];

  function landscape(impliedRelationships: boolean) {
    const definition = { ...select({ ids }), impliedRelationships };
    const { componentIds, relationshipIds, implied } = resolveView(definition, model);
    const members = new Set(componentIds);
    const drawn = new Set([...relationshipIds, ...implied.map((one) => one.relationshipId)]);
    return {
      component: memberComponents(bank.component, members),
      relationship: memberRelationships(bank.relationship, model.containment, members, drawn, true),
      lifted: liftedEnds(bank.relationship, implied),
    };
  }
  const linesOf = (of: ReturnType<typeof landscape>) => {
    const { nodes, lines } = buildScene(of, new Set());
    return lines.map(({ from, to, types }) => [
      nodes[from]?.id,
      nodes[to]?.id,
      types.map(({ typeId, count }) => `${count} ${typeId}`).join(', '),
    ]);
  };

  it('are drawn between the members that contain their ends, as one line', () => {
    expect(linesOf(landscape(false))).toEqual([]);
    expect(linesOf(landscape(true))).toEqual([
      ['bank', 'mail', '1 uses'],
      ['bank', 'core', '2 calls, 1 reads'],
    ]);
  });

  it('are exported as they are drawn', () => {
    const rows = drawnRelationships(landscape(true), (typeId) => typeId);
    expect(rows.map((row) => [row.sourceId, row.targetId, row.typeId, row.label ?? null])).toEqual([
      ['bank', 'mail', 'uses', null],
      ['bank', 'core', 'calls', '2 calls, 1 reads'],
    ]);
  });
});
