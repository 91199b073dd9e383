// Tests third-party clients with the real server, starting from its URL.
//
//   node run.mjs BINARY PYTHON [NAME…]    BINARY is planroom; PYTHON has the packages of requirements.txt
//
// Each client is a program in clients/. It finds the server in PLANROOM_URL, a token in PLANROOM_CLIENT_TOKEN, the
// executable in PLANROOM_BIN, and the control server (support/control.mjs) in PLANROOM_CONTROL: POST /consent approves an authorization request,
// /kill kills and restarts the server, /connectedApps lists connected apps.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ControlServer } from './support/control.mjs';
import { Instance } from './support/instance.mjs';
import { User } from './support/user.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
/** Timeout of a client in seconds. A browser takes long on a busy machine. */
const TIMEOUT = 300;

async function main(binary, python, chosen) {
  const clients = {
    'typescript-1': [process.execPath, 'typescript-1.mjs'],
    'typescript-2': [process.execPath, 'typescript-2.mjs'],
    python: [python, 'python.py'],
    stdio: [process.execPath, 'stdio.mjs'],
    inspector: [process.execPath, 'inspector.mjs'],
    apps: [process.execPath, 'apps.mjs'],
  };
  for (const [name, command] of Object.entries(clients)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const started = Date.now();
    const { status, output } = await run(binary, command);
    const took = `${((Date.now() - started) / 1000).toFixed(1)} s`;
    console.log(status === 0 ? `ok    ${name}, ${took}` : `${output}\nFAIL  ${name}, ${took}`);
    if (status !== 0) process.exitCode = 1;
  }
}

/** Runs one client with its own server. */
async function run(binary, [program, file]) {
  const instance = await Instance.start(binary);
  const user = await User.at(instance.url);
  const control = await ControlServer.open({
    consent: (address) => user.authorize(address),
    kill: () => instance.crashAndRestart(),
    connectedApps: () => user.connectedApps(),
  });
  try {
    const variables = { URL: instance.url, CLIENT_TOKEN: await user.token(), BIN: binary, CONTROL: control.url };
    const named = Object.entries(variables).map(([name, value]) => [`PLANROOM_${name}`, value]);
    const running = spawn(program, [join(HERE, 'clients', file)], {
      env: { ...process.env, ...Object.fromEntries(named) },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT * 1000,
    });
    let output = '';
    for (const stream of [running.stdout, running.stderr]) stream.on('data', (text) => { output += text; });
    const [status, signal] = await once(running, 'close');
    if (signal) output += `\nended by ${signal} after ${TIMEOUT} s`;
    if (status !== 0) output += `\nServer log: ${instance.log}`;
    return { status, output };
  } finally {
    control.close();
    await instance.stop();
  }
}

const [binary, python, ...chosen] = process.argv.slice(2);
await main(binary, python, chosen);
