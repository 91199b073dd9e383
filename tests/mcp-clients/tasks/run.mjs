// The thirteen tasks of an assistant as fixed sequences of tool calls against the real server. Prints the number of calls
// and of characters of each task beside those of the first version of the tools, and fails when an answer is wrong, when
// it is longer than its bound (`maxOut`, otherwise the number before), or when repeating a call that writes changes
// something. What is right is computed from what REST returns.
//
//   node tasks/run.mjs BINARY [FILE]    FILE is a workspace for a bulk request, instead of the generated one

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Instance } from '../support/instance.mjs';
import { User } from '../support/user.mjs';
import { Assistant } from './assistant.mjs';
import { DRAWING_TASKS, expectClear } from './drawn.mjs';
import { generated } from './generated.mjs';
import { LARGE_TASKS } from './large.mjs';
import { mapMeasure } from './measure.mjs';
import { readModel, SAMPLE_TASKS } from './sample.mjs';
import { printTable } from './table.mjs';

async function main(binary, file) {
  const large = file ? JSON.parse(readFileSync(file, 'utf8')) : generated();
  const instance = await Instance.start(binary);
  try {
    const context = await prepare(instance.url, large);
    const started = Date.now();
    const rows = [];
    for (const task of [...SAMPLE_TASKS, ...DRAWING_TASKS, ...LARGE_TASKS]) rows.push(await perform(task, context));
    rows.sort((one, other) => Number.parseInt(one.number, 10) - Number.parseInt(other.number, 10));
    checkMeasure(context);
    const seconds = (Date.now() - started) / 1000;
    printTable(rows);
    const { components, relationships } = large;
    console.log(
      `${components.length} components, ${relationships.length} relationships; ${context.writes} writes repeated; ${seconds.toFixed(1)} s`,
    );
    for (const { name, error } of rows) if (error) console.error(`\n${name}: ${error.stack}`);
    if (rows.some(({ error }) => error)) process.exitCode = 1;
  } catch (error) {
    console.error(`Server log: ${instance.log}`);
    throw error;
  } finally {
    await instance.stop();
  }
}

/** Creates the workspaces and users. Returns what tasks need. */
async function prepare(url, large) {
  const rest = await User.at(url);
  const bob = await rest.invite('bob', 'Bob');
  await rest.send('POST', '/api/workspaces', { id: 'wiki', name: 'How Wikipedia works', sample: true });
  await rest.send('POST', '/api/workspaces/wiki/members', {
    userId: (await bob.send('GET', '/api/me')).id,
    role: 'editor',
  });
  await rest.send('POST', '/api/workspaces', { id: 'packages', name: 'Packages' });
  await rest.send('PUT', '/api/workspaces/packages/bulk', { ...large, workspace: { name: 'Packages' } });
  const catalogue = await rest.send('GET', '/api/schema');
  const measure = await mapMeasure();
  const [token, bobs] = [await rest.token(), await bob.token()];
  const newAssistant = () => new Assistant(url, token);
  return {
    rest,
    newAssistant,
    newOther: () => new Assistant(url, bobs),
    read: (id) => readModel(rest, id, catalogue),
    revision: async (id) => (await rest.send('GET', `/api/workspaces/${id}`)).workspace.revision,
    drawn: (bundle) => measure(bundle, catalogue),
    // What one task leaves for another.
    memory: {},
    writes: 0,
  };
}

/** Performs a task. Returns its row of the table. */
async function perform(task, context) {
  const assistant = context.newAssistant();
  const other = context.newOther();
  const repeat = async (name, args, check) => {
    context.writes += 1;
    const before = await state(context, args);
    await check(context.newAssistant());
    assert.deepEqual(await state(context, args), before, `repeating ${name} changes something`);
  };
  /** Writes, and writes the same again, which must change nothing. */
  const write = async (name, args, author = assistant) => {
    const written = await author.call(name, args);
    await repeat(name, args, async (again) => {
      const { created = [], updated = [], unchanged } = await again.call(name, args);
      const isCreated = Array.isArray(created) ? created.length > 0 : created;
      assert.ok(!isCreated && updated.length === 0, `${name} again: ${JSON.stringify({ created, updated })}`);
      if (written.unchanged) assert.ok(unchanged.length > 0, name);
    });
    return written;
  };
  /** Writes, and writes the same again, which must be refused. */
  const writeOnce = async (name, args, refusal) => {
    const written = await assistant.call(name, args);
    await repeat(name, args, async (again) => assert.match(await again.fail(name, args), refusal));
    return written;
  };
  let error;
  try {
    await task.run({ ...context, assistant, other, viewer: other, write, writeOnce });
    const { out } = assistant.counts;
    const most = task.maxOut ?? (task.old?.[2] || Number.POSITIVE_INFINITY);
    assert.ok(out <= most, `${out} characters, at most ${most}`);
  } catch (thrown) {
    error = thrown;
  }
  const [calls, read, written] = ['calls', 'in', 'out'].map((key) => assistant.counts[key] + other.counts[key]);
  return { ...task, counts: [calls, read, written], error };
}

/** What a call may have written: the revision of the workspace, or the directory. */
async function state({ rest, revision }, { workspaceId, kind, id }) {
  if (workspaceId) return revision(workspaceId);
  if (!kind) return revision(id);
  const [people, teams] = [await rest.send('GET', '/api/people'), await rest.send('GET', '/api/teams')];
  return { people, teams };
}

/** The measure of drawn maps finds what it is for: the cards of a map in rows, in the order of the calls. */
function checkMeasure({ memory, drawn }) {
  const { drawnBundle: bundle } = memory;
  if (!bundle) return;
  const components = bundle.components.map((row, at) => ({ ...row, x: (at % 6) * 240, y: Math.floor(at / 6) * 160 }));
  const inRows = drawn({ ...bundle, components });
  assert.ok(inRows.overlapping.length > 0, 'cards in rows overlap');
  assert.throws(() => expectClear('in rows', inRows));
}

const [binary, file] = process.argv.slice(2);
await main(binary, file);
