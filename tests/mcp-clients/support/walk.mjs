// What every client does once it is in. The SDKs' clients are used alike, whatever generation and transport.

import assert from 'node:assert/strict';
import { desk, revoke } from './surroundings.mjs';

/** Calls tools of `client`, none of which may fail, and answers with what they answer for programs. */
export function caller(client) {
  return async (name, args = {}) => {
    const answer = await client.callTool({ name, arguments: args });
    assert.ok(!answer.isError, JSON.stringify(answer));
    return answer.structuredContent;
  };
}

/** Lists, writes, and reads what it wrote, with a power cut in between. */
export async function works(client) {
  const call = caller(client);
  assert.ok((await client.listTools()).tools.length >= 20);
  assert.ok((await client.listPrompts()).prompts.length > 0);
  assert.equal((await call('get_me')).login, 'ada');
  await call('create_workspace', { id: 'shop', name: 'Shop' });
  const components = [{ id: 'web', typeId: 'service', name: 'Web' }, { id: 'db', typeId: 'database', name: 'Db' }];
  await call('upsert_components', { workspaceId: 'shop', components });
  await desk('kill');
  const found = await call('get_components', { workspaceId: 'shop', componentIds: ['web', 'db'] });
  assert.deepEqual(found.components.map(({ name }) => name), ['Web', 'Db']);
  const read = await client.readResource({ uri: 'planroom://workspaces/shop/diagram' });
  assert.match(read.contents[0].text, /flowchart/);
  const refused = await client.callTool({ name: 'get_workspace', arguments: { workspaceId: 'nowhere' } });
  assert.ok(refused.isError && refused.content[0].text.includes('code: not_found'), JSON.stringify(refused));
}

/** An access token that is over is renewed, and nobody is asked. */
export async function isRenewed(client, keeper) {
  const before = keeper.tokens();
  await revoke(keeper, before.access_token);
  keeper.answered = undefined;
  await caller(client)('get_me');
  assert.notEqual(keeper.tokens().access_token, before.access_token);
  assert.notEqual(keeper.tokens().refresh_token, before.refresh_token);
  assert.equal(keeper.answered, undefined, 'nobody was asked');
}

/** Once it is out, it stays out until somebody lets it in again. */
export async function isOut(client, keeper, refusal) {
  await revoke(keeper, keeper.tokens().refresh_token);
  assert.equal(await desk('programs'), '');
  await assert.rejects(caller(client)('get_me'), refusal);
  assert.ok(keeper.answered, 'its user is asked anew');
}
