/** Select fields for catalog entries. */

import { CONTAINS } from '@/core/containment/containment';
import { customTypeKey } from '@/core/model/customTypes';
import type { Model } from '@/core/model/model';
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

/** Component types, custom types first. The value of a custom type is `kind:` and its name. */
export function TypeSelect(props: Props) {
  const { catalogue, customTypes } = props.model;
  return (
    <Plain {...props}>
      {customTypes.length > 0 && (
        <optgroup label="Custom types">
          {customTypes.map((type) => (
            <option key={customTypeKey(type)} value={customTypeKey(type)}>
              {type.name}
            </option>
          ))}
        </optgroup>
      )}
      <Options list={catalogue.componentTypes} value={props.value} except="kind:" />
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
function Options({
  list,
  value,
  except,
}: {
  list: readonly { id: string; name: string }[];
  value: string;
  except?: string;
}) {
  const isOdd = value !== '' && !(except && value.startsWith(except)) && !list.some(({ id }) => id === value);
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
