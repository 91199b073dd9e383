// @modelcontextprotocol/client 2.x, with revision 2026-07-28 and fallback to older ones.

import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { control, CredentialStore, url } from '../support/client.mjs';
import { assertDisconnected, assertRefreshed, runScenario } from '../support/scenario.mjs';

const credentials = new CredentialStore('SDK 2');
const transport = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: credentials });
const client = (mode) => new Client({ name: 'sdk-2', version: '1' }, { versionNegotiation: { mode } });

// 401, discovery, registration, PKCE, consent, starting from the URL only.
const first = transport();
await assert.rejects(client('auto').connect(first), UnauthorizedError);
// This client also verifies the issuer (RFC 9207).
await first.finishAuth(credentials.callback);
assert.equal(await control('connectedApps'), 'SDK 2');

const connected = client('auto');
await connected.connect(transport());
assert.equal(connected.getNegotiatedProtocolVersion(), '2026-07-28');
await runScenario(connected);
await assertRefreshed(connected, credentials);

// The same program, variables to speak as older ones do.
const older = client('legacy');
await older.connect(transport());
assert.equal(older.getNegotiatedProtocolVersion(), '2025-11-25');
assert.ok((await older.listTools()).tools.length >= 20);

await assertDisconnected(connected, credentials, UnauthorizedError);
