import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** What does not get smaller. */
const PACKED_ALREADY = /\.(woff2|png|jpg|gz)$/;

/**
 * Packs what was built, once and as small as gzip can, so that the server need not: each file is replaced by one with
 * `.gz` behind its name. The page itself stays as it is, for the server writes a nonce into it.
 */
export function packed(): Plugin {
  let folder = '';
  return {
    name: 'packed',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || PACKED_ALREADY.test(entry.name) || entry.name === 'index.html') continue;
        const path = join(entry.parentPath, entry.name);
        writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
        rmSync(path);
      }
    },
  };
}
