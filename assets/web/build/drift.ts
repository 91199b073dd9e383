/** Fails if generated files in the repository are out of date. */
import { readFileSync } from 'node:fs';
import { ADVANCES_FILE, advances } from './advances.ts';
import { LIMITS_FILE, limits } from './limits.ts';
import { TECHNOLOGIES_FILE, technologies } from './technologies.ts';
import { VIEW_CASES_FILE, viewCases } from './viewCases.ts';

const GENERATED = [
  { file: LIMITS_FILE, content: limits(), source: 'the OpenAPI snapshot', script: 'limits' },
  { file: ADVANCES_FILE, content: advances(), source: 'the font packages', script: 'advances' },
  { file: TECHNOLOGIES_FILE, content: technologies(), source: 'simple-icons', script: 'technologies' },
  { file: VIEW_CASES_FILE, content: viewCases(), source: 'build/viewCases.ts', script: 'view-cases' },
];

for (const { file, content, source, script } of GENERATED) {
  if (readFileSync(file, 'utf8') === content) continue;
  process.stderr.write(`${file} differs from ${source}. Run \`npm run ${script}\`.\n`);
  process.exitCode = 1;
}
