/** What holds for every page: no violation of what axe checks in either theme, and nothing beside the edge of a phone. */
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

export async function expectGoodLayout(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  const widths = () =>
    page.evaluate(() =>
      [document.documentElement, document.querySelector('main')].map((one) => one?.scrollWidth ?? 0),
    );
  await expect.poll(widths, page.url()).toEqual([PHONE.width, PHONE.width]);
  await page.setViewportSize(DESK);
}
