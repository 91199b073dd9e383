/** Finds a Chromium: the one named by `$CHROMIUM`, the system's, or the one that npm brought. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];
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
  const here = process.env.CHROMIUM ?? SYSTEM.find((path) => existsSync(path));
  if (here) return { executablePath: here, args };
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
