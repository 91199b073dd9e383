import { expect, it } from 'vitest';
import {
  adjacentStep,
  choicesForStep,
  enclosingBlocks,
  firstStepIn,
  innermostLoop,
  NO_SECTION,
  type PlayableProcess,
  playedSteps,
  positionInBlock,
  remainingIterations,
} from './playback';

/** 0; alt 1 | else 2, 3 with opt 4; 5; loop 6, 7; 8 */
const SCORE: PlayableProcess = {
  blocks: [
    { kind: 'alt', label: 'in memory' },
    { kind: 'else', label: 'not in memory', parent: 0 },
    { kind: 'opt', label: 'not on disk', parent: 1 },
    { kind: 'loop', label: 'until it fits' },
  ],
  steps: [{}, { block: 0 }, { block: 1 }, { block: 1 }, { block: 2 }, {}, { block: 3 }, { block: 3 }, {}],
};
const NOTHING = new Map<number, number>();

it('plays the first alternative by default', () => {
  expect(playedSteps(SCORE, NOTHING)).toEqual([0, 1, 5, 6, 7, 8]);
  expect(playedSteps(SCORE, new Map([[0, 1]]))).toEqual([0, 2, 3, 4, 5, 6, 7, 8]);
});

it('skips an optional block on request', () => {
  const choices = new Map([
    [0, 1],
    [2, NO_SECTION],
  ]);
  expect(playedSteps(SCORE, choices)).toEqual([0, 2, 3, 5, 6, 7, 8]);
});

it('finds the choices that lead to any step', () => {
  for (let step = 0; step < SCORE.steps.length; step++) {
    expect(playedSteps(SCORE, choicesForStep(SCORE, step, NOTHING))).toContain(step);
  }
});

it('offers a choice before and within its block', () => {
  expect(enclosingBlocks(SCORE, 0, NOTHING)).toEqual([
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
  const inner = enclosingBlocks(SCORE, 4, new Map([[0, 1]]));
  expect(inner.map(({ kind, chosen }) => [kind, chosen])).toEqual([
    ['alt', 1],
    ['opt', 2],
  ]);
});

it('finds adjacent steps, even for a step that is not played', () => {
  const steps = playedSteps(SCORE, NOTHING);
  expect(adjacentStep(steps, 1, 1)).toBe(5);
  expect(adjacentStep(steps, 3, 1)).toBe(5);
  expect(adjacentStep(steps, 3, -1)).toBe(1);
  expect(adjacentStep(steps, 8, 1)).toBeUndefined();
  expect(adjacentStep(steps, 0, -1)).toBeUndefined();
});

it("finds the innermost loop of a step, and the loop's first step", () => {
  expect(innermostLoop(SCORE, 7)).toBe(3);
  expect(innermostLoop(SCORE, 8)).toBeUndefined();
  expect(firstStepIn(SCORE, 3, playedSteps(SCORE, NOTHING))).toBe(6);
});

it('counts the steps of a loop, and its iterations until it ends', () => {
  expect(positionInBlock(SCORE, 3, 7, playedSteps(SCORE, NOTHING))).toEqual({ place: 2, of: 2 });
  expect(positionInBlock(SCORE, 3, 8, playedSteps(SCORE, NOTHING))).toEqual({ place: 0, of: 2 });
  const rounds = new Map([[3, 2]]);
  expect(remainingIterations(SCORE, 6, rounds)).toBe(rounds);
  expect(remainingIterations(SCORE, 8, rounds).size).toBe(0);
});

it('ends the enclosing block only for a selected break', () => {
  const score: PlayableProcess = {
    blocks: [
      { kind: 'loop', label: 'each' },
      { kind: 'break', label: 'it fails', parent: 0 },
    ],
    steps: [{ block: 0 }, { block: 1 }, { block: 1 }, { block: 0 }, {}],
  };
  expect(playedSteps(score, NOTHING)).toEqual([0, 3, 4]);
  expect(playedSteps(score, new Map([[1, 1]]))).toEqual([0, 1, 2, 4]);
  expect(playedSteps(score, choicesForStep(score, 3, new Map([[1, 1]])))).toEqual([0, 3, 4]);
});

it('always plays critical blocks, and their options on request', () => {
  const score: PlayableProcess = {
    blocks: [
      { kind: 'critical', label: 'keep order' },
      { kind: 'option', label: 'it is behind', parent: 0 },
    ],
    steps: [{ block: 0 }, { block: 1 }, {}],
  };
  expect(playedSteps(score, NOTHING)).toEqual([0, 2]);
  expect(playedSteps(score, choicesForStep(score, 1, NOTHING))).toEqual([0, 1, 2]);
});

it('names the section of a parallel block without offering a choice', () => {
  const score: PlayableProcess = {
    blocks: [
      { kind: 'par', label: 'the page' },
      { kind: 'and', label: 'what depends on it', parent: 0 },
    ],
    steps: [{ block: 0 }, { block: 1 }],
  };
  expect(playedSteps(score, NOTHING)).toEqual([0, 1]);
  expect(enclosingBlocks(score, 1, NOTHING)[0]).toMatchObject({ sections: [], part: 'what depends on it' });
});
