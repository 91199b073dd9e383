/** Decisions: written, superseded, found from the map, imported and exported, by keyboard and on a phone. */
import { gunzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { component, createMap, openMap } from './support/map.ts';
import { newWindow } from './support/workspaces.ts';

const PHONE = { width: 390, height: 844 };
const SPOTS = [
  { id: 'web', x: 300, y: 160, name: 'Web shop' },
  { id: 'pay', x: 600, y: 160, name: 'Payments' },
];

const list = (page: Page) => page.getByRole('navigation', { name: 'Decisions' });
const work = (page: Page) => page.getByRole('region', { name: 'Decision', exact: true });

/** Opens the decisions of a workspace. */
async function openDecisions(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Decisions', exact: true }).click();
  await expect(list(page)).toBeVisible();
}

/** Fills the form of a new decision and saves it. */
async function decide(page: Page, title: string, text: string): Promise<void> {
  await list(page).getByRole('button', { name: 'New decision' }).click();
  await work(page).getByRole('textbox', { name: 'Title' }).fill(title);
  await work(page).getByRole('textbox', { name: 'Text' }).fill(text);
  await work(page).getByRole('button', { name: 'Create decision' }).click();
  await expect(work(page).getByRole('heading', { name: title })).toBeVisible();
}

test('a decision is written, concerns components, and replaces another one', async ({
  page,
  ada,
  browser,
}) => {
  const id = await openMap(page, ada, SPOTS);
  await openDecisions(page);
  await expect(page.getByRole('heading', { name: 'No decisions yet' })).toBeVisible();
  await decide(page, 'Use polling', '## Context\n\nSimple.');
  await work(page).getByLabel('Status of this decision').selectOption('Accepted');

  await list(page).getByRole('button', { name: 'New decision' }).click();
  const form = work(page);
  await form.getByRole('button', { name: 'Create decision' }).click();
  await expect(form.getByRole('textbox', { name: 'Title' })).toHaveAttribute('aria-invalid', 'true');
  await form.getByRole('textbox', { name: 'Title' }).fill('Use events');
  await form.getByRole('textbox', { name: 'Decided by' }).fill('Ada, Grace');
  await form.getByRole('combobox', { name: 'Add component' }).fill('Paym');
  await page.getByRole('option', { name: /Payments/ }).click();
  await form.getByLabel('Add superseded decision').selectOption('ADR 1: Use polling');
  await form
    .getByRole('textbox', { name: 'Text' })
    .fill(
      '## Context\n\nSee #web and [docs](https://example.org). <b>No HTML</b>\n\n| A | B |\n|---|---|\n| 1 | **2** |\n',
    );
  await form.getByRole('button', { name: 'Preview' }).click();
  await expect(form.getByRole('heading', { name: 'Context' })).toBeVisible();
  await expect(form.getByRole('cell', { name: '2' })).toBeVisible();
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Create decision' }).click();

  await expect(work(page).getByText('Ada, Grace')).toBeVisible();
  await expect(work(page).getByText('<b>No HTML</b>')).toBeVisible();
  const link = work(page).getByRole('link', { name: 'docs' });
  expect(await link.getAttribute('rel')).toContain('noopener');
  expect(await link.getAttribute('rel')).toContain('nofollow');
  await expect(list(page).getByRole('link', { name: /Use polling/ })).toContainText('Superseded');

  // Another user sees it without a reload, and cannot edit.
  const grace = await ada.invite(`grace-${id}`, 'Grace Hopper');
  const reader = await newWindow(browser);
  await grace.open(reader, `/o/analytical-engines/w/${id}/decisions`);
  await expect(list(reader).getByRole('link', { name: /Use events/ })).toBeVisible();
  await expect(list(reader).getByRole('button', { name: 'New decision' })).toHaveCount(0);
  await list(reader)
    .getByRole('link', { name: /Use polling/ })
    .click();
  await expect(work(reader).getByText('Simple.')).toBeVisible();
  await expect(work(reader).getByRole('link', { name: 'ADR 2: Use events' })).toBeVisible();

  // The component lists the decision, and the decision the component.
  await work(page).getByRole('link', { name: '#web' }).click();
  await expect(component(page, 'web')).toBeVisible();
  await component(page, 'pay').click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await inspector.getByRole('link', { name: 'ADR 2: Use events' }).click();
  await work(page).getByRole('button', { name: 'Edit' }).click();
  await work(page).getByRole('textbox', { name: 'Title' }).fill('Use messages');
  await work(page).getByRole('button', { name: 'Save decision' }).click();
  await expect(work(page).getByRole('button', { name: 'Edit' })).toBeFocused();
  await expect(list(reader).getByRole('link', { name: /Use messages/ })).toBeVisible();

  // Deleted and undone.
  await work(page).getByRole('button', { name: 'Delete decision' }).click();
  await expect(list(page).getByRole('link', { name: /Use messages/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(list(page).getByRole('link', { name: /Use messages/ })).toBeVisible();
});

const FILE = `# 7. Use PostgreSQL

Date: 2025-03-01

## Status

Accepted on paper

## Context

Orders need transactions.
`;

test('decisions are searched, filtered, imported and exported, also on a phone', async ({ page, ada }) => {
  await openMap(page, ada, SPOTS);
  await openDecisions(page);
  await decide(page, 'Use polling', 'Simple.');
  await decide(page, 'Use events', 'Fast.');
  await work(page).getByLabel('Status of this decision').selectOption('Accepted');
  await test.step('the list is searched and filtered, and the command palette opens a decision', async () => {
    await list(page).getByRole('searchbox', { name: 'Search decisions' }).fill('adr 1');
    await expect(list(page).getByRole('link')).toHaveText([/Use polling/]);
    await list(page).getByRole('searchbox', { name: 'Search decisions' }).fill('');
    await list(page).getByLabel('Status').selectOption('Accepted');
    await expect(list(page).getByRole('link')).toHaveText([/Use events/]);
    await list(page).getByLabel('Status').selectOption('Rejected');
    await expect(list(page).getByText('No decisions match')).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('ControlOrMeta+K');
    await page.keyboard.type('use polling');
    await expect(page.getByRole('option', { name: /Use polling/ }).first()).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(work(page).getByRole('heading', { name: 'Use polling' })).toBeVisible();
    await list(page).getByLabel('Status').selectOption({ index: 0 });
  });
  await test.step('files are dropped to import them, and exported as an archive', async () => {
    const data = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], '0007-use-postgresql.md', { type: 'text/markdown' }));
      transfer.items.add(new File(['# Other'], 'README.md', { type: 'text/markdown' }));
      return transfer;
    }, FILE);
    await page.dispatchEvent('body', 'dragover', { dataTransfer: data });
    await expect(page.getByText('Drop Markdown files to import decisions')).toBeVisible();
    await page.dispatchEvent('body', 'drop', { dataTransfer: data });
    const dialog = page.getByRole('dialog', { name: 'Import decisions' });
    await expect(dialog.getByText('0007-use-postgresql.md')).toBeVisible();
    await dialog.getByRole('button', { name: 'Import 1 file' }).click();
    await expect(dialog.getByText('1 decision created, 0 updated, 0 unchanged.')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await list(page)
      .getByRole('link', { name: /Use PostgreSQL/ })
      .click();
    await expect(work(page).getByText('ADR 7')).toBeVisible();
    await expect(work(page).getByText('Orders need transactions.')).toBeVisible();

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Export decisions as Markdown' }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
    const archive = gunzipSync(Buffer.concat(chunks)).toString('utf8');
    expect(archive).toContain('decisions/0007-use-postgresql.md');
    expect(archive).toContain('status: "accepted"');
  });
  await test.step('a phone shows the list or a decision', async () => {
    await decide(page, 'Use events for everything that others wait for', '## Context\n\n- One\n- `Two`\n');
    await page.setViewportSize(PHONE);
    await expect(list(page)).toBeHidden();
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    await work(page).getByRole('button', { name: 'Edit' }).click();
    await expectAccessible(page);
    expect(await overflow()).toBeLessThanOrEqual(0);
    await work(page).getByRole('button', { name: 'Cancel' }).click();
    await work(page).getByRole('link', { name: 'All decisions' }).click();
    await expect(list(page)).toBeVisible();
    expect(await overflow()).toBeLessThanOrEqual(0);
  });
});

test('input is kept when its author leaves the page, until it is saved or discarded', async ({
  page,
  ada,
}) => {
  const { id } = await createMap(ada, SPOTS);
  await ada.post(`/api/workspaces/${id}/decisions`, { title: 'Use polling', body: 'Simple.' });
  await ada.open(page, `/o/analytical-engines/w/${id}/decisions`);
  await list(page).getByRole('button', { name: 'New decision' }).click();
  await work(page).getByRole('textbox', { name: 'Title' }).fill('Use events');
  await work(page).getByRole('textbox', { name: 'Decided by' }).fill('Ada, Gr');
  await work(page).getByRole('combobox', { name: 'Add component' }).fill('Paym');
  await page.getByRole('option', { name: /Payments/ }).click();

  // Another tab, and a reload.
  await page.getByRole('link', { name: 'Table', exact: true }).click();
  await expect(page.getByRole('grid')).toBeVisible();
  await page.getByRole('link', { name: 'Decisions', exact: true }).click();
  await expect(work(page).getByRole('textbox', { name: 'Title' })).toHaveValue('Use events');
  await expect(work(page).getByText('Your input from before is not saved yet.')).toBeVisible();
  await page.reload();
  await expect(work(page).getByRole('textbox', { name: 'Decided by' })).toHaveValue('Ada, Gr');
  await expect(work(page).getByRole('button', { name: 'Remove Payments' })).toBeVisible();
  await expectAccessible(page);

  // Another decision, which is edited too. The list marks both.
  await list(page)
    .getByRole('link', { name: /Use polling/ })
    .click();
  await work(page).getByRole('button', { name: 'Edit' }).click();
  await work(page).getByRole('textbox', { name: 'Title' }).fill('Use long polling');
  await expect(list(page).getByRole('link', { name: /Use polling/ })).toContainText('Not saved yet');
  await list(page)
    .getByRole('link', { name: /New decision/ })
    .click();
  await expect(work(page).getByRole('textbox', { name: 'Title' })).toHaveValue('Use events');
  await work(page).getByRole('button', { name: 'Create decision' }).click();
  await expect(work(page).getByText('Ada, Gr', { exact: true })).toBeVisible();
  await expect(list(page).getByText('Not saved yet')).toHaveCount(1);
  await list(page)
    .getByRole('link', { name: /Use polling/ })
    .click();
  await expect(work(page).getByRole('textbox', { name: 'Title' })).toHaveValue('Use long polling');
  await work(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(work(page).getByRole('heading', { name: 'Use polling' })).toBeVisible();
  await expect(list(page).getByText('Not saved yet')).toHaveCount(0);
});
