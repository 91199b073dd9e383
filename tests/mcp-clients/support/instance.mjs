// A running Planroom with a data directory of its own, which can be killed and comes back at the same address.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// npm brings a Node of its own where there is one (package.json); elsewhere the system's has to do.
if (Number(process.versions.node.split('.')[0]) < 22) {
  console.error(`too old: node is ${process.version}, and has to be 22.19 or newer for these clients.`);
  process.exit(1);
}

export const LOGIN = 'ada';
export const PASSWORD = 'correct horse battery';

export class Instance {
  /** Where it is reached by those who stand before no proxy. */
  url = '';
  #binary;
  #environment;
  #directory = mkdtempSync(join(tmpdir(), 'planroom-mcp-'));
  #process;

  /** Starts `binary` with an administrator in an organization. `environment` is added to ours. */
  static async start(binary, environment = {}) {
    const instance = new Instance();
    instance.#binary = binary;
    instance.#environment = { ...process.env, PLANROOM_LOG_LEVEL: 'warn', ...environment };
    const make = ['admin', 'create', '--login', LOGIN, '--name', 'Ada', '--org', 'acme', '--password-stdin'];
    const made = spawnSync(binary, [...make, '--data-dir', instance.#directory], { input: `${PASSWORD}\n` });
    if (made.status !== 0) throw new Error(`the administrator could not be made: ${made.error ?? made.stderr}`);
    await instance.#serve('127.0.0.1:0');
    return instance;
  }

  /** Ends the server as a power cut would, and starts it again where it was. */
  async dieAndRise() {
    const { host } = new URL(this.url);
    await this.#end('SIGKILL');
    await this.#serve(host);
  }

  async stop() {
    await this.#end('SIGTERM');
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** What the server has complained of. */
  get log() {
    return readFileSync(join(this.#directory, 'log'), 'utf8');
  }

  async #serve(listen) {
    const log = openSync(join(this.#directory, 'log'), 'a');
    const serve = ['serve', '--data-dir', this.#directory, '--listen', listen];
    this.#process = spawn(this.#binary, serve, { env: this.#environment, stdio: ['ignore', 'pipe', log] });
    for await (const line of createInterface(this.#process.stdout)) {
      if (line.startsWith('listening on ')) {
        this.url = line.slice('listening on '.length);
        return;
      }
    }
    throw new Error(`the server did not start: ${this.log}`);
  }

  async #end(signal) {
    const gone = once(this.#process, 'exit');
    this.#process.kill(signal);
    await gone;
  }
}
