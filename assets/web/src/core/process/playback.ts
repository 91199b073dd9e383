/**
 * The playback order of the steps of a process. All steps are in one list; blocks define which steps belong to an
 * alternative, a loop or an option. The user selects the branches.
 */
import type { ProcessBlock, ProcessBlockKind, ProcessStep } from '@/api/generated';

/** The parts of a process used for playback. */
export interface PlayableProcess {
  steps: readonly Pick<ProcessStep, 'block'>[];
  blocks: readonly Pick<ProcessBlock, 'kind' | 'label' | 'parent'>[];
}

/** The choice that skips all sections of a block. */
export const NO_SECTION = -1;

/** The selected section by block, or `NO_SECTION`. Blocks without an entry use their default. */
export type BranchChoices = ReadonlyMap<number, number>;

/** A selectable section. */
export interface BranchSection {
  /** The index of its block, or `NO_SECTION`. */
  block: number;
  label: string;
}

/** A block as shown during playback. */
export interface EnclosingBlock {
  block: number;
  kind: ProcessBlockKind;
  label: string;
  /** The selectable sections; empty if there is nothing to select. */
  sections: readonly BranchSection[];
  chosen: number;
  /** For parallel blocks, the section that contains the step. */
  part?: string;
}

const SECTION_OF: Partial<Record<ProcessBlockKind, ProcessBlockKind>> = {
  else: 'alt',
  option: 'critical',
};

/** The steps on the selected branches, in order. */
export function playedSteps(score: PlayableProcess, choices: BranchChoices): number[] {
  const steps: number[] = [];
  /** A `break` that was taken, and the block that it ends (`NO_SECTION`: the whole process). */
  let left: { by: number; inside: number } | undefined;
  for (let place = 0; place < score.steps.length; place++) {
    const chain = ancestors(score, place);
    const isOver =
      left && (left.inside === NO_SECTION || chain.includes(left.inside)) && !chain.includes(left.by);
    if (isOver || !chain.every((block) => isTaken(score, block, choices))) continue;
    const by = chain.find((block) => kindOf(score, block) === 'break');
    if (by !== undefined) left = { by, inside: score.blocks[by]?.parent ?? NO_SECTION };
    steps.push(place);
  }
  return steps;
}

/** The choices needed to reach a step, in addition to the previous ones. */
export function choicesForStep(score: PlayableProcess, step: number, before: BranchChoices): BranchChoices {
  const choices = new Map(before);
  for (const block of ancestors(score, step)) {
    const choiceBlock = choiceBlockOf(score, block);
    if (choiceBlock !== undefined) choices.set(choiceBlock, block);
  }
  // A `break` before the step would end playback before it.
  score.blocks.forEach(({ kind }, block) => {
    if (kind === 'break' && !ancestors(score, step).includes(block)) choices.delete(block);
  });
  return choices;
}

/** The blocks that contain a step, outermost first, and blocks with choices that start directly after it. */
export function enclosingBlocks(
  score: PlayableProcess,
  step: number,
  choices: BranchChoices,
): EnclosingBlock[] {
  const enclosing = ancestors(score, step).reverse();
  const next = step + 1 < score.steps.length ? ancestors(score, step + 1).reverse() : [];
  const coming = next.filter((block) => !enclosing.includes(block) && rootOf(score, block) === block);
  const roots = [...new Set([...enclosing, ...coming].map((block) => rootOf(score, block)))];
  return roots.flatMap((root) => viewOf(score, root, enclosing, choices));
}

function viewOf(
  score: PlayableProcess,
  root: number,
  here: readonly number[],
  choices: BranchChoices,
): EnclosingBlock[] {
  const block = score.blocks[root];
  if (!block || block.kind === 'rect') return [];
  const { kind, label } = block;
  const part = here.findLast((block) => rootOf(score, block) === root);
  const view = {
    block: root,
    kind,
    label,
    sections: sectionsOf(score, root),
    chosen: chosenOf(score, root, choices),
  };
  const parallel = kind === 'par' || kind === 'par-over';
  return [parallel && part !== undefined ? { ...view, part: score.blocks[part]?.label ?? '' } : view];
}

/** The first played step of a block; undefined if there is none. */
export function firstStepIn(
  score: PlayableProcess,
  block: number,
  steps: readonly number[],
): number | undefined {
  return steps.find((step) => ancestors(score, step).includes(block));
}

/** The position of a step among the played steps of a block, starting at 1, and their number. */
export function positionInBlock(
  score: PlayableProcess,
  block: number,
  step: number,
  steps: readonly number[],
): { place: number; of: number } {
  const inside = steps.filter((index) => ancestors(score, index).includes(block));
  return { place: inside.indexOf(step) + 1, of: inside.length };
}

/** The iterations of each loop. Loops that do not contain the step are reset. */
export function remainingIterations(
  score: PlayableProcess,
  step: number,
  rounds: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const inside = ancestors(score, step);
  const remaining = [...rounds].filter(([block]) => inside.includes(block));
  return remaining.length === rounds.size ? rounds : new Map(remaining);
}

/** The next or previous step. If the given step is not played, the nearest one in that direction. */
export function adjacentStep(steps: readonly number[], step: number, direction: 1 | -1): number | undefined {
  return direction === 1 ? steps.find((index) => index > step) : steps.findLast((one) => one < step);
}

/** The innermost loop that contains a step. */
export function innermostLoop(score: PlayableProcess, step: number): number | undefined {
  return ancestors(score, step).find((block) => kindOf(score, block) === 'loop');
}

/**
 * The blocks that contain a step, innermost first. For a step in an `else`, the `alt` is omitted, because its steps are
 * different.
 */
function ancestors({ steps, blocks }: PlayableProcess, step: number): number[] {
  const chain: number[] = [];
  let block = steps[step]?.block;
  while (block !== undefined && block !== null) {
    chain.push(block);
    const { kind, parent } = blocks[block] ?? {};
    const isSection = kind === 'else' || kind === 'and';
    block = isSection && parent !== undefined ? blocks[parent]?.parent : parent;
  }
  return chain;
}

function kindOf({ blocks }: PlayableProcess, block: number): ProcessBlockKind | undefined {
  return blocks[block]?.kind;
}

/** The block of a section, or the block itself if it is not a section. */
function rootOf({ blocks }: PlayableProcess, block: number): number {
  const { kind, parent } = blocks[block] ?? {};
  const isSection = kind === 'else' || kind === 'and' || kind === 'option';
  return isSection && parent !== undefined ? parent : block;
}

/** The block whose choice determines whether this block is played; undefined if it is always played. */
function choiceBlockOf(score: PlayableProcess, block: number): number | undefined {
  const kind = kindOf(score, block);
  if (kind === 'alt' || kind === 'opt' || kind === 'break') return block;
  return kind && SECTION_OF[kind] ? rootOf(score, block) : undefined;
}

function isTaken(score: PlayableProcess, block: number, choices: BranchChoices): boolean {
  const choiceBlock = choiceBlockOf(score, block);
  return choiceBlock === undefined || chosenOf(score, choiceBlock, choices) === block;
}

function chosenOf(score: PlayableProcess, root: number, choices: BranchChoices): number {
  const kind = kindOf(score, root);
  // A `break` is an error case, so it is not played unless it is selected.
  return choices.get(root) ?? (kind === 'break' ? NO_SECTION : root);
}

function sectionsOf({ blocks }: PlayableProcess, root: number): BranchSection[] {
  const { kind, label } = blocks[root] ?? {};
  const own = { block: root, label: label ?? '' };
  if (kind === 'opt' || kind === 'break') return [own, { block: NO_SECTION, label: '' }];
  if (kind !== 'alt' && kind !== 'critical') return [];
  const others = blocks.flatMap((block, place) =>
    block.parent === root && SECTION_OF[block.kind] === kind ? [{ block: place, label: block.label }] : [],
  );
  return [own, ...others];
}
