/** Highlights the rows of the drift report on the map. */
import { useEffect } from 'react';
import type { DriftFinding } from '@/api/generated';
import type { Rows } from '@/core/sync/rows';
import { type Highlight, type HighlightKind, type HighlightLine, useView } from '@/map/state/view';

/** Maximum number of lines for relationships that are not on the map. */
const MAX_LINES = 500;

/** Highlights findings until the panel is closed. Nothing is highlighted for an empty list. */
export function useDriftHighlight(findings: readonly DriftFinding[], rows: Rows | null): void {
  useEffect(() => {
    useView.setState({ highlight: rows && findings.length > 0 ? highlightOf(findings, rows) : null });
    return () => useView.setState({ highlight: null });
  }, [findings, rows]);
}

function toneOf({ finding, missingSince }: DriftFinding): HighlightKind {
  if (finding === 'onlyOnMap') return missingSince === undefined ? 'changed' : 'removed';
  return finding === 'seenNotDrawn' || finding === 'onlyInCode' ? 'added' : 'changed';
}

/** The components of a relationship that is not on the map. */
export function endsOf(
  { sourceId, targetId }: DriftFinding,
  rows: Rows,
): Pick<HighlightLine, 'from' | 'to'> | undefined {
  if (sourceId === undefined || targetId === undefined) return undefined;
  if (!rows.component.has(sourceId) || !rows.component.has(targetId)) return undefined;
  return { from: sourceId, to: targetId };
}

function linesOf(findings: readonly DriftFinding[], rows: Rows): HighlightLine[] {
  const ends = findings.flatMap((finding) => endsOf(finding, rows) ?? []);
  return ends.slice(0, MAX_LINES).map((line) => ({ ...line, label: '', tone: 'added' }));
}

/** Highlights the ends of relationships and lines, so that they stay readable. */
function showEnds(
  components: Map<string, HighlightKind>,
  relationships: ReadonlyMap<string, HighlightKind>,
  lines: readonly HighlightLine[],
  rows: Rows,
): void {
  const ends: [string, HighlightKind][] = [...relationships].flatMap(([id, tone]) => {
    const row = rows.relationship.get(id);
    return row ? [[row.sourceId, tone] as [string, HighlightKind], [row.targetId, tone]] : [];
  });
  for (const { from, to } of lines) ends.push([from, 'added'], [to, 'added']);
  for (const [end, tone] of ends) if (!components.has(end)) components.set(end, tone);
}

function highlightOf(findings: readonly DriftFinding[], rows: Rows): Highlight {
  const components = new Map<string, HighlightKind>();
  const relationships = new Map<string, HighlightKind>();
  for (const finding of findings) {
    const { id, kind } = finding;
    const tone = toneOf(finding);
    if (typeof id !== 'string') continue;
    if (kind === 'component') components.set(id, tone);
    else if (rows.relationship.has(id)) relationships.set(id, tone);
  }
  const lines = linesOf(findings, rows);
  showEnds(components, relationships, lines, rows);
  return { components, relationships, lines, dimOthers: true };
}
