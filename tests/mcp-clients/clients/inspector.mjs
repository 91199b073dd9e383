// The command line of the Inspector with a personal access token and both protocol revisions. `--strict` rejects tool
// schemas that some clients do not support.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { token, url } from '../support/client.mjs';

const INSPECTOR = fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js'));
// The Inspector stores files in the home directory.
const home = mkdtempSync(join(tmpdir(), 'planroom-inspector-'));

function inspect(era, ...options) {
  const shared = ['--cli', '--server-url', `${url}/mcp`, '--transport', 'http', '--protocol-era', era, '--format', 'json'];
  const header = ['--stored-auth-only', '--header', `Authorization: Bearer ${token}`];
  const env = { ...process.env, HOME: home };
  const output = execFileSync(process.execPath, [INSPECTOR, ...shared, ...header, ...options], { env, encoding: 'utf8' });
  return JSON.parse(output);
}

try {
  for (const era of ['legacy', 'modern']) {
    const { tools } = inspect(era, '--method', 'tools/list', '--strict').result;
    assert.ok(tools.length >= 20);
    const workspace = ['--tool-name', 'create_workspace', '--tool-args-json', JSON.stringify({ id: era, name: era })];
    inspect(era, '--method', 'tools/call', ...workspace);
    const { contents } = inspect(era, '--method', 'resources/read', '--uri', `planroom://workspaces/${era}`).result;
    assert.equal(JSON.parse(contents[0].text).workspace.name, era);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
