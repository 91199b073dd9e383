/** The viewer on pages of shared maps, with the content security policy of these pages and files as the server writes them. */
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';

const DIST = new URL('../../dist/', import.meta.url);
const HOST = 'https://maps.example';
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'";
const HOSTILE = '"><img src=x onerror="window.hacked=1">';

const MODEL = {
  name: 'Web shop',
  scope: 'map',
  components: [
    { key: 'c1', name: 'Web', type: 'Application', description: HOSTILE, technology: ['React'] },
    { key: 'c2', name: HOSTILE, type: 'Service' },
  ],
  relationships: [{ key: 'r1', from: 'c1', to: 'c2', label: 'charges', type: 'Calls' }],
  processes: [
    {
      key: 'p1',
      name: 'Check out',
      steps: [
        { from: 'c1', to: 'c2', fromName: 'Web', toName: 'Payments', text: 'charge' },
        { from: 'c2', to: null, fromName: 'Payments', toName: 'Bank', text: 'book' },
      ],
    },
    { key: 'p2', name: 'Cancel', steps: [] },
  ],
};

const escaped = (text: string) => text.replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const card = (key: string, x: number, name: string) =>
  `<g data-id="${key}"><g transform="translate(${x} 0)"><path d="M0 0H180V64H0Z" class="f0"/><text x="40" y="30" font-size="16" class="t">${escaped(name)}</text></g></g>`;
const image = (
  theme: string | null,
  [first, second]: typeof MODEL.components,
) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-40 -40 580 144"><title>Web shop</title>
  <style>.f0{fill:${theme === 'dark' ? '#224c87' : '#dbe7fb'}}.t{fill:${theme === 'dark' ? '#e8eff7' : '#1b2631'}}.l0{stroke:#2563eb}</style>
  <g data-id="r1" data-from="c1" data-to="c2"><path d="M180 32L320 32" class="l0"/></g>${card('c1', 0, first?.name ?? '')}${card('c2', 320, second?.name ?? '')}</svg>`;

/** Opens a page with a shared map, which the server has as `serve` says. Returns the paths that it loads. */
async function open(
  page: Page,
  attributes = '',
  serve = { state: '1', status: 200, model: MODEL },
): Promise<string[]> {
  const asked: string[] = [];
  const script = readdirSync(new URL('assets/', DIST)).find((file) => /^share-.*\.js\.gz$/.test(file));
  expect(script, 'run `npm run build`').toBeDefined();
  await page.route(`${HOST}/**`, async (route) => {
    const url = new URL(route.request().url());
    asked.push(`${url.pathname}${url.search}`);
    const headers = { 'x-share-state': serve.state };
    if (url.pathname.endsWith('model.json')) await route.fulfill({ json: serve.model, headers });
    else if (url.pathname.endsWith('image.svg')) {
      const body = image(url.searchParams.get('theme'), serve.model.components);
      await route.fulfill({ status: serve.status, contentType: 'image/svg+xml', headers, body });
    } else if (url.pathname.startsWith('/assets/')) {
      const file = new URL(`.${url.pathname}`, DIST);
      const isScript = url.pathname.endsWith('.js');
      const body = isScript ? gunzipSync(readFileSync(`${file.pathname}.gz`)) : readFileSync(file);
      await route.fulfill({ contentType: isScript ? 'text/javascript' : 'font/woff2', body });
    } else {
      const body = `<!doctype html><html lang="en"><title>Web shop</title><main id="share" data-base="/s/token/" ${attributes}>
        <p>Without scripts</p></main><script type="module" src="/assets/${script?.replace('.gz', '')}"></script>`;
      await route.fulfill({ contentType: 'text/html', headers: { 'content-security-policy': POLICY }, body });
    }
  });
  await page.goto(`${HOST}/s/token`);
  return asked;
}

test('a shared map is explored with its details and processes, as texts, in light and dark', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  const asked = await open(page);
  await expect(page.getByRole('heading', { name: 'Web shop' })).toBeVisible();
  await expect(page.getByText('2 components, 1 relationship')).toBeVisible();
  expect(asked).toContain('/s/token/image.svg?theme=light&ids=true');
  await expect(page.getByRole('button', { name: 'Full screen' })).toBeVisible();
  await page.locator('[data-id="c1"][role="button"]').click();
  const details = page.getByRole('region', { name: 'Component' });
  await expect(details.getByText(HOSTILE).first()).toBeVisible();
  await expect(details.getByText('Technology')).toBeVisible();
  await expect(details.getByText('Open in Planroom')).toHaveCount(0);
  await details.getByRole('button', { name: /charges/ }).click();
  await expect(details.getByRole('heading', { name: HOSTILE })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(details).toBeHidden();

  await page.getByRole('button', { name: 'Next step' }).click();
  await expect(page.getByText('Web → Payments')).toBeVisible();
  await page.getByRole('button', { name: 'Next step' }).click();
  await expect(page.getByText('Payments → Bank')).toBeVisible();
  await page.getByRole('combobox').selectOption('Cancel');
  await expect(page.getByRole('button', { name: 'Next step' })).toBeHidden();

  await page.emulateMedia({ colorScheme: 'dark' });
  const fill = () =>
    page
      .locator('.f0')
      .first()
      .evaluate((one) => getComputedStyle(one).fill);
  await expect.poll(fill).toBe('rgb(34, 76, 135)');
  await expectAccessible(page);
  expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined();
});

test('a shared map has the theme of its owner, follows changes, and says if it is too large', async ({
  page,
}) => {
  await test.step('the owner can fix the theme', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    const asked = await open(page, 'data-theme="dark"');
    await expect(page.getByRole('heading', { name: 'Web shop' })).toBeVisible();
    expect(asked).toContain('/s/token/image.svg?theme=dark&ids=true');
  });

  await test.step('after a change of the map, a component has its own details', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    const serve = { state: '1', status: 200, model: MODEL };
    await open(page, '', serve);
    await page.locator('[data-id="c1"][role="button"]').click();
    const details = page.getByRole('region', { name: 'Component' });
    await expect(details.getByRole('heading', { name: 'Web' })).toBeVisible();
    const [web, other] = MODEL.components;
    serve.state = '2';
    // The ordinals of the components have changed.
    serve.model = {
      ...MODEL,
      components: [
        { ...other, key: 'c1', name: 'Added' } as (typeof MODEL.components)[0],
        { ...web, key: 'c2' } as (typeof MODEL.components)[0],
      ],
    };
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(page.locator('[data-id="c1"][role="button"]')).toHaveText('Added');
    await expect(details).toBeHidden();
    await page.locator('[data-id="c1"][role="button"]').click();
    await expect(details.getByRole('heading', { name: 'Added' })).toBeVisible();
  });

  await test.step('a map that is too large says so', async () => {
    await open(page, '', { state: '1', status: 422, model: MODEL });
    await expect(page.getByText('This map is too large to be drawn.')).toBeVisible();
  });
});
