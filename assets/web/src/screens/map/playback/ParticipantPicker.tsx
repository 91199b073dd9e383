/** Prompts for the component of a participant, by clicking it on the map or by name. */
import { Crosshair, X } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import { processPath, stepPath } from '@/map/state/playbackUrl';
import { useView } from '@/map/state/view';
import { navigate } from '@/routing/location';
import { ComponentSelect } from '@/screens/processes/ComponentSelect';
import { draftOf, saveDraft, syncDraft, updateDraft } from '@/screens/processes/drafts';
import { useProcessReading } from '@/screens/processes/useProcess';
import { Button } from '@/ui/Button';
import { showToast } from '@/ui/Toasts';
import { useWorkspace } from '@/workspace/store';
import styles from './Playback.module.css';

interface Props {
  processId: string;
  alias: string;
  /** The one-based step to return to. If null, returns to the process. */
  back: string | null;
}

export function ParticipantPicker({ processId, alias, back }: Props) {
  const process = useWorkspace((state) => state.rows?.process.get(processId));
  const reading = useProcessReading(processId);
  const participantName = reading?.lifelines.find((lifeline) => lifeline.alias === alias)?.name ?? alias;
  const finish = useCallback(() => {
    if (back === null) navigate(processPath(processId));
    else navigate(stepPath(processId, Number(back) - 1));
  }, [processId, back]);
  const take = useCallback(
    (componentId: string) => {
      const component = useWorkspace.getState().rows?.component.get(componentId);
      syncDraft(processId);
      const draft = draftOf(processId);
      if (!component || !draft) return;
      updateDraft(processId, { participants: { ...draft.mine.participants, [alias]: componentId } });
      saveDraft(processId);
      showToast(`Mapped ${participantName} to “${component.name}”`);
      finish();
    },
    [processId, alias, participantName, finish],
  );
  usePick(take);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      event.stopPropagation();
      finish();
    };
    // Handle Escape before the map, which would clear the selection.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [finish]);
  if (!process) return null;
  return (
    <section className={styles.bar} data-bar aria-label="Select component">
      <div className={styles.line}>
        <Crosshair size={20} aria-hidden />
        <p className={styles.text}>
          Click the component for “{participantName}” in “{process.name}”, or search by name.
        </p>
      </div>
      <div className={styles.line}>
        <ComponentSelect
          label={`Component for ${participantName}`}
          value={null}
          onChange={(id) => id && take(id)}
          autoFocus
        />
        <Button icon={<X size={16} aria-hidden />} onClick={finish}>
          Cancel
        </Button>
      </div>
    </section>
  );
}

/** Calls `take` with the next component selected on the map. */
function usePick(take: (componentId: string) => void): void {
  // Ignore the previous selection.
  useEffect(() => {
    useView.setState({ selectedComponents: new Set(), selectedRelationships: new Set() });
  }, []);
  useEffect(
    () =>
      useView.subscribe(({ selectedComponents }, before) => {
        const [only] = selectedComponents;
        if (only !== undefined && selectedComponents !== before.selectedComponents) take(only);
      }),
    [take],
  );
}
