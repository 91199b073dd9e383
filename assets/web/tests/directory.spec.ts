/** The directory: people, teams, roles, and components without an owner. */
import { expectAccessible } from './support/accessibility.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { visit } from './support/visit.ts';

const ORG = '/o/analytical-engines';

test('people are added, edited by keyboard, found on a phone, and deleted', async ({ page, ada }) => {
  test.slow();
  const { person: sofia } = await ada.post('/api/people', { name: 'Sofia' });
  const { person: kurt } = await ada.post('/api/people', { name: 'Kurt' });
  await ada.post('/api/people', { id: '50% off/on+<b>', name: 'Oddly Named' });
  await ada.post('/api/workspaces', { id: 'answers', name: 'Answers' });
  for (const [id, typeId, name] of [
    ['api', 'api', 'Public API'],
    ['db', 'database', 'Ledger'],
    ['a', 'service', 'A'],
  ])
    await ada.post('/api/workspaces/answers/components', { id, typeId, name });
  const link = (component: string, stakeholder: object) =>
    ada.post(`/api/workspaces/answers/components/${component}/stakeholders`, stakeholder);
  await link('a', { personId: kurt.id, linkType: 'owner' });
  await ada.open(page, `${ORG}/people`);
  const keys = page.keyboard;

  await test.step('a person with an unusual ID has a page', async () => {
    await page.getByRole('link', { name: /^Oddly Named/ }).click();
    await expect(page.getByRole('heading', { name: 'Oddly Named' })).toBeVisible();
  });
  await test.step('a person is added by keyboard, and the page lists their responsibilities', async () => {
    await page.getByRole('button', { name: 'New', exact: true }).press('Enter');
    await keys.type('Emmy <Noether>');
    await keys.press('Tab');
    await keys.type('Algebraist');
    await keys.press('Enter');
    await expect(page.getByRole('heading', { name: 'Emmy <Noether>' })).toBeVisible();

    const { people } = await ada.get('/api/people');
    const emmy = people.find((person: { name: string }) => person.name === 'Emmy <Noether>').id;
    await ada.post('/api/teams', { id: 'rings', name: 'Rings' });
    await ada.post('/api/teams/rings/members', { personId: emmy, role: 'lead' });
    await link('api', { personId: emmy, linkType: 'owner' });
    await link('db', { teamId: 'rings', linkType: 'support' });
    await page.reload();
    const answers = page.getByRole('region', { name: /is responsible for/ });
    await expect(answers.getByRole('link', { name: 'Public API' })).toBeVisible();
    await expect(answers.getByText('Support · Database · via Rings')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Rings · Lead' })).toBeVisible();
    await expectAccessible(page);
  });
  await test.step('a person is edited in place by keyboard, with errors next to the fields', async () => {
    await page.getByRole('button', { name: 'Edit' }).press('Enter');
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
    await page.getByLabel('Email').fill('not an address');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
    await page.getByLabel('Email').fill('emmy@example.org');
    await page.getByRole('button', { name: 'Add contact' }).press('Enter');
    await page.getByLabel('Contact type').fill('chat');
    await page.getByLabel('Contact details: chat').fill('@emmy');
    await expectAccessible(page);
    await keys.press('Enter');
    await expect(page.getByRole('link', { name: 'emmy@example.org' })).toBeVisible();
    await expect(page.getByText('@emmy', { exact: true })).toBeVisible();
  });
  await test.step('a conflicting change to a person is reported and the input is kept', async () => {
    await page.getByRole('link', { name: /^Sofia/ }).click();
    await expect(page.getByRole('heading', { name: 'Sofia' })).toBeVisible();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Title').fill('Mathematician');
    await ada.patch(`/api/people/${sofia.id}`, { title: 'Writer' });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('alert')).toContainText('Ada Lovelace changed this in the meantime');
    await expect(page.getByLabel('Title')).toHaveValue('Mathematician');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('article').getByText('Mathematician')).toBeVisible();
  });
  await test.step('on a phone the list comes first, with a link back to it', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await visit(page, `${ORG}/people`);
    await page.getByRole('link', { name: /^Kurt/ }).click();
    await expect(page.getByRole('heading', { name: 'Kurt' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'All people' }).click();
    await expect(page.getByRole('link', { name: /^Sofia/ })).toBeVisible();
    await page.setViewportSize({ width: 1440, height: 900 });
  });
  await test.step('deleting a person with responsibilities asks for confirmation', async () => {
    await page.getByRole('link', { name: /^Kurt/ }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialogOn(page).getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('alert')).toContainText('1 place');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete with all roles in 1 place' }).click();
    await page.waitForURL('**/people');
    await expect(page.getByRole('link', { name: /Kurt/ })).toHaveCount(0);
  });
});

test('teams have members, roles are ordered, and members see what only administrators can do', async ({
  page,
  ada,
}) => {
  test.slow();
  await ada.post('/api/people', { name: 'Rosalind' });
  const { person: hedy } = await ada.post('/api/people', { name: 'Hedy' });
  await ada.post('/api/workspaces', { id: 'roles-in-use', name: 'Roles in use' });
  await ada.post('/api/workspaces/roles-in-use/components', { id: 'a', typeId: 'service', name: 'A' });
  await ada.post('/api/workspaces/roles-in-use/components/a/stakeholders', {
    personId: hedy.id,
    linkType: 'support',
  });
  await ada.open(page, `${ORG}/teams`);
  await test.step('members are added to a team, made lead, and removed', async () => {
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Crystals');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Crystals' })).toBeVisible();
    await page.getByRole('combobox', { name: 'Add member' }).fill('Rosa');
    await expect(page.getByRole('option', { name: /Rosa/ }).first()).toBeVisible();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add', exact: true }).press('Enter');
    const members = page.getByRole('region', { name: 'Members' });
    await members.getByRole('combobox', { name: /^Team role of Rosalind/ }).selectOption('Lead');
    const team = async () => (await ada.get('/api/teams/crystals')).members as { role: string }[];
    await expect.poll(async () => (await team()).map(({ role }) => role)).toEqual(['lead']);
    await expectAccessible(page);
    await members.getByRole('button', { name: 'Remove Rosalind' }).click();
    await expect.poll(async () => (await team()).length).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await team()).map(({ role }) => role)).toEqual(['lead']);
  });
  await test.step('roles are created and ordered by keyboard, and a role in use cannot be deleted', async () => {
    await visit(page, `${ORG}/roles`);
    await page.getByRole('button', { name: 'New role' }).press('Enter');
    await page.keyboard.type('Inventor');
    await page.getByRole('radio', { name: 'wrench' }).check({ force: true });
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('listitem').last()).toContainText('Inventor');
    const up = page.getByRole('button', { name: 'Move Inventor up' });
    await up.press('Enter');
    const order = async () =>
      (await ada.get('/api/stakeholder-link-types')).types.map((type: { id: string }) => type.id);
    await expect.poll(order).toEqual(['owner', 'support', 'inventor', 'business-owner']);
    await expect(up).toBeFocused();
    const [inventor, owner] = ['Inventor', 'Owner'].map((name) =>
      page.getByRole('listitem').filter({ hasText: name }).first(),
    );
    await inventor?.dragTo(owner as NonNullable<typeof owner>);
    await expect.poll(order).toEqual(['inventor', 'owner', 'support', 'business-owner']);
    await page.getByRole('button', { name: 'Delete Support' }).click();
    await dialogOn(page).getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('alert')).toContainText(/ha(s|ve) this role on a component/);
    await page.keyboard.press('Escape');
    await expectAccessible(page);
  });
  await test.step('members see why they cannot delete people or order roles', async () => {
    const lise = await ada.invite('lise', 'Lise Meitner');
    await lise.open(page, `${ORG}/people/${hedy.id}`);
    await expect(page.getByRole('button', { name: 'Delete' })).toBeDisabled();
    await expect(page.getByText('Only organization administrators can delete people.')).toBeVisible();
    await visit(page, `${ORG}/roles`);
    await expect(page.getByText('Organization administrators edit and order them.')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Move/ })).toHaveCount(0);
  });
});

test('components without an owner are listed for all workspaces', async ({ page, ada }) => {
  await ada.post('/api/workspaces', { id: 'orphans', name: 'Orphans' });
  await ada.post('/api/workspaces/orphans/components', {
    id: 'lost/1',
    typeId: 'service',
    name: 'Lost <script>',
  });
  await ada.open(page, `${ORG}/unanswered`);
  const link = page.getByRole('link', { name: 'Lost <script>' });
  await expect(link).toHaveAttribute('href', `${ORG}/w/orphans?c=lost%2F1`);
  await expectAccessible(page);
  // A stakeholder in another role is not an owner, here as in the table.
  const { person } = await ada.post('/api/people', { name: 'Support only' });
  const stakeholder = { personId: person.id, linkType: 'support' };
  await ada.post('/api/workspaces/orphans/components/lost%2F1/stakeholders', stakeholder);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Components without an owner' })).toBeVisible();
  await expect(link).toBeVisible();
  await page.getByLabel('Missing role').selectOption('Every role (no stakeholders)');
  await expect(
    page.getByRole('heading', { name: 'Components without stakeholders', exact: true }),
  ).toBeVisible();
  await expect(link).toHaveCount(0);
  await visit(page, `${ORG}/w/orphans/table?owner=`);
  await expect(page.getByText('Lost <script>').first()).toBeVisible();
  await visit(page, `${ORG}/w/orphans?c=lost%2F1`);
  await expect(page.getByText('No owner yet.')).toBeVisible();
});
