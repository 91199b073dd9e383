// `planroom mcp --stdio`, the bridge for clients without HTTP, behind the transport that such clients use.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { binary, token, url } from '../support/surroundings.mjs';
import { works } from '../support/walk.mjs';

const client = new Client({ name: 'stdio', version: '1' });
const args = ['mcp', '--stdio', '--url', url];
const transport = new StdioClientTransport({ command: binary, args, env: { PLANROOM_CLIENT_TOKEN: token } });
await client.connect(transport);
await works(client);
await client.close();
