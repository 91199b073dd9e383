/** Explains how to place a new note, for pointer and keyboard. The live region of the map announces it. */
import { useEffect } from 'react';
import { placeNoteInView } from '@/map/edits/notes';
import { useInteraction } from '@/map/state/interaction';
import { focusComponent } from '@/map/state/selection';
import { Button } from '@/ui/Button';
import styles from './Note.module.css';

export function PlacingHint() {
  const placing = useInteraction((interaction) => interaction.placing);
  useEffect(() => {
    if (!placing) return;
    const place = (event: KeyboardEvent) => {
      const isOnControl =
        event.target instanceof Element &&
        event.target.closest('button, a, input, textarea, select, [role="menu"]');
      if (event.key !== 'Enter' || isOnControl) return;
      event.preventDefault();
      event.stopPropagation();
      placeNoteInView(placing);
    };
    window.addEventListener('keydown', place, { capture: true });
    return () => window.removeEventListener('keydown', place, { capture: true });
  }, [placing]);
  if (!placing) return null;
  const cancel = () => {
    useInteraction.setState({ placing: null, announcement: '' });
    focusComponent(null);
  };
  return (
    <div className={styles.hint} data-bar data-own-pointer>
      <span>Click or drag to place the {placing}. Enter places it in the center of the view.</span>
      <Button onClick={cancel}>Cancel</Button>
    </div>
  );
}
