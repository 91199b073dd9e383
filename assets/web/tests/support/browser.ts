/**
 * Finds Chromium: `$CHROMIUM` if set, otherwise the headless build from npm, which is the same on all machines and
 * twice as fast as a desktop browser, otherwise the system's browser.
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
const BASE_ARGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The factor by which the scripts of all pages are slower. */
export const SLOWDOWN = Number(process.env.PLANROOM_PAGE_SLOWDOWN ?? 1);

export interface Launch {
  executablePath: string;
  args: string[];
  env?: Record<string, string>;
}

export async function browser(): Promise<Launch> {
  // Chromium's sandbox does not work for root.
  const args = [...BASE_ARGS, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  const isBundled = process.platform === 'linux' && process.arch === 'x64';
  const executable =
    process.env.CHROMIUM ?? (isBundled ? undefined : SYSTEM.find((path) => existsSync(path)));
  if (executable) return { executablePath: executable, args };
  if (!isBundled) throw new Error('Chromium not found. Install it, or set $CHROMIUM to its path.');
  const { default: chromium, inflate } = await import('@sparticuz/chromium');
  const executablePath = await chromium.executablePath();
  // The package includes libraries that are missing on machines without a desktop. Its default arguments are not used,
  // because they disable site isolation.
  const packed = join(
    dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')),
    '../bin/al2023.tar.br',
  );
  const unpacked = await inflate(packed);
  // Without a configuration of fonts, Chromium crashes. The package includes one, with a font.
  const fonts: Record<string, string> = existsSync('/etc/fonts/fonts.conf')
    ? {}
    : { FONTCONFIG_PATH: join(dirname(unpacked), 'fonts') };
  return {
    executablePath,
    args,
    env: {
      ...(process.env as Record<string, string>),
      LD_LIBRARY_PATH: join(unpacked, 'lib'),
      ...fonts,
    },
  };
}
