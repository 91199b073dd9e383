// The tasks on a workspace of 1,000 components.

import assert from 'node:assert/strict';

const workspaceId = 'packages';
/** Maximum number of characters of the ten most depended-on components. */
const MAX_TOP_TEN = 1_500;
/** Text that people do not see, and models read. */
const HIDDEN = 'Visible\u{e0041}\u{202e}\u{200b} text';

export const LARGE_TASKS = [
  {
    number: '5a',
    name: 'path between two of 1,000 components',
    old: [1, 69, 515, 'yes'],
    // The result has the types of relationships, which it lacked.
    maxOut: 1_500,
    async run({ assistant, read }) {
      const model = await read(workspaceId);
      const hub = topTen(model)[0][0];
      const distances = model.reached(hub, model.dependents);
      const [from, length] = [...distances].at(-1);
      const { paths } = await assistant.call('find_paths', { workspaceId, from, to: hub });
      assert.ok(paths.length > 0);
      const [{ componentIds }] = paths;
      assert.deepEqual([componentIds[0], componentIds.at(-1), componentIds.length], [from, hub, length + 1]);
      for (const { componentIds: ids } of paths)
        for (const [at, id] of ids.slice(1).entries()) assert.ok(model.dependencies.get(ids[at]).has(id));
    },
  },
  {
    number: '5b',
    name: 'ten most depended-on of 1,000',
    old: [23, 1_795, 321_779, 'by script'],
    maxOut: MAX_TOP_TEN,
    async run({ assistant, read }) {
      const ask = { workspaceId, sortBy: 'dependents', limit: 10 };
      const { columns, rows, total } = await assistant.call('query_components', ask);
      const model = await read(workspaceId);
      const found = rows.map((row) => [row[columns.indexOf('id')], row[columns.indexOf('dependents')]]);
      const expected = topTen(model);
      assert.equal(total, model.components.size);
      // Of those with as many dependents, any order is right.
      assert.deepEqual(
        found.map(([, count]) => count),
        expected.map(([, count]) => count),
      );
      for (const [id, count] of found) assert.equal(model.dependents.get(id)?.size, count, id);
      assert.equal(new Set(found.map(([id]) => id)).size, expected.length);
    },
  },
  {
    number: '11',
    name: 'rights, 1,000 rows, long lists, hidden text',
    old: [47, 0, 0, 'cut'],
    async run({ assistant, viewer, read, write, revision }) {
      const model = await read(workspaceId);
      const listed = await pages(assistant, { workspaceId, include: ['components'] }, ({ tables }) => tables[0].rows);
      assert.deepEqual(listed.map(([id]) => id).sort(), [...model.components.keys()].sort());

      const [[hub]] = topTen(model);
      const [hubRow] = (await assistant.call('get_components', { workspaceId, componentIds: [hub] })).components;
      const incoming = model.bundle.relationships.filter(({ targetId }) => targetId === hub);
      assert.equal(hubRow.incomingCount, incoming.length);
      assert.equal(
        hubRow.incoming.length < incoming.length,
        hubRow.more?.includes('incoming') ?? false,
        'it says what it leaves out',
      );
      const ask = { workspaceId, componentIds: [hub], list: 'incoming' };
      const idsOf = ({ columns, rows }) => rows.map((row) => row[columns.indexOf('relationshipId')]);
      const all = await pages(assistant, ask, idsOf, 'get_components');
      assert.deepEqual(all.sort(), incoming.map(({ id }) => id).sort());

      const before = await revision(workspaceId);
      const refused = await viewer.fail('upsert_components', { workspaceId, components: [{ id: hub, name: 'Mine' }] });
      assert.match(refused, /forbidden/);
      assert.match(refused, /start_draft/);
      assert.equal(await revision(workspaceId), before);

      await write('upsert_components', { workspaceId, components: [{ id: hub, description: HIDDEN }] });
      const [{ description }] = (await assistant.call('get_components', { workspaceId, componentIds: [hub] }))
        .components;
      assert.ok(!/[\u200b\u202e\u{e0041}]/u.test(description), description);
      await write('upsert_components', { workspaceId, components: [{ id: hub, description }] });
      assert.equal((await read(workspaceId)).components.get(hub).description, HIDDEN, 'written back, it is the same');
    },
  },
];

/** The ids and the numbers of dependents of the ten most depended-on components. */
function topTen({ dependents }) {
  const counts = [...dependents].map(([id, ids]) => [id, ids.size]);
  return counts.sort((one, other) => other[1] - one[1]).slice(0, 10);
}

/** Reads all pages. `rowsOf` returns the rows of one. */
async function pages(assistant, ask, rowsOf, tool = 'get_workspace') {
  const rows = [];
  let cursor;
  do {
    const page = await assistant.call(tool, { ...ask, ...(cursor && { cursor }) });
    rows.push(...rowsOf(page));
    cursor = page.nextCursor;
  } while (cursor);
  return rows;
}
