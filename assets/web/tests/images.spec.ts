import { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { startImageHost, visibleImages } from './support/imageHost.ts';
import { expectGoodLayout } from './support/layout.ts';
import { Server } from './support/server.ts';
import { selectByKeyboard } from './support/workspaces.ts';

test('a photo is shown with its person on all pages, and loaded only from this server', async ({ page }) => {
  test.slow();
  const pictures = await startImageHost();
  const own = await Server.start({ env: pictures.env });
  const ada = await Actor.first(own.url, own.setUpLink);
  await ada.post('/api/people', { id: 'grace', name: 'Grace Hopper', title: 'Head of payments' });
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(pictures.url)) elsewhere.push(request.url());
  });

  await ada.open(page, '/o/analytical-engines/people/grace');
  const person = page.getByRole('article');
  await expect(person.getByText('GH', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Photo URL').fill(`${pictures.url}/face.png`);
  await page.keyboard.press('Enter');
  await expect(visibleImages(person)).toBeVisible();
  const entry = page.getByRole('link', { name: /Grace Hopper/ });
  await expect(visibleImages(entry)).toBeVisible();
  await expectGoodLayout(page);

  // A map with a component that she owns.
  const components = [{ id: 'web', typeId: 'web-app', name: 'Web', x: 0, y: 0 }];
  await ada.put('/api/workspaces/shop/bulk', { workspace: { name: 'Shop' }, components, relationships: [] });
  const link = { personId: 'grace', linkType: 'owner' };
  await ada.post('/api/workspaces/shop/components/web/stakeholders', link);
  await page.goto(`${own.url}/o/analytical-engines/w/shop`);
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
  await selectByKeyboard(page, 'Web');
  const holder = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Grace Hopper' }) });
  await expect(visibleImages(holder)).toBeVisible();
  await expectGoodLayout(page);
  expect(pictures.asked('/face.png')).toBe(1);
  expect(elsewhere).toEqual([]);
  await page.close();
  await own.end();
  pictures.end();
});

test('if a photo cannot be loaded, initials and the reason are shown', async ({ page }) => {
  const pictures = await startImageHost();
  const own = await Server.start({ env: pictures.env });
  const ada = await Actor.first(own.url, own.setUpLink);
  await ada.post('/api/people', { id: 'grace', name: 'Grace Hopper', photoUrl: `${pictures.url}/gone.png` });
  await ada.open(page, '/o/analytical-engines/people/grace');
  const person = page.getByRole('article');
  await expect(person.getByText(/Image not available: its server responded 404/)).toBeVisible();
  await expect(person.getByText('GH', { exact: true })).toBeVisible();
  await expectGoodLayout(page);
  // Reloading the page does not fetch the image again.
  await page.reload();
  await expect(person.getByText(/Image not available/)).toBeVisible();
  expect(pictures.asked('/gone.png')).toBe(1);
  await page.close();
  await own.end();
  pictures.end();
});

for (const [reducedMotion, kind] of [
  ['reduce', 'image/png'],
  ['no-preference', 'image/gif'],
] as const) {
  test(`an animated photo is shown as ${kind} with prefers-reduced-motion: ${reducedMotion}`, async ({
    page,
  }) => {
    const pictures = await startImageHost();
    const own = await Server.start({ env: pictures.env });
    const ada = await Actor.first(own.url, own.setUpLink);
    await ada.post('/api/people', { id: 'grace', name: 'Grace', photoUrl: `${pictures.url}/moving.gif` });
    await page.emulateMedia({ reducedMotion });
    // Blob URLs cannot be fetched later, so record their content.
    await page.addInitScript(() => {
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob: Blob) => {
        const address = make(blob);
        document.documentElement.setAttribute('data-made', blob.type);
        return address;
      };
    });
    await ada.open(page, '/o/analytical-engines/people/grace');
    await expect(visibleImages(page.getByRole('article'))).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-made', kind);
    if (reducedMotion === 'reduce') {
      // The first frame is visible.
      const color = await visibleImages(page.getByRole('article')).evaluate((image: HTMLImageElement) => {
        const drawn = new OffscreenCanvas(1, 1).getContext('2d');
        drawn?.drawImage(image, 0, 0);
        return [...(drawn?.getImageData(0, 0, 1, 1).data ?? [])];
      });
      expect(color).toEqual([255, 0, 0, 255]);
    }
    await page.close();
    await own.end();
    pictures.end();
  });
}
