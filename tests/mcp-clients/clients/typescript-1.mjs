// @modelcontextprotocol/sdk 1.x, which speaks 2025-11-25: what most assistants of today are built on.

import assert from 'node:assert/strict';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { desk, Keeper, url } from '../support/surroundings.mjs';
import { isOut, isRenewed, works } from '../support/walk.mjs';

const keeper = new Keeper('SDK 1');
const transport = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: keeper });
const client = () => new Client({ name: 'sdk-1', version: '1' });

// 401, discovery, registration, PKCE, consent: all that is known is the address.
const first = transport();
await assert.rejects(client().connect(first), UnauthorizedError);
assert.equal(keeper.answered.get('state'), 'a state');
await first.finishAuth(keeper.answered.get('code'));
assert.equal(await desk('programs'), 'SDK 1');

const connected = client();
await connected.connect(transport());
await works(connected);
await isRenewed(connected, keeper);
await isOut(connected, keeper, UnauthorizedError);
