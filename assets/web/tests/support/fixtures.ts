/** Fixtures of all browser tests: a server, its first administrator, and a check that fails tests on console errors. */
import { test as base, expect, type Page } from '@playwright/test';
import { Actor } from './actor.ts';
import { SLOWDOWN } from './browser.ts';
import { Server } from './server.ts';

interface Fixtures {
  /** Ada, administrator of the instance and of the organization “Analytical Engines” (`analytical-engines`). */
  ada: Actor;
  /** Fails the test if a page reports an unexpected error. */
  quietConsole: undefined;
  /** Closes the other windows that a story has opened. Their pages would work and hold connections until the last story. */
  otherWindows: undefined;
}

/** Makes the scripts of a page slower, so that stories fail that do not wait for it. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
}

export const test = base.extend<Fixtures, { server: Server; slowPages: undefined }>({
  slowPages: [
    async ({ browser }, use) => {
      // A page that is closed at once has no session.
      const slow = (page: Page) => void slowDown(page).catch(() => {});
      if (SLOWDOWN > 1) browser.on('context', (context) => context.on('page', slow));
      await use(undefined);
    },
    { scope: 'worker', auto: true },
  ],
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: required by Playwright
    async ({}, use) => {
      const server = await Server.start();
      await use(server);
      await server.end();
    },
    { scope: 'worker' },
  ],
  ada: [
    async ({ server }, use) => {
      admins.set(server.url, admins.get(server.url) ?? Actor.first(server.url, server.setUpLink));
      const admin = (await admins.get(server.url)) as Actor;
      await admin.ensureSession();
      await use(admin);
    },
    { scope: 'test' },
  ],
  otherWindows: [
    async ({ browser, context }, use) => {
      await use(undefined);
      await Promise.all(browser.contexts().map((other) => other === context || other.close()));
    },
    { auto: true },
  ],
  quietConsole: [
    async ({ page }, use) => {
      const messages: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error')
          messages.push(`${message.text()} (of ${message.location().url}, on ${page.url()})`);
      });
      page.on('pageerror', (error) => messages.push(`${error.stack ?? error} (on ${page.url()})`));
      await use(undefined);
      // Failed requests are checked by individual tests, and traces read images, which the content security policy does not
      // allow. No other console errors are expected.
      const unexpected = messages.filter(
        (text) => !/^(Failed to load resource|Connecting to 'blob:)/.test(text),
      );
      expect(unexpected, `errors in the browser:\n${unexpected.join('\n')}\n`).toEqual([]);
    },
    { auto: true },
  ],
});

/** The first administrator of each server in this process. */
const admins = new Map<string, Promise<Actor>>();

export { expect };
