import { readFileSync } from 'node:fs';
import { fileURLToPath, URL } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { writeClient } from './build/api.ts';
import { onlySequences } from './build/onlySequences.ts';
import { onlyWoff2 } from './build/onlyWoff2.ts';
import { packed } from './build/packed.ts';
import { scripts } from './build/scripts.ts';
import { viewer } from './build/viewer.ts';

/** The server for `npm run dev`. */
const SERVER = process.env.PLANROOM_URL ?? 'http://127.0.0.1:8420';
const served = ['/api', '/docs', '/openapi.json', '/healthz'];

/** The version of the server, which embeds the client. */
const version = /^version = "(.+)"$/m.exec(
  readFileSync(fileURLToPath(new URL('../../Cargo.toml', import.meta.url)), 'utf8'),
)?.[1];

const TESTS = 'src/**/*.test.ts';
const MOCKED = 'src/**/*.mocked.test.ts';

const define = { __PLANROOM_VERSION__: JSON.stringify(version ?? '') };

/** Without the server, which inserts the path of the public URL into the page. */
const rootInDevelopment: Plugin = {
  name: 'root-in-development',
  apply: 'serve',
  transformIndexHtml: { order: 'pre', handler: (html) => html.replaceAll('{{base}}', '') },
};

// Everything below reads it: builds, unit tests and the development server.
writeClient();

export default defineConfig({
  define,
  plugins: [react(), rootInDevelopment, onlySequences(), onlyWoff2(), scripts(), viewer(define), packed()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  html: { cspNonce: '{{nonce}}' },
  // The page refers to files below the path of the public URL, which the server inserts. Files refer to each other.
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `{{base}}/${file}` : { relative: true }),
  },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2022',
    // Do not inline small files as `data:` URLs, because the content security policy blocks them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
  server: { proxy: Object.fromEntries(served.map((path) => [path, { target: SERVER, changeOrigin: true }])) },
  test: {
    // Builds run at the same time on small machines: a test is not a measurement.
    testTimeout: 60_000,
    unstubGlobals: true,
    // Files share the modules that they load. Those that replace modules have their own.
    projects: [
      { extends: true, test: { name: 'shared', include: [TESTS], exclude: [MOCKED], isolate: false } },
      { extends: true, test: { name: 'mocked', include: [MOCKED] } },
    ],
  },
});
