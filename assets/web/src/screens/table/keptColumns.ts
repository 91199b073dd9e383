/** The visible columns, stored in this browser. */
import { useState } from 'react';
import { type Column, FIRST_COLUMNS } from '@/core/table/columns';

const KEY = 'planroom.table.columns';

export function useKeptColumns(all: readonly Column[]) {
  const [chosen, setChosen] = useState(kept);
  const ids = new Set(chosen);
  const toggle = (id: string) => {
    const next = ids.has(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
    setChosen(next);
    keep(next);
  };
  // The name identifies the row, so it is always visible.
  const shown = all.filter(({ id }) => id === 'name' || ids.has(id));
  return { shown, toggle, isShown: (id: string) => id === 'name' || ids.has(id) };
}

function kept(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return Array.isArray(ids) ? ids.map(String) : FIRST_COLUMNS;
  } catch {
    return FIRST_COLUMNS;
  }
}

function keep(ids: readonly string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // Without local storage the columns stay until the page is closed.
  }
}
