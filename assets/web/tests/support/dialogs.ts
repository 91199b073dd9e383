/** The open dialog. Toasts also have the role dialog and are excluded. */
import type { Locator, Page } from '@playwright/test';

export function dialogOn(page: Page): Locator {
  return page.locator('[role="dialog"]:not([aria-modal="false"])');
}
