/** Files whose format leaves a choice are read again with the options that the user chooses. */
import { expectAccessible } from './support/accessibility.ts';
import { dialogOn } from './support/dialogs.ts';
import { chooseFiles, dropFiles, type TextFile } from './support/files.ts';
import { expect, test } from './support/fixtures.ts';
import { createMap } from './support/map.ts';
import { visit, visitMap } from './support/visit.ts';

const HOME = '/o/analytical-engines';
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

const LEDGER: TextFile = ['books.csv', 'App;Sort;Contact;Below\nLedger;database;Books;Bank\nBank;system;;\n'];

test('files are read again with the options that the user chooses', async ({ page, ada }) => {
  await test.step('a table whose headings are not recognized is read with the columns that the user chooses', async () => {
    await ada.open(page, HOME);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await chooseFiles(page, LEDGER);
    const dialog = dialogOn(page);
    await expect(dialog.getByRole('alert')).toContainText(
      'Could not read books.csv, line 1. No column has the names',
    );
    // The columns are offered at once, because the table cannot be read without them.
    const name = dialog.getByLabel('Names', { exact: true });
    await expect(name.getByRole('option')).toHaveText(['Recognize', 'App', 'Sort', 'Contact', 'Below']);
    await expectAccessible(page);
    // With the keyboard, and the focus stays where it is while the table is read again.
    await name.focus();
    await page.keyboard.type('App');
    await expect(dialog.getByText(/^CSV: 2 components$/)).toBeVisible();
    await expect(dialog.getByRole('alert')).toBeHidden();
    await expect(name).toBeFocused();
    await dialog.getByLabel('Types', { exact: true }).selectOption('Sort');
    await dialog.getByLabel('Containing components').selectOption('Below');
    await dialog.getByLabel('Owners', { exact: true }).selectOption('Contact');
    await expect(dialog.getByText(/^CSV: 2 components, 1 relationship, 1 team$/)).toBeVisible();
    await page.setViewportSize(PHONE);
    expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create workspace', exact: true }).click();
    await page.waitForURL('**/w/books**');
    // Until the map is loaded, the previous page with its dialog is only hidden.
    await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
    const { components, relationships, stakeholders } = await ada.get('/api/workspaces/books');
    const types = components.map(
      ({ name, typeId }: { name: string; typeId: string }) => `${name}: ${typeId}`,
    );
    expect(types.sort()).toEqual(['Bank: system', 'Ledger: database']);
    expect(relationships.map(({ typeId }: { typeId: string }) => typeId)).toEqual(['contains']);
    expect(stakeholders).toHaveLength(1);
    await page.setViewportSize(DESK);
  });

  await test.step('columns are chosen on demand, and the chosen workspace stays', async () => {
    const { id } = await createMap(ada, [{ id: 'manual', x: 300, y: 160 }]);
    await visit(page, HOME);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await chooseFiles(page, ['apps.csv', 'Application,Codename,Uses\nShop,Falcon,Bank\nBank,Eagle,\n']);
    const dialog = dialogOn(page);
    await expect(dialog.getByText(/^CSV: 2 components, 1 relationship$/)).toBeVisible();
    await dialog.getByLabel('Import into').selectOption(id);
    await dialog.getByText('Columns', { exact: true }).click();
    await dialog.getByLabel('Names', { exact: true }).selectOption('Codename');
    await expect(dialog.getByLabel('Import into')).toHaveValue(id);
    await expect(dialog.getByRole('checkbox', { name: 'Falcon', exact: true })).toBeChecked();
    await dialog.getByLabel('Names', { exact: true }).selectOption('Recognize');
    await expect(dialog.getByRole('checkbox', { name: 'Shop', exact: true })).toBeChecked();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  await test.step('an environment of a Structurizr workspace is chosen', async () => {
    const node = (name: string) =>
      `deploymentEnvironment "${name}" {\n deploymentNode "${name} host" {\n containerInstance w\n}\n}\n`;
    const model = `s = softwareSystem "Shop" {\n w = container "Web"\n}\n${node('Live')}${node('Test')}`;
    await visitMap(page, ada, [{ id: 'manual', x: 300, y: 160 }]);
    await dropFiles(page, '[data-canvas]', ['shop.dsl', `workspace "Shop" {\nmodel {\n${model}}\n}\n`]);
    const dialog = dialogOn(page);
    await expect(dialog.getByText(/^Structurizr DSL: 2 components/)).toBeVisible();
    const environment = dialog.getByLabel('Deployment environment');
    await expect(environment.getByRole('option')).toHaveText([
      'The only one, if there is one',
      'None',
      'All',
      'Live',
      'Test',
    ]);
    await environment.selectOption('Test');
    await expect(dialog.getByRole('checkbox', { name: 'Test host', exact: true })).toBeChecked();
    await expect(dialog.getByText('Live host')).toBeHidden();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  await test.step('the motivation of an ArchiMate model is read on demand', async () => {
    const element = (id: string, type: string, name: string) =>
      `<element identifier="${id}" xsi:type="${type}"><name>${name}</name></element>`;
    const model =
      '<model xmlns="http://www.opengroup.org/xsd/archimate/3.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" identifier="m">' +
      `<name>Bank</name><elements>${element('a', 'ApplicationComponent', 'Ledger')}${element('g', 'Goal', 'Audit')}</elements></model>`;
    await visitMap(page, ada, [{ id: 'manual', x: 300, y: 160 }]);
    await dropFiles(page, '[data-canvas]', ['bank.xml', model]);
    const dialog = dialogOn(page);
    await expect(dialog.getByText(/^ArchiMate: 1 component$/)).toBeVisible();
    await dialog.getByLabel('Read goals, drivers and requirements').press('Space');
    await expect(dialog.getByText(/^ArchiMate: 2 components$/)).toBeVisible();
  });
});
