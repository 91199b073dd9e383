/** Keyboard navigation in a tree, as in file managers. */

/** A line of the tree. */
export interface TreeLine {
  /** The depth; 0 for root entries. */
  depth: number;
  /** Whether the entry is expanded; undefined if it has no children. */
  isOpen: boolean | undefined;
}

/** The effect of a key: move to another line, or expand or collapse the current one. */
export type TreeMove = { to: number } | 'toggle';

/** The effect of `key` on the line at index `at`; undefined if it has none. */
export function treeMove(key: string, lines: readonly TreeLine[], at: number): TreeMove | undefined {
  const line = lines[at];
  if (!line) return undefined;
  switch (key) {
    case 'ArrowDown':
      return goTo(at + 1, lines);
    case 'ArrowUp':
      return goTo(at - 1, lines);
    case 'Home':
      return goTo(0, lines);
    case 'End':
      return goTo(lines.length - 1, lines);
    case 'ArrowRight':
      if (line.isOpen === false) return 'toggle';
      return (lines[at + 1]?.depth ?? 0) > line.depth ? goTo(at + 1, lines) : undefined;
    case 'ArrowLeft':
      if (line.isOpen) return 'toggle';
      return goTo(
        lines.findLastIndex(({ depth }, place) => place < at && depth < line.depth),
        lines,
      );
    default:
      return undefined;
  }
}

function goTo(to: number, lines: readonly TreeLine[]): TreeMove | undefined {
  return to >= 0 && to < lines.length ? { to } : undefined;
}
