import { describe, expect, it } from 'vitest';
import { type CardContent, MIN_CARD_SIZE } from '../drawing/card';
import { cardSizes } from './cardSizes';
import { overlaps, type Rect } from './geometry';
import { buildScene, nodeRects } from './scene';
import { testRows } from './testing';

type Spot = readonly [string, number, number];

/** The rectangles of a map whose cards all prefer the maximum size. */
function grown(spots: readonly Spot[], links: readonly (readonly [string, string, string])[] = []) {
  const scene = buildScene(testRows(spots, links), new Set());
  const contents = new Map(
    scene.nodes.map(({ id }): [string, CardContent] => [
      id,
      {
        shape: 'rectangle',
        name: 'A name of so many words that two lines of even the widest card are not enough for it',
        note: 'x'.repeat(100),
        description: 'A long description. '.repeat(10),
        hasOwner: false,
        hasLifecycle: false,
      },
    ]),
  );
  const sizes = cardSizes(scene, ({ id }) => contents.get(id) as CardContent);
  const [before, after] = [nodeRects(scene), nodeRects(scene, null, sizes)];
  const at = (id: string) => after[scene.indexOf.get(id) as number] as Rect;
  return { scene, before, after, at };
}

describe('a card', () => {
  it('grows into free space', () => {
    expect(grown([['a', 0, 0]]).at('a')).toEqual({ x: 0, y: 0, width: 260, height: 104 });
  });

  it('keeps a gap to neighboring cards', () => {
    const { at } = grown([
      ['a', 0, 0],
      ['b', 240, 0],
      ['c', 0, 130],
    ]);
    expect(at('a')).toEqual({ x: 0, y: 0, width: 200, height: 84 });
    expect(at('b').width).toBe(260);
  });

  it('does not grow toward a card that is too close', () => {
    const { at } = grown([
      ['a', 0, 0],
      ['b', 200, 0],
      ['c', 0, 80],
    ]);
    expect(at('a')).toEqual({ x: 0, y: 0, ...MIN_CARD_SIZE });
  });

  it("enlarges its group, but not into the group's neighbors", () => {
    const spots: Spot[] = [
      ['group', 0, 0],
      ['a', 0, 0],
      ['b', 290, 0],
    ];
    const links = [['group', 'contains', 'a']] as const;
    expect(grown(spots.slice(0, 2), links).at('group').width).toBe(300);
    // The group ends at 200, so growing the card by 30 would leave less than the gap.
    expect(grown(spots, links).at('a').width).toBe(220);
    expect(grown([...spots.slice(0, 2), ['b', 250, 0]], links).at('a').width).toBe(MIN_CARD_SIZE.width);
  });
});

it('growing cards and groups never overlap, and nothing moves', () => {
  let seed = 7;
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  const spots: Spot[] = Array.from({ length: 200 }, (_, at) => [
    `c${at}`,
    Math.round(random() * 100) * 40,
    Math.round(random() * 60) * 40,
  ]);
  const links = Array.from({ length: 40 }, (_, at) => [`c${at % 8}`, 'contains', `c${8 + at}`] as const);
  const { scene, before, after } = grown(spots, links);
  const isWithin = (at: number, outer: number): boolean =>
    at >= 0 && (at === outer || isWithin(scene.nodes[at]?.parent ?? -1, outer));
  for (const [at, rect] of after.entries()) {
    const was = before[at] as Rect;
    expect([rect.x, rect.y]).toEqual([was.x, was.y]);
    for (let other = 0; other < at; other++) {
      if (isWithin(at, other) || isWithin(other, at)) continue;
      const isCovered = overlaps(rect, after[other] as Rect);
      if (isCovered) expect(overlaps(was, before[other] as Rect), `${at} and ${other}`).toBe(true);
    }
  }
  expect(after.filter(({ width }, at) => width > (before[at]?.width ?? 0)).length).toBeGreaterThan(5);
});
