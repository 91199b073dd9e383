// Clients of others against the real server, each going the whole way that it knows from an address alone.
//
//   node run.mjs BINARY PYTHON [NAME…]    BINARY is planroom; PYTHON has what requirements.txt lists
//
// Each client is a program in clients/. It finds the server in PLANROOM_URL, a token in PLANROOM_CLIENT_TOKEN, the
// executable in PLANROOM_BIN, and the desk (support/desk.mjs) in PLANROOM_DESK: POST /consent answers a request for consent,
// /kill ends the server as a power cut would and starts it again, /programs lists those that are let in.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Desk } from './support/desk.mjs';
import { Instance } from './support/instance.mjs';
import { User } from './support/user.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
/** In seconds: a client that hangs has failed. */
const PATIENCE = 120;

async function main(binary, python, chosen) {
  const clients = {
    'typescript-1': [process.execPath, 'typescript-1.mjs'],
    'typescript-2': [process.execPath, 'typescript-2.mjs'],
    python: [python, 'python.py'],
    stdio: [process.execPath, 'stdio.mjs'],
    inspector: [process.execPath, 'inspector.mjs'],
  };
  for (const [name, command] of Object.entries(clients)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const started = Date.now();
    const { status, said } = await run(binary, command);
    const took = `${((Date.now() - started) / 1000).toFixed(1)} s`;
    console.log(status === 0 ? `ok    ${name}, ${took}` : `${said}\nFAIL  ${name}, ${took}`);
    if (status !== 0) process.exitCode = 1;
  }
}

/** Runs one client against a server of its own. */
async function run(binary, [program, file]) {
  const instance = await Instance.start(binary);
  const user = await User.at(instance.url);
  const desk = await Desk.open({
    consent: (address) => user.allows(address),
    kill: () => instance.dieAndRise(),
    programs: () => user.programs(),
  });
  try {
    const told = { URL: instance.url, CLIENT_TOKEN: await user.token(), BIN: binary, DESK: desk.url };
    const named = Object.entries(told).map(([name, value]) => [`PLANROOM_${name}`, value]);
    const running = spawn(program, [join(HERE, 'clients', file)], {
      env: { ...process.env, ...Object.fromEntries(named) },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: PATIENCE * 1000,
    });
    let said = '';
    for (const stream of [running.stdout, running.stderr]) stream.on('data', (text) => { said += text; });
    const [status, signal] = await once(running, 'close');
    if (signal) said += `\nended by ${signal} after ${PATIENCE} s`;
    if (status !== 0) said += `\nThe server said: ${instance.log}`;
    return { status, said };
  } finally {
    desk.close();
    await instance.stop();
  }
}

const [binary, python, ...chosen] = process.argv.slice(2);
await main(binary, python, chosen);
