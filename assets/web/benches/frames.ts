/**
 * Measures map performance: the time until the map is usable, frame times while panning, zooming and dragging a
 * component, and the times until a view is painted and until another browser shows an edit. Uses maps of 200, 1,000 and 3,000 components with the built client and the real binary.
 *
 *     npm run build && npm run bench [-- 1000 FILE.bulk.json …]
 *
 * With sizes or files as arguments, measures only those. RUNS=1 is faster; by default the table shows the medians of
 * 3 runs.
 */
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from '@playwright/test';
import { Actor } from '../tests/support/actor.ts';
import { browser } from '../tests/support/browser.ts';
import { Server } from '../tests/support/server.ts';
import { type Bulk, gridMap, middle } from './maps.ts';

/** Time for a loaded map to receive its routes, so that frames measure gestures and not the load. */
const SETTLE_MS = 1500;
const RUNS = Number(process.env.RUNS ?? 3);

interface Frames {
  median: number;
  longest: number;
}

/** Measures frame times during `work`. */
async function frames(page: Page, work: () => Promise<void>): Promise<Frames> {
  await page.evaluate(() => {
    const times: number[] = [];
    let last = performance.now();
    const tick = (now: number) => {
      times.push(now - last);
      last = now;
      (window as unknown as { frame: number }).frame = requestAnimationFrame(tick);
    };
    (window as unknown as { frame: number }).frame = requestAnimationFrame(tick);
    (window as unknown as { times: number[] }).times = times;
  });
  await work();
  const times = await page.evaluate(() => {
    cancelAnimationFrame((window as unknown as { frame: number }).frame);
    return (window as unknown as { times: number[] }).times.slice(1);
  });
  const sorted = times.sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, longest: sorted.at(-1) ?? 0 };
}

async function drag(page: Page, from: [number, number], steps: readonly [number, number][]): Promise<void> {
  let [x, y] = from;
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (const [dx, dy] of steps) {
    x += dx;
    y += dy;
    await page.mouse.move(x, y);
  }
  await page.mouse.up();
}

const WAY = Array.from({ length: 40 }, (_, at): [number, number] => [
  Math.round(9 * Math.cos(at / 8)),
  Math.round(7 * Math.sin(at / 5)),
]);

/** The views that are opened: a part of the map, and all of it with own positions. */
const VIEWS = [
  { id: 'part', name: 'Part', definition: { include: [{ types: ['service', 'database', 'queue'] }] } },
  { id: 'own', name: 'Own', layout: 'own', definition: { include: [{ text: 'component' }] } },
] as const;

/** Opens a view by its URL, as links do, and returns the milliseconds until it is painted. */
async function openView(page: Page, path: string): Promise<number> {
  return page.evaluate(async (to) => {
    const start = performance.now();
    history.pushState(null, '', to);
    for (;;) {
      const painted = performance.getEntriesByName('planroom.map').at(-1)?.startTime ?? 0;
      if (painted > start) return painted - start;
      await new Promise(requestAnimationFrame);
    }
  }, path);
}

interface Measured {
  load: number;
  /** Milliseconds until a view is painted that has not been opened before. */
  view: number;
  /** The same for switching between views that were open before. */
  switching: number;
  /** Milliseconds from a key press until another page shows the moved component. */
  seen: number;
  near: Frames;
  far: Frames;
  zooming: Frames;
  dragging: Frames;
}

/** `otherBrowser` is another process, as on another computer. */
async function measure(
  ownBrowser: Browser,
  otherBrowser: Browser,
  ada: Actor,
  path: string,
): Promise<Measured> {
  const page = await ownBrowser.newPage({ viewport: { width: 1440, height: 900 } });
  await ada.open(page, '/account');
  // Open the center of the map, where there is a component, at 100%.
  await page.goto(`${ada.url}${path}`);
  await page.waitForFunction(() => document.querySelector('[data-painted]'));
  const load = await page.evaluate(
    () => performance.getEntriesByName('planroom.map').at(0)?.startTime ?? Number.NaN,
  );
  await page.waitForTimeout(SETTLE_MS);
  const far = await frames(page, () => drag(page, [500, 450], WAY));
  const zooming = await frames(page, async () => {
    await page.mouse.move(720, 450);
    for (let turn = 0; turn < 24; turn++) await page.mouse.wheel(0, turn < 12 ? -240 : 240);
  });
  const view = await openView(page, `${path}/v/part`);
  await page.waitForTimeout(SETTLE_MS);
  const switches: number[] = [];
  for (const to of ['/v/own', '', '/v/part', '/v/own', '/v/part']) {
    switches.push(await openView(page, path + to));
    await page.waitForTimeout(SETTLE_MS);
  }
  const switching = middle(switches);
  await page.goto(`${ada.url}${path}?at=1650,1152,1`);
  await page.locator('[data-component]').first().waitFor();
  await page.waitForTimeout(SETTLE_MS);
  // Drag between components to pan.
  const near = await frames(page, () => drag(page, [720 + 105, 474], WAY));
  const from = await page.evaluate((): [number, number] => {
    const boxes = [...document.querySelectorAll('[data-component]')].map((element) =>
      element.getBoundingClientRect(),
    );
    const box = boxes.find(({ left, top }) => left > 400 && left < 900 && top > 200 && top < 600);
    return box ? [box.x + 60, box.y + 30] : [720, 450];
  });
  const dragging = await frames(page, () => drag(page, from, WAY));
  const seen = await seenElsewhere(otherBrowser, ada, page);
  await page.close();
  return { load, view, switching, seen, near, far, zooming, dragging };
}

/** The time until another browser shows a component at its new position, as the median of several moves. */
async function seenElsewhere(otherBrowser: Browser, ada: Actor, page: Page): Promise<number> {
  const other = await otherBrowser.newPage({ viewport: { width: 1440, height: 900 } });
  await ada.open(other, '/account');
  await other.goto(page.url());
  const node = page.locator('[data-component][aria-pressed="true"]');
  const id = await node.getAttribute('data-component');
  await other.locator(`[data-component="${id}"]`).waitFor();
  await node.focus();
  // Timers instead of animation frames: pages in the background of a browser draw none.
  await other.evaluate((component) => {
    const state = window as unknown as { seen: number[] };
    state.seen = [];
    const left = () =>
      document.querySelector(`[data-component="${component}"]`)?.getBoundingClientRect().left;
    let last = left();
    setInterval(() => {
      const now = left();
      if (now !== last) state.seen.push(performance.timeOrigin + performance.now());
      last = now;
    }, 1);
  }, id);
  await page.evaluate(() => {
    const state = window as unknown as { pressed: number[] };
    state.pressed = [];
    addEventListener('keydown', () => state.pressed.push(performance.timeOrigin + performance.now()), true);
  });
  for (let move = 0; move < 7; move++) {
    // Moves within a short time are combined into one edit.
    await page.waitForTimeout(1300);
    await page.keyboard.press('ArrowRight');
  }
  await page.waitForTimeout(1300);
  const pressed = await page.evaluate(() => (window as unknown as { pressed: number[] }).pressed);
  const seen = await other.evaluate(() => (window as unknown as { seen: number[] }).seen);
  await other.close();
  return middle(pressed.map((press) => (seen.find((time) => time > press) ?? Number.NaN) - press));
}

function medianOf(runs: readonly Measured[]): Record<string, string> {
  const of = (pick: (run: Measured) => number) => middle(runs.map(pick)).toFixed(0);
  const pair = (pick: (run: Measured) => Frames) =>
    `${of((one) => pick(one).longest)} / ${of((one) => pick(one).median)}`;
  return {
    'first load': of((one) => one.load),
    'open view': of((one) => one.view),
    'switch view': of((one) => one.switching),
    'edit seen': of((one) => one.seen),
    'panning near': pair(({ near }) => near),
    'panning far': pair(({ far }) => far),
    zooming: pair(({ zooming }) => zooming),
    dragging: pair(({ dragging }) => dragging),
  };
}

/** The compressed size of the initial scripts. */
async function initialScript(url: string): Promise<number> {
  const page = await (await fetch(url)).text();
  const paths = [...page.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map(([, path]) => path);
  let sum = 0;
  for (const path of paths)
    sum += gzipSync(Buffer.from(await (await fetch(url + path)).arrayBuffer())).length;
  return sum / 1000;
}

const server = await Server.start();
const { executablePath, args } = await browser();
const chrome = await chromium.launch({ executablePath, args });
const otherChrome = await chromium.launch({ executablePath, args });
try {
  const ada = await Actor.first(server.url, server.setUpLink);
  const sizesOrFiles = process.argv.length > 2 ? process.argv.slice(2) : ['200', '1000', '3000'];
  const maps = new Map<string, Bulk>();
  for (const size of sizesOrFiles) {
    const bulk = /^\d+$/.test(size)
      ? gridMap(Number(size))
      : (JSON.parse(await readFile(size, 'utf8')) as Bulk);
    maps.set(bulk.workspace.name, bulk);
  }
  const table: Record<string, Record<string, string>> = {};
  for (const [name, bulk] of maps) {
    const id = `bench-${name.replace(/\W+/g, '-')}`;
    await ada.put(`/api/workspaces/${id}/bulk`, { ...bulk, workspace: { name } });
    for (const view of VIEWS) await ada.post(`/api/workspaces/${id}/views`, view);
    const runs: Measured[] = [];
    for (let run = 0; run < RUNS; run++) {
      runs.push(await measure(chrome, otherChrome, ada, `/o/analytical-engines/w/${id}`));
    }
    table[name] = { ...medianOf(runs), lines: String(bulk.relationships.length) };
  }
  process.stdout.write(
    `initial script: ${(await initialScript(server.url)).toFixed(0)} kB gz\nmilliseconds, medians of ${RUNS} runs; frames: longest / median\n`,
  );
  // biome-ignore lint/suspicious/noConsole: prints the results
  console.table(table);
} finally {
  await chrome.close();
  await otherChrome.close();
  await server.end();
}
