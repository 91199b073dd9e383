/** Going through a tree by keys: up and down, in and out, as file managers do. */

/** What stands in a line of it. */
export interface TreeLine {
  /** How deep it is; 0 at the top. */
  depth: number;
  /** Whether it is open; nothing when there is nothing below it. */
  isOpen: boolean | undefined;
}

/** What a key does: go to another line, or open or close the one that one is on. */
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
