/** Adds a relationship between two components. */

import { useMemo, useState } from 'react';
import type { Catalogue } from '@/api/generated';
import { relationshipId } from '@/core/ids';
import type { Rows } from '@/core/sync/rows';
import { Button } from '@/ui/Button';
import { Combobox } from '@/ui/Combobox';
import { Dialog } from '@/ui/Dialog';
import { SelectField, TextField } from '@/ui/Field';
import styles from './Table.module.css';
import { editTable } from './tableEdit';

export function AddRelationshipDialog({
  rows,
  catalogue,
  onClose,
}: {
  rows: Rows;
  catalogue: Catalogue;
  onClose: () => void;
}) {
  const components = useMemo(
    () => [...rows.component.values()].map(({ id, name }) => ({ id, name })),
    [rows.component],
  );
  const [source, setSource] = useState('');
  const [target, setTarget] = useState('');
  const [typeId, setTypeId] = useState(catalogue.relationTypes[0]?.id ?? '');
  const [label, setLabel] = useState('');
  const [tried, setTried] = useState(false);
  const add = () => {
    setTried(true);
    if (!source || !target) return;
    const ends = { sourceId: source, targetId: target, typeId };
    const id = relationshipId(ends, (one) => rows.relationship.has(one));
    const fields = { ...ends, ...(label ? { label } : {}) };
    editTable('Add relationship', [{ op: 'create', kind: 'relationship', id, fields }]);
    onClose();
  };
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="main" type="submit" form="add-relationship">
        Add relationship
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title="Add relationship" footer={footer}>
      <form
        id="add-relationship"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <Combobox
          label="From"
          items={components}
          value={source}
          onChange={setSource}
          problem={tried && !source ? 'Select the source component.' : undefined}
        />
        <SelectField label="Relationship" value={typeId} onChange={(event) => setTypeId(event.target.value)}>
          {catalogue.relationTypes.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <Combobox
          label="To"
          items={components}
          value={target}
          onChange={setTarget}
          problem={tried && !target ? 'Select the target component.' : undefined}
        />
        <TextField
          label="Label"
          hint="Optional"
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
