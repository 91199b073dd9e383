// The tasks on the sample workspace.

import assert from 'node:assert/strict';
import { Model } from './model.mjs';

const workspaceId = 'wiki';
const CACHE_OWNER = 'payments';

export const SAMPLE_TASKS = [
  {
    number: '1',
    name: 'explain the system',
    old: [3, 128, 14_662, 'yes'],
    async run({ assistant, read }) {
      const { text } = await assistant.call('get_workspace', { workspaceId, format: 'outline' });
      const shown = await assistant.call('get_workspace', { workspaceId, include: ['processes'] });
      const process = await assistant.call('get_process', { workspaceId, processId: 'save-an-edit' });
      const model = await read(workspaceId);
      const lines = text.split('\n').map((line) => line.trim());
      for (const { id, name, properties } of model.bundle.components) {
        const line = lines.find((one) => one.startsWith(`${id} [`));
        const facts = [name, properties.lifecycle ?? '', ...model.owners(id)];
        assert.ok(
          facts.every((fact) => line?.includes(fact)),
          `${line}: ${facts}`,
        );
      }
      const drawn = model.bundle.relationships.filter(({ typeId }) => typeId !== 'contains');
      assert.equal(lines.filter((line) => line.startsWith('->')).length, drawn.length);
      const stored = model.bundle.processes;
      assert.deepEqual(shown.tables[0].rows.map(([id]) => id).sort(), stored.map(({ id }) => id).sort());
      assert.equal(process.mermaid, stored.find(({ id }) => id === 'save-an-edit').mermaid);
    },
  },
  {
    number: '2',
    name: 'what breaks, what is needed',
    old: [4, 475, 15_788, 'no'],
    async run({ assistant, read }) {
      const model = await read(workspaceId);
      const expect = async (componentId, direction, count) => {
        const { total, rows } = await assistant.call('trace_dependencies', { workspaceId, componentId, direction });
        const expected = model.reached(componentId, model[direction]);
        assert.deepEqual(new Map(rows.map(([id, , distance]) => [id, distance])), expected);
        assert.deepEqual([total, rows.length], [count, count]);
      };
      await expect('core-databases', 'dependents', 10);
      await expect('mediawiki', 'dependencies', 11);
    },
  },
  {
    number: '3',
    name: 'owners of what a page needs; no owner',
    old: [3, 255, 8_472, 'yes'],
    async run({ assistant, read }) {
      const needed = { workspaceId, componentId: 'mediawiki', direction: 'dependencies' };
      const { owners } = await assistant.call('trace_dependencies', needed);
      const unowned = await assistant.call('query_components', { workspaceId, withoutOwner: true });
      const model = await read(workspaceId);
      const counts = {};
      for (const id of model.reached('mediawiki', model.dependencies).keys())
        for (const owner of model.owners(id)) counts[owner] = (counts[owner] ?? 0) + 1;
      assert.deepEqual(Object.fromEntries(owners.map(([, id, , count]) => [id, count])), counts);
      const none = [...model.components.keys()].filter((id) => model.owners(id).length === 0);
      assert.deepEqual(unowned.rows.map(([id]) => id).sort(), none.sort());
      assert.ok(none.includes('memcached'), 'it has support only');
    },
  },
  {
    number: '6',
    name: 'one goes live, another is retired, why',
    old: [4, 474, 4_300, 'yes'],
    async run({ assistant, read, write, rest }) {
      const before = await read(workspaceId);
      const { hits } = await assistant.call('search', { query: 'Liberica', workspaceId });
      assert.equal(hits[0].id, 'load-balancer-next');
      const reason = 'Liberica has taken over all traffic';
      const components = [
        { id: 'load-balancer-next', lifecycle: 'live' },
        { id: 'load-balancer', lifecycle: 'retired' },
      ];
      const written = await write('upsert_components', { workspaceId, components, reason });
      const { components: now } = await read(workspaceId);
      for (const { id, lifecycle } of components) {
        const { properties } = before.components.get(id);
        assert.deepEqual(now.get(id).properties, { ...properties, lifecycle }, 'other properties are kept');
      }
      const { changes } = await rest.send('GET', `/api/workspaces/${workspaceId}/history`);
      const own = changes.filter(({ changeSetId }) => changeSetId === written.changeSetId);
      assert.ok(own.length === 2 && own.every((change) => change.reason === reason), JSON.stringify(own).slice(0, 500));
    },
  },
  {
    number: '7',
    name: 'a team, a person, owner of every cache',
    old: [8, 636, 3_057, 'ambiguous'],
    async run({ assistant, read, write, rest }) {
      const before = await read(workspaceId);
      await write('save_person_or_team', { kind: 'person', id: 'grace-hopper', name: 'Grace Hopper' });
      const members = [{ personId: 'grace-hopper', role: 'lead' }];
      await write('save_person_or_team', { kind: 'team', id: CACHE_OWNER, name: 'Payments', members });
      const found = await assistant.call('query_components', { workspaceId, typeIds: ['cache'] });
      const componentIds = found.rows.map(([id]) => id);
      const stakeholders = [{ teamId: CACHE_OWNER, linkType: 'owner' }];
      await write('set_stakeholders', { workspaceId, componentIds, mode: 'replaceRole', stakeholders });
      const now = await read(workspaceId);
      const isCache = (id) => now.components.get(id).typeId === 'cache';
      for (const id of now.components.keys())
        assert.deepEqual(now.owners(id), isCache(id) ? [CACHE_OWNER] : before.owners(id), id);
      const others = ({ bundle }) => bundle.stakeholders.filter((row) => row.linkType !== 'owner').map(({ id }) => id);
      assert.deepEqual(others(now), others(before), 'other roles are kept');
      const { members: stored } = await rest.send('GET', `/api/teams/${CACHE_OWNER}`);
      assert.deepEqual(
        stored.map(({ personId, role }) => [personId, role]),
        [['grace-hopper', 'lead']],
      );
    },
  },
  {
    number: '8',
    name: 'another first step in a process',
    old: [3, 1_937, 2_195, 'yes'],
    // More than before, because the answer names the steps between components that no relationship connects.
    maxOut: 2_400,
    async run({ assistant, read, writeOnce }) {
      const processId = 'save-an-edit';
      const { mermaid, participants, revision } = await assistant.call('get_process', { workspaceId, processId });
      const first = '    editor->>+api:';
      const edits = [
        { oldText: '    autonumber\n', newText: '    participant dns as "Geo DNS"\n    autonumber\n' },
        { oldText: first, newText: `    editor->>dns: Resolve en.wikipedia.org\n${first}` },
      ];
      const added = { dns: 'geo-dns' };
      const mapping = { ...participants, ...added };
      const edit = { workspaceId, processId, edits, participants: added, expectedRevision: revision };
      const saved = await writeOnce('save_process', edit, /changed/);
      assert.deepEqual([saved.unresolved, saved.diagnostics], [[], []]);
      const { bundle } = await read(workspaceId);
      const stored = bundle.processes.find(({ id }) => id === processId);
      assert.deepEqual(stored.participants, mapping);
      const expected = edits.reduce((text, { oldText, newText }) => text.replace(oldText, newText), mermaid);
      assert.equal(stored.mermaid, expected);
    },
  },
  {
    number: '10',
    name: 'two assistants, retry, three errors',
    old: [25, 32_148, 2_917, 'doubled'],
    async run({ assistant, other, read, write, revision }) {
      const found = await assistant.call('get_components', { workspaceId, componentIds: ['parsoid'] });
      const theirs = [{ id: 'parsoid', description: 'Converts wikitext to HTML and back' }];
      await write('upsert_components', { workspaceId, components: theirs }, other);
      const mine = [{ id: 'parsoid', description: 'A parser', expectedRevision: found.components[0].revision }];
      const stale = await assistant.fail('upsert_components', { workspaceId, components: mine });
      assert.match(stale, /parsoid.*Bob.*description/s);
      assert.equal((await read(workspaceId)).components.get('parsoid').description, theirs[0].description);

      const added = [{ sourceId: 'parsoid', typeId: 'reads', targetId: 'text-store', label: 'revisions' }];
      const { created } = await write('upsert_relationships', { workspaceId, relationships: added });
      assert.equal(created.length, 1);
      const unnamed = [{ typeId: 'service', name: 'Parsoid' }];
      const double = await assistant.fail('upsert_components', { workspaceId, components: unnamed });
      assert.match(double, /`parsoid` has this name/);

      const before = await revision(workspaceId);
      const wrong = [
        { id: 'parsoid', description: 'ok' },
        { id: 'new-one', typeId: 'databse', name: 'New' },
        { id: 'new-two', name: 'Two' },
        { id: 'new-three', typeId: 'service', name: 'Three', parentId: 'edgee' },
      ];
      const told = await assistant.fail('upsert_components', { workspaceId, components: wrong });
      assert.match(told, /3 of 4/);
      for (const text of ['[1].typeId: unknown', '[2].typeId: is required', '[3].parentId', 'near: `edge`'])
        assert.ok(told.includes(text), `${text} in ${told}`);
      assert.equal(await revision(workspaceId), before, 'nothing was written');
    },
  },
  {
    number: '9',
    name: 'rename; delete with relationships',
    old: [10, 616, 4_163, 'silent'],
    async run({ assistant, read, write, writeOnce, memory }) {
      memory.before = await read(workspaceId);
      memory.version = await assistant.call('keep_version', { workspaceId, name: 'Before the deletion' });
      const renamed = [{ id: 'restbase', name: 'REST storage' }];
      const written = await write('upsert_components', { workspaceId, components: renamed });
      const gone = { workspaceId, componentIds: ['kafka', 'wikikube'] };
      const dry = await assistant.call('delete_components', { ...gone, dryRun: true });
      const done = await writeOnce(
        'delete_components',
        { ...gone, expectedRevision: dry.revision },
        /no component `kafka`/,
      );
      const { bundle, components } = await read(workspaceId);
      const { before } = memory;
      assert.equal(components.get('restbase').name, 'REST storage');
      const kept = before.bundle.components.map(({ id }) => id).filter((id) => !gone.componentIds.includes(id));
      assert.deepEqual([...components.keys()], kept);
      const isGone = (id) => gone.componentIds.includes(id);
      const lost = before.bundle.relationships.filter((row) => isGone(row.sourceId) || isGone(row.targetId));
      assert.equal(bundle.relationships.length, before.bundle.relationships.length - lost.length);
      for (const answer of [dry, done]) {
        assert.equal(answer.withThem.relationships, lost.length);
        const orphans = lost.filter((row) => row.sourceId === 'wikikube' && row.typeId === 'contains');
        assert.deepEqual([...answer.orphans].sort(), orphans.map((row) => row.targetId).sort());
        const broken = before.bundle.processes.filter((row) => Object.values(row.participants).some(isGone));
        assert.deepEqual([...answer.processesBroken].sort(), broken.map(({ id }) => id).sort());
      }
      memory.changes = [written.changeSetId, done.changeSetId];
    },
  },
  {
    number: '13',
    name: 'undo; what happened since',
    old: [0, 0, 0, 'impossible'],
    async run({ assistant, read, writeOnce, memory }) {
      const { before, version, changes } = memory;
      const listed = await assistant.call('list_changes', { workspaceId, sinceRevision: version.revision });
      const at = (name) => listed.columns.indexOf(name);
      assert.deepEqual(new Set(listed.rows.map((row) => row[at('changeSetId')])), new Set(changes));
      const difference = await assistant.call('compare', { workspaceId, from: 'Before the deletion' });
      const removed = difference.removed.filter(([kind]) => kind === 'component').map(([, id]) => id);
      assert.deepEqual(removed.sort(), ['kafka', 'wikikube']);
      assert.ok(difference.changed.some(([, id, field]) => id === 'restbase' && field === 'name'));
      await writeOnce('undo', { workspaceId, changeSetIds: changes.toReversed() }, /undone|changed/);
      const now = await read(workspaceId);
      const content = ({ bundle }) =>
        ['components', 'relationships', 'stakeholders', 'processes'].map(
          (kind) => new Map(bundle[kind].map(({ id, revision, updatedAt, updatedBy, ...row }) => [id, row])),
        );
      assert.deepEqual(content(now), content(before));
    },
  },
  {
    number: '12',
    name: 'prompts and resources',
    old: [19, 0, 0, 'partly'],
    async run({ assistant, read }) {
      const { prompts } = await assistant.request('prompts/list', {});
      const args = { workspaceId, componentId: 'mediawiki', description: 'text', processId: '', name: 'text' };
      for (const { name, arguments: asked } of prompts) {
        const given = Object.fromEntries(
          asked.filter(({ required }) => required).map((one) => [one.name, args[one.name] ?? 'text']),
        );
        const { messages } = await assistant.request('prompts/get', { name, arguments: given });
        assert.ok(messages[0].content.text.length > 200, name);
      }
      const { contents } = await assistant.request('resources/read', {
        uri: `planroom://workspaces/${workspaceId}/diagram`,
      });
      for (const { name } of (await read(workspaceId)).components.values())
        assert.ok(contents[0].text.includes(name), name);
    },
  },
];

/** The model of a workspace as it is now. */
export async function readModel(rest, id, catalogue) {
  return new Model(await rest.send('GET', `/api/workspaces/${id}`), catalogue);
}
