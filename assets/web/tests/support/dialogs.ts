/** The open dialog. Toasts have the role of a dialog too and are excluded. */
import type { Locator, Page } from '@playwright/test';

export function dialogOn(page: Page): Locator {
  return page.locator('[role="dialog"]:not([aria-modal="false"])');
}
