/** Whether `src/api/generated.ts` is what the snapshot of the OpenAPI document makes. Fails, and says what to do. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';

const FRESH = 'src/api/fresh.ts';

execFileSync('npm', ['run', '--silent', 'api'], {
  env: { ...process.env, ORVAL_TARGET: FRESH },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const isSame = readFileSync(FRESH, 'utf8') === readFileSync('src/api/generated.ts', 'utf8');
rmSync(FRESH);
if (!isSame) {
  process.stderr.write(
    'src/api/generated.ts is not what the OpenAPI snapshot says: `npm run api` makes it anew.\n',
  );
  process.exitCode = 1;
}
