/** The state of playback and how it advances. */
import { useEffect, useMemo, useState } from 'react';
import type { ProcessReading } from '@/api/generated';
import {
  adjacentStep,
  type BranchChoices,
  choicesForStep,
  firstStepIn,
  playedSteps,
  positionInBlock,
  remainingIterations,
} from '@/core/process/playback';
import { handlePlaybackKey, type PlaybackControls, usePlayback } from '@/map/state/playback';
import { exitPlayback, updateQuery } from '@/map/state/playbackUrl';

/** Duration of a step at normal speed, in milliseconds. */
const STEP_MS = 1800;

/** The part of a step's duration in which its message moves along the line. */
const MESSAGE_PART = 0.6;

export interface Player extends PlaybackControls {
  /** The index of the current step in the parse result. */
  step: number;
  /** The steps on the selected branches. */
  steps: readonly number[];
  choices: BranchChoices;
  playing: boolean;
  speed: number;
  setSpeed(speed: number): void;
  go(step: number): void;
  /** Returns to the start of a loop for another iteration. */
  again(loop: number): void;
  /**
   * The one-based iteration of a loop, and the step within it. Undefined for other blocks, and for steps outside the
   * loop.
   */
  countOf(block: number): { round: number; place: number; of: number } | undefined;
  /** Selects another branch of a block and moves to its start. */
  choose(block: number, section: number): void;
}

const NO_CHOICES: BranchChoices = new Map();

export function usePlayer(reading: ProcessReading, requestedStep: number): Player {
  const [requestedChoices, setChoices] = useState<BranchChoices>(NO_CHOICES);
  const [visitedRounds, setRounds] = useState<ReadonlyMap<number, number>>(NO_CHOICES);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const step = Math.max(0, Math.min(requestedStep, reading.steps.length - 1));
  // A link may lead to a step on another branch, so select the branches that contain it.
  const choices = useMemo(
    () =>
      playedSteps(reading, requestedChoices).includes(step)
        ? requestedChoices
        : choicesForStep(reading, step, requestedChoices),
    [reading, requestedChoices, step],
  );
  const steps = useMemo(() => playedSteps(reading, choices), [reading, choices]);
  const rounds = useMemo(
    () => remainingIterations(reading, step, visitedRounds),
    [reading, step, visitedRounds],
  );
  useEffect(() => setRounds(rounds), [rounds]);
  const next = adjacentStep(steps, step, 1);

  const controls: Player = useMemo(() => {
    const go = (to: number | undefined) => {
      if (to !== undefined) updateQuery({ step: String(to + 1) });
    };
    return {
      step,
      steps,
      choices,
      playing,
      speed,
      setSpeed,
      go,
      next: () => go(next),
      previous: () => go(adjacentStep(steps, step, -1)),
      first: () => go(steps[0]),
      last: () => go(steps.at(-1)),
      toggle: () => {
        // Restart at the end.
        if (!playing && next === undefined) go(steps[0]);
        setPlaying(!playing);
      },
      leave: exitPlayback,
      again: (loop) => {
        const first = firstStepIn(reading, loop, steps);
        if (first === undefined) return;
        setRounds(new Map(rounds).set(loop, (rounds.get(loop) ?? 1) + 1));
        go(first);
      },
      countOf: (block) => {
        const { place, of } = positionInBlock(reading, block, step, steps);
        if (reading.blocks[block]?.kind !== 'loop' || place === 0) return undefined;
        return { round: rounds.get(block) ?? 1, place, of };
      },
      choose: (block, section) => {
        const chosen = new Map(choices).set(block, section);
        setChoices(chosen);
        const after = playedSteps(reading, chosen);
        const begins = section >= 0 ? firstStepIn(reading, section, after) : undefined;
        if (!after.includes(step))
          go(begins ?? adjacentStep(after, step, 1) ?? adjacentStep(after, step, -1));
      },
    };
  }, [reading, step, steps, choices, rounds, playing, speed, next]);

  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(
      () => (next === undefined ? setPlaying(false) : controls.go(next)),
      STEP_MS / speed,
    );
    return () => clearTimeout(timer);
  }, [playing, next, speed, controls]);

  useEffect(() => {
    usePlayback.setState({ messageTime: playing ? (STEP_MS * MESSAGE_PART) / speed : null });
    return () => usePlayback.setState({ messageTime: null });
  }, [playing, speed]);

  useEffect(() => {
    usePlayback.setState({ controls });
    const onKeyDown = (event: KeyboardEvent) => {
      if (!handlePlaybackKey(event, controls)) return;
      // These keys belong to playback while a process plays.
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => {
      window.removeEventListener('keydown', onKeyDown, { capture: true });
      usePlayback.setState({ controls: null });
    };
  }, [controls]);
  return controls;
}
