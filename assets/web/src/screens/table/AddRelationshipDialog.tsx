/** Adds a relationship between two components. */

import { useMemo, useState } from 'react';
import type { Catalogue } from '@/api/generated';
import { relationshipId } from '@/core/ids';
import type { Rows } from '@/core/sync/rows';
import { Combobox } from '@/ui/Combobox';
import { SelectField, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
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
    const id = relationshipId(ends, (candidate) => rows.relationship.has(candidate));
    const fields = { ...ends, ...(label ? { label } : {}) };
    editTable('Add relationship', [{ op: 'create', kind: 'relationship', id, fields }]);
    onClose();
  };
  return (
    <FormDialog title="Add relationship" submitLabel="Add relationship" onSubmit={add} onClose={onClose}>
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
    </FormDialog>
  );
}
