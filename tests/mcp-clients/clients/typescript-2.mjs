// @modelcontextprotocol/client 2.x, which speaks 2026-07-28, and the older revisions where a server does not.

import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { desk, Keeper, revoke, url } from '../support/surroundings.mjs';

const keeper = new Keeper('SDK 2');
const made = (mode) => {
  const client = new Client({ name: 'sdk-2', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: keeper });
  return { client, transport };
};

// 401, discovery, registration, PKCE: all that is known is the address.
const first = made('auto');
await assert.rejects(first.client.connect(first.transport), UnauthorizedError);
await first.transport.finishAuth(keeper.answered);
assert.equal(await desk('programs'), 'SDK 2');

const { client, transport } = made('auto');
await client.connect(transport);
assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
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
assert.equal(keeper.answered, undefined, 'nobody was asked');

// The same program, told to speak as older ones do.
const older = made('legacy');
await older.client.connect(older.transport);
assert.equal(older.client.getNegotiatedProtocolVersion(), '2025-11-25');
assert.ok((await older.client.listTools()).tools.length >= 20);

// Once it is out it stays out until somebody lets it in again.
await revoke(keeper, keeper.tokens().refresh_token);
assert.equal(await desk('programs'), '');
await assert.rejects(call('get_me'), UnauthorizedError);
assert.ok(keeper.answered, 'its user is asked anew');
