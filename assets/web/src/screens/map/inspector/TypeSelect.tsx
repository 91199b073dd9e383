/** Select fields for catalog entries. */

import { CONTAINS } from '@/core/containment/containment';
import type { Model } from '@/core/model/model';
import { TypeOptions } from '@/ui/TypeOptions';
import styles from './Inspector.module.css';

interface Props {
  label: string;
  model: Model;
  /** `''` if nothing is selected or the selection is mixed. */
  value: string;
  /** The label of `''`. If omitted, `''` cannot be selected. */
  none?: string;
  onChange: (value: string) => void;
  disabled?: boolean;
  className?: string | undefined;
}

/** Component types, kinds and custom types first. Their values are the keys of custom types. */
export function TypeSelect(props: Props) {
  const { value } = props;
  const { catalogue, customTypes } = props.model;
  const list = catalogue.componentTypes;
  const isOdd = value !== '' && !value.startsWith('kind:') && !list.some(({ id }) => id === value);
  return (
    <Plain {...props}>
      {isOdd && <option value={value}>{value}</option>}
      <TypeOptions types={customTypes} catalogue={list} />
    </Plain>
  );
}

export function LifecycleSelect(props: Props) {
  return (
    <Plain {...props}>
      <Options list={props.model.catalogue.lifecycleStates} value={props.value} />
    </Plain>
  );
}

/** Relationship types. If `isIncoming`, `contains` is labeled “in”, as in “in Storage”. */
export function RelationSelect({ isIncoming = false, ...props }: Props & { isIncoming?: boolean }) {
  const { relationTypes } = props.model.catalogue;
  const list = isIncoming
    ? relationTypes.map((type) => (type.id === CONTAINS ? { ...type, name: 'in' } : type))
    : relationTypes;
  return (
    <Plain {...props}>
      <Options list={list} value={props.value} />
    </Plain>
  );
}

function Plain({
  label,
  value,
  none,
  onChange,
  disabled,
  className,
  children,
}: Props & { children: React.ReactNode }) {
  return (
    <select
      aria-label={label}
      className={[styles.select, className].join(' ')}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
    >
      {none !== undefined && <option value="">{none}</option>}
      {children}
    </select>
  );
}

/** The options. The current value is listed even if it is not in the catalog. */
function Options({ list, value }: { list: readonly { id: string; name: string }[]; value: string }) {
  const isOdd = value !== '' && !list.some(({ id }) => id === value);
  return (
    <>
      {isOdd && <option value={value}>{value}</option>}
      {list.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </>
  );
}
