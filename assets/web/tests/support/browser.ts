/** Finds a Chromium: the one named by `$CHROMIUM`, the system's, or the one that npm brought. */
import { existsSync } from 'node:fs';

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function browser(): Promise<{ executablePath: string; args: string[] }> {
  // A browser of root's has no sandbox to be in.
  const args = [...QUIET, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  const here = process.env.CHROMIUM ?? SYSTEM.find((path) => existsSync(path));
  if (here) return { executablePath: here, args };
  const { default: chromium } = await import('@sparticuz/chromium');
  const theirs = chromium.args.filter((arg) => arg !== '--single-process' && !arg.startsWith('--headless'));
  return { executablePath: await chromium.executablePath(), args: [...theirs, ...args] };
}
