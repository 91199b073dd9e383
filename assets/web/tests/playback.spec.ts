/** Process playback on the map. Each step has a URL. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import type { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';

const HOME = '/o/analytical-engines/w';
let count = 0;

async function sample(ada: Actor): Promise<string> {
  const id = `playback-${process.pid}-${++count}`;
  await ada.post('/api/workspaces', { id, name: 'Encyclopedia', sample: true });
  return id;
}

const bar = (page: Page) => page.getByRole('region', { name: /^Playback of/ });

test('a process plays using only the keyboard, and Escape exits playback', async ({ page, ada }) => {
  const id = await sample(ada);
  await ada.open(page, `${HOME}/${id}/processes/read-an-article`);
  await page.getByRole('button', { name: 'Play on map' }).press('Enter');
  await expect(bar(page)).toContainText('Step 1 of 5');
  await expect(bar(page)).toContainText('Resolve en.wikipedia.org');
  await page.keyboard.press('.');
  await expect(bar(page)).toContainText('Address of the nearest data center');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(bar(page)).toContainText('GET /wiki/Blueprint, unencrypted');
  expect(new URL(page.url()).searchParams.get('step')).toBe('4');
  await page.keyboard.press(',');
  await expect(bar(page)).toContainText('Step 3 of 5');
  await page.keyboard.press('End');
  await expect(bar(page)).toContainText('Step 5 of 5');
  await page.keyboard.press('Home');
  await expect(bar(page)).toContainText('Step 1 of 5');
  // Space starts playback.
  await page.keyboard.press('Space');
  await expect(bar(page)).toContainText('Step 2 of 5');
  await page.keyboard.press('Space');
  await expect(bar(page).getByRole('button', { name: 'Play (Space)' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(bar(page)).toBeHidden();
  // The URL may keep the viewport, but not the process.
  const left = new URL(page.url()).searchParams;
  expect([left.get('process'), left.get('step')]).toEqual([null, null]);
});

test('both components of a step are visible, zoomed out if needed', async ({ page, ada }) => {
  const id = await sample(ada);
  await ada.open(page, `${HOME}/${id}?process=save-an-edit&step=6`);
  const isSeen = async (name: string) => {
    const box = await page.locator(`[data-component="${name}"]`).boundingBox();
    const map = await page.getByRole('region', { name: 'Map', exact: true }).boundingBox();
    return !!box && !!map && box.x >= map.x && box.x + box.width <= map.x + map.width;
  };
  const ends = () => Promise.all([isSeen('action-api'), isSeen('eventgate')]);
  await expect.poll(ends).toEqual([true, true]);
  await page.keyboard.press('End');
  await expect(bar(page)).toContainText('Step 13 of 13');
  for (let step = 13; step > 6; step -= 1) await page.keyboard.press(',');
  await expect(bar(page)).toContainText('Step 6 of 13');
  await expect.poll(ends).toEqual([true, true]);
});

test('a link to a step selects the branches that contain it', async ({ page, ada }) => {
  const id = await sample(ada);
  await ada.open(page, `${HOME}/${id}?process=read-an-article&step=8`);
  await expect(bar(page)).toContainText('Read latest revision');
  const branches = bar(page).getByRole('group', { name: 'If' });
  await expect(branches.getByRole('button', { name: 'not in memory' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  const optional = bar(page).getByRole('group', { name: 'Optional' });
  await optional.getByRole('button', { name: 'skip' }).click();
  await expect(bar(page)).not.toContainText('Read latest revision');
  await branches.getByRole('button', { name: 'in memory', exact: true }).click();
  await expect(bar(page)).toContainText('The page');
  expect(new URL(page.url()).searchParams.get('step')).toBe('5');
});

test('a loop is labeled and can be repeated', async ({ page, ada }) => {
  const id = await sample(ada);
  const thumbnail = `/api/workspaces/${id}/processes/first-thumbnail`;
  const { mermaid } = (await ada.get(thumbnail)).process;
  await ada.patch(thumbnail, {
    mermaid: mermaid.replace('    end\n', '        thumbor->>store: Enough?\n    end\n'),
  });
  await ada.open(page, `${HOME}/${id}?process=first-thumbnail&step=8`);
  await expect(bar(page)).toContainText('Loop until size is reached');
  await expect(bar(page)).toContainText('Enough?');
  await expect(bar(page)).toContainText('iteration 1, step 2 of 2');
  await bar(page).getByRole('button', { name: 'Play again' }).click();
  await expect(bar(page)).toContainText('Scale and sharpen');
  await expect(bar(page)).toContainText('iteration 2, step 1 of 2');
  await expect(bar(page).getByLabel('to itself')).toBeVisible();
  // Iterations restart when playback reenters a loop.
  await page.keyboard.press('Home');
  await expect(bar(page)).not.toContainText('round');
});

test('an unmapped participant is reported during playback and mapped from there', async ({ page, ada }) => {
  const id = await sample(ada);
  const thumbnail = `/api/workspaces/${id}/processes/first-thumbnail`;
  const { participants } = (await ada.get(thumbnail)).process;
  delete participants.store;
  await ada.patch(thumbnail, { participants });
  await ada.open(page, `${HOME}/${id}?process=first-thumbnail&step=3`);
  await expect(bar(page)).toContainText('“Media store” is not mapped');
  await bar(page).getByRole('button', { name: 'Map component' }).press('Enter');
  const choice = page.getByRole('combobox', { name: 'Component for Media store' });
  await expect(choice).toBeFocused();
  await page.keyboard.type('Media sto');
  await page.keyboard.press('Enter');
  await expect(bar(page)).toContainText('Step 3 of');
  await expect(bar(page)).not.toContainText('not mapped');
  await expect.poll(async () => (await ada.get(thumbnail)).process.participants.store).toBe('media-store');
});

test('a process that does not exist is reported', async ({ page, ada }) => {
  const id = await sample(ada);
  await ada.open(page, `${HOME}/${id}?process=${encodeURIComponent('<b>none</b>')}`);
  await expect(page.getByText('Process “<b>none</b>” does not exist')).toBeVisible();
  await page.getByRole('button', { name: 'Exit playback' }).click();
  await expect(page.getByText('does not exist')).toBeHidden();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the playback bar is accessible, ${colorScheme}`, async ({ page, ada }) => {
    const id = await sample(ada);
    await ada.delete(`/api/workspaces/${id}/components/thumbor`);
    await page.emulateMedia({ colorScheme });
    await ada.open(page, `${HOME}/${id}?process=first-thumbnail&step=7`);
    await expect(bar(page)).toContainText('not mapped');
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
}
