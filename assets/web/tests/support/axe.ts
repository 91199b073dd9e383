/** Holds what a page shows against the rules of accessibility, in the light and in the dark. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const axe = new AxeBuilder({ page });
    // The dark differs in colours alone.
    if (colorScheme === 'dark') axe.withRules(['color-contrast']);
    const { violations } = await axe.analyze();
    const told = violations.map(
      ({ id, nodes }) =>
        `${colorScheme}: ${id} at ${nodes.map(({ html }) => html).join(' ')} on ${page.url()}`,
    );
    expect(told).toEqual([]);
  }
}
