/** Identifies a row of a report: keys are unique within a kind. */
import type { SelectedRow } from '@/api/generated';

export function rowKey({ kind, key }: SelectedRow): string {
  return `${kind} ${key}`;
}
