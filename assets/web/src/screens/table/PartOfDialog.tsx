/** Asks for the group that the selected components become parts of. */
import { useState } from 'react';
import type { Catalogue } from '@/api/generated';
import { parentItems, sharedParent } from '@/core/model/parents';
import type { Rows } from '@/core/sync/rows';
import { formatCount } from '@/core/text';
import { setPartOf } from '@/map/edits/groups';
import { Combobox } from '@/ui/Combobox';
import { FormDialog } from '@/ui/FormDialog';

interface Props {
  rows: Rows;
  catalogue: Catalogue;
  ids: readonly string[];
  onClose: () => void;
}

export function PartOfDialog({ rows, catalogue, ids, onClose }: Props) {
  const [parent, setParent] = useState(() => sharedParent(rows, ids) ?? '');
  const [items] = useState(() => parentItems(rows, catalogue, ids));
  const set = () => {
    setPartOf(ids, parent || null);
    onClose();
  };
  return (
    <FormDialog
      title={`Set group of ${formatCount(ids.length, 'component')}`}
      submitLabel={parent ? 'Set group' : 'Remove from group'}
      onSubmit={set}
      onClose={onClose}
    >
      <Combobox label="Part of" items={items} value={parent} onChange={setParent} />
    </FormDialog>
  );
}
