import { expectAccessible } from './support/accessibility.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';

const ORG = '/o/analytical-engines';

test('a person is added by keyboard, and the page lists their responsibilities', async ({ page, ada }) => {
  await ada.post('/api/workspaces', { id: 'answers', name: 'Answers' });
  await ada.post('/api/workspaces/answers/components', { id: 'api', typeId: 'api', name: 'Public API' });
  await ada.post('/api/workspaces/answers/components', { id: 'db', typeId: 'database', name: 'Ledger' });
  await ada.open(page, `${ORG}/people`);
  const keys = page.keyboard;
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
  await ada.post('/api/workspaces/answers/components/api/stakeholders', {
    personId: emmy,
    linkType: 'owner',
  });
  await ada.post('/api/workspaces/answers/components/db/stakeholders', {
    teamId: 'rings',
    linkType: 'support',
  });
  await page.reload();
  const answers = page.getByRole('region', { name: /is responsible for/ });
  await expect(answers.getByRole('link', { name: 'Public API' })).toBeVisible();
  await expect(answers.getByText('Support · Database · via Rings')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Rings · Lead' })).toBeVisible();
  await expectAccessible(page);
});

test('a person is edited in place by keyboard, with errors next to the fields', async ({ page, ada }) => {
  const { person } = await ada.post('/api/people', { name: 'Emilie' });
  await ada.open(page, `${ORG}/people/${person.id}`);
  const keys = page.keyboard;
  await page.getByRole('button', { name: 'Edit' }).press('Enter');
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await page.getByLabel('Email').fill('not an address');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Email').fill('emilie@example.org');
  await page.getByRole('button', { name: 'Add contact' }).press('Enter');
  await page.getByLabel('Contact type').fill('chat');
  await page.getByLabel('Contact details: chat').fill('@emilie');
  await expectAccessible(page);
  await keys.press('Enter');
  await expect(page.getByRole('link', { name: 'emilie@example.org' })).toBeVisible();
  await expect(page.getByText('@emilie', { exact: true })).toBeVisible();
});

test('a person with an unusual ID has a page', async ({ page, ada }) => {
  const id = '50% off/on+<b>';
  await ada.post('/api/people', { id, name: 'Oddly Named' });
  await ada.open(page, `${ORG}/people`);
  await page.getByRole('link', { name: /^Oddly Named/ }).click();
  await expect(page.getByRole('heading', { name: 'Oddly Named' })).toBeVisible();
});

test('a conflicting change to a person is reported and the input is kept', async ({ page, ada }) => {
  const { person } = await ada.post('/api/people', { name: 'Sofia' });
  await ada.open(page, `${ORG}/people/${person.id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Title').fill('Mathematician');
  await ada.patch(`/api/people/${person.id}`, { title: 'Writer' });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toContainText('Ada Lovelace changed this in the meantime');
  await expect(page.getByLabel('Title')).toHaveValue('Mathematician');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('article').getByText('Mathematician')).toBeVisible();
});

test('deleting a person with responsibilities asks for confirmation', async ({ page, ada }) => {
  const { person } = await ada.post('/api/people', { name: 'Kurt' });
  await ada.post('/api/workspaces', { id: 'in-use', name: 'In use' });
  await ada.post('/api/workspaces/in-use/components', { id: 'a', typeId: 'service', name: 'A' });
  await ada.post('/api/workspaces/in-use/components/a/stakeholders', {
    personId: person.id,
    linkType: 'owner',
  });
  await ada.open(page, `${ORG}/people/${person.id}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialogOn(page).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('alert')).toContainText('1 place');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Delete with all roles in 1 place' }).click();
  await page.waitForURL('**/people');
  await expect(page.getByRole('link', { name: /Kurt/ })).toHaveCount(0);
});

test('members are added to a team, made lead, and removed', async ({ page, ada }) => {
  await ada.post('/api/people', { name: 'Rosalind' });
  await ada.open(page, `${ORG}/teams`);
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('Crystals');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Crystals' })).toBeVisible();
  await page.getByRole('combobox', { name: 'Add member' }).fill('Rosa');
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

test('roles are created and ordered by keyboard, and a role in use cannot be deleted', async ({
  page,
  ada,
}) => {
  const { person } = await ada.post('/api/people', { name: 'Hedy' });
  await ada.post('/api/workspaces', { id: 'roles-in-use', name: 'Roles in use' });
  await ada.post('/api/workspaces/roles-in-use/components', { id: 'a', typeId: 'service', name: 'A' });
  await ada.post('/api/workspaces/roles-in-use/components/a/stakeholders', {
    personId: person.id,
    linkType: 'support',
  });
  await ada.open(page, `${ORG}/roles`);
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
  await page.goto(`${ada.url}${ORG}/w/orphans/table?owner=`);
  await expect(page.getByText('Lost <script>').first()).toBeVisible();
  await page.goto(`${ada.url}${ORG}/w/orphans?c=lost%2F1`);
  await expect(page.getByText('No owner yet.')).toBeVisible();
});

test('members see why they cannot delete people or order roles', async ({ page, ada }) => {
  const { person } = await ada.post('/api/people', { name: 'Katherine' });
  const lise = await ada.invite('lise', 'Lise Meitner');
  await lise.open(page, `${ORG}/people/${person.id}`);
  await expect(page.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await expect(page.getByText('Only organization administrators can delete people.')).toBeVisible();
  await page.goto(`${ada.url}${ORG}/roles`);
  await expect(page.getByText('Organization administrators edit and order them.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Move/ })).toHaveCount(0);
});

test('on a phone the list comes first, with a link back to it', async ({ page, ada }) => {
  await ada.post('/api/people', { name: 'Mary' });
  await page.setViewportSize({ width: 390, height: 844 });
  await ada.open(page, `${ORG}/people`);
  await page.getByRole('link', { name: /^Mary/ }).click();
  await expect(page.getByRole('heading', { name: 'Mary' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'All people' }).click();
  await expect(page.getByRole('link', { name: /^Mary/ })).toBeVisible();
});
