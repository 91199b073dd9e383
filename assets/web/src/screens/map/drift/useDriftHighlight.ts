/** Highlights the rows of the drift report on the map. */
import { useEffect } from 'react';
import type { DriftFinding } from '@/api/generated';
import type { Rows } from '@/core/sync/rows';
import { type Highlight, type HighlightKind, useView } from '@/map/state/view';

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
  // The ends of relationships stay readable.
  for (const [id, tone] of relationships) {
    const row = rows.relationship.get(id);
    for (const end of row ? [row.sourceId, row.targetId] : []) {
      if (!components.has(end)) components.set(end, tone);
    }
  }
  return { components, relationships, dimOthers: true };
}
