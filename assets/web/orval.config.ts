/** Generates `src/api/generated.ts` from the snapshot of the OpenAPI document. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { defineConfig } from 'orval';

const SNAPSHOT = '../../tests/integration/snapshots/integration__openapi__openapi.snap';
const DOCUMENT = 'node_modules/.cache/openapi.json';

// Snapshots start with a header between two lines of dashes.
mkdirSync('node_modules/.cache', { recursive: true });
writeFileSync(DOCUMENT, readFileSync(SNAPSHOT, 'utf8').replace(/^---\n[\s\S]*?\n---\n/, ''));

export default defineConfig({
  planroom: {
    input: { target: DOCUMENT },
    output: {
      client: 'fetch',
      mode: 'single',
      target: process.env.ORVAL_TARGET ?? 'src/api/generated.ts',
      urlEncodeParameters: true,
      override: {
        fetch: { includeHttpResponseReturnType: false },
        mutator: { path: 'src/api/http.ts', name: 'http' },
      },
    },
  },
});
