// `planroom mcp --stdio`, the bridge for stdio clients, with the stdio transport of the SDK.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { binary, token, url } from '../support/client.mjs';
import { runScenario } from '../support/scenario.mjs';

const client = new Client({ name: 'stdio', version: '1' });
const args = ['mcp', '--stdio', '--url', url];
const transport = new StdioClientTransport({ command: binary, args, env: { PLANROOM_CLIENT_TOKEN: token } });
await client.connect(transport);
await runScenario(client);
await client.close();
