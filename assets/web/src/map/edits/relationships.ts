/** Creates relationships on the map, and edits their label and type on the line. */
import type { Relationship } from '@/api/generated';
import { updateRow } from '@/core/model/edits';
import { catalogueEntry } from '@/core/model/model';
import { relationshipProblem } from '@/core/model/relationships';
import { showToast } from '@/ui/Toasts';
import { currentModel } from '@/workspace/model';
import { useInteraction } from '../state/interaction';
import { setSelection } from '../state/view';
import { checkCanEdit, edit, relationship, rows } from './edits';
import { newRelationshipType, rememberRelationshipType } from './relationshipType';

/** Connects two components using the last used type, selects the relationship and edits its label on the line. */
export function connect(from: string, to: string): void {
  if (!checkCanEdit()) return;
  const operation = relationship(from, to, newRelationshipType(), new Set());
  edit('Connect', [operation]);
  setSelection([], [operation.id]);
  useInteraction.setState({ editingLine: operation.id });
}

/** Starts editing the label of a relationship on its line. */
export function editLine(id: string): void {
  if (!checkCanEdit()) return;
  setSelection([], [id]);
  useInteraction.setState({ editingLine: id });
}

export function labelRelationship(id: string, label: string): void {
  const row = rows().relationship.get(id);
  if (!row || (row.label ?? '') === label) return;
  edit(`Label ${relationshipPhrase(row)}`, updateRow(rows(), 'relationship', id, { label }));
}

export function retypeRelationship(id: string, typeId: string): void {
  const row = rows().relationship.get(id);
  const model = currentModel();
  if (!row || !model || row.typeId === typeId) return;
  const problem = relationshipProblem(model, { ...row, typeId }, id);
  if (problem) {
    showToast(problem);
    return;
  }
  rememberRelationshipType(typeId);
  edit(`Change type of ${relationshipPhrase(row)}`, updateRow(rows(), 'relationship', id, { typeId }));
}

/** The relationship as a phrase, such as “Web calls Api”. */
export function relationshipPhrase({ sourceId, typeId, targetId }: Relationship): string {
  const name = (id: string) => rows().component.get(id)?.name ?? id;
  const type = catalogueEntry(currentModel()?.catalogue.relationTypes ?? [], typeId).name;
  return `${name(sourceId)} ${type} ${name(targetId)}`;
}
