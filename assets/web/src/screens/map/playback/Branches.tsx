/** What a step lies in, or is about to enter: loops, alternatives and the like, and which of them is taken. */
import type { ReactNode } from 'react';
import type { ProcessBlockKind } from '@/api/generated';
import type { EnclosingBlock } from '@/core/process/playback';
import styles from './Playback.module.css';

const WORDS: Record<ProcessBlockKind, string> = {
  loop: 'Loop',
  alt: 'Either',
  else: 'Else',
  opt: 'Optional',
  par: 'At the same time',
  'par-over': 'At the same time',
  and: 'And',
  critical: 'Critical',
  option: 'In case',
  break: 'May end here',
  rect: '',
};

interface Props {
  around: readonly EnclosingBlock[];
  /** Of a loop that the step is in: which round, and where in it. */
  countOf: (block: number) => { round: number; place: number; of: number } | undefined;
  onChoose: (block: number, section: number) => void;
  children: ReactNode;
}

export function Branches({ around, countOf, onChoose, children }: Props) {
  if (around.length === 0 && !children) return null;
  return (
    <div className={styles.branches}>
      {around.map(({ block, kind, label, sections, chosen, part }) =>
        sections.length === 0 ? (
          <p key={block} className={styles.block}>
            <strong>{WORDS[kind]}</strong> {part ?? label} <Count of={countOf(block)} />
          </p>
        ) : (
          <fieldset key={block} className={styles.block}>
            <legend>{WORDS[kind]}</legend>
            {sections.map((section) => (
              <button
                key={section.block}
                type="button"
                aria-pressed={section.block === chosen}
                onClick={() => onChoose(block, section.block)}
              >
                {wordOf(kind, section.block, block, section.label)}
              </button>
            ))}
          </fieldset>
        ),
      )}
      {children}
    </div>
  );
}

function Count({ of: count }: { of: ReturnType<Props['countOf']> }) {
  if (!count) return null;
  return (
    <span className={styles.count}>
      round {count.round}, step {count.place} of {count.of}
    </span>
  );
}

function wordOf(kind: ProcessBlockKind, section: number, block: number, label: string): string {
  if (section < 0) return 'does not happen';
  if (kind === 'critical') return section === block ? `${label || 'all'} goes well` : label || 'it fails';
  if (label) return label;
  return section === block ? 'this' : 'otherwise';
}
