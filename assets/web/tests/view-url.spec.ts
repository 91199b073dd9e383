/** The lens, the filters and the collapsed groups in the URL. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { component, createMap, openMap } from './support/map.ts';
import { visit } from './support/visit.ts';

const SPOTS = [
  { id: 'shop', x: 0, y: 0, typeId: 'group' },
  { id: 'web', x: 40, y: 100, lifecycle: 'live' },
  { id: 'other', x: 500, y: 0, typeId: 'group' },
  { id: 'mail', x: 540, y: 100, typeId: 'queue' },
];
const LINES = [
  ['shop', 'web', 'contains'],
  ['other', 'mail', 'contains'],
  ['web', 'mail', 'calls'],
] as const;

const HOME = '/o/analytical-engines/w';
const query = (page: Page) => new URL(page.url()).searchParams;
const storedGroups = (page: Page, id: string) =>
  page.evaluate((key) => localStorage.getItem(key), `planroom.collapsed.${id}`);

async function openPanel(page: Page): Promise<void> {
  const show = page.getByRole('button', { name: 'Show side panel' });
  if (await show.isVisible()) await show.click();
}

test('a copied link shows the same map to others, who keep their own settings', async ({
  page,
  ada,
  browser,
}) => {
  const id = await openMap(page, ada, SPOTS, LINES, '');
  await openPanel(page);
  await page.getByRole('radio', { name: 'Lifecycle' }).check({ force: true });
  await page
    .getByRole('list', { name: 'Legend' })
    .getByRole('button', { name: /^.*Live/ })
    .click();
  await page.getByRole('button', { name: 'Collapse shop' }).click();
  await expect
    .poll(() => [query(page).get('color'), query(page).get('lifecycle'), query(page).get('collapsed')])
    .toEqual(['lifecycle', 'live', 'shop']);
  const length = await page.evaluate(() => history.length);
  await page.getByRole('radio', { name: 'Type' }).check({ force: true });
  await expect.poll(() => query(page).get('color')).toBeNull();
  expect(await page.evaluate(() => history.length)).toBe(length);
  await page.getByRole('radio', { name: 'Lifecycle' }).check({ force: true });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('copy link to this view');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Link to this view copied')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  // A reader who has collapsed the other group.
  const context = await browser.newContext();
  const reader = await context.newPage();
  await reader.addInitScript(
    ([key]) => {
      if (!localStorage.getItem('planroom.test')) localStorage.setItem(key as string, '["other"]');
      localStorage.setItem('planroom.test', '1');
    },
    [`planroom.collapsed.${id}`],
  );
  await ada.open(reader, new URL(link).pathname + new URL(link).search);
  await expect(reader.getByRole('button', { name: 'Expand shop' })).toBeVisible();
  await expect(component(reader, 'mail')).toBeVisible();
  await openPanel(reader);
  await expect(reader.getByRole('radio', { name: 'Lifecycle' })).toBeChecked();
  expect(await storedGroups(reader, id)).toBe('["other"]');
  // The link is gone, so their own settings apply again.
  await reader.goto(`${new URL(link).origin}/o/analytical-engines/w/${id}`);
  await expect(reader.getByRole('button', { name: 'Expand other' })).toBeVisible();
  await expect(component(reader, 'web')).toBeVisible();
  await context.close();
});

test('links to a component and to a step contain the view, which stays in the URL on other screens', async ({
  page,
  ada,
}) => {
  const id = await openMap(page, ada, SPOTS, LINES, '?color=team');
  const { id: other } = await createMap(ada, SPOTS, LINES);
  const { id: third } = await createMap(ada, SPOTS, LINES);
  await ada.post(`/api/workspaces/${id}/processes`, {
    id: 'send',
    name: 'Send',
    mermaid: 'sequenceDiagram\n    w->>m: Letter\n',
    participants: { w: 'web', m: 'mail' },
  });

  await test.step('a copied link to a component or a step contains the view', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async () => {
      const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
      return [...link.searchParams].map((pair) => pair.join('=')).sort();
    };
    await component(page, 'web').click();
    await page.getByRole('button', { name: 'Copy link', exact: true }).click();
    await expect(page.getByText('Link copied')).toBeVisible();
    expect(await copied()).toEqual(['c=web', 'color=team']);
    await page.goto(`${ada.url}${HOME}/${id}?process=send&step=1&color=owner`);
    await page.getByRole('button', { name: 'Copy link to this step' }).click();
    await expect(page.getByText('Link to this step copied')).toBeVisible();
    expect(await copied()).toEqual(['color=owner', 'process=send', 'step=1']);
  });

  await test.step('the view is kept on other screens, and without parameters is the default', async () => {
    await visit(page, `${HOME}/${other}?color=team&find=web`);
    await component(page, 'web').waitFor();
    await page.getByRole('link', { name: 'Table' }).click();
    await expect(page).toHaveURL(/\/table/);
    await page.getByRole('link', { name: 'Map' }).click();
    await expect.poll(() => [query(page).get('color'), query(page).get('find')]).toEqual(['team', 'web']);
    await openPanel(page);
    await page.getByRole('radio', { name: 'Type' }).check({ force: true });
    await page.getByRole('button', { name: /Clear/ }).first().click();
    await expect.poll(() => [query(page).has('color'), query(page).has('find')]).toEqual([false, false]);
  });

  await test.step('unknown values are removed', async () => {
    const names = [
      ...['color=rainbow', 'type=gone', 'type=queue', 'lifecycle=never', 'owner=nobody', 'relation=x'],
      ...['collapsed=gone', 'collapsed=other'],
    ];
    await visit(page, `${HOME}/${third}?${names.join('&')}`);
    await expect(page.getByRole('button', { name: 'Expand other' })).toBeVisible();
    await expect.poll(() => page.url()).not.toContain('gone');
    expect([...query(page).getAll('type'), ...query(page).getAll('collapsed')]).toEqual(['queue', 'other']);
    expect(['color', 'lifecycle', 'owner', 'relation'].filter((name) => query(page).has(name))).toEqual([]);
  });
});
