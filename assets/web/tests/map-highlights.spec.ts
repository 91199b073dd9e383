/** Highlights on the map, links to selections and positions, and the map for viewers. */
import type { Page } from '@playwright/test';
import { expectNoViolations } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { component, createMap, dragTo, fromMiddle, openMap, placeOf } from './support/map.ts';
import { visit, visitMap } from './support/visit.ts';

const HOME = '/o/analytical-engines/w';
const tonesOn = (tone: string) => `[data-canvas] [data-tone="${tone}"]`;

const boxed = [
  { id: 'shop', x: 0, y: 0, typeId: 'system' },
  { id: 'web', x: 200, y: 160 },
  { id: 'api', x: 480, y: 160 },
  { id: 'mail', x: 480, y: 400 },
];
const boxedLinks = [
  ['shop', 'web', 'contains'],
  ['shop', 'api', 'contains'],
  ['api', 'mail'],
] as const;

/** Opens a link to the open map from another page, because a map reads the link that it is opened with. */
async function followLink(page: Page, path: string): Promise<void> {
  await page.getByRole('link', { name: 'Table' }).click();
  await expect(page.getByRole('region', { name: 'Map', exact: true })).toBeHidden();
  await visit(page, path);
}

test('playback and comparisons are highlighted on the map', async ({ page, ada }) => {
  await test.step('playback highlights current and visited components by more than color', async () => {
    const id = `lit-${process.pid}`;
    await ada.post('/api/workspaces', { id, name: 'Encyclopedia', sample: true });
    await ada.open(page, `${HOME}/${id}?process=read-an-article&step=1`);
    await expect(page.locator(tonesOn('current'))).toHaveCount(2);
    await expect(page.locator(tonesOn('current')).first()).toContainText('▶');
    await expect(page.getByRole('button', { name: /current step$/ })).toHaveCount(2);
    await page.keyboard.press('.');
    await page.keyboard.press('.');
    await expect(page.locator(tonesOn('visited')).first()).toContainText('✓');
    // The process stays in the URL when the selection and viewport change.
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('at')).not.toBeNull();
    const query = new URL(page.url()).searchParams;
    expect([query.get('process'), query.get('step')]).toEqual(['read-an-article', '3']);
  });

  await test.step('a step expands the groups that contain its components', async () => {
    const id = await visitMap(page, ada, boxed, boxedLinks);
    await ada.post(`/api/workspaces/${id}/processes`, {
      id: 'send',
      name: 'Send',
      mermaid: 'sequenceDiagram\n    a->>m: Letter\n    m->>w: Sent\n',
      participants: { a: 'api', m: 'mail', w: 'web' },
    });
    await page.getByRole('button', { name: 'Collapse shop' }).click();
    await expect(component(page, 'api')).toBeHidden();
    await visit(page, `${HOME}/${id}?process=send&step=1`);
    await expect(component(page, 'api')).toBeInViewport();
    await expect(component(page, 'api')).toHaveAccessibleName(/current step$/);
  });

  await test.step('a comparison shows added, changed and removed items on the map', async () => {
    const { id } = await createMap(ada, boxed.slice(1), [['api', 'mail']]);
    await ada.post(`/api/workspaces/${id}/versions`, { name: 'Before' });
    await ada.patch(`/api/workspaces/${id}/components/web`, { name: 'Window' });
    await ada.delete(`/api/workspaces/${id}/components/mail`);
    await ada.post(`/api/workspaces/${id}/components`, {
      id: 'queue',
      typeId: 'queue',
      name: 'Post',
      x: 200,
      y: 400,
    });
    await visit(page, `${HOME}/${id}/history`);
    await page.getByRole('button', { name: 'Actions for Before' }).click();
    await page.getByRole('menuitem', { name: /Compare with current/ }).click();
    await expect(page.locator(tonesOn('added'))).toContainText('+');
    await expect(page.locator(tonesOn('changed'))).toContainText('~');
    const removed = page.getByRole('img', { name: 'mail, removed' });
    await expect(removed).toBeInViewport();
    await expect(removed).toContainText('−');
    await expectNoViolations(page, '[data-canvas]');
  });
});

test('collapsed groups, the selection and the position are kept in this browser and in links', async ({
  page,
  ada,
}) => {
  await test.step('collapsed groups stay collapsed in this browser, and a link expands them', async () => {
    const id = await openMap(page, ada, boxed, boxedLinks);
    await page.getByRole('button', { name: 'Collapse shop' }).click();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Expand shop' })).toBeVisible();
    await expect(component(page, 'api')).toBeHidden();
    await followLink(page, `${HOME}/${id}?c=api`);
    await expect(component(page, 'api')).toHaveAttribute('aria-pressed', 'true');
    await expect(component(page, 'api')).toBeInViewport();
  });

  await test.step('relationships of a component are selected by keyboard, and a link selects one', async () => {
    const id = await visitMap(page, ada, boxed, [...boxedLinks, ['web', 'api', 'calls']]);
    await component(page, 'api').click();
    await page.keyboard.press('r');
    const announcement = page.locator('[data-canvas] [role="status"]');
    await expect(announcement).toHaveText('api uses mail: 1 of 2');
    await page.keyboard.press('r');
    await expect(announcement).toHaveText('web calls api: 2 of 2');
    await page.keyboard.press('r');
    await page.keyboard.press('Shift+R');
    await expect(announcement).toHaveText('web calls api: 2 of 2');
    const r = () => new URL(page.url()).searchParams.get('r');
    // The URL is updated after a delay.
    await expect.poll(r).toContain('web');
    await page.keyboard.press('Enter');
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await expect(inspector.locator(':focus')).toHaveCount(1);
    await followLink(page, `${HOME}/${id}?r=${encodeURIComponent(r() ?? '')}&kept=yes`);
    await expect(inspector.getByText('web', { exact: true }).first()).toBeVisible();
    await expect.poll(r).not.toBeNull();
    expect(new URL(page.url()).searchParams.get('kept')).toBe('yes');
    await component(page, 'api').focus();
    await page.keyboard.press('Delete');
    await expect(component(page, 'api')).toHaveAccessibleName('api, Service, 1 relationship');
  });

  await test.step('the center in the URL is the center of the visible map, regardless of open panels', async () => {
    await visitMap(page, ada, [{ id: 'web', x: 300, y: 160 }], [], '?at=390,192,1');
    const offset = async () => {
      const [at, middle] = [await placeOf(page, 'web'), await fromMiddle(page, 0, 0)];
      return [Math.round(at.x + 90 - middle.x), Math.round(at.y + 32 - middle.y)];
    };
    await expect.poll(offset).toEqual([0, 0]);
    const before = await placeOf(page, 'web');
    await dragTo(page, await fromMiddle(page, -200, 150), await fromMiddle(page, -160, 150));
    await expect.poll(() => placeOf(page, 'web')).toEqual({ x: before.x + 40, y: before.y });
    // Opening a panel covers part of the map without moving it.
    await page.keyboard.press('p');
    await page.keyboard.press('i');
    await expect(page.getByRole('complementary', { name: 'Inspector' })).toBeVisible();
    await expect.poll(() => placeOf(page, 'web')).toEqual({ x: before.x + 40, y: before.y });
  });
});

test('viewers see that the map is read-only before editing', async ({ page, ada }) => {
  const { id } = await createMap(ada, boxed.slice(1), [['api', 'mail']]);
  const vera = await ada.invite(`vera-${id}`, 'Vera Viewer');
  const { id: userId } = await vera.get('/api/me');
  await ada.post(`/api/workspaces/${id}/members`, { userId, role: 'viewer' });
  await vera.open(page, `${HOME}/${id}?at=400,200,1`);
  const note = page.getByText('You have view-only access.');
  const before = await placeOf(page, 'web');
  await dragTo(page, { x: before.x + 60, y: before.y + 30 }, { x: before.x + 160, y: before.y + 130 });
  await expect(note).toBeVisible();
  expect(await placeOf(page, 'web')).toEqual(before);
  await component(page, 'web').click();
  await expect(component(page, 'web')).toHaveAttribute('aria-pressed', 'true');
  for (const key of ['n', 'F2', 'Control+ArrowRight', 'Delete', 'ArrowRight', 'Control+d']) {
    await page.keyboard.press(key);
  }
  await expect(page.getByLabel(/^(Component name|New name of)/)).toBeHidden();
  await expect(page.locator('[data-component]')).toHaveCount(3);
  expect(await placeOf(page, 'web')).toEqual(before);

  await test.step('viewers see no handles of lines', async () => {
    const mail = await placeOf(page, 'mail');
    await page.mouse.click(mail.x + 90, mail.y - 60);
    await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText('Relationship');
    await expect(page.locator('[data-line-handle]')).toHaveCount(0);
  });
});
