/** The application below a path of its host, behind reverse proxies that remove the path from requests or keep it. */
import { Actor } from './support/actor.ts';
import { expect, test } from './support/fixtures.ts';
import { startImageHost, visibleImages } from './support/imageHost.ts';
import { startProxy } from './support/proxy.ts';
import { Server } from './support/server.ts';
import { visit } from './support/visit.ts';
import { createShop } from './support/workspaces.ts';

for (const strip of [true, false]) {
  test(`everything works below a path that the proxy ${strip ? 'removes' : 'keeps'}`, async ({ page }) => {
    test.slow();
    const [proxy, pictures] = [await startProxy(strip), await startImageHost()];
    const own = await Server.start({ env: { ...pictures.env, PLANROOM_PUBLIC_URL: proxy.url } });
    proxy.forwardTo(own.url);
    expect(own.setUpLink).toContain(`${proxy.url}/setup#`);
    const ada = await Actor.first(proxy.url, own.setUpLink);
    const id = await createShop(ada);
    await ada.post('/api/people', { id: 'grace', name: 'Grace', photoUrl: `${pictures.url}/face.png` });
    const outside: string[] = [];
    page.on('request', (request) => {
      const { protocol, pathname } = new URL(request.url());
      if (protocol === 'http:' && !pathname.startsWith('/plans/')) outside.push(request.url());
    });

    // Sign in, edit, and see an image.
    await ada.open(page, '/o/analytical-engines/people/grace');
    const person = page.getByRole('article');
    await expect(visibleImages(person)).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/plans/o/analytical-engines/people/grace');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Grace Hopper');
    await page.keyboard.press('Enter');
    await expect(person.getByRole('heading', { name: 'Grace Hopper' })).toBeVisible();
    expect((await ada.get('/api/people/grace')).person.name).toBe('Grace Hopper');

    // The session continues after a reload, links contain the path, and other people's changes appear.
    await page.reload();
    await expect(person.getByRole('heading', { name: 'Grace Hopper' })).toBeVisible();
    await visit(page, '/plans/o/analytical-engines');
    await page.getByRole('link', { name: 'Shop' }).first().click();
    await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/plans/o/analytical-engines/w/${id}`);
    await ada.patch(`/api/workspaces/${id}`, { name: 'Department store' });
    await expect(page.getByRole('heading', { name: 'Department store', level: 1 })).toBeVisible();

    // Help.
    await page.getByRole('button', { name: 'Help', exact: true }).press('Enter');
    const opened = page.waitForEvent('popup');
    await page.getByRole('menuitem', { name: 'Documentation' }).press('Enter');
    const tab = await opened;
    await tab.getByRole('link', { name: 'Operations' }).first().click();
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Operations');
    expect(new URL(tab.url()).pathname).toBe('/plans/docs/operations');
    await tab.close();

    expect(outside).toEqual([]);
    await page.close();
    await own.end();
    proxy.end();
    pictures.end();
  });
}
