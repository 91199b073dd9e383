// The official conformance suite against the real server, through its real authentication.
//
//   node conformance/run.mjs BINARY SERVER    SERVER is the example `conformance`, which also answers what the scenarios call
//
// What Planroom does not offer is in baseline-*.yml, each line with its reason. The suite fails when anything else fails,
// and when something of the baseline passes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Instance } from '../support/instance.mjs';
import { Proxy } from '../support/proxy.mjs';
import { User } from '../support/user.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const SUITE = join(HERE, '../node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Runs the suite. `onLine` receives each line of output. */
async function suite(options, onLine = () => {}) {
  const running = spawn(process.execPath, [SUITE, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [running.stdout, running.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
      for (const line of text.split('\n')) onLine(line.trim());
    });
  }
  const [status] = await once(running, 'close');
  return { status, output };
}

/** Tells how it went: in full where it went wrong. */
function report(name, { status, output }) {
  const passed = output.match(/^✓ [\w-]+:/gm)?.length ?? 0;
  const expected = output.match(/^ {2}~ .*$/gm) ?? [];
  // What a revision does not require, the suite runs and lets fail. Tasks are an extension that we do not offer; for the
  // rest we stand.
  const failed = (output.match(/^✗ [\w-]+/gm) ?? []).map((line) => line.slice(2));
  const unexcused = failed.filter((one) => !one.startsWith('tasks-') && !expected.includes(`  ~ ${one}`));
  const good = status === 0 && unexcused.length === 0;
  console.log(good ? `ok    ${name}: ${passed} scenarios` : `${output}\nFAIL  ${name}: ${unexcused.join(', ')}`);
  return good;
}

async function main(binary, server) {
  const proxy = await Proxy.start();
  const instance = await Instance.start(binary, { PLANROOM_PUBLIC_URL: proxy.url }, server);
  let good = true;
  try {
    proxy.target = instance.url;
    const user = await User.at(instance.url);
    proxy.token = await user.token();
    for (const revision of ['2025-11-25', '2026-07-28']) {
      const baseline = join(HERE, `baseline-${revision}.yml`);
      const options = ['--url', `${proxy.url}/mcp`, '--requirements', revision, '--expected-failures', baseline];
      good = report(`server, ${revision}`, await suite(['server', ...options])) && good;
    }
    good = report('authorization', await authorization(proxy.url, user)) && good;
  } finally {
    await instance.stop();
    proxy.stop();
  }
  if (!good) process.exitCode = 1;
}

/** The scenarios of the authorization server: the suite is the client, and our user lets it in. */
async function authorization(url, user) {
  const port = await freePort();
  const client = { client_name: 'The conformance suite', redirect_uris: [`http://127.0.0.1:${port}/callback`] };
  const headers = { 'Content-Type': 'application/json' };
  const registered = await fetch(`${url}/oauth/register`, { method: 'POST', headers, body: JSON.stringify(client) });
  const { client_id } = await registered.json();
  const options = ['--url', url, '--client-id', client_id, '--resource', `${url}/mcp`, '--port', String(port)];
  const consents = [];
  const done = await suite(['authorization', ...options], (line) => {
    if (line.startsWith(`${url}/oauth/authorize?`)) consents.push(user.authorize(line).then((next) => fetch(next)));
  });
  await Promise.all(consents);
  return consents.length === 1 ? done : { status: 1, output: `${done.output}\nno consent request` };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

await main(process.argv[2], process.argv[3]);
