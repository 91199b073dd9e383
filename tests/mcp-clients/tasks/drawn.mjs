// The task that draws a map, in several ways.

import assert from 'node:assert/strict';
import { components, OWNED, process, relationships, VARIATIONS } from './drawing.mjs';

const workspaceId = 'planroom';

export const DRAWING_TASKS = [
  {
    number: '4',
    name: 'draw 22 components in 4 groups',
    old: [15, 9_227, 3_806, '19 overlaps'],
    async run({ read, write, writeOnce, drawn, memory }) {
      await writeOnce('create_workspace', { id: workspaceId, name: 'Planroom' }, /exists/);
      await write('upsert_components', { workspaceId, components: components(true) });
      await write('upsert_relationships', { workspaceId, relationships: relationships() });
      const saved = await write('save_process', { workspaceId, ...process });
      assert.deepEqual([saved.unresolved, saved.diagnostics, saved.steps], [[], [], 13]);
      await write('save_person_or_team', { kind: 'person', id: 'ada-lovelace', name: 'Ada Lovelace' });
      const members = [{ personId: 'ada-lovelace', role: 'lead' }];
      await write('save_person_or_team', { kind: 'team', id: 'map-makers', name: 'Map makers', members });
      const stakeholders = [{ teamId: 'map-makers', linkType: 'owner' }];
      await write('set_stakeholders', { workspaceId, componentIds: OWNED, mode: 'replaceRole', stakeholders });

      const model = await read(workspaceId);
      const { bundle } = model;
      assert.deepEqual([bundle.components.length, bundle.relationships.length], [22, 37]);
      for (const { id, typeId, parentId } of components(true)) {
        assert.equal(model.components.get(id).typeId, typeId);
        assert.equal(model.parent(id), parentId, id);
      }
      assert.deepEqual(bundle.stakeholders.map((row) => row.componentId).sort(), [...OWNED].sort());
      expectClear('in one call', drawn(bundle));
      memory.drawnBundle = bundle;
    },
  },
  ...Object.entries(VARIATIONS).map(([name, draw], at) => ({
    number: '4',
    name: `the same, ${name}`,
    async run({ read, write, writeOnce, drawn }) {
      const id = `drawn-${at}`;
      await writeOnce('create_workspace', { id, name }, /exists/);
      await draw((tool, args) => write(tool, { workspaceId: id, ...args }));
      const { bundle } = await read(id);
      assert.deepEqual([bundle.components.length, bundle.relationships.length], [22, 37]);
      expectClear(name, drawn(bundle));
    },
  })),
];

/** Nothing is drawn over anything else, and every line has a route that avoids cards and titles. */
export function expectClear(name, { lines, routed, overCards, overTitles, overlapping }) {
  assert.deepEqual(
    { overlapping, overCards, overTitles, routed },
    { overlapping: [], overCards: 0, overTitles: 0, routed: lines },
    name,
  );
}
