/** A server for tests: the real binary on a free port, with a new database. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const BINARY =
  process.env.PLANROOM_BIN ?? new URL('../../../../target/debug/planroom', import.meta.url).pathname;

/** All stories of a worker share one server, which needs many sessions, and tokens that last for the whole run. */
const SETTINGS = { PLANROOM_QUOTAS_SESSIONS: '5000', PLANROOM_SESSION_TOKEN_MINUTES: '60' };

export class Server {
  readonly url: string;
  /** The link to create the first account, printed by the server. */
  readonly setUpLink: string;
  readonly dataDir: string;
  #process: ChildProcess;

  private constructor(process: ChildProcess, dataDir: string, url: string, setUpLink: string) {
    this.#process = process;
    this.dataDir = dataDir;
    this.url = url;
    this.setUpLink = setUpLink;
  }

  /** Starts a server. With `dataDir` and `port`, restarts an earlier one. `env` is added to its environment. */
  static async start(
    options: { dataDir?: string; port?: number; env?: Record<string, string>; flags?: string[] } = {},
  ): Promise<Server> {
    const isNew = !options.dataDir;
    const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'planroom-web-')));
    const listen = `127.0.0.1:${options.port ?? 0}`;
    const child = spawn(
      BINARY,
      ['serve', '--data-dir', dataDir, '--listen', listen, ...(options.flags ?? [])],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        // Do not pass the developer's configuration to the server under test. Each story signs in, so that the default
        // quota of sessions would end the session of the story itself.
        env: { ...withoutOurs(process.env), ...SETTINGS, ...options.env },
      },
    );
    const output: string[] = [];
    child.stderr?.on('data', (data: Buffer) => output.push(data.toString()));
    let url = '';
    let setUpLink = '';
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith('listening on ')) url = line.slice('listening on '.length);
      else if (line.includes('/setup#')) setUpLink = line.slice(line.indexOf('http'));
      if (url && (setUpLink || !isNew)) break;
    }
    if (!url) throw new Error(`${BINARY} did not start: ${output.join('')}`);
    child.stdout?.resume();
    return new Server(child, dataDir, url, setUpLink);
  }

  /** Stops the server and keeps its data. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    this.#process.kill('SIGTERM');
    await once(this.#process, 'exit');
  }

  /** Restarts the server with the same data on the same port. */
  restart(): Promise<Server> {
    return Server.start({ dataDir: this.dataDir, port: Number(new URL(this.url).port) });
  }

  /** Runs a command of the binary with this server's data. */
  async command(...args: string[]): Promise<void> {
    await promisify(execFile)(BINARY, [...args, '--data-dir', this.dataDir], {
      env: withoutOurs(process.env),
    });
  }

  /** Stops the server and deletes its data. */
  async end(): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PLANROOM_')));
}
