import type { Page } from '@playwright/test';
import { expectNoViolations } from './support/accessibility.ts';
import type { Actor } from './support/actor.ts';
import { dialogOn } from './support/dialogs.ts';
import { expect, test } from './support/fixtures.ts';
import { visit } from './support/visit.ts';
import { openMap, selectByKeyboard, visitMapOf, wikipedia } from './support/workspaces.ts';

const inspector = (page: Page) => page.getByRole('complementary', { name: 'Inspector' });
const component = async (actor: Actor, id: string, componentId: string) =>
  (await actor.get(`/api/workspaces/${id}/components/${componentId}`)).component;

test('a component is renamed and described without losing input', async ({ page, ada }) => {
  await test.step('a component is found, renamed and described using only the keyboard, and saved', async () => {
    const id = await wikipedia(ada);
    await openMap(ada, page, id);
    await selectByKeyboard(page, 'MediaWiki');
    await page.keyboard.press('Enter');
    await expect(inspector(page).getByLabel('Name', { exact: true })).toBeFocused();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('The wiki');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(inspector(page).getByLabel('Name', { exact: true })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(inspector(page).getByLabel('Description')).toBeFocused();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Renders pages');
    await page.keyboard.press('Tab');
    await expect
      .poll(() => component(ada, id, 'mediawiki'))
      .toMatchObject({ name: 'The wiki', description: 'Renders pages' });
  });

  await test.step('Escape restores a name, and a name of 10,000 characters is rejected and kept as a draft', async () => {
    const id = await wikipedia(ada);
    await visitMapOf(page, id);
    await selectByKeyboard(page, 'MediaWiki');
    const name = inspector(page).getByLabel('Name', { exact: true });
    await name.fill('Something else');
    await name.press('Escape');
    await expect(name).toHaveValue('MediaWiki');
    await name.fill('x'.repeat(10_000));
    await expect(inspector(page).getByRole('alert')).toContainText('200 characters, has 10,000');
    await name.press('Enter');
    // The draft survives a change of the selection.
    const find = page.getByRole('combobox', { name: 'Find on map' });
    await find.fill('Parsoid');
    await find.press('Enter');
    await expect(name).toHaveValue('Parsoid');
    await find.fill('MediaWiki');
    await find.press('Enter');
    await expect(name).toHaveValue('x'.repeat(10_000));
    expect(await component(ada, id, 'mediawiki')).toMatchObject({ name: 'MediaWiki' });
  });

  await test.step('changes by others do not overwrite input', async () => {
    const id = await wikipedia(ada);
    const grace = await ada.invite(`grace-${id}`, 'Grace Hopper', 'org:admin');
    await visitMapOf(page, id);
    await selectByKeyboard(page, 'MediaWiki');
    const name = inspector(page).getByLabel('Name', { exact: true });
    await name.fill('My nam');
    await grace.patch(`/api/workspaces/${id}/components/mediawiki`, { name: 'Her name' });
    await expect(inspector(page).getByText(/Changed by Grace Hopper to “Her name”/)).toBeVisible();
    await expect(name).toHaveValue('My nam');
    await inspector(page).getByRole('button', { name: 'Use this value' }).click();
    await expect(name).toHaveValue('Her name');
  });

  await test.step('a name being edited while another workspace opens is saved in the original one, and nothing is selected', async () => {
    const [id, other] = [await wikipedia(ada), await wikipedia(ada)];
    await visitMapOf(page, id);
    await selectByKeyboard(page, 'MediaWiki');
    await inspector(page).getByLabel('Name', { exact: true }).fill('The wiki');
    await visit(page, `/o/analytical-engines/w/${other}`);
    await expect(page.getByRole('link', { name: 'Processes' })).toHaveAttribute('href', new RegExp(other));
    await expect(page.getByRole('button', { name: /^MediaWiki, / })).toHaveAttribute('aria-pressed', 'false');
    await expect.poll(async () => (await component(ada, id, 'mediawiki')).name).toBe('The wiki');
    expect(await component(ada, other, 'mediawiki')).toMatchObject({ name: 'MediaWiki' });
  });
});

test('details of components and relationships are edited, and restored by undo', async ({ page, ada }) => {
  await test.step('people, links, relationships and properties are added, removed and restored by undo', async () => {
    const id = await wikipedia(ada);
    await openMap(ada, page, id);
    await selectByKeyboard(page, 'MediaWiki');
    const panel = inspector(page);

    await panel.getByRole('button', { name: 'Add person or team' }).click();
    await panel.getByLabel('Role', { exact: true }).selectOption({ label: 'Support' });
    await panel.getByRole('combobox', { name: 'Person or team' }).fill('mei');
    await expect(panel.getByRole('option', { name: /mei/i }).first()).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(panel.getByRole('link', { name: 'Mei Tanaka' })).toBeVisible();
    await panel.getByRole('button', { name: 'Remove Mei Tanaka as Support' }).click();
    await expect(panel.getByRole('link', { name: 'Mei Tanaka' })).toBeHidden();

    await panel.getByRole('button', { name: 'Add link' }).click();
    await panel.getByLabel('URL').fill('javascript:alert(1)');
    await page.keyboard.press('Enter');
    await expect(panel.getByText(/must start with https/)).toBeVisible();
    await panel.getByLabel('URL').fill('https://example.org/runbook');
    await page.keyboard.press('Enter');
    await expect(panel.getByRole('link', { name: 'example.org/runbook' })).toBeVisible();

    await panel.getByRole('button', { name: 'Add relationship' }).click();
    await panel.getByLabel('Relationship type').selectOption('contains');
    await panel.getByRole('combobox', { name: 'Other component' }).fill('wikikube');
    await page.keyboard.press('Enter');
    await expect(panel.getByRole('alert')).toContainText('is part of “Wikikube”');
    await panel.getByLabel('Relationship type').selectOption('monitors');
    await panel.getByRole('combobox', { name: 'Other component' }).press('Enter');
    await expect(panel.getByRole('listitem', { name: 'MediaWiki monitors Wikikube' })).toBeVisible();

    await expect(panel.getByLabel('Technology')).toHaveValue('PHP');
    await panel.getByLabel('Tags').fill('core, php , core');
    await page.keyboard.press('Enter');
    await expect.poll(() => component(ada, id, 'mediawiki')).toMatchObject({ tags: ['core', 'php'] });

    await panel.getByRole('button', { name: 'Add property' }).click();
    await panel.getByLabel('Property', { exact: true }).fill('replicas');
    await panel.getByLabel('Value type', { exact: true }).selectOption('Number');
    await panel.getByPlaceholder('Value').fill('three');
    await page.keyboard.press('Enter');
    await expect(panel.getByText('Enter a number')).toBeVisible();
    await panel.getByPlaceholder('Value').fill('3');
    await page.keyboard.press('Enter');
    await expect(panel.getByLabel('replicas', { exact: true })).toHaveValue('3');
    await expect
      .poll(() => component(ada, id, 'mediawiki'))
      .toMatchObject({ technology: ['PHP'], properties: { replicas: 3 } });

    await page.getByRole('main').focus();
    for (const gesture of [
      'Add replicas to MediaWiki',
      'Change tags of MediaWiki',
      'Add MediaWiki monitors Wikikube',
      'Add link',
      'Remove Mei Tanaka from MediaWiki',
      'Add Mei Tanaka to MediaWiki',
    ]) {
      await page.keyboard.press('ControlOrMeta+z');
      await expect(page.getByText(`Undone: ${gesture}`)).toBeVisible();
    }
    await expect(panel.getByRole('listitem', { name: 'MediaWiki monitors Wikikube' })).toBeHidden();
    await expect(panel.getByRole('link', { name: 'example.org/runbook' })).toBeHidden();
    await expect(panel.getByLabel('replicas', { exact: true })).toBeHidden();
  });

  await test.step('the role of a stakeholder is changed using only the keyboard, and restored by undo', async () => {
    const id = await wikipedia(ada);
    await visitMapOf(page, id);
    await selectByKeyboard(page, 'MediaWiki');
    const role = inspector(page).getByLabel('Role of Tomáš Novák');
    // Wait until the roles are loaded.
    await role.getByRole('option', { name: 'Support' }).waitFor({ state: 'attached' });
    await role.focus();
    await page.keyboard.type('Support');
    await expect(role).toHaveValue('support');
    const roles = async () =>
      (await ada.get(`/api/workspaces/${id}`)).stakeholders
        .filter((stakeholder: { componentId: string }) => stakeholder.componentId === 'mediawiki')
        .map(({ person, team, linkType }: Record<string, { name: string } | null>) =>
          [person?.name ?? team?.name, linkType].join(': '),
        );
    await expect.poll(roles).toContain('Tomáš Novák: support');
    await page.getByRole('main').focus();
    await page.keyboard.press('ControlOrMeta+z');
    await expect(page.getByText('Undone: Make Tomáš Novák Support of MediaWiki')).toBeVisible();
    await expect.poll(roles).not.toContain('Tomáš Novák: support');
  });

  await test.step('a relationship is opened, reversed, labeled and deleted', async () => {
    const id = await wikipedia(ada);
    await visitMapOf(page, id);
    await selectByKeyboard(page, 'MediaWiki');
    const panel = inspector(page);
    await panel.getByRole('button', { name: 'Open relationship to Text store' }).click();
    await expect(panel.getByRole('heading', { name: 'MediaWiki writes Text store' })).toBeVisible();
    await expectNoViolations(page);
    await panel.getByRole('button', { name: 'Reverse' }).click();
    await panel.getByLabel('Type', { exact: true }).selectOption('reads');
    await expect(panel.getByRole('heading', { name: 'Text store reads MediaWiki' })).toBeVisible();
    await panel.getByLabel('Label', { exact: true }).fill('old texts');
    await page.keyboard.press('Enter');
    const relationship = async () =>
      (await ada.get(`/api/workspaces/${id}`)).relationships.find(
        (relationship: { label?: string }) => relationship.label === 'old texts',
      );
    await expect
      .poll(relationship)
      .toMatchObject({ sourceId: 'text-store', targetId: 'mediawiki', typeId: 'reads' });
    await panel.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(relationship).toBeUndefined();
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(relationship).toMatchObject({ typeId: 'reads' });
  });
});

test('the inspector is accessible, reads relationships as sentences, and edits several components and access', async ({
  page,
  ada,
}) => {
  await openMap(ada, page, await wikipedia(ada));

  await test.step('the inspector is accessible in both themes', async () => {
    const check = async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expectNoViolations(page);
      }
    };
    await check();
    await selectByKeyboard(page, 'MediaWiki');
    await expect(inspector(page).getByLabel('Name', { exact: true })).toHaveValue('MediaWiki');
    await inspector(page).getByRole('button', { name: 'Add relationship' }).click();
    await inspector(page).getByRole('button', { name: 'Add property' }).click();
    await check();
  });

  await test.step('relationships read as sentences in either direction', async () => {
    await page.getByRole('main').focus();
    await selectByKeyboard(page, 'Parser cache');
    const sentence = (name: string) =>
      inspector(page)
        .getByRole('list', { name: 'Relationships' })
        .getByRole('listitem', { name })
        .evaluate((row) => {
          const parts = [...row.querySelectorAll('select, button, span')].filter(
            (part) => part.matches('select, [title^="Go to"]') || part.textContent === 'this',
          );
          return parts
            .map((part) =>
              part instanceof HTMLSelectElement ? part.selectedOptions[0]?.text : part.textContent,
            )
            .join(' ');
        });
    expect(await sentence('Storage contains Parser cache')).toBe('in Storage');
    expect(await sentence('MediaWiki uses Parser cache')).toBe('MediaWiki uses this');
    await selectByKeyboard(page, 'MediaWiki');
    expect(await sentence('MediaWiki uses Parser cache')).toBe('uses Parser cache');
  });

  await test.step('lifecycle and owner of several components are changed together, each as one undo step', async () => {
    const id = await wikipedia(ada);
    await visitMapOf(page, id);
    // The search of the step before has opened it.
    const panel = page.getByRole('complementary', { name: 'Side panel' });
    await panel.getByRole('button', { name: /^Cache/ }).click();
    await panel.getByRole('button', { name: 'Select matches' }).click();
    const details = inspector(page);
    await expect(details.getByRole('heading', { name: '3 components' })).toBeVisible();
    await details.getByLabel('Lifecycle of all selected').selectOption('Retired');
    const lifecycles = async () => {
      const { components } = await ada.get(`/api/workspaces/${id}`);
      return components.filter(
        (component: { properties: { lifecycle?: string } }) => component.properties.lifecycle === 'retired',
      ).length;
    };
    await expect.poll(lifecycles).toBe(3);
    await details.getByRole('combobox', { name: 'Owner of all selected' }).fill('mei');
    await expect(details.getByRole('option', { name: /mei/i }).first()).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(details.getByText('Owner: Mei Tanaka')).toBeVisible();
    await page.getByRole('main').focus();
    await page.keyboard.press('ControlOrMeta+z');
    await expect(details.getByText('Owner: Mei Tanaka')).toBeHidden();
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(lifecycles).toBe(0);
  });

  await test.step('an owner grants access and deletes the workspace after confirmation', async () => {
    const id = await wikipedia(ada);
    await ada.invite(`linus-${id}`, `Linus ${id}`);
    await visitMapOf(page, id);
    // Components of the step before have the same IDs here, and are still selected.
    await page.getByRole('main').focus();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Show inspector' }).click();
    await inspector(page).getByRole('button', { name: 'Manage access' }).click();
    const dialog = dialogOn(page);
    await dialog.getByLabel('Who has access').selectOption('Private');
    await dialog.getByRole('combobox', { name: 'Add member by name' }).fill(`Linus ${id}`);
    await expect(dialog.getByRole('option', { name: `Linus ${id}` })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(dialog.getByLabel(`Access level of Linus ${id}`)).toHaveValue('editor');
    await expect
      .poll(() => ada.get(`/api/workspaces/${id}`))
      .toMatchObject({ workspace: { visibility: 'private' } });
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
    await inspector(page).getByRole('button', { name: 'Delete workspace' }).click();
    await expect(dialog).toContainText('36 components');
    await dialog.getByRole('button', { name: 'Delete workspace' }).click();
    await expect(page.getByRole('heading', { name: 'Workspaces', exact: true })).toBeVisible();
  });
});

test('a viewer can see but not edit details', async ({ page, ada }) => {
  const id = await wikipedia(ada);
  const viewer = await ada.invite(`viewer-${id}`, 'Vera Viewer');
  await openMap(viewer, page, id);
  await page.getByRole('button', { name: 'Show inspector' }).click();
  await expect(inspector(page).getByText('36', { exact: true })).toBeVisible();
  await expect(inspector(page).getByRole('button', { name: 'Delete workspace' })).toBeHidden();
  await selectByKeyboard(page, 'MediaWiki');
  const panel = inspector(page);
  await expect(panel.getByText('The wiki application')).toBeVisible();
  await expect(panel.getByRole('link', { name: 'Lucía Ferrari' })).toBeVisible();
  await expect(panel.getByRole('textbox')).toHaveCount(0);
  await expect(panel.getByRole('button', { name: /^(Add|Remove|Delete)/ })).toHaveCount(0);
  await expect(panel.getByLabel('Type', { exact: true })).toBeDisabled();
});
