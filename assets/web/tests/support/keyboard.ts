/** Hands that have a keyboard and nothing else: what Tab does not come to is not reached. */
import type { Locator, Page } from '@playwright/test';

/** More stops than any screen has before what a story looks for. */
const STOPS = 400;

export class Keyboard {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Presses Tab until it has the focus. */
  async to(wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await wanted.waitFor();
    for (let stop = 0; stop < STOPS; stop += 1) {
      if (await wanted.evaluate((one) => one === document.activeElement)) return;
      await this.page.keyboard.press(key);
    }
    throw new Error(`Tab does not come to ${wanted}`);
  }

  /** Goes there and presses Enter, or another key. */
  async press(wanted: Locator, key = 'Enter'): Promise<void> {
    await this.to(wanted);
    await this.page.keyboard.press(key);
  }

  /** Goes to a field and types over what is in it. */
  async fill(field: Locator, text: string): Promise<void> {
    await this.to(field);
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.type(text);
  }

  /** Opens a menu and chooses by its first letters, as menus are. */
  async choose(menu: Locator, item: string): Promise<void> {
    await this.press(menu);
    const wanted = this.page.getByRole('menuitem', { name: item });
    await wanted.waitFor();
    for (let stop = 0; stop < STOPS; stop += 1) {
      if (await wanted.evaluate((one) => one === document.activeElement)) break;
      await this.page.keyboard.press('ArrowDown');
    }
    await this.page.keyboard.press('Enter');
  }
}
