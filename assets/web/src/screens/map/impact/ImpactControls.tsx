/** The controls of the impact view: direction, depth and relationship types. */
import { ListFilter } from 'lucide-react';
import { DIRECTION_NAMES } from '@/core/impact/describe';
import type { ImpactDirection, ImpactQuery } from '@/core/impact/query';
import type { Model } from '@/core/model/model';
import { openImpact } from '@/map/state/impactUrl';
import { Button } from '@/ui/Button';
import { Popover } from '@/ui/Popover';
import { Select } from '@/ui/Select';
import styles from './Impact.module.css';

const DEPTHS = [1, 2, 3, 5, 10];

export function ImpactControls({ question, model }: { question: ImpactQuery; model: Model }) {
  const { direction, depth } = question;
  return (
    <div className={styles.controls}>
      {direction !== 'between' && (
        <>
          <Select
            aria-label="Direction"
            value={direction}
            onChange={(event) =>
              openImpact({ ...question, direction: event.target.value as ImpactDirection, to: null })
            }
          >
            {Object.entries(DIRECTION_NAMES).map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
          <Select
            aria-label="Depth"
            value={depth ?? ''}
            onChange={(event) => openImpact({ ...question, depth: Number(event.target.value) || null })}
          >
            <option value="">Any distance</option>
            {[...new Set([...DEPTHS, ...(depth ? [depth] : [])])]
              .sort((a, b) => a - b)
              .map((option) => (
                <option key={option} value={option}>
                  {option === 1 ? 'Direct only' : `Up to ${option} relationships`}
                </option>
              ))}
          </Select>
        </>
      )}
      <Types question={question} model={model} />
    </div>
  );
}

/** Selects the relationship types to follow, out of those on the map. Without a selection, those that express a dependency. */
function Types({ question, model }: { question: ImpactQuery; model: Model }) {
  const { types } = question;
  const counts = new Map<string, number>(types.map((id) => [id, 0]));
  for (const { typeId } of model.rows.relationship.values())
    counts.set(typeId, (counts.get(typeId) ?? 0) + 1);
  const offered = model.catalogue.relationTypes.filter(({ id }) => counts.has(id));
  const summary = types.length === 0 ? 'Dependencies only' : `${types.length} of ${offered.length} types`;
  const toggle = (id: string) =>
    openImpact({
      ...question,
      types: types.includes(id) ? types.filter((typeId) => typeId !== id) : [...types, id],
    });
  return (
    <Popover
      title="Relationship types"
      trigger={
        <Button icon={<ListFilter size={16} aria-hidden />} aria-label={`Relationship types: ${summary}`}>
          {summary}
        </Button>
      }
    >
      <ul className={styles.types} aria-label="Relationship types">
        {offered.map(({ id, name, dependsOn }) => (
          <li key={id}>
            <label className={styles.type}>
              <input type="checkbox" checked={types.includes(id)} onChange={() => toggle(id)} />
              <span>
                {name}
                {dependsOn === 'none' && <span className={styles.soft}> (not a dependency)</span>}
              </span>
              <span className={styles.soft}>{counts.get(id)?.toLocaleString('en')}</span>
            </label>
          </li>
        ))}
      </ul>
      {types.length > 0 && (
        <div>
          <Button onClick={() => openImpact({ ...question, types: [] })}>Follow dependencies only</Button>
        </div>
      )}
    </Popover>
  );
}
