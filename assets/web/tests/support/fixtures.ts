/** What every story has: a server, its first administrator, and pages that may not fail silently. */
import { test as base, expect } from '@playwright/test';
import { Actor } from './actor.ts';
import { Server } from './server.ts';

interface StoryFixtures {
  /** Ada administers the instance and the organization “Analytical Engines” (`analytical-engines`). */
  ada: Actor;
  /** Fails the story when a page reports an error that the story did not expect. */
  quietConsole: undefined;
}

export const test = base.extend<StoryFixtures, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: what Playwright asks for
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
      await use((await admins.get(server.url)) as Actor);
    },
    { scope: 'test' },
  ],
  quietConsole: [
    async ({ page }, use) => {
      const said: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error')
          said.push(`${message.text()} (of ${message.location().url}, on ${page.url()})`);
      });
      page.on('pageerror', (error) => said.push(`${error.stack ?? error} (on ${page.url()})`));
      await use(undefined);
      // That a request was refused is the story's to tell; what the page itself does wrong is not.
      const wrong = said.filter((text) => !text.startsWith('Failed to load resource'));
      expect(wrong, `errors in the browser:\n${wrong.join('\n')}\n`).toEqual([]);
    },
    { auto: true },
  ],
});

/** The first administrator of each server of this process. */
const admins = new Map<string, Promise<Actor>>();

export { expect };
