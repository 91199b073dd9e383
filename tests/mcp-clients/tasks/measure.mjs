// Draws maps as the web client does: with its own modules, bundled for Node.

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const WEB = join(HERE, '../../../assets/web');

/** Returns a function that counts overlaps and routes of a workspace; see map.entry.js. */
export async function mapMeasure() {
  const vite = createRequire(join(WEB, 'package.json')).resolve('vite');
  const { build } = await import(pathToFileURL(vite).href);
  const { output } = await build({
    root: WEB,
    configFile: false,
    logLevel: 'warn',
    resolve: { alias: { '@': join(WEB, 'src') } },
    build: {
      ssr: join(HERE, 'map.entry.js'),
      write: false,
      minify: false,
      rollupOptions: { output: { format: 'es' } },
    },
  });
  const { measure } = await import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`);
  return measure;
}
