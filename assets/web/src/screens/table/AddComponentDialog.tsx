/** Adds a component. */

import { useState } from 'react';
import type { Catalogue } from '@/api/generated';
import { freeId } from '@/core/ids';
import type { Rows } from '@/core/sync/rows';
import { nameFields } from '@/core/table/columns';
import { createComponentOperation } from '@/core/table/edits';
import { truncate } from '@/core/text';
import { SelectField, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { editTable } from './tableEdit';

interface Props {
  rows: Rows;
  catalogue: Catalogue;
  onClose: () => void;
  onAdded: (id: string) => void;
}

export function AddComponentDialog({ rows, catalogue, onClose, onAdded }: Props) {
  const [name, setName] = useState('');
  const [typeId, setTypeId] = useState(
    catalogue.componentTypes.some(({ id }) => id === 'service') ? 'service' : catalogue.componentTypes[0]?.id,
  );
  const [lifecycle, setLifecycle] = useState('');
  const [problem, setProblem] = useState<string>();
  const add = () => {
    const fields = nameFields(name);
    if (typeof fields === 'string') return setProblem(fields);
    const id = freeId(name, (candidate) => rows.component.has(candidate));
    const properties = lifecycle ? { lifecycle } : {};
    editTable(`Add ${truncate(name, 60)}`, [
      createComponentOperation(rows, id, { ...fields, typeId, properties }),
    ]);
    onAdded(id);
    onClose();
  };
  return (
    <FormDialog title="Add component" submitLabel="Add component" onSubmit={add} onClose={onClose}>
      <TextField
        label="Name"
        autoFocus
        value={name}
        problem={problem}
        onChange={(event) => {
          setName(event.target.value);
          setProblem(undefined);
        }}
      />
      <SelectField label="Type" value={typeId} onChange={(event) => setTypeId(event.target.value)}>
        {catalogue.componentTypes.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField label="Lifecycle" value={lifecycle} onChange={(event) => setLifecycle(event.target.value)}>
        <option value="">Not set</option>
        {catalogue.lifecycleStates.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
