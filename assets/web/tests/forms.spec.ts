/** Forms keep their input and explain errors if it is too long or the server is unreachable. */
import type { Locator, Page } from '@playwright/test';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { visit } from './support/visit.ts';
import { wikipedia } from './support/workspaces.ts';

const ORG = '/o/analytical-engines';
const LONG = 'x'.repeat(10_000);

interface FormLocation {
  path: string;
  /** The button that opens the form. */
  behind?: string;
  field: string;
}

const FORMS: readonly FormLocation[] = [
  { path: ORG, behind: 'New workspace', field: 'Name' },
  { path: `${ORG}/people`, behind: 'New', field: 'Name' },
  { path: `${ORG}/teams`, behind: 'New', field: 'Name' },
  { path: `${ORG}/roles`, behind: 'New role', field: 'Name' },
  { path: `${ORG}/settings`, field: 'Name' },
  { path: '/account/organizations', behind: 'New organization', field: 'Name' },
  { path: '/account/tokens', field: 'Token name' },
  { path: '/admin', behind: 'New user', field: 'Login' },
];

async function fieldOf(page: Page, { behind, field }: FormLocation): Promise<Locator> {
  if (behind) await page.getByRole('button', { name: behind, exact: true }).first().click();
  return (behind ? dialogOn(page) : page).getByLabel(field, { exact: true });
}

test('all forms report 10,000 characters and an unreachable server without losing input', async ({
  page,
  ada,
}) => {
  test.slow();
  await ada.open(page, ORG);
  for (const form of FORMS) {
    await visit(page, form.path);
    const field = await fieldOf(page, form);
    await field.fill(LONG);
    await field.press('Enter');
    await expect(page.getByText('has 10,000. Remove 9,800.'), form.path).toBeVisible();
    await expect(field).toHaveValue(LONG);
    await page.route('**/api/**', (route) => route.abort('connectionrefused'));
    await field.fill('Typed meanwhile');
    await field.press('Enter');
    await expect(page.getByText('Your input is not lost. Try again'), form.path).toBeVisible();
    await expect(field).toHaveValue('Typed meanwhile');
    await page.unroute('**/api/**');
  }
});

test('an invalid name of a process and of a component is kept, also after a reload', async ({
  page,
  ada,
}) => {
  const id = await wikipedia(ada);
  await ada.open(page, `${ORG}/w/${id}/processes/save-an-edit`);
  await test.step('a process name that is too long is reported and saved once it is valid', async () => {
    const name = page
      .getByRole('region', { name: 'Process', exact: true })
      .getByLabel('Name', { exact: true });
    await name.fill(LONG);
    await name.press('Tab');
    const notes = page.getByRole('status', { name: 'Notes' });
    await expect(notes).toContainText('has 10,000. Remove 9,800. Your input stays');
    await page.reload();
    await expect(name).toHaveValue(LONG);
    await name.fill('An edit');
    await name.press('Tab');
    await expect(notes).toBeEmpty();
    await expect
      .poll(async () => (await ada.get(`/api/workspaces/${id}/processes/save-an-edit`)).process.name)
      .toBe('An edit');
  });
  await test.step('an invalid name in the inspector is restored after a reload', async () => {
    await visit(page, `${ORG}/w/${id}?c=mediawiki`);
    const name = page.getByRole('complementary', { name: 'Inspector' }).getByLabel('Name', { exact: true });
    await name.fill(LONG);
    await name.press('Enter');
    await expect(name).toHaveAttribute('aria-invalid', 'true');
    page.once('dialog', (dialog) => dialog.accept());
    await page.reload();
    await expect(name).toHaveValue(LONG);
    await expect(name).toHaveAttribute('aria-invalid', 'true');
    await name.fill('The wiki');
    await name.press('Enter');
    await expect
      .poll(async () => (await ada.get(`/api/workspaces/${id}/components/mediawiki`)).component.name)
      .toBe('The wiki');
    await page.reload();
    await expect(name).toHaveValue('The wiki');
  });
});

test('input in the inspector and in a process survives an expired session', async ({ page, ada }) => {
  test.slow();
  const grace = await ada.invite('grace-forms', 'Grace Hopper');
  const id = await wikipedia(grace);
  const expired = { status: 401, json: { error: 'the session is over' } };
  const signsInAgain = async () => {
    const dialog = page.getByRole('dialog', { name: 'Session expired' });
    await dialog.getByLabel(/^Password for/).fill('correct horse battery staple');
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
  };
  const ends = async () => {
    await page.context().clearCookies();
    await page.route('**/api/workspaces/*/operations', (route) => route.fulfill(expired), { times: 1 });
  };
  await grace.open(page, `${ORG}/w/${id}?c=mediawiki`);
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await expect(inspector.getByLabel('Name', { exact: true })).toHaveValue('MediaWiki');
  await ends();
  await inspector.getByLabel('Name', { exact: true }).fill('The wiki');
  const description = inspector.getByLabel('Description', { exact: true });
  await description.fill('Half a sen');
  await signsInAgain();
  await expect(description).toHaveValue('Half a sen');
  await expect
    .poll(async () => (await ada.get(`/api/workspaces/${id}/components/mediawiki`)).component.name)
    .toBe('The wiki');
  await visit(page, `${ORG}/w/${id}/processes/save-an-edit`);
  const name = page.getByRole('region', { name: 'Process', exact: true }).getByLabel('Name', { exact: true });
  await expect(name).toHaveValue(/./);
  await ends();
  await name.fill('A changed name');
  await name.press('Tab');
  await signsInAgain();
  await expect(name).toHaveValue('A changed name');
  await expect
    .poll(async () => (await ada.get(`/api/workspaces/${id}/processes/save-an-edit`)).process.name)
    .toBe('A changed name');
});
