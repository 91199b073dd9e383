/** The visible columns, stored in this browser. */

import { useState } from 'react';
import { ownName } from '@/api/base';
import { type Column, DEFAULT_COLUMNS } from '@/core/table/columns';

const KEY = ownName('planroom.table.columns');

export function useSavedColumns(all: readonly Column[]) {
  const [chosen, setChosen] = useState(loadColumns);
  const ids = new Set(chosen);
  const toggle = (id: string) => {
    const next = ids.has(id) ? chosen.filter((columnId) => columnId !== id) : [...chosen, id];
    setChosen(next);
    saveColumns(next);
  };
  // The name identifies the row, so it is always visible.
  const shown = all.filter(({ id }) => id === 'name' || ids.has(id));
  return { shown, toggle, isShown: (id: string) => id === 'name' || ids.has(id) };
}

function loadColumns(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return Array.isArray(ids) ? ids.map(String) : DEFAULT_COLUMNS;
  } catch {
    return DEFAULT_COLUMNS;
  }
}

function saveColumns(ids: readonly string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // Without local storage, columns are kept until the page is closed.
  }
}
