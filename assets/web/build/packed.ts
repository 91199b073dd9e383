import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Formats that are already compressed. */
const PACKED_ALREADY = /\.(woff2|png|jpg|gz)$/;

/** The logos of technologies. The server has a copy of its own for images, and sends that. */
const SERVED_ALREADY = /^technologies-.*\.json$/;

/**
 * Compresses the build output with the maximum gzip level, so that the server does not need to: each file is replaced
 * by a file with the extension `.gz`, except for files that the server embeds elsewhere. The HTML page is not compressed, because the server inserts a nonce.
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
        if (!SERVED_ALREADY.test(entry.name)) {
          writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
        }
        rmSync(path);
      }
    },
  };
}
