/** Checks for all pages: no axe violations in either theme, and no horizontal overflow on phones. */
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

export async function expectGoodLayout(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  const widths = () =>
    page.evaluate(() =>
      [document.documentElement, document.querySelector('main')].map((element) => element?.scrollWidth ?? 0),
    );
  await expect.poll(widths, page.url()).toEqual([PHONE.width, PHONE.width]);
  await page.setViewportSize(DESK);
}
