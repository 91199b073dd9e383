/** Holds what a page shows against the rules of accessibility, in the light and in the dark. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Where the keyboard enters one of these guards of a menu it is led on at once: it never rests on what is hidden.
    const axe = new AxeBuilder({ page }).exclude('[data-base-ui-focus-guard]');
    // The dark differs in colours alone.
    if (colorScheme === 'dark') axe.withRules(['color-contrast']);
    const { violations } = await axe.analyze();
    const told = violations
      .filter((one) => !isMenuAlone(one))
      .map(
        ({ id, nodes }) =>
          `${colorScheme}: ${id} at ${nodes.map(({ html }) => html).join(' ')} on ${page.url()}`,
      );
    expect(told).toEqual([]);
  }
}

/**
 * A menu that is open lies over the page and in none of its regions. The rule is there so that nobody who goes from region
 * to region misses something, and an open menu has the keyboard: it cannot be missed.
 */
function isMenuAlone({ id, nodes }: { id: string; nodes: { html: string }[] }): boolean {
  return id === 'region' && nodes.every(({ html }) => /^<[^>]* role="menu"/.test(html));
}
