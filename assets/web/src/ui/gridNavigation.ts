/** Keyboard navigation in a grid. */

export interface GridExtent {
  at: number;
  column: number;
  rows: number;
  columns: number;
  /** Rows per page. */
  page: number;
}

interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
}

/** The cell to which a key moves the focus, or undefined for other keys. Row -1 is the header. */
export function targetCell(pressed: KeyPress, { at, column, rows, columns, page }: GridExtent) {
  const isFar = pressed.ctrlKey || pressed.metaKey;
  const row = (to: number) => ({ at: Math.min(Math.max(to, -1), rows - 1), column });
  const across = (to: number) => ({ at, column: Math.min(Math.max(to, 0), columns) });
  switch (pressed.key) {
    case 'ArrowDown':
      return row(isFar ? rows - 1 : at + 1);
    case 'ArrowUp':
      return row(isFar ? 0 : at - 1);
    case 'PageDown':
      return row(at + page);
    case 'PageUp':
      return row(Math.max(0, at - page));
    case 'ArrowRight':
      return across(isFar ? columns : column + 1);
    case 'ArrowLeft':
      return across(isFar ? 0 : column - 1);
    case 'Home':
      return isFar ? { at: Math.min(0, rows - 1), column: 0 } : across(0);
    case 'End':
      return isFar ? { at: rows - 1, column: columns } : across(columns);
    default:
      return undefined;
  }
}
