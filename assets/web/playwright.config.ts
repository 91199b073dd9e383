/** Tests the web client in a real browser against the real binary. */
import { defineConfig } from '@playwright/test';
import { browser, SLOWDOWN } from './tests/support/browser.ts';

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: true,
  // Retry on CI, where machines can be slow. Stories that passed in a later attempt are listed as flaky.
  retries: process.env.CI ? 2 : 0,
  workers: 2,
  // A story takes up to 12 s, and several times that while other processes need the processor.
  timeout: 60_000 * SLOWDOWN,
  expect: { timeout: 10_000 * SLOWDOWN },
  reporter: process.env.CI ? [['line'], ['./tests/support/failures.ts']] : 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    launchOptions: await browser(),
    // Tracing every test would increase the duration by a quarter.
    trace: process.env.CI ? 'on-first-retry' : 'retain-on-failure',
    reducedMotion: 'reduce',
  },
});
