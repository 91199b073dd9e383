/** The number of clicks and keystrokes that it takes to draw a small system. */
import type { Page } from '@playwright/test';
import type { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { component, dragTo, openMap } from './support/map.ts';

const NAMES = [
  'Web shop',
  'Mobile app',
  'Admin app',
  'Gateway',
  'Orders',
  'Payments',
  'Catalog',
  'Stock',
  'Mailer',
  'Orders DB',
  'Stock DB',
  'Events',
] as const;

/** Source, target and label: indexes of NAMES. */
const RELATIONSHIPS: readonly (readonly [number, number, string])[] = [
  [0, 3, 'browse'],
  [3, 4, 'place order'],
  [4, 5, 'charge'],
  [4, 11, 'order placed'],
  [7, 10, 'count'],
  [8, 11, 'follow'],
];

const GROUPS = [
  ['Clients', [0, 1, 2]],
  ['Storage', [9, 10, 11]],
] as const;

const idOf = (at: number) => (NAMES[at] ?? '').toLowerCase().replace(' ', '-');

async function expectDrawn(ada: Actor, id: string): Promise<void> {
  const expected = RELATIONSHIPS.map(([from, to, label]) => `${idOf(from)} ${idOf(to)} ${label}`).toSorted();
  const drawn = async () => {
    const { relationships } = await ada.get(`/api/workspaces/${id}`);
    return relationships
      .filter(({ typeId }: { typeId: string }) => typeId !== 'contains')
      .map((row: Record<string, string>) => `${row.sourceId} ${row.targetId} ${row.label}`)
      .toSorted();
  };
  await expect.poll(drawn).toEqual(expected);
  const { components, relationships } = await ada.get(`/api/workspaces/${id}`);
  expect(components.map(({ name }: { name: string }) => name).toSorted()).toEqual(
    [...NAMES, 'Clients', 'Storage'].toSorted(),
  );
  const parts = relationships.filter(({ typeId }: { typeId: string }) => typeId === 'contains');
  expect(parts.map((row: Record<string, string>) => row.targetId).toSorted()).toEqual(
    GROUPS.flatMap(([, ids]) => ids.map(idOf)).toSorted(),
  );
}

const spot = (at: number) => ({ x: 170 + (at % 3) * 310, y: 150 + Math.floor(at / 3) * 185 });

/** Types the label of the relationship that was just created, whose field is focused. */
async function label(page: Page, text: string): Promise<void> {
  await expect(page.getByLabel('Relationship label')).toBeFocused();
  await page.keyboard.insertText(text);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Relationship label')).toBeHidden();
}

test('a small system is drawn with the mouse in at most 64 clicks', async ({ page, ada }) => {
  test.slow();
  await page.setViewportSize({ width: 1440, height: 900 });
  const id = await openMap(page, ada, []);
  await page.evaluate(() => {
    addEventListener('pointerdown', () => document.body.append(new Comment('click')), { capture: true });
  });
  const map = await page.getByRole('region', { name: 'Map', exact: true }).boundingBox();
  if (!map) throw new Error('there is no map');
  for (const [at, name] of NAMES.entries()) {
    await page.mouse.dblclick(map.x + spot(at).x, map.y + spot(at).y);
    await expect(page.getByLabel('Component name')).toBeFocused();
    await page.keyboard.insertText(name);
    await page.keyboard.press('Enter');
    await expect(component(page, idOf(at))).toBeFocused();
  }
  for (const [from, to, text] of RELATIONSHIPS) {
    await component(page, idOf(from)).hover();
    const handle = await page.locator(`[data-handle="${idOf(from)}"][data-side="right"]`).boundingBox();
    const target = await component(page, idOf(to)).boundingBox();
    if (!(handle && target)) throw new Error('the handle or the target is not there');
    await dragTo(
      page,
      { x: handle.x + 6, y: handle.y + 6 },
      { x: target.x + target.width / 2, y: target.y + target.height / 2 },
    );
    await label(page, text);
  }
  for (const [name, [first, , last]] of GROUPS) {
    const [start, end] = await Promise.all([
      component(page, idOf(first)).boundingBox(),
      component(page, idOf(last)).boundingBox(),
    ]);
    if (!(start && end)) throw new Error('the components are not on the screen');
    await page.keyboard.down('Shift');
    await dragTo(
      page,
      { x: start.x - 14, y: start.y - 14 },
      { x: end.x + end.width + 14, y: end.y + end.height + 14 },
    );
    await page.keyboard.up('Shift');
    await component(page, idOf(first)).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Group', exact: false }).first().click();
    await expect(page.getByLabel('Group name')).toBeFocused();
    await page.keyboard.insertText(name);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
  }
  await expectDrawn(ada, id);
  const clicks = await page.evaluate(
    () => [...document.body.childNodes].filter((node) => node.nodeType === Node.COMMENT_NODE).length,
  );
  expect(clicks).toBeLessThanOrEqual(64);
});

test('a small system is drawn with the keyboard, with at most 5 command keys for each item', async ({
  page,
  ada,
}) => {
  test.slow();
  await page.setViewportSize({ width: 1440, height: 900 });
  const id = await openMap(page, ada, []);
  let pressed = 0;
  const press = async (key: string) => {
    pressed++;
    await page.keyboard.press(key);
  };
  /** Fails if an item took more than 5 keys beside the typing. */
  const itemDone = () => {
    expect(pressed).toBeLessThanOrEqual(5);
    pressed = 0;
  };
  const find = async (name: string, found: string) => {
    await press('/');
    await page.keyboard.insertText(name);
    await press('Enter');
    await expect(component(page, found)).toBeFocused();
  };
  const add = async (at: number) => {
    await press('n');
    await page.keyboard.insertText(NAMES[at] ?? '');
    await press('Enter');
    await expect(component(page, idOf(at))).toBeFocused();
    itemDone();
  };
  const addGroup = async (at: 0 | 1) => {
    const [name, parts] = GROUPS[at];
    await press('n');
    await page.keyboard.insertText(name);
    await press('Tab');
    await page.keyboard.insertText('group');
    await press('Enter');
    await press('Enter');
    await expect(component(page, name.toLowerCase())).toBeFocused();
    itemDone();
    for (const part of parts) await add(part);
  };
  const grouped = new Set<number>(GROUPS.flatMap(([, parts]) => parts));
  const [first = 0, ...others] = [...NAMES.keys()].filter((at) => !grouped.has(at));
  await add(first);
  await addGroup(0);
  // New components are in the group of the selected component, so select one that is in no group.
  await find(NAMES[first] ?? '', idOf(first));
  for (const at of others) await add(at);
  await addGroup(1);
  for (const [from, to, text] of RELATIONSHIPS) {
    await find(NAMES[from] ?? '', idOf(from));
    await press('c');
    await page.keyboard.insertText(NAMES[to] ?? '');
    await press('Enter');
    await label(page, text);
    pressed++;
    itemDone();
  }
  await expectDrawn(ada, id);
});
