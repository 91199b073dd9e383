// @modelcontextprotocol/sdk 1.x, with revision 2025-11-25, which most assistants use.

import assert from 'node:assert/strict';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { control, CredentialStore, url } from '../support/client.mjs';
import { assertDisconnected, assertRefreshed, runScenario } from '../support/scenario.mjs';

const credentials = new CredentialStore('SDK 1');
const transport = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: credentials });
const client = () => new Client({ name: 'sdk-1', version: '1' });

// 401, discovery, registration, PKCE, consent, starting from the URL only.
const first = transport();
await assert.rejects(client().connect(first), UnauthorizedError);
assert.equal(credentials.callback.get('state'), 'a state');
await first.finishAuth(credentials.callback.get('code'));
assert.equal(await control('connectedApps'), 'SDK 1');

const connected = client();
await connected.connect(transport());
await runScenario(connected);
await assertRefreshed(connected, credentials);
await assertDisconnected(connected, credentials, UnauthorizedError);
