/** Checks all screens as an administrator. */
import type { Page } from '@playwright/test';
import type { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { expectGoodLayout } from './support/layout.ts';
import { visit } from './support/visit.ts';

const HOME = '/o/analytical-engines';
const MAP = `${HOME}/w/every-screen`;

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'of an organization': [HOME, ...['people', 'teams', 'roles'].map((kind) => `${HOME}/${kind}`)],
  'of a workspace': [MAP, ...['table', 'processes', 'history', 'drafts'].map((part) => `${MAP}/${part}`)],
  'of its settings': ['', '/members', '/invitations'].map((section) => `${HOME}/settings${section}`),
  'of the account': [
    '/account',
    ...['password', 'second-factor', 'sessions', 'tokens', 'appearance', 'organizations'].map(
      (section) => `/account/${section}`,
    ),
  ],
  'of the administration': [
    '/admin',
    ...['audit', 'waitlist', 'settings', 'tokens'].map((screen) => `/admin/${screen}`),
  ],
};

/**
 * Screens that are sections of another one. They are opened from there, as their links do, because loading the client takes
 * longer than all checks of a section.
 */
const isSection = (path: string) => /\/(teams|roles|settings\/\w+)$|^\/(account|admin)\//.test(path);

/** Maximum layout shift. A value of 0.1 is noticeable. */
const SHIFT = 0.1;

/** The other supported window sizes. */
const SMALL = [
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

/** Measures layout shift without user input. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const seen = { shift: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[]) {
        if (!entry.hadRecentInput) seen.shift += entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift);
}

async function withWorkspace(ada: Actor): Promise<void> {
  const { workspaces } = await ada.get('/api/workspaces');
  if (workspaces.some(({ id }: { id: string }) => id === 'every-screen')) return;
  await ada.post('/api/workspaces', { id: 'every-screen', name: 'Every screen', sample: true });
}

/** Opens a screen, and waits until it has loaded and is painted. */
async function openScreen(page: Page, url: string, path: string): Promise<void> {
  if (isSection(path)) {
    await page.evaluate(() => ((window as unknown as { seen: { shift: number } }).seen.shift = 0));
    await visit(page, path);
    await expect(page).toHaveURL(url + path);
  } else await page.goto(url + path);
  await expect(page.getByRole('main')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.getByText(/^Loading .*…$/)).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => document.fonts.status)).toBe('loaded');
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

for (const [group, paths] of Object.entries(GROUPS)) {
  test(`the screens ${group} are accessible, fit a phone, and make no failed or external requests`, async ({
    page,
    ada,
  }) => {
    test.slow();
    await withWorkspace(ada);
    const externalRequests: string[] = [];
    const host = new URL(ada.url).host;
    page.on('request', (request) => {
      const { protocol, host: asked } = new URL(request.url());
      if (protocol.startsWith('http') && asked !== host) externalRequests.push(request.url());
    });
    const shift = await watchShifts(page);
    await ada.open(page, '/icon.svg');
    for (const path of paths) {
      await openScreen(page, ada.url, path);
      expect(await shift(), `what moves on ${path}`).toBeLessThan(SHIFT);
      await expectGoodLayout(page);
    }
    expect(externalRequests).toEqual([]);
  });
}

for (const size of SMALL) {
  test(`no layout shift occurs while a screen loads at ${size.width}`, async ({ page, ada }) => {
    test.slow();
    await page.setViewportSize(size);
    await withWorkspace(ada);
    const shift = await watchShifts(page);
    await ada.open(page, '/icon.svg');
    for (const path of Object.values(GROUPS).flat()) {
      await openScreen(page, ada.url, path);
      expect.soft(await shift(), `what moves on ${path}`).toBeLessThan(SHIFT);
    }
  });
}

test('a rendering error shows its details and a retry button', async ({ browser, ada }) => {
  // The console reports the error, as expected.
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  await ada.open(page, '/account');
  await page.route('**/api/me/sessions', (route) => route.fulfill({ json: { sessions: 'broken' } }));
  await page.getByRole('link', { name: 'Access', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  await expectGoodLayout(page);
  await page.getByRole('button', { name: 'Copy details' }).press('Enter');
  await expect(page.getByText('Details copied')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('URL: /account/access');
  expect(copied).toContain('TypeError');
  await page.unroute('**/api/me/sessions');
  await page.getByRole('button', { name: 'Go to start page' }).click();
  await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
  await context.close();
});
