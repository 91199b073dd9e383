/** Checks a page with axe, in the light and dark theme. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Focus guards of menus move the focus immediately, so it never stays on a hidden element.
    const check = axe(page).exclude('[data-base-ui-focus-guard]');
    // The dark theme differs only in colors.
    if (colorScheme === 'dark') check.withRules(['color-contrast']);
    const { violations } = await check.analyze();
    const messages = violations
      .filter((violation) => !isMenuAlone(violation))
      .map(
        ({ id, nodes }) =>
          `${colorScheme}: ${id} at ${nodes.map(({ html }) => html).join(' ')} on ${page.url()}`,
      );
    expect(messages).toEqual([]);
  }
}

/** Checks a page, or a part of it, in its current theme. The rules in `except` are not applied. */
export async function expectNoViolations(page: Page, part?: string, except: string[] = []): Promise<void> {
  const check = axe(page).disableRules(except);
  if (part) check.include(part);
  expect((await check.analyze()).violations).toEqual([]);
}

/** Checks that accessible names contain the visible labels, so that users who speak to their device can name them. */
export async function expectNamesOfLabels(page: Page): Promise<void> {
  const { violations } = await axe(page).withRules(['label-content-name-mismatch']).analyze();
  expect(violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))).toEqual([]);
}

/**
 * Axe for a page without frames from other servers. By default it opens another page to combine the results of frames, and
 * describes all elements without violations, which takes longer than the checks.
 */
function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
}

/**
 * Ignores that an open menu is outside of all landmarks. The rule protects users who navigate by landmarks, but an open
 * menu has the focus.
 */
function isMenuAlone({ id, nodes }: { id: string; nodes: { html: string }[] }): boolean {
  return id === 'region' && nodes.every(({ html }) => /^<[^>]* role="menu"/.test(html));
}
