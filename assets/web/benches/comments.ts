/**
 * Compares a map with 10,000 threads of comments with the same map without: the time until the map is painted, until its
 * comments are loaded, and the longest frame while panning.
 *
 *     npm run build && npm run bench-comments [-- 1000]
 *
 * The argument is the number of components. Both maps are opened in turn, RUNS times (default: 9), after one run that does
 * not count.
 */
import { type Browser, chromium, type Page } from '@playwright/test';
import { Actor } from '../tests/support/actor.ts';
import { browser } from '../tests/support/browser.ts';
import { Server } from '../tests/support/server.ts';
import { type Bulk, gridMap, middle } from './maps.ts';

const THREADS = 10_000;
const RUNS = Number(process.env.RUNS ?? 9);
const COMPONENTS = Number(process.argv[2] ?? 1000);

/** Threads about components, relationships and points of a map. One in five is resolved. */
function threadsOf({ components, relationships }: Bulk): object[] {
  const start = Date.UTC(2026, 0, 1);
  const ids = (rows: readonly unknown[]) => rows.map((row) => (row as { id: string }).id);
  const [componentIds, relationshipIds] = [ids(components), ids(relationships)];
  const anchor = (at: number) => {
    if (at % 10 === 0) return { type: 'workspace', name: 'Map', x: (at * 37) % 7000, y: (at * 53) % 5000 };
    if (at % 10 === 1)
      return { type: 'relationship', id: relationshipIds[at % relationshipIds.length], name: 'Line' };
    return { type: 'component', id: componentIds[at % componentIds.length], name: 'Component' };
  };
  return Array.from({ length: THREADS }, (_, at) => ({
    id: `thread-${at}`,
    anchor: anchor(at),
    kind: (['comment', 'question', 'inaccurate'] as const)[at % 3],
    createdAt: start + at * 1000,
    ...(at % 5 === 0 ? { resolvedAt: start + at * 2000, resolvedBy: 'Grace Hopper' } : {}),
    messages: [
      { author: 'Grace Hopper', text: `Is this right, number ${at}?`, createdAt: start + at * 1000 },
    ],
  }));
}

interface Measured {
  painted: number;
  /** Milliseconds until the toolbar shows the number of open comments. */
  comments: number;
  longest: number;
}

async function measure(chrome: Browser, ada: Actor, path: string, hasComments: boolean): Promise<Measured> {
  const context = await chrome.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await ada.open(page, '/account');
  await page.goto(`${ada.url}${path}`);
  await page.waitForFunction(() => document.querySelector('[data-painted]'));
  if (hasComments) await page.getByRole('button', { name: /^Comments, [\d,]+ open$/ }).waitFor();
  const overview = () =>
    performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/comments'));
  await page.waitForFunction(overview);
  const times = await page.evaluate(() => ({
    painted: performance.getEntriesByName('planroom.map').at(0)?.startTime ?? Number.NaN,
    comments:
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).find(({ name }) =>
        name.endsWith('/comments'),
      )?.responseEnd ?? Number.NaN,
  }));
  await page.waitForTimeout(1500);
  const longest = await longestFrame(page);
  await context.close();
  return { ...times, longest };
}

/** The longest frame while the map is panned. */
async function longestFrame(page: Page): Promise<number> {
  await page.evaluate(() => {
    const state = window as unknown as { longest: number };
    state.longest = 0;
    let last = performance.now();
    const tick = (now: number) => {
      state.longest = Math.max(state.longest, now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await page.mouse.move(500, 450);
  await page.mouse.down();
  for (let at = 0; at < 40; at++) await page.mouse.move(500 + 6 * at, 450 + 3 * at);
  await page.mouse.up();
  return page.evaluate(() => (window as unknown as { longest: number }).longest);
}

const server = await Server.start();
const chrome = await chromium.launch(await browser());
try {
  const ada = await Actor.first(server.url, server.setUpLink);
  const map = gridMap(COMPONENTS);
  const maps = { without: map, [`${THREADS} comments`]: { ...map, threads: threadsOf(map) } };
  const runs = new Map<string, Measured[]>();
  for (const [at, [name, document]] of Object.entries(maps).entries()) {
    await ada.post(`/api/import?id=map-${at}`, document);
    runs.set(name, []);
  }
  const count = await ada.get('/api/workspaces/map-1/comments');
  for (let run = -1; run < RUNS; run++) {
    for (const [at, name] of [...runs.keys()].entries()) {
      const measured = await measure(chrome, ada, `/o/analytical-engines/w/map-${at}`, at > 0);
      if (run >= 0) runs.get(name)?.push(measured);
    }
  }
  const table = Object.fromEntries(
    [...runs].map(([name, measured]) => [
      name,
      {
        'map painted': middle(measured.map(({ painted }) => painted)).toFixed(0),
        fastest: Math.min(...measured.map(({ painted }) => painted)).toFixed(0),
        'comments loaded': middle(measured.map(({ comments }) => comments)).toFixed(0),
        'longest frame': middle(measured.map(({ longest }) => longest)).toFixed(0),
      },
    ]),
  );
  process.stdout.write(
    `${COMPONENTS} components, ${count.open} open and ${count.resolved} resolved threads\nmilliseconds, medians of ${RUNS} runs\n`,
  );
  // biome-ignore lint/suspicious/noConsole: prints the results
  console.table(table);
} finally {
  await chrome.close();
  await server.end();
}
