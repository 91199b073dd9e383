/** Automatic layout: what is arranged, in which direction, and the preview. */
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { component, openMap, placeOf } from './support/map.ts';
import { visit, visitMap } from './support/visit.ts';

const SPOTS = [
  { id: 'shop', x: 0, y: 0, typeId: 'group' },
  { id: 'web', x: 40, y: 100 },
  { id: 'api', x: 60, y: 240 },
  { id: 'db', x: 40, y: 380 },
  { id: 'mail', x: 700, y: 100 },
  { id: 'sms', x: 700, y: 260 },
];
const LINES = [
  ['shop', 'web', 'contains'],
  ['shop', 'api', 'contains'],
  ['shop', 'db', 'contains'],
  ['web', 'api'],
  ['api', 'db'],
  ['mail', 'sms'],
] as const;

const bar = (page: Page) => page.getByRole('region', { name: 'Layout preview' });
const applied = (page: Page) => bar(page).getByRole('button', { name: 'Apply layout' });

/** The stored positions by ID. */
async function positions(ada: Actor, id: string): Promise<Record<string, [number, number]>> {
  const { components } = await ada.get(`/api/workspaces/${id}`);
  return Object.fromEntries(components.map(({ id: of, x, y }: Record<string, number>) => [of, [x, y]]));
}

test('a layout is previewed and applied to a group, a selection, all, and during playback', async ({
  page,
  ada,
}) => {
  await test.step('the inside of a group is arranged from its context menu, and nothing else moves', async () => {
    const id = await openMap(page, ada, SPOTS, LINES);
    const before = await positions(ada, id);
    await component(page, 'shop').click({ button: 'right', position: { x: 60, y: 16 } });
    await page.getByRole('menuitem', { name: 'Layered layout: inside “shop”' }).click();
    await expect(bar(page).getByText('Preview: new layout for 3 components')).toBeVisible();
    await expect(applied(page)).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(bar(page)).toBeHidden();
    await expect.poll(async () => (await positions(ada, id)).db).not.toEqual(before.db);
    const after = await positions(ada, id);
    const [web, api, db] = [after.web, after.api, after.db] as [number, number][];
    expect(api?.[0]).toBeGreaterThan((web?.[0] ?? 0) + 180);
    expect(db?.[0]).toBeGreaterThan((api?.[0] ?? 0) + 180);
    expect([after.mail, after.sms]).toEqual([before.mail, before.sms]);
    // One undo step.
    await page.keyboard.press('Control+z');
    await expect.poll(() => positions(ada, id)).toEqual(before);
  });

  await test.step('a selection is shifted to free space instead of covering others', async () => {
    const spots = [
      { id: 'a', x: 0, y: 0 },
      { id: 'b', x: 0, y: 120 },
      { id: 'c', x: 0, y: 240 },
      { id: 'wall', x: 240, y: 120 },
    ];
    const id = await visitMap(page, ada, spots, [
      ['a', 'b'],
      ['b', 'c'],
    ]);
    for (const one of ['a', 'b', 'c']) await component(page, one).click({ modifiers: ['Shift'] });
    await page.keyboard.press('Alt+Shift+A');
    await expect(
      bar(page).getByText('Preview: new layout for 3 components, moved to free space'),
    ).toBeVisible();
    await applied(page).click();
    await expect.poll(async () => (await positions(ada, id)).c).not.toEqual([0, 240]);
    const { wall, ...others } = await positions(ada, id);
    expect(wall).toEqual([240, 120]);
    for (const [x, y] of Object.values(others))
      expect(Math.abs(x - 240) >= 180 || Math.abs(y - 120) >= 64).toBe(true);
  });

  await test.step('a layout removes the waypoints of the lines between the arranged components', async () => {
    const id = await visitMap(page, ada, SPOTS.slice(1), LINES.slice(3));
    const { relationships } = await ada.get(`/api/workspaces/${id}`);
    for (const { id: line } of relationships)
      await ada.patch(`/api/workspaces/${id}/relationships/${line}`, {
        line: { via: [[900, 700]], shape: 'routed' },
      });
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Alt+Shift+A');
    await applied(page).click();
    const lines = async () =>
      (await ada.get(`/api/workspaces/${id}`)).relationships.map((row: { line?: unknown }) => row.line);
    await expect.poll(lines).toEqual(Array(3).fill({ via: [], shape: 'routed' }));
    await page.keyboard.press('Control+z');
    await expect.poll(lines).toEqual(Array(3).fill({ via: [[900, 700]], shape: 'routed' }));
  });

  await test.step('no component is under the minimap after a layout', async () => {
    const chains = Array.from({ length: 8 }, (_, chain) =>
      Array.from({ length: 6 }, (_, at) => ({ id: `c${chain}-${at}`, x: at * 60, y: chain * 30 })),
    );
    const lines = chains.flatMap((chain) =>
      chain.slice(1).map(({ id }, at) => [chain[at]?.id ?? '', id] as const),
    );
    await visitMap(page, ada, chains.flat(), lines);
    await page.keyboard.press('Alt+Shift+A');
    await expect(applied(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(bar(page)).toBeHidden();
    const covered = () =>
      page.evaluate(() => {
        const map = document.querySelector('[data-corner] canvas')?.getBoundingClientRect();
        const cards = [...document.querySelectorAll('[data-component]')];
        if (!map || cards.length < 48) return [`${cards.length} of 48 components`];
        return cards.flatMap((card) => {
          const { right, bottom } = card.getBoundingClientRect();
          return right > map.left && bottom > map.top ? [card.getAttribute('data-component')] : [];
        });
      });
    await expect.poll(covered).toEqual([]);
  });

  await test.step('a layout is applied during playback, which continues', async () => {
    const id = await visitMap(page, ada, SPOTS, LINES);
    await ada.post(`/api/workspaces/${id}/processes`, {
      id: 'send',
      name: 'Send',
      mermaid: 'sequenceDiagram\n    w->>m: Letter\n    m->>w: Sent\n',
      participants: { w: 'web', m: 'mail' },
    });
    await visit(page, `/o/analytical-engines/w/${id}?process=send&step=2`);
    await expect(page.getByRole('region', { name: 'Playback of Send' })).toBeVisible();
    await page.keyboard.press('Alt+Shift+A');
    await expect(applied(page)).toBeFocused();
    await applied(page).click();
    await expect(bar(page)).toBeHidden();
    await expect.poll(async () => (await positions(ada, id)).api).not.toEqual([60, 240]);
    expect(new URL(page.url()).searchParams.get('step')).toBe('2');
    await expect(page.getByRole('region', { name: 'Playback of Send' })).toBeVisible();
  });
});

test('a layout is adjusted by keyboard, canceled, and its direction is remembered', async ({ page, ada }) => {
  await test.step('direction, style and scope are changed in the preview by keyboard, and the direction is remembered', async () => {
    const id = await openMap(page, ada, SPOTS, LINES);
    await page.getByRole('region', { name: 'Map', exact: true }).focus();
    await component(page, 'web').click();
    await component(page, 'api').click({ modifiers: ['Shift'] });
    await page.keyboard.press('Alt+Shift+A');
    await expect(bar(page).getByText('Preview: new layout for 2 components')).toBeVisible();
    const scope = bar(page).getByLabel('Components to arrange');
    await expect(scope).toHaveValue('selection');
    const down = bar(page).getByRole('button', { name: 'From top to bottom' });
    await down.focus();
    await page.keyboard.press('Enter');
    await expect(down).toHaveAttribute('aria-pressed', 'true');
    await expect(down).toBeFocused();
    await expect(applied(page)).toBeEnabled();
    const [web, api] = [await placeOf(page, 'web'), await placeOf(page, 'api')];
    expect(api.y).toBeGreaterThan(web.y + 64);
    await scope.selectOption('all');
    await expect(bar(page).getByText('Preview: new layout for 6 components')).toBeVisible();
    await bar(page).getByLabel('Layout style').selectOption('organic');
    await expect(down).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(bar(page)).toBeHidden();
    expect(await positions(ada, id)).toMatchObject({ web: [40, 100], mail: [700, 100] });
    await page.reload();
    await component(page, 'shop').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Arrange' }).click();
    await page.getByRole('menuitem', { name: /^Layered layout: all/ }).click();
    await expect(down).toHaveAttribute('aria-pressed', 'true');
  });

  await test.step('a slow layered layout is offered as a choice, and can be canceled while it is computed', async () => {
    const spots = Array.from({ length: 450 }, (_, at) => ({
      id: `c${at}`,
      x: (at % 20) * 260,
      y: Math.floor(at / 20) * 180,
    }));
    const lines = spots.flatMap(({ id }, at) =>
      [7, 31]
        .map((step) => [id, `c${(at * step + step) % spots.length}`] as const)
        .filter(([, to]) => to !== id),
    );
    const id = await visitMap(page, ada, spots, lines);
    const before = await positions(ada, id);
    await page.getByRole('region', { name: 'Map', exact: true }).focus();
    await page.keyboard.press('Alt+Shift+A');
    await expect(page.getByText('You can still choose Layered.')).toBeVisible();
    await expect(applied(page)).toBeEnabled();
    const style = bar(page).getByLabel('Layout style');
    await expect(style).toHaveValue('organic');
    await style.selectOption('layered');
    await expect(bar(page).getByText('Computing layout…')).toBeVisible();
    await bar(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(bar(page)).toBeHidden();
    expect(await positions(ada, id)).toEqual(before);
    // The map can be arranged again.
    await page.keyboard.press('Alt+Shift+O');
    await expect(applied(page)).toBeEnabled();
  });
});
