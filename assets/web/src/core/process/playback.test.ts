/** Which step follows which, through alternatives, loops and what ends early. */
import { expect, it } from 'vitest';
import {
  around,
  choicesTo,
  firstIn,
  loopAround,
  NONE,
  neighbour,
  placeIn,
  roundsAt,
  type Score,
  walk,
} from './playback';

/** 0; alt 1 | else 2, 3 with opt 4; 5; loop 6, 7; 8 */
const SCORE: Score = {
  blocks: [
    { kind: 'alt', label: 'in memory' },
    { kind: 'else', label: 'not in memory', parent: 0 },
    { kind: 'opt', label: 'not on disk', parent: 1 },
    { kind: 'loop', label: 'until it fits' },
  ],
  steps: [{}, { block: 0 }, { block: 1 }, { block: 1 }, { block: 2 }, {}, { block: 3 }, { block: 3 }, {}],
};
const NOTHING = new Map<number, number>();

it('walks the first alternative unless another is chosen', () => {
  expect(walk(SCORE, NOTHING)).toEqual([0, 1, 5, 6, 7, 8]);
  expect(walk(SCORE, new Map([[0, 1]]))).toEqual([0, 2, 3, 4, 5, 6, 7, 8]);
});

it('leaves out what is optional when that is chosen', () => {
  const choices = new Map([
    [0, 1],
    [2, NONE],
  ]);
  expect(walk(SCORE, choices)).toEqual([0, 2, 3, 5, 6, 7, 8]);
});

it('finds the choices that lead to any step', () => {
  for (let step = 0; step < SCORE.steps.length; step++) {
    expect(walk(SCORE, choicesTo(SCORE, step, NOTHING))).toContain(step);
  }
});

it('tells of a choice before it and within it', () => {
  expect(around(SCORE, 0, NOTHING)).toEqual([
    {
      block: 0,
      kind: 'alt',
      label: 'in memory',
      sections: [
        { block: 0, label: 'in memory' },
        { block: 1, label: 'not in memory' },
      ],
      chosen: 0,
    },
  ]);
  const inner = around(SCORE, 4, new Map([[0, 1]]));
  expect(inner.map(({ kind, chosen }) => [kind, chosen])).toEqual([
    ['alt', 1],
    ['opt', 2],
  ]);
});

it('goes to the neighbours of a step, and of one that is not walked', () => {
  const steps = walk(SCORE, NOTHING);
  expect(neighbour(steps, 1, 1)).toBe(5);
  expect(neighbour(steps, 3, 1)).toBe(5);
  expect(neighbour(steps, 3, -1)).toBe(1);
  expect(neighbour(steps, 8, 1)).toBeUndefined();
  expect(neighbour(steps, 0, -1)).toBeUndefined();
});

it('knows the loop around a step and where it begins', () => {
  expect(loopAround(SCORE, 7)).toBe(3);
  expect(loopAround(SCORE, 8)).toBeUndefined();
  expect(firstIn(SCORE, 3, walk(SCORE, NOTHING))).toBe(6);
});

it('counts the steps of a loop, and its rounds as long as one is in it', () => {
  expect(placeIn(SCORE, 3, 7, walk(SCORE, NOTHING))).toEqual({ place: 2, of: 2 });
  expect(placeIn(SCORE, 3, 8, walk(SCORE, NOTHING))).toEqual({ place: 0, of: 2 });
  const rounds = new Map([[3, 2]]);
  expect(roundsAt(SCORE, 6, rounds)).toBe(rounds);
  expect(roundsAt(SCORE, 8, rounds).size).toBe(0);
});

it('ends what is around a break that is taken, and nothing more', () => {
  const score: Score = {
    blocks: [
      { kind: 'loop', label: 'each' },
      { kind: 'break', label: 'it fails', parent: 0 },
    ],
    steps: [{ block: 0 }, { block: 1 }, { block: 1 }, { block: 0 }, {}],
  };
  expect(walk(score, NOTHING)).toEqual([0, 3, 4]);
  expect(walk(score, new Map([[1, 1]]))).toEqual([0, 1, 2, 4]);
  expect(walk(score, choicesTo(score, 3, new Map([[1, 1]])))).toEqual([0, 3, 4]);
});

it('does what is critical always, and what goes wrong when it is chosen', () => {
  const score: Score = {
    blocks: [
      { kind: 'critical', label: 'keep order' },
      { kind: 'option', label: 'it is behind', parent: 0 },
    ],
    steps: [{ block: 0 }, { block: 1 }, {}],
  };
  expect(walk(score, NOTHING)).toEqual([0, 2]);
  expect(walk(score, choicesTo(score, 1, NOTHING))).toEqual([0, 1, 2]);
});

it('names the part of what runs at the same time, and asks nothing', () => {
  const score: Score = {
    blocks: [
      { kind: 'par', label: 'the page' },
      { kind: 'and', label: 'what depends on it', parent: 0 },
    ],
    steps: [{ block: 0 }, { block: 1 }],
  };
  expect(walk(score, NOTHING)).toEqual([0, 1]);
  expect(around(score, 1, NOTHING)[0]).toMatchObject({ sections: [], part: 'what depends on it' });
});
