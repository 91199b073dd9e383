/** The source that files belong to: a known one, which they update, or a new one. */
import type { ListedSource, NewSource } from '@/api/generated';
import { byRepository, sourcesNamed } from '@/core/importing/source';
import { truncate } from '@/core/text';
import { SelectField } from '@/ui/Field';

interface Props {
  sources: readonly ListedSource[];
  /** The source that the files become if they belong to no known one. */
  fresh: NewSource;
  chosen: NewSource;
  onChange: (source: NewSource) => void;
}

export function SourceField({ sources, fresh, chosen, onChange }: Props) {
  const same = sources.filter(({ kind }) => kind === fresh.kind);
  const isKnown = same.some(({ id }) => id === fresh.id);
  const groups = byRepository(same, (source) => source.repository);
  const repository = same.find(({ id }) => id === chosen.id)?.repository;
  const hints = [
    'Rows of a source are updated when its files are imported again.',
    chosen.id === fresh.id &&
      !isKnown &&
      sourcesNamed(sources, fresh).length > 1 &&
      'Several sources have files with this name: choose the one that these files belong to, or their rows are drawn again.',
    repository && `Repository: ${repository}`,
  ];
  const options = (group: readonly ListedSource[]) =>
    group.map(({ id, name }) => (
      <option key={id} value={id}>
        Update: {truncate(name || id, 80)}
      </option>
    ));
  return (
    <SelectField
      label="Source"
      value={chosen.id}
      hint={hints.filter(Boolean).join(' ')}
      onChange={(event) => onChange({ id: event.currentTarget.value, kind: fresh.kind })}
    >
      {!isKnown && <option value={fresh.id}>New: {truncate(fresh.id, 80)}</option>}
      {groups.map(([of, group]) =>
        of === '' ? (
          options(group)
        ) : (
          <optgroup key={of} label={of}>
            {options(group)}
          </optgroup>
        ),
      )}
    </SelectField>
  );
}
