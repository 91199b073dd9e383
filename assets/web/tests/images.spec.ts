/** Photos of people are loaded only from this server, with initials if they cannot be loaded. */
import { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { startImageHost, visibleImages } from './support/imageHost.ts';
import { expectGoodLayout } from './support/layout.ts';
import { Server } from './support/server.ts';
import { visit } from './support/visit.ts';
import { selectByKeyboard } from './support/workspaces.ts';

const PEOPLE = '/o/analytical-engines/people';

test('photos are shown with their person on all pages, loaded only from this server, and still if motion is reduced', async ({
  page,
}) => {
  test.slow();
  const pictures = await startImageHost();
  const own = await Server.start({ env: pictures.env });
  const ada = await Actor.first(own.url, own.setUpLink);
  await ada.post('/api/people', { id: 'grace', name: 'Grace Hopper', title: 'Head of payments' });
  await ada.post('/api/people', { id: 'jean', name: 'Jean Bartik', photoUrl: `${pictures.url}/gone.png` });
  await ada.post('/api/people', { id: 'kay', name: 'Kay McNulty', photoUrl: `${pictures.url}/moving.gif` });
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(pictures.url)) elsewhere.push(request.url());
  });
  // Blob URLs cannot be fetched later, so record their content.
  await page.addInitScript(() => {
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob: Blob) => {
      const made = document.documentElement.getAttribute('data-made') ?? '';
      document.documentElement.setAttribute('data-made', `${made} ${blob.type}`);
      return make(blob);
    };
  });
  const person = page.getByRole('article');

  await test.step('if a photo cannot be loaded, initials and the reason are shown', async () => {
    await ada.open(page, `${PEOPLE}/jean`);
    await expect(person.getByText(/Image not available: its server responded 404/)).toBeVisible();
    await expect(person.getByText('JB', { exact: true })).toBeVisible();
    await expectGoodLayout(page);
    // Reloading the page does not fetch the image again.
    await page.reload();
    await expect(person.getByText(/Image not available/)).toBeVisible();
    expect(pictures.asked('/gone.png')).toBe(1);
  });
  await test.step('a photo is shown with its person in the directory', async () => {
    await visit(page, `${PEOPLE}/grace`);
    await expect(person.getByText('GH', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Photo URL').fill(`${pictures.url}/face.png`);
    await page.keyboard.press('Enter');
    await expect(visibleImages(person)).toBeVisible();
    await expect(visibleImages(page.getByRole('link', { name: /Grace Hopper/ }))).toBeVisible();
    await expectGoodLayout(page);
  });
  await test.step('a photo is shown with a component that the person owns', async () => {
    const components = [{ id: 'web', typeId: 'web-app', name: 'Web', x: 0, y: 0 }];
    await ada.put('/api/workspaces/shop/bulk', {
      workspace: { name: 'Shop' },
      components,
      relationships: [],
    });
    const link = { personId: 'grace', linkType: 'owner' };
    await ada.post('/api/workspaces/shop/components/web/stakeholders', link);
    await visit(page, '/o/analytical-engines/w/shop');
    await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
    await selectByKeyboard(page, 'Web');
    const owner = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: 'Grace Hopper' }) });
    await expect(visibleImages(owner)).toBeVisible();
    await expectGoodLayout(page);
    expect(pictures.asked('/face.png')).toBe(1);
  });
  for (const [reducedMotion, kind] of [
    ['reduce', 'image/png'],
    ['no-preference', 'image/gif'],
  ] as const) {
    await test.step(`an animated photo is shown as ${kind} with prefers-reduced-motion: ${reducedMotion}`, async () => {
      await page.emulateMedia({ reducedMotion });
      await page.goto(`${own.url}${PEOPLE}/kay`);
      await expect(visibleImages(person)).toBeVisible();
      const made = page.locator('html');
      await expect(made).toHaveAttribute('data-made', new RegExp(kind));
      if (reducedMotion === 'reduce') {
        await expect(made).not.toHaveAttribute('data-made', /gif/);
        // The first frame is visible.
        const color = await visibleImages(person).evaluate((image: HTMLImageElement) => {
          const drawn = new OffscreenCanvas(1, 1).getContext('2d');
          drawn?.drawImage(image, 0, 0);
          return [...(drawn?.getImageData(0, 0, 1, 1).data ?? [])];
        });
        expect(color).toEqual([255, 0, 0, 255]);
      }
    });
  }
  expect(elsewhere).toEqual([]);
  await page.close();
  await own.end();
  pictures.end();
});
