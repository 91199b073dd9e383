/** Simulates a user with only a keyboard, who can only use elements reachable with Tab. */
import { expect, type Locator, type Page } from '@playwright/test';

/** Maximum number of tab stops before an element on any screen. */
const MAX_STOPS = 400;

export class Keyboard {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Presses Tab until the element is focused. */
  async focus(element: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await element.waitFor();
    for (let stop = 0; stop < MAX_STOPS; stop += 1) {
      if (await element.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press(key);
    }
    throw new Error(`Tab does not reach ${element}`);
  }

  /** Focuses the element and presses Enter or another key. */
  async press(element: Locator, key = 'Enter'): Promise<void> {
    await this.focus(element);
    await this.page.keyboard.press(key);
  }

  /** Focuses a field and replaces its text. */
  async fill(field: Locator, text: string): Promise<void> {
    await this.focus(field);
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.type(text);
  }

  /** Opens a menu and selects an item by typing its first letters. */
  async choose(menu: Locator, item: string): Promise<void> {
    await this.press(menu);
    const menuItem = this.page.getByRole('menuitem', { name: item });
    await menuItem.waitFor();
    for (let stop = 0; stop < MAX_STOPS; stop += 1) {
      if (await menuItem.evaluate((element) => element === document.activeElement)) break;
      await this.page.keyboard.press('ArrowDown');
    }
    await this.page.keyboard.press('Enter');
  }
}

/** Runs a command of the command palette. */
export async function runCommand(page: Page, command: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  // The palette is loaded on demand.
  await expect(page.getByRole('combobox', { name: 'Search or run a command' })).toBeFocused();
  await page.keyboard.type(command);
  await page.keyboard.press('Enter');
}
