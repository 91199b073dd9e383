/** Generates `src/api/generated.ts` from the OpenAPI document. */
import { defineConfig } from 'orval';

export default defineConfig({
  planroom: {
    input: { target: '../contracts/openapi.json' },
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
