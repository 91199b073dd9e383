/** Impact analysis: opened on the map, highlighted, listed by distance, and shared by link. */
import type { Page } from '@playwright/test';
import { expectNoViolations } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { component, openMap } from './support/map.ts';
import { visit, visitMap } from './support/visit.ts';

const SPOTS = [
  { id: 'web', name: 'Web shop', x: 0, y: 0 },
  { id: 'api', name: 'Orders API', x: 300, y: 0 },
  { id: 'mail', name: 'Mail', x: 300, y: 200 },
  { id: 'db', name: 'Orders', x: 600, y: 0, typeId: 'database' },
  { id: 'alone', name: 'Wiki', x: 600, y: 300 },
];
const LINKS = [
  ['web', 'api', 'calls'],
  ['api', 'db', 'reads'],
  ['mail', 'db', 'uses'],
  ['web', 'mail', 'calls'],
] as const;

const sheet = (page: Page) => page.getByRole('region', { name: /^(What .*\?|Paths .*|Dependents .*)$/ });
const tones = async (page: Page, tone: string) => {
  const ids = await page
    .locator(`[data-tone="${tone}"] [data-component]`)
    .evaluateAll((all) => all.map((element) => element.getAttribute('data-component')));
  return ids.sort();
};

test('dependents, dependencies and paths are listed with the mouse and the keyboard', async ({
  page,
  ada,
}) => {
  const id = await openMap(page, ada, SPOTS, LINKS);
  await test.step('the impact view works using only the keyboard, and Escape exits it', async () => {
    await component(page, 'web').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+D');
    await expect(sheet(page)).toContainText('Depends on 3 components, up to 2 relationships away.');
    await expect.poll(() => tones(page, 'dependency')).toEqual(['api', 'db', 'mail']);
    const lines = sheet(page).getByRole('region', { name: 'Dependencies' }).getByRole('button');
    await lines.first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await expect(lines.last()).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(lines.last()).toHaveAttribute('aria-pressed', 'true');
    await expect(component(page, 'db')).toHaveAttribute('aria-pressed', 'true');
    await expect(sheet(page).getByRole('region', { name: 'From Web shop to Orders' })).toBeVisible();
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
    await expect(sheet(page)).toBeHidden();
    await expect(component(page, 'web')).toBeFocused();
  });
  await test.step('dependents of a component are listed from the inspector, with paths to each', async () => {
    await component(page, 'db').click();
    await page.getByRole('button', { name: 'What depends on this?' }).click();
    await expect(sheet(page)).toContainText('3 components depend on it, up to 2 relationships away.');
    await expect.poll(() => tones(page, 'dependent')).toEqual(['api', 'mail', 'web']);
    await expect.poll(() => tones(page, 'start')).toEqual(['db']);
    // Headings must be in order.
    await expectNoViolations(page);
    await expect(component(page, 'alone').locator('..')).toHaveAttribute('data-dim', /.*/);
    await expect(component(page, 'mail')).toContainText('dependent');
    await sheet(page)
      .getByRole('button', { name: /^Web shop/ })
      .click();
    const ways = sheet(page).getByRole('region', { name: 'From Web shop to Orders' });
    await expect(ways.getByRole('listitem')).toHaveText([/Web shop → .* → Orders/, /Web shop → .* → Orders/]);
    await expect.poll(() => tones(page, 'path')).toEqual(['api', 'mail', 'web']);
    await ways.getByRole('button', { name: 'Web shop → Mail → Orders' }).click();
    await expect.poll(() => tones(page, 'path')).toEqual(['mail', 'web']);
  });
  await test.step('depth, types and direction are chosen and stored in the URL', async () => {
    await sheet(page).getByLabel('Depth').selectOption('Direct only');
    await expect(sheet(page)).toContainText('2 components depend on it.');
    await sheet(page)
      .getByRole('button', { name: /^Relationship types/ })
      .click();
    await page.getByRole('checkbox', { name: /^reads/ }).click();
    await page.keyboard.press('Escape');
    await expect(sheet(page)).toContainText('1 component depends on it.');
    await expect(sheet(page)).toContainText('1 of 3 types');
    await sheet(page).getByLabel('Direction').selectOption('Dependencies');
    await expect(sheet(page)).toContainText('No dependencies.');
    const params = new URL(page.url()).searchParams;
    expect([params.get('impact'), params.get('way'), params.get('depth'), params.get('types')]).toEqual([
      'db',
      'dependencies',
      '1',
      'reads',
    ]);
    await sheet(page)
      .getByRole('button', { name: /^Exit impact view/ })
      .click();
    await expect(sheet(page)).toBeHidden();
    expect(await tones(page, 'start')).toEqual([]);
  });
  await test.step('paths between two selected components are found in both directions', async () => {
    await component(page, 'db').click();
    await component(page, 'web').click({ modifiers: ['Shift'] });
    await page.keyboard.press('Shift+C');
    await expect(page.getByRole('region', { name: 'Paths between “Orders” and “Web shop”' })).toBeVisible();
    await expect(sheet(page).getByRole('region', { name: 'From Orders to Web shop' })).toContainText(
      'No path found.',
    );
    const ways = sheet(page).getByRole('region', { name: 'From Web shop to Orders' });
    await expect(ways.getByRole('listitem')).toHaveCount(2);
    await expect.poll(() => tones(page, 'path')).toEqual(['api', 'mail', 'web']);
    await page.keyboard.press('Escape');
    await expect(sheet(page)).toBeHidden();
  });
  await test.step('the impact view is unavailable in past versions, with an explanation', async () => {
    const REASON = /current map only/;
    await ada.patch(`/api/workspaces/${id}/components/web`, { name: 'Web shop 2' });
    await visit(page, `/o/analytical-engines/w/${id}?past=1&at=400,200,1`);
    await expect(page.getByText(/^Viewing .*read-only/)).toBeVisible();
    await component(page, 'db').click();
    const ask = page.getByRole('button', { name: 'What depends on this?' });
    await expect(ask).toBeDisabled();
    await expect(ask).toHaveAttribute('title', REASON);
    await expect(ask).toHaveAccessibleDescription(REASON);
    await page.getByRole('button', { name: 'Dependencies' }).click();
    const item = page.getByRole('menuitem', { name: /^What depends on this/ });
    await expect(item).toHaveAttribute('aria-disabled', 'true');
    await expect(item).toHaveAttribute('title', REASON);
    await page.keyboard.press('Escape');
    await expect(item).toHaveCount(0);
    await page.keyboard.press('d');
    await expect(page.getByRole('dialog').getByText(REASON)).toBeVisible();
    expect(new URL(page.url()).searchParams.has('impact')).toBe(false);
    await page.getByRole('button', { name: 'Back to current' }).click();
    await expect(ask).toBeEnabled();
  });
});

test('a link opens the impact view, which follows only dependencies and later changes', async ({
  page,
  ada,
}) => {
  const links = [
    ['db', 'alone', 'streams-to'],
    ['web', 'alone', 'monitors'],
    ['mail', 'web', 'related-to'],
  ] as const;
  await openMap(page, ada, SPOTS, links, '?impact=db&at=400,200,1');
  await test.step('only dependencies are followed, streams from their target, and the other types are counted', async () => {
    await expect(sheet(page)).toContainText('1 component depends on it.');
    await expect(sheet(page).getByRole('button', { name: /^Wiki/ })).toContainText('it streams to it');
    await expect(sheet(page)).toContainText('Not followed: 1 monitors.');
    await sheet(page).getByRole('button', { name: 'Relationship types: Dependencies only' }).click();
    const monitors = page.getByRole('checkbox', { name: /^monitors \(not a dependency\)/ });
    await monitors.focus();
    await page.keyboard.press('Space');
    await expect(monitors).toBeChecked();
    await page.keyboard.press('Escape');
    await expect(sheet(page)).toContainText('No dependents.');
    await expectNoViolations(page);
    await sheet(page).getByRole('button', { name: 'Relationship types: 1 of 3 types' }).click();
    await page.getByRole('button', { name: 'Follow dependencies only' }).click();
    await expect(sheet(page)).toContainText('1 component depends on it.');
  });
  await test.step('later changes update it, also on a phone', async () => {
    const id = await visitMap(page, ada, SPOTS, LINKS, '?impact=db&way=both&at=400,200,1');
    await expect(sheet(page)).toContainText('3 components depend on it');
    await expect(sheet(page)).toContainText('No dependencies.');
    await ada.post(`/api/workspaces/${id}/relationships`, {
      sourceId: 'db',
      targetId: 'alone',
      typeId: 'uses',
    });
    await expect(sheet(page)).toContainText('Depends on 1 component.');
    await expect.poll(() => tones(page, 'dependency')).toEqual(['alone']);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(sheet(page)).toBeInViewport();
    await expectNoViolations(page);
    await ada.delete(`/api/workspaces/${id}/components/db`);
    await expect(sheet(page).getByRole('alert')).toContainText('Component “db” does not exist');
  });
});
