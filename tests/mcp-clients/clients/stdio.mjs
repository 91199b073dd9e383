// `planroom mcp --stdio`, the bridge for clients without HTTP, behind the transport that such clients use.

import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { binary, desk, token, url } from '../support/surroundings.mjs';

const client = new Client({ name: 'stdio', version: '1' });
const args = ['mcp', '--stdio', '--url', url];
const transport = new StdioClientTransport({ command: binary, args, env: { PLANROOM_CLIENT_TOKEN: token } });
await client.connect(transport);
const call = async (name, given = {}) => {
  const answer = await client.callTool({ name, arguments: given });
  assert.ok(!answer.isError, JSON.stringify(answer));
  return answer.structuredContent;
};
assert.ok((await client.listTools()).tools.length >= 20);
await call('create_workspace', { id: 'shop', name: 'Shop' });
await desk('kill');
assert.equal((await call('list_workspaces')).workspaces[0].id, 'shop');
const refused = await client.callTool({ name: 'get_workspace', arguments: { workspaceId: 'nowhere' } });
assert.ok(refused.isError && refused.content[0].text.includes('code: not_found'));
await client.close();
