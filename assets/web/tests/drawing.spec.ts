/** Drawing efficiently: typing types, labels on lines, selection frames, dimming, copying to other workspaces. */

import type { Page } from '@playwright/test';
import { expectNoViolations } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { component, createMap, dragTo, fromMiddle, openMap, placeOf } from './support/map.ts';
import { visitMap } from './support/visit.ts';

const PAIR = [
  { id: 'web', x: 100, y: 160 },
  { id: 'api', x: 500, y: 160 },
];

/** The center of the right handle of a component, which the pointer is over. */
async function rightHandle(page: Page, id: string): Promise<{ x: number; y: number }> {
  await component(page, id).hover();
  const handle = await page.locator(`[data-handle="${id}"][data-side="right"]`).boundingBox();
  if (!handle) throw new Error('the handle is not there');
  return { x: handle.x + 6, y: handle.y + 6 };
}

/** Drags a line from the right handle of one component to another. */
async function connect(page: Page, from: string, to: string): Promise<void> {
  const handle = await rightHandle(page, from);
  const target = await placeOf(page, to);
  await dragTo(page, handle, { x: target.x + 60, y: target.y + 30 });
}

test('components are added and named in place, with a type that is typed or guessed', async ({
  page,
  ada,
}) => {
  await openMap(page, ada, []);
  const name = page.getByLabel('Component name');
  const type = page.getByLabel('Component type');
  await test.step('clicking elsewhere keeps the draft, and Escape in the type field discards it', async () => {
    await page.keyboard.press('n');
    await expect(page.getByLabel('Component name')).toBeFocused();
    await page.keyboard.type('Discarded');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await expect(name).toBeHidden();
    await page.keyboard.press('n');
    await expect(page.getByLabel('Component name')).toBeFocused();
    await page.keyboard.type('Kept');
    await page.keyboard.press('Tab');
    const spot = await fromMiddle(page, -300, 200);
    await page.mouse.click(spot.x, spot.y);
    await expect(component(page, 'kept')).toBeVisible();
    await expect(page.locator('[data-component]')).toHaveCount(1);
  });
  await test.step('Tab between name and type loses no keystrokes, and typing selects the type', async () => {
    await page.keyboard.press('n');
    await expect(page.getByLabel('Component name')).toBeFocused();
    await page.keyboard.type('Ledger');
    await page.keyboard.press('Tab');
    await page.keyboard.type('datab');
    await expect(page.getByRole('option', { name: 'Database' })).toBeVisible();
    await page.keyboard.press('Shift+Tab');
    await expect(name).toBeFocused();
    await expect(name).toHaveValue('Ledger');
    await expect(type).toHaveValue('Database');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(type).toHaveValue('Cache');
    await expectNoViolations(page);
    await page.keyboard.press('Enter');
    await expect(component(page, 'ledger')).toHaveAccessibleName('Ledger, Cache');
    await expect(component(page, 'ledger')).toBeFocused();
  });
  await test.step('the type is guessed from the name until the user selects one', async () => {
    await page.keyboard.press('n');
    await expect(page.getByLabel('Component name')).toBeFocused();
    await page.keyboard.type('orders db');
    await expect(type).toHaveValue('Database');
    await page.keyboard.press('Enter');
    await expect(component(page, 'orders-db')).toHaveAccessibleName('orders db, Database');
    await expect(component(page, 'orders-db')).toBeFocused();
    await page.keyboard.press('Control+ArrowRight');
    await page.keyboard.type('Billing');
    await page.keyboard.press('Enter');
    await expect(component(page, 'billing')).toHaveAccessibleName('Billing, Service, 1 relationship');
  });
  await test.step('double-clicking a component renames it in place', async () => {
    await component(page, 'billing').dblclick();
    await expect(page.getByLabel('New name of Billing')).toBeFocused();
    await page.keyboard.type('Storefront');
    await page.keyboard.press('Enter');
    await expect(component(page, 'billing')).toHaveAccessibleName('Storefront, Service, 1 relationship');
  });
  await test.step('the name field of a new component is in view at the edge of the map', async () => {
    const box = await page.getByRole('region', { name: 'Map', exact: true }).boundingBox();
    if (!box) throw new Error('there is no map');
    await page.mouse.dblclick(box.x + 10, box.y + box.height - 60);
    await expect(name).toBeInViewport({ ratio: 0.999 });
    await expect(type).toBeInViewport({ ratio: 0.999 });
    const field = await name.boundingBox();
    expect(field?.x ?? 0).toBeGreaterThan(box.x);
  });
});

test('lines are labeled in place, start at the handle, and have the last used type', async ({
  page,
  ada,
}) => {
  const id = await openMap(page, ada, [...PAIR, { id: 'mail', x: 500, y: 360 }], [['web', 'api']]);
  await test.step('double-clicking a line, and F2, edit its label in place', async () => {
    const [web, api] = [await placeOf(page, 'web'), await placeOf(page, 'api')];
    const label = page.getByLabel('Relationship label');
    await page.mouse.dblclick((web.x + 180 + api.x) / 2, web.y + 32);
    await expect(label).toBeFocused();
    await page.keyboard.type('orders');
    await page.keyboard.press('Enter');
    await expect(label).toBeHidden();
    const stored = async () => (await ada.get(`/api/workspaces/${id}`)).relationships[0].label;
    await expect.poll(stored).toBe('orders');
    await page.keyboard.press('F2');
    await expect(label).toHaveValue('orders');
    await page.keyboard.type('dropped');
    await page.keyboard.press('Escape');
    await expect(label).toBeHidden();
    await page.keyboard.press('Control+z');
    await expect.poll(stored).toBeFalsy();
  });
  await test.step('a line starts at the handle from which it is dragged', async () => {
    const handle = await rightHandle(page, 'web');
    await page.mouse.move(handle.x, handle.y);
    await page.mouse.down();
    await page.mouse.move(handle.x + 114, handle.y + 84, { steps: 4 });
    const line = await page.locator('line[class*="connection"]').boundingBox();
    expect(Math.abs((line?.x ?? 0) - handle.x)).toBeLessThan(3);
    await page.keyboard.press('Escape');
    await page.mouse.up();
  });
  await test.step('a new relationship has the last used type', async () => {
    await connect(page, 'web', 'mail');
    await page.getByLabel('Relationship type', { exact: true }).fill('publ');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await expect(inspector.getByRole('heading', { name: 'web publishes mail' })).toBeVisible();
    await connect(page, 'api', 'mail');
    await expect(inspector.getByRole('heading', { name: 'api publishes mail' })).toBeVisible();
    await expect(page.getByLabel('Relationship type', { exact: true })).toHaveValue('publishes');
    await expectNoViolations(page);
  });
});

test('components are selected with frames, and unrelated ones are dimmed', async ({ page, ada }) => {
  await openMap(
    page,
    ada,
    [
      ...PAIR,
      { id: 'other', x: 500, y: 360 },
      { id: 'far', x: 500, y: 500 },
      { id: 'remote', x: 1600, y: 160 },
    ],
    [
      ['web', 'api'],
      ['web', 'remote'],
    ],
  );
  const expectPressed = (id: string) => expect(component(page, id)).toHaveAttribute('aria-pressed', 'true');
  await test.step('the select tool draws a frame on empty space, the hand tool pans', async () => {
    await component(page, 'far').click();
    await page.keyboard.press('v');
    const [web, api] = [await placeOf(page, 'web'), await placeOf(page, 'api')];
    await dragTo(page, { x: web.x - 40, y: web.y - 40 }, { x: api.x + 30, y: api.y + 40 });
    await expectPressed('web');
    await expectPressed('api');
    await expect(component(page, 'far')).toHaveAttribute('aria-pressed', 'false');
    expect(await placeOf(page, 'web')).toEqual(web);
    await page.keyboard.press('h');
    await dragTo(page, { x: web.x - 40, y: web.y - 40 }, { x: web.x + 20, y: web.y - 40 });
    await expect.poll(() => placeOf(page, 'web')).toEqual({ x: web.x + 60, y: web.y });
  });
  await test.step('drawing a frame with Shift does not select text on the page', async () => {
    await page.keyboard.press('Escape');
    await expect(component(page, 'web')).toHaveAttribute('aria-pressed', 'false');
    await page.getByRole('button', { name: /^Zoom level/ }).click();
    const web = await placeOf(page, 'web');
    await page.keyboard.down('Shift');
    await dragTo(page, { x: web.x - 40, y: web.y - 40 }, { x: web.x + 300, y: web.y + 100 });
    await page.keyboard.up('Shift');
    await expectPressed('web');
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('');
  });
  await test.step('components unrelated to the selection are dimmed, and F zooms to related ones', async () => {
    const card = (id: string) => page.locator('[data-unrelated]').filter({ has: component(page, id) });
    await page.keyboard.press('Escape');
    await expect(card('other')).toHaveCount(0);
    await component(page, 'web').click();
    await expect(card('other')).toHaveCount(1);
    await expect(card('api')).toHaveCount(0);
    await expect(component(page, 'remote')).not.toBeInViewport();
    await page.keyboard.press('f');
    for (const id of ['web', 'api', 'remote'])
      await expect(component(page, id)).toBeInViewport({ ratio: 0.999 });
    await page.keyboard.press('Escape');
    await expect(card('other')).toHaveCount(0);
  });
});

test('a copy in another workspace is in view, keeps links and owners, and is in the groups with the same names', async ({
  page,
  ada,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const { id: first } = await createMap(ada, PAIR, [['web', 'api']]);
  const { person } = await ada.post('/api/people', { name: `Owner of ${first}` });
  await ada.post(`/api/workspaces/${first}/components/web/stakeholders`, {
    personId: person.id,
    linkType: 'owner',
  });
  await ada.post(`/api/workspaces/${first}/components/api/links`, { url: 'https://example.org/runbook' });
  await ada.open(page, `/o/analytical-engines/w/${first}?at=400,200,1`);
  await test.step('the copy is in view and keeps existing links and owners', async () => {
    await component(page, 'web').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    const clip = await page.evaluate(() => navigator.clipboard.readText());
    const there = { id: 'there', x: 9000, y: 9000 };
    const second = await visitMap(page, ada, [there], [], '?at=9000,9000,1');
    await component(page, 'there').waitFor();
    await page.getByRole('region', { name: 'Map', exact: true }).focus();
    await page.keyboard.press('Control+v');
    await expect(component(page, 'web')).toBeInViewport({ ratio: 0.999 });
    await expect(component(page, 'api')).toBeInViewport({ ratio: 0.999 });
    const stakeholders = async () => (await ada.get(`/api/workspaces/${second}`)).stakeholders;
    await expect.poll(async () => (await stakeholders()).length).toBe(1);
    await expect
      .poll(async () => (await ada.get(`/api/workspaces/${second}/components/api/links`)).links)
      .toMatchObject([{ url: 'https://example.org/runbook' }]);
    expect((await stakeholders())[0]).toMatchObject({ personId: person.id, linkType: 'owner' });
    // Stakeholders who are not in the directory are omitted; everything else is pasted.
    const stranger = JSON.parse(clip);
    stranger.stakeholders[0].id = 'nobody-knows';
    await page.evaluate((text) => navigator.clipboard.writeText(text), JSON.stringify(stranger));
    await page.keyboard.press('Control+v');
    await expect(component(page, 'web-2')).toBeVisible();
    await expect.poll(async () => (await ada.get(`/api/workspaces/${second}`)).components.length).toBe(5);
    expect((await stakeholders()).length).toBe(1);
  });
  await test.step('copies are parts of the groups with the same names', async () => {
    const spots = [
      { id: 'edge', x: 0, y: 0, typeId: 'group' },
      { id: 'web', x: 40, y: 100 },
      { id: 'cdn', x: 40, y: 240 },
      { id: 'mail', x: 420, y: 100 },
    ];
    await visitMap(page, ada, spots, [
      ['edge', 'web', 'contains'],
      ['edge', 'cdn', 'contains'],
      ['web', 'mail'],
    ]);
    await component(page, 'web').click();
    await component(page, 'cdn').click({ modifiers: ['Shift'] });
    await component(page, 'mail').click({ modifiers: ['Shift'] });
    await page.keyboard.press('Control+c');
    const others = [
      { id: 'outer-edge', typeId: 'group', name: 'edge', x: 0, y: 0 },
      { id: 'dns', x: 40, y: 100 },
      { id: 'beside', x: 340, y: 100 },
    ];
    const second = await visitMap(page, ada, others, [['outer-edge', 'dns', 'contains']], '');
    await component(page, 'dns').waitFor();
    await page.getByRole('region', { name: 'Map', exact: true }).focus();
    await page.keyboard.press('Control+v');
    const parts = async () => {
      const { relationships } = await ada.get(`/api/workspaces/${second}`);
      return relationships
        .filter(({ typeId }: { typeId: string }) => typeId === 'contains')
        .map(({ sourceId, targetId }: Record<string, string>) => `${sourceId} ${targetId}`)
        .sort();
    };
    await expect.poll(parts).toEqual(['outer-edge cdn', 'outer-edge dns', 'outer-edge web']);
    await expect(component(page, 'web')).toBeInViewport({ ratio: 0.999 });
    // The group contains its parts, and nothing else.
    const [group, web, beside] = [
      await page.locator('[data-component="outer-edge"]').boundingBox(),
      await placeOf(page, 'web'),
      await placeOf(page, 'beside'),
    ];
    expect(web.x).toBeGreaterThan(group?.x ?? 0);
    expect(Math.abs(web.x - beside.x) > 180 || Math.abs(web.y - beside.y) > 60).toBe(true);
    await page.keyboard.press('Control+z');
    await expect.poll(parts).toEqual(['outer-edge dns']);
  });
});
