/** Owners of the components that an import adds: one for all, and others for single components. */
import { useState } from 'react';
import type { HolderRef } from '@/api/generated';
import type { Holder } from '@/core/model/model';
import { formatCount } from '@/core/text';
import { Combobox } from '@/ui/Combobox';
import { useFocusAgain } from '@/ui/useFocusAgain';
import styles from './Import.module.css';

const NO_OWNER = { id: '', name: 'No owner' };
const AS_ALL = { id: 'all', name: 'As chosen for all' };

const keyOf = ({ kind, id }: HolderRef) => `${kind}:${id}`;

function itemsOf(holders: readonly Holder[]) {
  return holders.map((holder) => ({
    id: keyOf(holder),
    name: holder.name,
    hint: holder.kind === 'team' ? 'Team' : 'Person',
  }));
}

function referenceOf(holders: readonly Holder[], key: string): HolderRef | null {
  const holder = holders.find((one) => keyOf(one) === key);
  return holder ? { kind: holder.kind, id: holder.id } : null;
}

interface AllProps {
  holders: readonly Holder[];
  /** The number of new components without an owner in the files. */
  count: number;
  owner: HolderRef | null;
  onChange: (owner: HolderRef | null) => void;
}

export function OwnerOfAll({ holders, count, owner, onChange }: AllProps) {
  if (holders.length === 0) {
    return (
      <p className={styles.soft}>
        There are no people or teams yet. Add them under People to give the components owners.
      </p>
    );
  }
  return (
    <div className={styles.owner}>
      <Combobox
        label={`Owner of ${formatCount(count, 'new component')}`}
        items={[NO_OWNER, ...itemsOf(holders)]}
        value={owner ? keyOf(owner) : ''}
        onChange={(key) => onChange(referenceOf(holders, key))}
        placeholder="Choose a person or team"
      />
    </div>
  );
}

interface OneProps {
  holders: readonly Holder[];
  name: string;
  /** The owner of all, which the component has if it has no choice of its own. */
  shared: HolderRef | null;
  /** Undefined without a choice of its own. */
  own: HolderRef | null | undefined;
  onChange: (owner: HolderRef | null | undefined) => void;
}

/** The owner of one component. The list of choices is only there while it is used, because there may be many rows. */
export function OwnerOfOne({ holders, name, shared, own, onChange }: OneProps) {
  const [isEditing, setEditing] = useState(false);
  const button = useFocusAgain(isEditing);
  const owner = own === undefined ? shared : own;
  const text = owner ? (holders.find((one) => keyOf(one) === keyOf(owner))?.name ?? owner.id) : 'No owner';
  if (!isEditing) {
    return (
      <button type="button" className={styles.rowOwner} ref={button} onClick={() => setEditing(true)}>
        <span className="unseen">Owner of {name}: </span>
        {text}
      </button>
    );
  }
  return (
    <div className={styles.owner}>
      <Combobox
        label={<span className="unseen">Owner of {name}</span>}
        items={[AS_ALL, NO_OWNER, ...itemsOf(holders)]}
        value={own === undefined ? AS_ALL.id : own ? keyOf(own) : ''}
        onChange={(key) => {
          onChange(key === AS_ALL.id ? undefined : referenceOf(holders, key));
          setEditing(false);
        }}
        autoFocus
      />
    </div>
  );
}
