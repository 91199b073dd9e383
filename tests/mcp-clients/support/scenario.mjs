// The scenario of every authorized client. All SDK versions and transports have the same interface.

import assert from 'node:assert/strict';
import { control, revoke } from './client.mjs';

/** Returns a function that calls tools of `client`, expects success, and returns the structured content. */
export function caller(client) {
  return async (name, args = {}) => {
    const answer = await client.callTool({ name, arguments: args });
    assert.ok(!answer.isError, JSON.stringify(answer));
    return answer.structuredContent;
  };
}

/** Lists, writes, and reads the result after a server crash. */
export async function runScenario(client) {
  const call = caller(client);
  assert.ok((await client.listTools()).tools.length >= 20);
  assert.ok((await client.listPrompts()).prompts.length > 0);
  assert.equal((await call('get_me')).login, 'ada');
  await call('create_workspace', { id: 'shop', name: 'Shop' });
  const components = [{ id: 'web', typeId: 'service', name: 'Web' }, { id: 'db', typeId: 'database', name: 'Db' }];
  await call('upsert_components', { workspaceId: 'shop', components });
  await control('kill');
  const found = await call('get_components', { workspaceId: 'shop', componentIds: ['web', 'db'] });
  assert.deepEqual(found.components.map(({ name }) => name), ['Web', 'Db']);
  const read = await client.readResource({ uri: 'planroom://workspaces/shop/diagram' });
  assert.match(read.contents[0].text, /flowchart/);
  const refused = await client.callTool({ name: 'get_workspace', arguments: { workspaceId: 'nowhere' } });
  assert.ok(refused.isError && refused.content[0].text.includes('code: not_found'), JSON.stringify(refused));
}

/** A revoked access token is refreshed without user interaction. */
export async function assertRefreshed(client, credentials) {
  const before = credentials.tokens();
  await revoke(credentials, before.access_token);
  credentials.callback = undefined;
  await caller(client)('get_me');
  assert.notEqual(credentials.tokens().access_token, before.access_token);
  assert.notEqual(credentials.tokens().refresh_token, before.refresh_token);
  assert.equal(credentials.callback, undefined, 'no user interaction');
}

/** A disconnected client stays disconnected until the user authorizes it again. */
export async function assertDisconnected(client, credentials, refusal) {
  await revoke(credentials, credentials.tokens().refresh_token);
  assert.equal(await control('connectedApps'), '');
  await assert.rejects(caller(client)('get_me'), refusal);
  assert.ok(credentials.callback, 'the user is asked again');
}
