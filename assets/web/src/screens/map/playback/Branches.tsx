/** What a step lies in, or is about to enter: loops, alternatives and the like, and which of them is taken. */
import type { ReactNode } from 'react';
import type { ProcessBlockKind } from '@/api/generated';
import type { Around } from '@/core/process/play';
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
  around: readonly Around[];
  onChoose: (block: number, section: number) => void;
  children: ReactNode;
}

export function Branches({ around, onChoose, children }: Props) {
  if (around.length === 0 && !children) return null;
  return (
    <div className={styles.branches}>
      {around.map(({ block, kind, label, sections, chosen, part }) =>
        sections.length === 0 ? (
          <p key={block} className={styles.block}>
            <strong>{WORDS[kind]}</strong> {part ?? label}
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

function wordOf(kind: ProcessBlockKind, section: number, block: number, label: string): string {
  if (section < 0) return 'does not happen';
  if (kind === 'critical') return section === block ? `${label || 'all'} goes well` : label || 'it fails';
  if (label) return label;
  return section === block ? 'this' : 'otherwise';
}
