/** The options of a select of component types: kinds of the organization, custom types, catalog types. */
import { type CustomType, customTypeKey } from '@/core/model/customTypes';

interface Props {
  types: readonly CustomType[];
  catalogue: readonly { id: string; name: string }[];
}

/** The values are the IDs of catalog types and the keys of custom types. */
export function TypeOptions({ types, catalogue }: Props) {
  const options = catalogue.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));
  if (types.length === 0) return options;
  return (
    <>
      <Group label="Kinds" types={types.filter(({ kind }) => kind)} />
      <Group label="Custom types" types={types.filter(({ kind }) => !kind)} />
      <optgroup label="Built-in types">{options}</optgroup>
    </>
  );
}

function Group({ label, types }: { label: string; types: readonly CustomType[] }) {
  if (types.length === 0) return null;
  return (
    <optgroup label={label}>
      {types.map((type) => (
        <option key={customTypeKey(type)} value={customTypeKey(type)}>
          {type.name}
        </option>
      ))}
    </optgroup>
  );
}
