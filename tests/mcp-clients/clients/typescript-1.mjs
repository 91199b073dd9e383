// @modelcontextprotocol/sdk 1.x, which speaks 2025-11-25: what most assistants of today are built on.

import assert from 'node:assert/strict';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { desk, Keeper, revoke, url } from '../support/surroundings.mjs';

const keeper = new Keeper('SDK 1');
const made = () => {
  const client = new Client({ name: 'sdk-1', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: keeper });
  return { client, transport };
};

// 401, discovery, registration, PKCE: all that is known is the address.
const first = made();
await assert.rejects(first.client.connect(first.transport), UnauthorizedError);
assert.equal(keeper.answered.get('state'), 'a state');
await first.transport.finishAuth(keeper.answered.get('code'), keeper.answered.get('iss'));
assert.equal(await desk('programs'), 'SDK 1');

const { client, transport } = made();
await client.connect(transport);
const call = async (name, args = {}) => {
  const answer = await client.callTool({ name, arguments: args });
  assert.ok(!answer.isError, JSON.stringify(answer));
  return answer.structuredContent;
};
assert.ok((await client.listTools()).tools.length >= 20);
assert.equal((await call('get_me')).login, 'ada');

// It writes, and reads what it wrote, with a power cut in between.
await call('create_workspace', { id: 'shop', name: 'Shop' });
const components = [{ id: 'web', typeId: 'service', name: 'Web' }, { id: 'db', typeId: 'database', name: 'Db' }];
await call('upsert_components', { workspaceId: 'shop', components });
await desk('kill');
const found = await call('get_components', { workspaceId: 'shop', componentIds: ['web', 'db'] });
assert.deepEqual(found.components.map(({ name }) => name), ['Web', 'Db']);
const read = await client.readResource({ uri: 'planroom://workspaces/shop/diagram' });
assert.match(read.contents[0].text, /flowchart/);
assert.ok((await client.listPrompts()).prompts.length > 0);

// An access token that has run out is renewed without anybody being asked.
const before = keeper.tokens();
await revoke(keeper, before.access_token);
keeper.answered = undefined;
await call('get_me');
assert.notEqual(keeper.tokens().access_token, before.access_token);
assert.notEqual(keeper.tokens().refresh_token, before.refresh_token);
assert.equal(keeper.answered, undefined, 'nobody was asked');

// Once it is out it stays out until somebody lets it in again.
await revoke(keeper, keeper.tokens().refresh_token);
assert.equal(await desk('programs'), '');
await assert.rejects(call('get_me'), UnauthorizedError);
assert.ok(keeper.answered, 'its user is asked anew');
