/** Which step follows which, through alternatives, loops and what ends early. */
import { expect, it } from 'vitest';
import {
  adjacentStep,
  choicesForStep,
  enclosingBlocks,
  firstStepIn,
  innermostLoop,
  loopRounds,
  NO_SECTION,
  type PlayableProcess,
  playedSteps,
  positionInBlock,
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

it('walks the first alternative unless another is chosen', () => {
  expect(playedSteps(SCORE, NOTHING)).toEqual([0, 1, 5, 6, 7, 8]);
  expect(playedSteps(SCORE, new Map([[0, 1]]))).toEqual([0, 2, 3, 4, 5, 6, 7, 8]);
});

it('leaves out what is optional when that is chosen', () => {
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

it('tells of a choice before it and within it', () => {
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

it('goes to the neighbours of a step, and of one that is not walked', () => {
  const steps = playedSteps(SCORE, NOTHING);
  expect(adjacentStep(steps, 1, 1)).toBe(5);
  expect(adjacentStep(steps, 3, 1)).toBe(5);
  expect(adjacentStep(steps, 3, -1)).toBe(1);
  expect(adjacentStep(steps, 8, 1)).toBeUndefined();
  expect(adjacentStep(steps, 0, -1)).toBeUndefined();
});

it('knows the loop around a step and where it begins', () => {
  expect(innermostLoop(SCORE, 7)).toBe(3);
  expect(innermostLoop(SCORE, 8)).toBeUndefined();
  expect(firstStepIn(SCORE, 3, playedSteps(SCORE, NOTHING))).toBe(6);
});

it('counts the steps of a loop, and its rounds as long as one is in it', () => {
  expect(positionInBlock(SCORE, 3, 7, playedSteps(SCORE, NOTHING))).toEqual({ place: 2, of: 2 });
  expect(positionInBlock(SCORE, 3, 8, playedSteps(SCORE, NOTHING))).toEqual({ place: 0, of: 2 });
  const rounds = new Map([[3, 2]]);
  expect(loopRounds(SCORE, 6, rounds)).toBe(rounds);
  expect(loopRounds(SCORE, 8, rounds).size).toBe(0);
});

it('ends what is around a break that is taken, and nothing more', () => {
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

it('does what is critical always, and what goes wrong when it is chosen', () => {
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

it('names the part of what runs at the same time, and asks nothing', () => {
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
