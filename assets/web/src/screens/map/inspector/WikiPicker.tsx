/** A dialog to select a wiki page from a tree that supports filtering and keyboard navigation. */
import { type KeyboardEvent, useRef, useState } from 'react';
import type { WikiChild } from '@/api/generated';
import { treeMove } from '@/core/wiki/treeNavigation';
import { Dialog } from '@/ui/Dialog';
import { FormError } from '@/ui/Form';
import { inputErrorText } from '@/ui/formErrors';
import { SearchField } from '@/ui/SearchField';
import { WikiBranch } from './WikiBranch';
import styles from './WikiPicker.module.css';
import { wikiOrErrorText } from './wikiErrors';

interface Props {
  open: boolean;
  onClose: () => void;
  /** Adds the link. The dialog closes on success and shows the error otherwise. */
  onPick: (child: WikiChild) => Promise<void>;
}

export function WikiPicker({ open, onClose, onPick }: Props) {
  const [picked, setPicked] = useState<WikiChild | null>(null);
  const [problem, setProblem] = useState<string>();
  const [filter, setFilter] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const pick = async (child: WikiChild) => {
    setPicked(child);
    setProblem(undefined);
    try {
      await onPick(child);
      onClose();
    } catch (error) {
      setProblem(wikiOrErrorText(error, inputErrorText));
    } finally {
      setPicked(null);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (goThrough(list.current, event.target as HTMLElement, event.key)) event.preventDefault();
  };
  return (
    <Dialog open={open} onClose={onClose} title="Link a wiki page" begin={field}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of its children */}
      <div className={styles.picker} onKeyDown={onKeyDown}>
        <SearchField
          label="Filter pages"
          placeholder="Filter by title"
          value={filter}
          onChange={setFilter}
          input={field}
        />
        <p className={styles.keys}>
          <kbd>↑</kbd> <kbd>↓</kbd> navigate, <kbd>→</kbd> <kbd>←</kbd> expand and collapse, <kbd>Enter</kbd>{' '}
          link the page.
        </p>
        <FormError text={problem} />
        <div ref={list}>
          <WikiBranch
            of={null}
            depth={0}
            filter={filter}
            onPick={(child) => void pick(child)}
            busy={picked !== null}
          />
        </div>
      </div>
    </Dialog>
  );
}

/** Handles a key in the tree. Returns whether it was handled. */
function goThrough(list: HTMLElement | null, from: HTMLElement, key: string): boolean {
  const lines = [...(list?.querySelectorAll<HTMLElement>('[data-depth]') ?? [])];
  const at = lines.findIndex((line) => line.contains(from));
  // Arrow keys move between the field and the tree. All other keys are typed into the field.
  if (at < 0) return from instanceof HTMLInputElement && key === 'ArrowDown' && focus(lines[0]);
  const opener = (line: HTMLElement) => line.querySelector<HTMLElement>('[aria-expanded]');
  const move = treeMove(
    key,
    lines.map((line) => ({
      depth: Number(line.dataset.depth),
      isOpen: opener(line) ? opener(line)?.ariaExpanded === 'true' : undefined,
    })),
    at,
  );
  if (!move) return false;
  if (move !== 'toggle') return focus(lines[move.to]);
  const line = lines[at];
  if (line) opener(line)?.click();
  return true;
}

function focus(line: HTMLElement | undefined): boolean {
  line?.querySelector<HTMLElement>('[data-entry]')?.focus();
  return line !== undefined;
}
