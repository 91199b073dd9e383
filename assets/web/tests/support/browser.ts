/**
 * Finds a Chromium: the one named by `$CHROMIUM`, else the one that npm brings, which is the same everywhere and, having
 * no windows to draw, twice as fast as a desktop's; where npm has none for the machine, the system's.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Launch {
  executablePath: string;
  args: string[];
  env?: Record<string, string>;
}

export async function browser(): Promise<Launch> {
  // A browser of root's has no sandbox to be in.
  const args = [...QUIET, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  const isBrought = process.platform === 'linux' && process.arch === 'x64';
  const here = process.env.CHROMIUM ?? (isBrought ? undefined : SYSTEM.find((path) => existsSync(path)));
  if (here) return { executablePath: here, args };
  if (!isBrought) throw new Error('There is no Chromium here: install one, or name it in $CHROMIUM.');
  const { default: chromium, inflate } = await import('@sparticuz/chromium');
  const executablePath = await chromium.executablePath();
  // A machine without a desktop lacks some libraries; they are in the package too. Its own list of arguments is left out,
  // for it switches off what keeps sites apart.
  const packed = join(
    dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')),
    '../bin/al2023.tar.br',
  );
  const libraries = join(await inflate(packed), 'lib');
  return {
    executablePath,
    args,
    env: { ...(process.env as Record<string, string>), LD_LIBRARY_PATH: libraries },
  };
}
