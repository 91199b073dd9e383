/** Highlights the rows of the drift report on the map. */
import { useEffect } from 'react';
import type { Finding } from '@/api/sync';
import type { Rows } from '@/core/sync/rows';
import { type Highlight, type HighlightKind, useView } from '@/map/state/view';

/** Highlights findings until the panel is closed. Nothing is highlighted for an empty list. */
export function useDriftHighlight(findings: readonly Finding[], rows: Rows | null): void {
  useEffect(() => {
    useView.setState({ highlight: rows && findings.length > 0 ? highlightOf(findings, rows) : null });
    return () => useView.setState({ highlight: null });
  }, [findings, rows]);
}

function toneOf({ finding, missingSince }: Finding): HighlightKind {
  if (finding === 'onlyOnMap') return missingSince === undefined ? 'changed' : 'removed';
  return finding === 'seenNotDrawn' || finding === 'onlyInCode' ? 'added' : 'changed';
}

function highlightOf(findings: readonly Finding[], rows: Rows): Highlight {
  const components = new Map<string, HighlightKind>();
  const relationships = new Map<string, HighlightKind>();
  for (const finding of findings) {
    const tone = toneOf(finding);
    if (finding.id === null) continue;
    if (finding.kind === 'component') components.set(finding.id, tone);
    else if (rows.relationship.has(finding.id)) relationships.set(finding.id, tone);
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
