/** Edits the layout of lines: waypoints, shape and label position. */
import { setLayout } from '@/core/layout/lineEdits';
import { isStraightLine } from '@/core/route/sceneInput';
import { type LineLayout, lineLayout, NO_LAYOUT } from '@/core/scene/lineLayout';
import { formatCount } from '@/core/text';
import { useLineStyle } from '../state/lineStyle';
import { edit, rows } from './edits';
import { relationshipPhrase } from './relationships';

/** Saves the layout of a line. */
export function setLineLayout(id: string, layout: LineLayout, verb = 'Change line'): void {
  const row = rows().relationship.get(id);
  if (row) edit(`${verb}: ${relationshipPhrase(row)}`, setLayout(rows(), id, layout));
}

/** A change of the layout of whole lines. */
export type LineCommand = 'straight' | 'routed' | 'reset';

const VERBS: Readonly<Record<LineCommand, string>> = {
  straight: 'Straighten',
  routed: 'Route',
  reset: 'Reset',
};

export function isLineCommandEnabled(command: LineCommand, ids: Iterable<string>): boolean {
  const { style } = useLineStyle.getState();
  return [...ids].some((id) => {
    const layout = lineLayout(rows().relationship.get(id)?.line);
    if (command === 'reset') return layout !== undefined;
    if (command === 'routed') return isStraightLine({ layout }, style);
    return !isStraightLine({ layout }, style) || (layout?.via.length ?? 0) > 0;
  });
}

export function runLineCommand(command: LineCommand, ids: Iterable<string>): void {
  const changed = [...ids].flatMap((id) => rows().relationship.get(id) ?? []);
  const operations = changed.flatMap((row) =>
    setLayout(rows(), row.id, commandLayout(command, lineLayout(row.line))),
  );
  const [first] = changed;
  if (operations.length === 0 || !first) return;
  const what =
    changed.length === 1 ? `line: ${relationshipPhrase(first)}` : formatCount(changed.length, 'line');
  edit(`${VERBS[command]} ${what}`, operations);
}

/** A straightened line has no waypoints. */
function commandLayout(command: LineCommand, layout = NO_LAYOUT): LineLayout {
  if (command === 'reset') return NO_LAYOUT;
  return command === 'straight' ? { ...layout, via: [], shape: 'straight' } : { ...layout, shape: 'routed' };
}
