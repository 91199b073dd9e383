/** The blocks that contain the current step, such as loops and alternatives, and the selected branch of each. */
import type { ReactNode } from 'react';
import type { ProcessBlockKind } from '@/api/generated';
import type { EnclosingBlock } from '@/core/process/playback';
import styles from './Playback.module.css';

const WORDS: Record<ProcessBlockKind, string> = {
  loop: 'Loop',
  alt: 'If',
  else: 'Else',
  opt: 'Optional',
  par: 'In parallel',
  'par-over': 'In parallel',
  and: 'And',
  critical: 'Critical',
  option: 'Option',
  break: 'Break',
  rect: '',
};

interface Props {
  around: readonly EnclosingBlock[];
  /** The loop iteration and the position within the iteration. */
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
      iteration {count.round}, step {count.place} of {count.of}
    </span>
  );
}

function wordOf(kind: ProcessBlockKind, section: number, block: number, label: string): string {
  if (section < 0) return 'skip';
  if (kind === 'critical') return section === block ? `${label || 'all'} succeeds` : label || 'failure';
  if (label) return label;
  return section === block ? 'first case' : 'else';
}
