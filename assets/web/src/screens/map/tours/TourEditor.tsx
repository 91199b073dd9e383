/** Edits a tour: its stops in order, with a text for each. The map stays usable, to go to what the next stop shows. */
import { ArrowDown, ArrowUp, Layers, MapPin, Play, Trash2, Workflow } from 'lucide-react';
import { useState } from 'react';
import { useSearch } from 'wouter';
import { nameProblem } from '@/core/model/validation';
import type { StopTarget, TourStop } from '@/core/sync/viewRows';
import { createTour, deleteTour, newStopId, saveTour } from '@/map/edits/tours';
import { parseAddress, useOpenView } from '@/map/state/openView';
import { showTour } from '@/map/state/tourUrl';
import { useView } from '@/map/state/view';
import { Button, IconButton } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { useWorkspace } from '@/workspace/store';
import { Sheet } from '../sheet/Sheet';
import sheet from '../sheet/Sheet.module.css';
import { stopTitle } from './stopTitle';
import styles from './TourEditor.module.css';

const NO_STOPS: readonly TourStop[] = [];
const MAX_STOPS = 100;
const MAX_TEXT_LENGTH = 1000;

export function TourEditor({ id, onClose }: { id: string | null; onClose: () => void }) {
  const rows = useWorkspace((state) => state.rows);
  const saved = id === null ? undefined : rows?.tour.get(id);
  const [name, setName] = useState(saved?.name ?? '');
  const [stops, setStops] = useState<readonly TourStop[]>(saved?.stops ?? NO_STOPS);
  const [isSubmitted, setSubmitted] = useState(false);
  const problem = nameProblem(name.trim());
  const isChanged = name !== (saved?.name ?? '') || stops !== (saved?.stops ?? NO_STOPS);
  if (!rows) return null;
  const add = (target: StopTarget) => setStops((all) => [...all, { id: newStopId(all), text: '', target }]);
  const save = (): string | undefined => {
    setSubmitted(true);
    if (problem) return undefined;
    const fields = { name, stops: [...stops] };
    if (id === null) return createTour(fields);
    saveTour(id, fields);
    return id;
  };
  const move = (index: number, by: 1 | -1) => {
    const stop = stops[index];
    if (stop) setStops(stops.toSpliced(index, 1).toSpliced(index + by, 0, stop));
  };
  const present = () => {
    const tourId = save();
    if (tourId === undefined) return;
    onClose();
    showTour(tourId);
  };
  return (
    <Sheet
      label={id === null ? 'New tour' : 'Edit tour'}
      title={id === null ? 'New tour' : 'Edit tour'}
      closeLabel="Close without saving"
      unsaved={
        isChanged
          ? {
              question: 'Discard changes to this tour?',
              text: id === null ? 'The tour has not been saved.' : 'The tour stays as it was saved last.',
            }
          : null
      }
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        autoFocus={id === null}
        autoComplete="off"
        maxLength={200}
        problem={isSubmitted ? problem : undefined}
        onChange={(event) => setName(event.target.value)}
      />
      <div className={sheet.section}>
        <h3>
          Stops <span className={sheet.number}>{stops.length}</span>
        </h3>
        {stops.length === 0 && (
          <p className={sheet.soft}>
            Open a view, select a component, or play a process to the step that you want to show. Then add it
            as a stop.
          </p>
        )}
        <ol className={styles.stops} aria-label="Stops">
          {stops.map((stop, index) => {
            const { text: title, isMissing } = stopTitle(stop.target, rows);
            return (
              <li key={stop.id} className={styles.stop}>
                <div className={styles.stopHead}>
                  <span className={styles.number}>{index + 1}</span>
                  <span className={styles.title} data-missing={isMissing || undefined} title={title}>
                    {title}
                  </span>
                  <IconButton
                    label={`Move stop ${index + 1} up`}
                    icon={<ArrowUp size={14} aria-hidden />}
                    className={sheet.small}
                    disabled={index === 0}
                    onClick={() => move(index, -1)}
                  />
                  <IconButton
                    label={`Move stop ${index + 1} down`}
                    icon={<ArrowDown size={14} aria-hidden />}
                    className={sheet.small}
                    disabled={index === stops.length - 1}
                    onClick={() => move(index, 1)}
                  />
                  <IconButton
                    label={`Remove stop ${index + 1}`}
                    icon={<Trash2 size={14} aria-hidden />}
                    className={sheet.small}
                    onClick={() => setStops(stops.toSpliced(index, 1))}
                  />
                </div>
                <textarea
                  className={styles.text}
                  aria-label={`Text of stop ${index + 1}`}
                  placeholder="What to say here"
                  rows={2}
                  maxLength={MAX_TEXT_LENGTH}
                  value={stop.text}
                  onChange={(event) => setStops(stops.with(index, { ...stop, text: event.target.value }))}
                />
              </li>
            );
          })}
        </ol>
        <AddStop isFull={stops.length >= MAX_STOPS} onAdd={add} />
      </div>
      <footer className={sheet.foot}>
        {id !== null && (
          <Button
            kind="danger"
            className={styles.delete}
            onClick={() => {
              onClose();
              deleteTour(id);
            }}
          >
            Delete tour
          </Button>
        )}
        <Button icon={<Play size={15} aria-hidden />} disabled={stops.length === 0} onClick={present}>
          Save and present
        </Button>
        <Button
          kind="main"
          onClick={() => {
            if (save() !== undefined) onClose();
          }}
        >
          Save tour
        </Button>
      </footer>
    </Sheet>
  );
}

/** Adds what the map shows now. */
function AddStop({ isFull, onAdd }: { isFull: boolean; onAdd: (target: StopTarget) => void }) {
  const open = useOpenView();
  const selected = useView((view) => view.selectedComponents);
  const component = useWorkspace((state) => state.rows?.component);
  const query = new URLSearchParams(useSearch());
  const processId = query.get('process');
  const process = useWorkspace((state) => state.rows?.process.get(processId ?? ''));
  // Others cannot open personal views.
  const isPersonal = open?.isPersonal ?? false;
  const viewId = open && !isPersonal ? parseAddress(open.address).id : 'all';
  const [id = ''] = selected;
  const only = selected.size === 1 ? component?.get(id) : undefined;
  const step = Number.parseInt(query.get('step') ?? '1', 10) || 1;
  return (
    <fieldset className={styles.add} aria-label="Add stop" disabled={isFull}>
      <Button icon={<Layers size={15} aria-hidden />} disabled={isPersonal} onClick={() => onAdd({ viewId })}>
        {open ? `Add view “${open.view.name}”` : 'Add the whole map'}
      </Button>
      <Button
        icon={<MapPin size={15} aria-hidden />}
        disabled={!only}
        onClick={() => only && onAdd({ viewId, componentId: only.id })}
      >
        {only ? `Add “${only.name}”` : 'Add selected component'}
      </Button>
      {process && (
        <Button
          icon={<Workflow size={15} aria-hidden />}
          onClick={() => onAdd({ viewId, processId: process.id, step })}
        >
          Add step {step} of “{process.name}”
        </Button>
      )}
      {isPersonal && <p className={sheet.soft}>Tours contain shared views only.</p>}
    </fieldset>
  );
}
