// @modelcontextprotocol/client 2.x, which speaks 2026-07-28, and the older revisions where a server does not.

import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { desk, Keeper, url } from '../support/surroundings.mjs';
import { isOut, isRenewed, works } from '../support/walk.mjs';

const keeper = new Keeper('SDK 2');
const transport = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: keeper });
const client = (mode) => new Client({ name: 'sdk-2', version: '1' }, { versionNegotiation: { mode } });

// 401, discovery, registration, PKCE, consent: all that is known is the address.
const first = transport();
await assert.rejects(client('auto').connect(first), UnauthorizedError);
// It looks at the issuer too (RFC 9207).
await first.finishAuth(keeper.answered);
assert.equal(await desk('programs'), 'SDK 2');

const connected = client('auto');
await connected.connect(transport());
assert.equal(connected.getNegotiatedProtocolVersion(), '2026-07-28');
await works(connected);
await isRenewed(connected, keeper);

// The same program, told to speak as older ones do.
const older = client('legacy');
await older.connect(transport());
assert.equal(older.getNegotiatedProtocolVersion(), '2025-11-25');
assert.ok((await older.listTools()).tools.length >= 20);

await isOut(connected, keeper, UnauthorizedError);
