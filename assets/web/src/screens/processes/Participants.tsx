/** Participants and the components they are mapped to. */
import { Crosshair, TriangleAlert, WandSparkles, X } from 'lucide-react';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { participantMatcher } from '@/core/process/matchParticipants';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Button, IconButton } from '@/ui/Button';
import { useWorkspace } from '@/workspace/store';
import { ComponentSelect } from './ComponentSelect';
import { saveDraft, updateDraft } from './drafts';
import styles from './Participants.module.css';
import shared from './Processes.module.css';

interface Props {
  processId: string;
  people: readonly { alias: string; name: string }[];
  participants: Record<string, string>;
  /** The participants that were mapped automatically. */
  mappedByName: ReadonlyMap<string, string>;
  /** Called when the user unmaps a participant. */
  onUnmapped: (alias: string) => void;
}

export function Participants({ processId, people, participants, mappedByName, onUnmapped }: Props) {
  const components = useWorkspace((state) => state.rows?.component);
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const slug = useOrgSlug();
  const [, navigate] = useLocation();
  const open = useMemo(
    () => people.filter(({ alias }) => !components?.has(participants[alias] ?? '')),
    [people, participants, components],
  );
  const suggestions = useMemo(() => {
    if (open.length === 0 || !components) return new Map<string, string>();
    const find = participantMatcher(components.values());
    const found = open.map(({ alias, name }) => [alias, find(name, alias)?.id] as const);
    return new Map(found.filter((pair): pair is [string, string] => pair[1] !== undefined));
  }, [open, components]);
  const aliases = new Set(people.map(({ alias }) => alias));
  const left = Object.keys(participants).filter((alias) => !aliases.has(alias));

  const set = (changes: Record<string, string | undefined>) => {
    for (const [alias, id] of Object.entries(changes)) if (id === undefined) onUnmapped(alias);
    const next = Object.entries({ ...participants, ...changes }).filter(([, id]) => id !== undefined);
    updateDraft(processId, { participants: Object.fromEntries(next) as Record<string, string> });
    saveDraft(processId);
  };
  const pick = (alias: string) => {
    const query = new URLSearchParams({ pick: processId, alias });
    navigate(`${workspacePath(slug, workspaceId)}?${query}`);
  };
  return (
    <section className={styles.participants} aria-labelledby="participants">
      <div className={styles.participantsHead}>
        <h2 id="participants">Participants</h2>
        <p className={shared.hint}>
          {open.length > 0
            ? `${open.length} of ${people.length} not mapped to a component. Their steps won’t be highlighted on the map.`
            : 'All participants are mapped to components.'}
        </p>
        {suggestions.size > 0 && (
          <Button
            icon={<WandSparkles size={16} aria-hidden />}
            onClick={() => set(Object.fromEntries(suggestions))}
          >
            Map matching components ({suggestions.size})
          </Button>
        )}
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">Participant</th>
            <th scope="col">Component</th>
          </tr>
        </thead>
        <tbody>
          {people.map(({ alias, name }) => {
            const id = participants[alias];
            const suggested = suggestions.get(alias);
            return (
              <tr key={alias}>
                <th scope="row">
                  <code>{alias}</code>
                  {name !== alias && <span className={styles.display}>{name}</span>}
                </th>
                <td>
                  <div className={styles.choice}>
                    <ComponentSelect
                      label={`Component for ${name}`}
                      value={id ?? null}
                      onChange={(next) => set({ [alias]: next ?? undefined })}
                    />
                    <IconButton
                      label={`Select component for ${name} on map`}
                      icon={<Crosshair size={18} aria-hidden />}
                      onClick={() => pick(alias)}
                    />
                    {(id === undefined || !components?.has(id)) && (
                      <span className={shared.missing}>
                        <TriangleAlert size={14} aria-hidden />
                        {id === undefined ? 'Not mapped' : `“${id}” was deleted`}
                      </span>
                    )}
                    {id !== undefined && mappedByName.get(alias) === id && (
                      <span className={styles.byName}>
                        <WandSparkles size={14} aria-hidden />
                        Mapped by name
                      </span>
                    )}
                    {suggested && (
                      <Button kind="quiet" onClick={() => set({ [alias]: suggested })}>
                        Map to “{components?.get(suggested)?.name}”
                      </Button>
                    )}
                  </div>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {left.length > 0 && (
        <p className={shared.hint}>
          Mappings of participants that are no longer in the text:{' '}
          {left.map((alias) => (
            <span key={alias} className={styles.chip}>
              {alias}
              <button
                type="button"
                aria-label={`Remove mapping of ${alias}`}
                onClick={() => set({ [alias]: undefined })}
              >
                <X size={14} aria-hidden />
              </button>
            </span>
          ))}
        </p>
      )}
    </section>
  );
}
