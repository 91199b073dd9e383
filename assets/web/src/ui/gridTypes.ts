/** The rows and columns of a grid. */
import type { ReactNode } from 'react';

export interface GridChoice {
  id: string;
  name: string;
}

export interface GridColumn<Row> {
  id: string;
  name: string;
  /** Width in pixels. */
  width: number;
  /** Whether the column fills the remaining space. */
  grows?: boolean | undefined;
  align?: 'end' | undefined;
  text: (row: Row) => string;
  /** Renders the cell if it shows more than text. */
  render?: ((row: Row) => ReactNode) | undefined;
  /**
   * The kind of editor: a single line, multiline text, or a list of choices, which can depend on the row. Columns without
   * an editor are read-only.
   */
  editor?: 'text' | 'long' | readonly GridChoice[] | ((row: Row) => readonly GridChoice[]) | undefined;
  /** The initial value of an edit, if it differs from the text. */
  raw?: ((row: Row) => string) | undefined;
}

export interface GridProps<Row> {
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The accessible name of a row. */
  nameOf: (row: Row) => string;
  columns: readonly GridColumn<Row>[];
  sort: { column: string; descending: boolean };
  onSort: (column: string) => void;
  selected: ReadonlySet<string>;
  onSelect: (keys: ReadonlySet<string>) => void;
  /**
   * Called with the new text and the row as it was when editing began. Returns an error message if the text is invalid.
   */
  onEdit?: ((row: Row, column: string, text: string) => string | undefined) | undefined;
  /** Deletes the selected rows, or else the focused row. */
  onRemove?: ((keys: readonly string[]) => void) | undefined;
  /** Called when multiple cells are pasted. */
  onPaste?: ((text: string) => void) | undefined;
  /** The key of a row to focus once it exists. */
  goTo?: string | undefined;
  /** Shown when there are no rows. */
  children?: ReactNode;
}
