/** Outgoing and incoming relationships of a component. */
import { ArrowLeft, ArrowRight, Minus, Tag, X } from 'lucide-react';
import { useState } from 'react';
import type { Component, Relationship } from '@/api/generated';
import { CONTAINS } from '@/core/containment/containment';
import { relationshipId } from '@/core/ids';
import { updateRow } from '@/core/model/edits';
import { catalogueEntry, type Model } from '@/core/model/model';
import { relationshipProblem } from '@/core/model/relationships';
import { textProblem } from '@/core/model/validation';
import { showComponent } from '@/map/state/location';
import { setSelection, useView } from '@/map/state/view';
import { IconButton } from '@/ui/Button';
import { showToast } from '@/ui/Toasts';
import { edit } from '@/workspace/store';
import { useAuthor } from './authors';
import { InlineText } from './InlineText';
import styles from './Inspector.module.css';
import { ComponentPicker } from './Pickers';
import { Hint, Section } from './Section';
import { RelationSelect } from './TypeSelect';

interface Props {
  model: Model;
  component: Component;
  readOnly: boolean;
}

/** Number of rows shown initially; some components have hundreds. */
const INITIAL_ROWS = 30;

export function Relationships({ model, component, readOnly }: Props) {
  const { id } = component;
  const out = model.outgoing.get(id) ?? [];
  const into = (model.incoming.get(id) ?? []).filter(({ sourceId }) => sourceId !== id);
  const [showsAll, setShowsAll] = useState(false);
  const all = [
    ...out.map((relationship) => ({ relationship, to: 'out' as const })),
    ...into.map((relationship) => ({ relationship, to: 'in' as const })),
  ];
  const shown = showsAll ? all : all.slice(0, INITIAL_ROWS);
  const row = (relationship: Relationship, direction: 'out' | 'in') => (
    <Row key={relationship.id} model={model} row={relationship} direction={direction} readOnly={readOnly} />
  );
  return (
    <Section
      title="Relationships"
      count={all.length}
      addLabel={readOnly ? undefined : 'Add relationship'}
      add={(close) => <AddRelationship model={model} component={component} onClose={close} />}
    >
      {all.length === 0 && <Hint>No relationships yet.</Hint>}
      <ul className={styles.list} aria-label="Relationships">
        {shown.map(({ relationship, to }) => row(relationship, to))}
      </ul>
      {shown.length < all.length && (
        <button type="button" className={styles.textButton} onClick={() => setShowsAll(true)}>
          Show all {all.length}
        </button>
      )}
    </Section>
  );
}

interface RowProps {
  model: Model;
  row: Relationship;
  direction: 'out' | 'in';
  readOnly: boolean;
}

function Row({ model, row, direction, readOnly }: RowProps) {
  const author = useAuthor();
  const [isLabelling, setLabelling] = useState(false);
  const otherId = direction === 'out' ? row.targetId : row.sourceId;
  const other = model.rows.component.get(otherId)?.name ?? otherId;
  const type = model.catalogue.relationTypes.find(({ id }) => id === row.typeId);
  const Arrow = type?.directed === false ? Minus : direction === 'out' ? ArrowRight : ArrowLeft;
  // A row reads as a sentence: “Customer uses this”, “in Storage”, “calls Payments”.
  const isPart = direction === 'in' && row.typeId === CONTAINS;
  const isNameFirst = direction === 'in' && !isPart;
  const name = (
    <button
      type="button"
      className={styles.jump}
      onClick={() => showComponent(otherId)}
      title={`Go to ${other}`}
    >
      {other}
    </button>
  );
  return (
    <li className={styles.relation} aria-label={relationshipTitle(model, row)}>
      <IconButton
        label={`Open relationship ${direction === 'out' ? 'to' : 'from'} ${other}`}
        icon={<Arrow size={16} aria-hidden />}
        className={styles.small}
        onClick={() => setSelection([], [row.id])}
      />
      <span className={styles.phrase}>
        {isNameFirst && name}
        {readOnly ? (
          <span className={styles.tag}>{isPart ? 'in' : (type?.name ?? row.typeId)}</span>
        ) : (
          <RelationSelect
            label={`Type of relationship with ${other}`}
            model={model}
            value={row.typeId}
            onChange={(typeId) => retypeRelationship(model, row, typeId)}
            className={styles.quietSelect}
            isIncoming={direction === 'in'}
          />
        )}
        {isNameFirst ? <span>this</span> : name}
      </span>
      {!readOnly && (
        <>
          <IconButton
            label={`Edit label of relationship with ${other}`}
            icon={<Tag size={14} aria-hidden />}
            className={styles.small}
            aria-expanded={isLabelling || Boolean(row.label)}
            onClick={() => setLabelling(!isLabelling)}
          />
          <IconButton
            label={`Delete relationship with ${other}`}
            icon={<X size={16} aria-hidden />}
            className={styles.small}
            onClick={() => removeRelationship(model, row)}
          />
        </>
      )}
      {(isLabelling || row.label) && (
        <div className={styles.under}>
          <InlineText
            label={`Label of relationship with ${other}`}
            hideLabel
            id={`relationship/${row.id}/label`}
            value={row.label ?? ''}
            revision={row.revision}
            changedBy={author(row.updatedBy)}
            placeholder="Label"
            readOnly={readOnly}
            problemOf={textProblem}
            save={(label, before, base) => labelRelationship(model, row, label, before, base)}
          />
        </div>
      )}
    </li>
  );
}

/** A relationship as text: "Web calls Payments". */
export function relationshipTitle(model: Model, { sourceId, typeId, targetId }: Relationship): string {
  const name = (id: string) => model.rows.component.get(id)?.name ?? id;
  return `${name(sourceId)} ${catalogueEntry(model.catalogue.relationTypes, typeId).name} ${name(targetId)}`;
}

export function retypeRelationship(model: Model, row: Relationship, typeId: string): void {
  const problem = relationshipProblem(model, { ...row, typeId }, row.id);
  if (problem) showToast(problem);
  else
    edit(
      `Change type of ${relationshipTitle(model, row)}`,
      updateRow(model.rows, 'relationship', row.id, { typeId }),
    );
}

export function labelRelationship(
  model: Model,
  row: Relationship,
  label: string,
  before: string,
  base: number,
): void {
  const { id } = row;
  edit(`Label ${relationshipTitle(model, row)}`, [
    { op: 'update', kind: 'relationship', id, fields: { label }, before: { label: before }, base },
  ]);
}

export function removeRelationship(model: Model, row: Relationship): void {
  const { id, revision } = row;
  edit(`Delete ${relationshipTitle(model, row)}`, [
    { op: 'delete', kind: 'relationship', id, base: revision, fields: {} },
  ]);
  useView.setState(({ selectedRelationships }) => ({
    selectedRelationships: new Set([...selectedRelationships].filter((selected) => selected !== id)),
  }));
}

function AddRelationship({
  model,
  component,
  onClose,
}: {
  model: Model;
  component: Component;
  onClose: () => void;
}) {
  const [direction, setDirection] = useState<'out' | 'in'>('out');
  const [typeId, setType] = useState(model.catalogue.relationTypes[0]?.id ?? '');
  const [problem, setProblem] = useState('');
  const add = (otherId: string) => {
    const [sourceId, targetId] = direction === 'out' ? [component.id, otherId] : [otherId, component.id];
    const why = relationshipProblem(model, { sourceId, typeId, targetId });
    if (why) return setProblem(why);
    const fields = { sourceId, targetId, typeId };
    const id = relationshipId(fields, (candidate) => model.rows.relationship.has(candidate));
    const title = relationshipTitle(model, { ...fields, id } as Relationship);
    edit(`Add ${title}`, [{ op: 'create', kind: 'relationship', id, fields }]);
    onClose();
  };
  return (
    <>
      <div className={styles.pair}>
        <select
          aria-label="Direction"
          className={styles.select}
          value={direction}
          onChange={(event) => setDirection(event.target.value === 'in' ? 'in' : 'out')}
        >
          <option value="out">Outgoing</option>
          <option value="in">Incoming</option>
        </select>
        <RelationSelect label="Relationship type" model={model} value={typeId} onChange={setType} />
      </div>
      <ComponentPicker label="Other component" model={model} autoFocus onChoose={add} onLeave={onClose} />
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </>
  );
}
