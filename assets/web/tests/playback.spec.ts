/** Process playback on the map. Each step has a URL. */
import type { Page } from '@playwright/test';
import { expectNoViolations } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { visitMapOf, wikipedia } from './support/workspaces.ts';

const HOME = '/o/analytical-engines/w';

const bar = (page: Page) => page.getByRole('region', { name: /^Playback of/ });

test('a process plays by keyboard, with its branches, loops and unmapped participants', async ({
  page,
  ada,
}) => {
  await test.step('a process plays using only the keyboard, and Escape exits playback', async () => {
    const id = await wikipedia(ada);
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

  await test.step('a link to a step selects the branches that contain it', async () => {
    const id = await wikipedia(ada);
    await visitMapOf(page, id, '?process=read-an-article&step=8');
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

  await test.step('a loop is labeled and can be repeated', async () => {
    const id = await wikipedia(ada);
    const thumbnail = `/api/workspaces/${id}/processes/first-thumbnail`;
    const { mermaid } = (await ada.get(thumbnail)).process;
    await ada.patch(thumbnail, {
      mermaid: mermaid.replace('    end\n', '        thumbor->>store: Enough?\n    end\n'),
    });
    await visitMapOf(page, id, '?process=first-thumbnail&step=8');
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

  await test.step('an unmapped participant is reported during playback and mapped from there', async () => {
    const id = await wikipedia(ada);
    const thumbnail = `/api/workspaces/${id}/processes/first-thumbnail`;
    const { participants } = (await ada.get(thumbnail)).process;
    delete participants.store;
    await ada.patch(thumbnail, { participants });
    await visitMapOf(page, id, '?process=first-thumbnail&step=3');
    await expect(bar(page)).toContainText('“Media store” is not mapped');
    await bar(page).getByRole('button', { name: 'Map component' }).press('Enter');
    const choice = page.getByRole('combobox', { name: 'Component for Media store', exact: true });
    await expect(choice).toBeFocused();
    await page.keyboard.type('Media sto');
    await page.keyboard.press('Enter');
    await expect(bar(page)).toContainText('Step 3 of');
    await expect(bar(page)).not.toContainText('not mapped');
    await expect.poll(async () => (await ada.get(thumbnail)).process.participants.store).toBe('media-store');
  });

  await test.step('a process that does not exist is reported', async () => {
    const id = await wikipedia(ada);
    await visitMapOf(page, id, `?process=${encodeURIComponent('<b>none</b>')}`);
    await expect(page.getByText('Process “<b>none</b>” does not exist')).toBeVisible();
    await page.getByRole('button', { name: 'Exit playback' }).click();
    await expect(page.getByText('does not exist')).toBeHidden();
  });

  await test.step('the playback bar is accessible in both themes', async () => {
    const id = await wikipedia(ada);
    await ada.delete(`/api/workspaces/${id}/components/thumbor`);
    await visitMapOf(page, id, '?process=first-thumbnail&step=7');
    await expect(bar(page)).toContainText('not mapped');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectNoViolations(page);
    }
  });
});

test('playback keeps the components and messages of a step in sight', async ({ page, ada }) => {
  await test.step('both components of a step are visible, zoomed out if needed', async () => {
    const id = await wikipedia(ada);
    await ada.open(page, `${HOME}/${id}?process=save-an-edit&step=6`);
    const isSeen = async (name: string) => {
      const box = await page.locator(`[data-component="${name}"]`).boundingBox();
      const map = await page.getByRole('region', { name: 'Map', exact: true }).boundingBox();
      return !!box && !!map && box.x >= map.x && box.x + box.width <= map.x + map.width;
    };
    const ends = () => Promise.all([isSeen('action-api'), isSeen('eventgate')]);
    await expect.poll(ends).toEqual([true, true]);
    // Shortcuts are bound shortly after the map appears.
    await expect(async () => {
      await page.keyboard.press('End');
      await expect(bar(page)).toContainText('Step 13 of 13', { timeout: 500 });
    }).toPass();
    for (let step = 13; step > 6; step -= 1) await page.keyboard.press(',');
    await expect(bar(page)).toContainText('Step 6 of 13');
    await expect.poll(ends).toEqual([true, true]);
  });

  await test.step('the message of a step is shown on its line, above all components', async () => {
    const id = await wikipedia(ada);
    await visitMapOf(page, id, '?process=save-an-edit&step=1');
    const { process: edit } = await ada.get(`/api/workspaces/${id}/processes/save-an-edit`);
    for (const [at, { text }] of edit.steps.slice(0, 5).entries()) {
      await expect(bar(page)).toContainText(`Step ${at + 1} of`);
      await expect(mark(page)).toHaveCount(1);
      await expect(mark(page)).toHaveAttribute('data-step-message', String(at + 1));
      const words = ((await mark(page).textContent()) ?? '').replace(/\s+/g, ' ');
      expect(words.replace(/^\d+/, '').slice(0, 10)).toBe(String(text).replace(/\s+/g, ' ').slice(0, 10));
      const isOnTop = await mark(page).evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        (element as HTMLElement).style.pointerEvents = 'auto';
        const found = document.elementFromPoint(left + width / 2, top + height / 2);
        return element.contains(found);
      });
      expect(isOnTop).toBe(true);
      await page.keyboard.press('.');
    }
  });

  await test.step('a dot moves along the line only while the process plays, and not with reduced motion', async () => {
    const id = await wikipedia(ada);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await visitMapOf(page, id, '?process=save-an-edit&step=1');
    await expect(mark(page)).toBeVisible();
    const dot = page.locator('[data-dot]');
    const running = () => page.evaluate(() => document.getAnimations().length);
    await expect(dot).toHaveCount(0);
    await bar(page).getByLabel('Speed').selectOption('0.5');
    await bar(page).getByRole('button', { name: 'Play (Space)' }).click();
    const place = async () => JSON.stringify(await dot.boundingBox());
    const first = await place();
    await expect.poll(place).not.toBe(first);
    await bar(page).getByRole('button', { name: 'Pause (Space)' }).click();
    await expect(dot).toHaveCount(0);
    await expect.poll(running).toBe(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await bar(page).getByRole('button', { name: 'Play (Space)' }).click();
    await expect(bar(page).getByRole('button', { name: 'Pause (Space)' })).toBeVisible();
    await expect(dot).toHaveCount(0);
  });
});

test('playback shows the diagram, hides panels and fills the screen', async ({ page, ada }) => {
  await test.step('the diagram can be shown during playback, and marks the current message', async () => {
    const id = await wikipedia(ada);
    await ada.open(page, `${HOME}/${id}?process=first-thumbnail&step=1`);
    const diagram = page.getByRole('img', { name: /^Sequence diagram of A reader requests/ });
    await bar(page).getByRole('button', { name: 'Diagram' }).press('Enter');
    await expect(diagram).toBeVisible();
    const pane = page.getByRole('region', { name: 'Diagram', exact: true });
    expect(await pane.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(false);
    await expect(diagram.locator('text.current')).not.toHaveCount(0);
    await expect(diagram.locator('line.current')).toHaveCount(1);
    const first = await diagram.locator('text.current').allTextContents();
    await page.keyboard.press('.');
    await expect(bar(page)).toContainText('Step 2 of');
    await expect(diagram).toBeVisible();
    await expect.poll(() => diagram.locator('text.current').allTextContents()).not.toEqual(first);
    const second = (await diagram.locator('text.current').allTextContents()).join(' ');
    await expect(bar(page)).toContainText(second);
    await bar(page).getByRole('button', { name: 'Diagram' }).press('Enter');
    await expect(diagram).toBeHidden();
  });

  await test.step('playback in full screen hides the app bar', async () => {
    const id = await wikipedia(ada);
    await visitMapOf(page, id, '?process=first-thumbnail&step=1');
    await bar(page).getByRole('button', { name: 'Full screen' }).click();
    await expect(page.getByRole('banner')).toBeHidden();
    const map = page.getByRole('region', { name: 'Map', exact: true });
    expect((await map.boundingBox())?.height).toBeGreaterThan(800);
    await bar(page).getByRole('button', { name: 'Exit full screen (Esc)' }).click();
    await expect(page.getByRole('banner')).toBeVisible();
    await bar(page).getByRole('button', { name: 'Full screen' }).click();
    await expect(page.getByRole('banner')).toBeHidden();
    await bar(page).getByRole('button', { name: 'Exit playback (Esc)' }).click();
    await expect(page.getByRole('banner')).toBeVisible();
  });

  await test.step('panels are hidden during playback, and shown as before at its end', async () => {
    const id = await wikipedia(ada);
    await visitMapOf(page, id, '?c=geo-dns');
    await page.locator('[data-component="geo-dns"]').waitFor();
    await page.keyboard.press('p');
    const panel = page.getByRole('complementary', { name: 'Side panel' });
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await expect(panel).toBeVisible();
    await expect(inspector).toBeVisible();
    await panel.getByRole('link', { name: 'Play A reader requests a new image size on map' }).click();
    await expect(bar(page)).toBeVisible();
    await expect(panel).toBeHidden();
    await expect(inspector).toBeHidden();
    // All components of the process are visible and not covered by the bar.
    const { process: thumbnail } = await ada.get(`/api/workspaces/${id}/processes/first-thumbnail`);
    const isCovered = async (component: string) => {
      const [card, player] = await Promise.all([
        page.locator(`[data-component="${component}"]`).boundingBox(),
        bar(page).boundingBox(),
      ]);
      if (!card || !player) return true;
      const isBeside = card.x > player.x + player.width || card.x + card.width < player.x;
      return !isBeside && card.y + card.height > player.y;
    };
    for (const component of Object.values<string>(thumbnail.participants)) {
      await expect(page.locator(`[data-component="${component}"]`)).toBeInViewport({ ratio: 0.999 });
      await expect.poll(() => isCovered(component)).toBe(false);
    }
    // A panel can still be opened, and a reload remembers the panels from before playback.
    await page.keyboard.press('i');
    await expect(inspector).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(bar(page)).toBeHidden();
    await expect(panel).toBeVisible();
    await expect(inspector).toBeVisible();
    await panel.getByRole('link', { name: 'Play A reader requests a new image size on map' }).click();
    await expect(panel).toBeHidden();
    await page.reload();
    await expect(bar(page)).toBeVisible();
    await expect(panel).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(panel).toBeVisible();
  });
});

const mark = (page: Page) => page.locator('[data-step-message]');
