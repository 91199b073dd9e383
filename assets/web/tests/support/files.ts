/** Drops files on a page as a user would do it with the mouse. */
import type { Page } from '@playwright/test';

/** A file by name and text. */
export type TextFile = readonly [name: string, text: string];

/** Drops files on the element that a selector finds. */
export async function dropFiles(page: Page, selector: string, ...files: readonly TextFile[]): Promise<void> {
  await page.locator(selector).evaluate((element, dropped) => {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of dropped) dataTransfer.items.add(new File([text], name));
    const { left, top, width, height } = element.getBoundingClientRect();
    const at = { clientX: left + width / 2, clientY: top + height / 2 };
    for (const type of ['dragover', 'drop']) {
      const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer, ...at });
      element.dispatchEvent(event);
    }
  }, files);
}

/** Chooses files in the open dialog of an import. */
export async function chooseFiles(page: Page, ...files: readonly TextFile[]): Promise<void> {
  await page
    .getByLabel('File to import')
    .setInputFiles(
      files.map(([name, text]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })),
    );
}
