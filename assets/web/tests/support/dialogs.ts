/** The window that asks something. Notes at the edge are dialogs too, as far as their role goes, but ask nothing. */
import type { Locator, Page } from '@playwright/test';

export function dialogOn(page: Page): Locator {
  return page.locator('[role="dialog"]:not([aria-modal="false"])');
}
