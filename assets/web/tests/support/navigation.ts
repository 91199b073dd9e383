/** Navigation in the open client. Loading the client again takes longer than most of what stories do on a page. */
import type { Page } from '@playwright/test';

/** Opens another page of the client, as its links do. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((path) => history.pushState(null, '', path), path);
}

/** Opens another workspace. `rest` is the rest of its URL. */
export async function goToWorkspace(page: Page, id: string, rest = ''): Promise<void> {
  // The previous workspace is gone once the new one is requested.
  const loaded = page.waitForResponse((response) =>
    new URL(response.url()).pathname.endsWith(`/workspaces/${id}`),
  );
  await goTo(page, `/o/analytical-engines/w/${id}${rest}`);
  await loaded;
}

/** Opens the map of another workspace. `query` is the query of its URL. */
export async function goToMap(page: Page, id: string, query = ''): Promise<void> {
  await goToWorkspace(page, id, query);
  await page.getByRole('region', { name: 'Map', exact: true }).waitFor();
}
