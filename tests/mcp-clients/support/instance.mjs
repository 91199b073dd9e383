// A running Planroom with its own data directory. It can be killed and restarted at the same address.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// npm installs Node where a package exists (package.json); elsewhere the system's version is used.
if (Number(process.versions.node.split('.')[0]) < 22) {
  console.error(`node ${process.version} is too old: these clients require 22.19 or newer.`);
  process.exit(1);
}

export const LOGIN = 'ada';
export const PASSWORD = 'correct horse battery';

export class Instance {
  /** URL without a proxy. */
  url = '';
  #server;
  #environment;
  #directory = mkdtempSync(join(tmpdir(), 'planroom-mcp-'));
  #process;

  /**
   * Starts `binary` with an administrator in an organization, or `server` on the data that `binary` creates. `environment` is
   * added to that of this process.
   */
  static async start(binary, environment = {}, server = binary) {
    const instance = new Instance();
    instance.#server = server;
    instance.#environment = { ...process.env, PLANROOM_LOG_LEVEL: 'warn', ...environment };
    const make = ['admin', 'create', '--login', LOGIN, '--name', 'Ada', '--org', 'acme', '--password-stdin'];
    const made = spawnSync(binary, [...make, '--data-dir', instance.#directory], { input: `${PASSWORD}\n` });
    if (made.status !== 0) throw new Error(`cannot create the administrator: ${made.error ?? made.stderr}`);
    await instance.#serve('127.0.0.1:0');
    return instance;
  }

  /** Kills the server and starts it again at the same address. */
  async crashAndRestart() {
    const { host } = new URL(this.url);
    await this.#end('SIGKILL');
    await this.#serve(host);
  }

  async stop() {
    await this.#end('SIGTERM');
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** The server log. */
  get log() {
    return readFileSync(join(this.#directory, 'log'), 'utf8');
  }

  async #serve(listen) {
    const log = openSync(join(this.#directory, 'log'), 'a');
    const env = { ...this.#environment, PLANROOM_DATA_DIR: this.#directory, PLANROOM_LISTEN: listen };
    this.#process = spawn(this.#server, ['serve'], { env, stdio: ['ignore', 'pipe', log] });
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
