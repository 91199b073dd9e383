/** Fails if generated files are out of date. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { ADVANCES_FILE, advances } from './advances.ts';
import { LIMITS_FILE, limits } from './limits.ts';
import { TECHNOLOGIES_FILE, technologies } from './technologies.ts';
import { VIEW_CASES_FILE, viewCases } from './viewCases.ts';

const FRESH = 'src/api/fresh.ts';

execFileSync('npx', ['--no-install', 'orval', '--config', 'orval.config.ts'], {
  env: { ...process.env, ORVAL_TARGET: FRESH },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const api = readFileSync(FRESH, 'utf8');
rmSync(FRESH);

const GENERATED = [
  { file: 'src/api/generated.ts', content: api, source: 'the OpenAPI snapshot', script: 'api' },
  { file: LIMITS_FILE, content: limits(), source: 'the OpenAPI snapshot', script: 'api' },
  { file: ADVANCES_FILE, content: advances(), source: 'the font packages', script: 'advances' },
  { file: TECHNOLOGIES_FILE, content: technologies(), source: 'simple-icons', script: 'technologies' },
  { file: VIEW_CASES_FILE, content: viewCases(), source: 'build/viewCases.ts', script: 'view-cases' },
];

for (const { file, content, source, script } of GENERATED) {
  if (readFileSync(file, 'utf8') === content) continue;
  process.stderr.write(`${file} differs from ${source}. Run \`npm run ${script}\`.\n`);
  process.exitCode = 1;
}
