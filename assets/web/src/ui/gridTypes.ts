/** What a grid is given: its rows and columns. */
import type { ReactNode } from 'react';

export interface GridChoice {
  id: string;
  name: string;
}

export interface GridColumn<Row> {
  id: string;
  name: string;
  /** Pixels. */
  width: number;
  /** Whether it takes what room is left. */
  grows?: boolean | undefined;
  align?: 'end' | undefined;
  text: (row: Row) => string;
  /** What is shown instead of the text. */
  render?: ((row: Row) => ReactNode) | undefined;
  /** How it is edited: as a line, as a longer text, or by choosing; not at all without. */
  editor?: 'text' | 'long' | readonly GridChoice[] | undefined;
  /** What an edit begins with, where that is not the text. */
  raw?: ((row: Row) => string) | undefined;
}

export interface GridProps<Row> {
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** What a row is called where it is read aloud. */
  nameOf: (row: Row) => string;
  columns: readonly GridColumn<Row>[];
  sort: { column: string; descending: boolean };
  onSort: (column: string) => void;
  selected: ReadonlySet<string>;
  onSelect: (keys: ReadonlySet<string>) => void;
  /** Takes what was typed, and the row as it was when the typing began. Answers why it cannot be. */
  onEdit?: ((row: Row, column: string, text: string) => string | undefined) | undefined;
  /** Deletes what is selected, or the row that has the focus. */
  onRemove?: ((keys: readonly string[]) => void) | undefined;
  /** A text with several cells was pasted. */
  onPaste?: ((text: string) => void) | undefined;
  /** A row to go to, as soon as it is there. */
  goTo?: string | undefined;
  /** Shown when there are no rows. */
  children?: ReactNode;
}
