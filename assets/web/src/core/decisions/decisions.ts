/** Decisions (ADR): names of their states, and their list. */
import type { DecisionStatus } from '@/api/generated';
import type { DecisionRow } from '../sync/rows';

export const STATUSES: readonly DecisionStatus[] = ['proposed', 'accepted', 'superseded', 'rejected'];

export const STATUS_NAMES: Readonly<Record<DecisionStatus, string>> = {
  proposed: 'Proposed',
  accepted: 'Accepted',
  superseded: 'Superseded',
  rejected: 'Rejected',
};

export interface DecisionFilter {
  /** Words that the title, number, ID, authors or loaded text contain. */
  query: string;
  /** `''` for all. */
  status: DecisionStatus | '';
}

/** The decisions that a filter shows, newest number first. */
export function filterDecisions(
  rows: Iterable<DecisionRow>,
  { query, status }: DecisionFilter,
): DecisionRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return byNumber(rows).filter((row) => {
    if (status && row.status !== status) return false;
    const text = [row.title, row.id, `adr ${row.number}`, ...row.authors, row.body ?? '']
      .join('\n')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Decisions, newest number first. */
export function byNumber(rows: Iterable<DecisionRow>): DecisionRow[] {
  return [...rows].sort((a, b) => b.number - a.number || (a.id < b.id ? -1 : 1));
}

/** The decisions that concern a component, newest number first. */
export function decisionsOf(rows: Iterable<DecisionRow>, componentId: string): DecisionRow[] {
  return byNumber(rows).filter(({ componentIds }) => componentIds.includes(componentId));
}

/** The decisions that replace a decision. */
export function supersededBy(rows: Iterable<DecisionRow>, id: string): DecisionRow[] {
  return byNumber(rows).filter(({ supersedes }) => supersedes.includes(id));
}

/** The names in a list with commas. */
export function parseNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

/** Today in the time zone of the user, as in `2026-11-25`. */
export function today(now = new Date()): string {
  const part = (number: number) => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${part(now.getMonth() + 1)}-${part(now.getDate())}`;
}

/** Whether a file can be a decision, by its name: Markdown with a number, as in `0005-title.md`. */
export function isDecisionFile(name: string): boolean {
  return /^(?:adr[-_ #]*)?\d+(?:[-_. ].*)?\.(?:md|markdown)$/i.test(name);
}
