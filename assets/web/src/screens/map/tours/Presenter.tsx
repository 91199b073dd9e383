/** Presents a tour: shows its stops one after another with their texts. */

import { ChevronLeft, ChevronRight, Link2, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { currentPath } from '@/api/base';
import { highlightSteps, messageLocator } from '@/core/process/highlight';
import type { StopTarget, Tour } from '@/core/sync/viewRows';
import { setCameraMotion } from '@/map/state/camera';
import { useViewAddress } from '@/map/state/openView';
import { hidePanels } from '@/map/state/panels';
import { stopQuery, stopUrl } from '@/map/state/tourUrl';
import { setSelection, useView } from '@/map/state/view';
import { viewPath } from '@/map/state/viewNavigation';
import { navigate } from '@/routing/location';
import { useProcessReading } from '@/screens/processes/useProcess';
import { Button, IconButton } from '@/ui/Button';
import { copyText } from '@/ui/copyText';
import { showToast } from '@/ui/Toasts';
import { useWorkspace } from '@/workspace/store';
import { FullScreenButton } from '../playback/FullScreenButton';
import styles from './Presenter.module.css';
import { stopTitle } from './stopTitle';

/** The duration of camera movements while presenting, in milliseconds. */
const SOFT_MOTION_MS = 700;

export function Presenter({ tourId, stop }: { tourId: string; stop: number }) {
  const tour = useWorkspace((state) => state.rows?.tour.get(tourId));
  useEffect(hidePanels, []);
  useEffect(() => setCameraMotion(SOFT_MOTION_MS), []);
  if (!tour || tour.stops.length === 0) {
    return (
      <section className={styles.bar} data-bar aria-label="Tour">
        <div className={styles.line}>
          <p className={styles.text}>
            {tour ? `Tour “${tour.name}” has no stops yet.` : `Tour “${tourId}” does not exist.`}
          </p>
          <IconButton label="End tour (Esc)" icon={<X size={18} aria-hidden />} onClick={endTour} />
        </div>
      </section>
    );
  }
  return <Stops tour={tour} index={Math.min(stop, tour.stops.length - 1)} />;
}

function endTour(): void {
  useView.setState({ highlight: null });
  navigate(currentPath());
}

/** The address of the view that a stop shows; null for the map itself. */
function addressOf({ viewId }: StopTarget): string | null {
  if (viewId === undefined || viewId === 'all') return null;
  return useWorkspace.getState().rows?.view.has(viewId) ? viewId : null;
}

function Stops({ tour, index }: { tour: Tour; index: number }) {
  const rows = useWorkspace((state) => state.rows);
  const stop = tour.stops[index];
  const next = useRef<HTMLButtonElement>(null);
  const count = tour.stops.length;
  const go = (to: number) => {
    const target = tour.stops[to]?.target;
    if (target) navigate(`${viewPath(addressOf(target))}?${stopQuery(tour.id, to)}`, { replace: true });
  };
  useKeys({
    next: () => go(Math.min(index + 1, count - 1)),
    previous: () => go(Math.max(index - 1, 0)),
    first: () => go(0),
    last: () => go(count - 1),
  });
  useShownStop(tour.id, index, stop?.target ?? {});
  useEffect(() => next.current?.focus(), []);
  if (!stop || !rows) return null;
  const { text: title, isMissing } = stopTitle(stop.target, rows);
  const copyLink = async () => {
    const link = stopUrl(tour.id, index);
    showToast((await copyText(link)) ? 'Link to this stop copied' : `Could not copy. Link: ${link}`);
  };
  return (
    <section className={styles.bar} data-bar aria-label={`Tour ${tour.name}`}>
      <div className={styles.line}>
        <h2 className={styles.title}>{tour.name}</h2>
        <span className={styles.count}>
          Stop {index + 1} of {count}
        </span>
        <IconButton
          label="Copy link to this stop"
          icon={<Link2 size={18} aria-hidden />}
          onClick={() => void copyLink()}
        />
        <FullScreenButton />
        <IconButton label="End tour (Esc)" icon={<X size={18} aria-hidden />} onClick={endTour} />
      </div>
      <div className={styles.stop} aria-live="polite">
        <p className={styles.what}>{isMissing ? `${title} (deleted)` : title}</p>
        {stop.text && <p className={styles.text}>{stop.text}</p>}
      </div>
      <div className={styles.line}>
        <Button
          icon={<ChevronLeft size={18} aria-hidden />}
          disabled={index === 0}
          title="Previous stop (←)"
          onClick={() => go(index - 1)}
        >
          Back
        </Button>
        <progress className={styles.progress} max={count} value={index + 1} aria-label="Progress" />
        <Button
          kind="main"
          ref={next}
          title={index === count - 1 ? 'End tour' : 'Next stop (→)'}
          onClick={() => (index === count - 1 ? endTour() : go(index + 1))}
        >
          {index === count - 1 ? 'End' : 'Next'}
          <ChevronRight size={18} aria-hidden />
        </Button>
      </div>
    </section>
  );
}

interface KeyHandlers {
  next: () => void;
  previous: () => void;
  first: () => void;
  last: () => void;
}

/** Arrow keys and Page Up/Down, as sent by presentation remotes. */
function useKeys(handlers: KeyHandlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.target instanceof Element && event.target.closest('[role="dialog"], input, textarea, select'))
        return;
      const { next, previous, first, last } = latest.current;
      const actions: Readonly<Record<string, () => void>> = {
        ArrowRight: next,
        PageDown: next,
        ArrowLeft: previous,
        PageUp: previous,
        Home: first,
        End: last,
        Escape: endTour,
      };
      const run = actions[event.key];
      if (!run) return;
      event.preventDefault();
      event.stopPropagation();
      run();
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, []);
}

/** Opens the view of a stop, highlights what it shows and moves the camera there. */
function useShownStop(tourId: string, index: number, target: StopTarget): void {
  const address = useViewAddress();
  const camera = useView((view) => view.camera);
  const wanted = addressOf(target);
  const { componentId, processId, step = 1 } = target;
  const isThere = address === wanted;
  useEffect(() => {
    if (!isThere) navigate(`${viewPath(wanted)}?${stopQuery(tourId, index)}`, { replace: true });
  }, [isThere, wanted, tourId, index]);
  const participants = useStepHighlight(processId, step, isThere && camera !== null);
  useEffect(() => {
    if (!isThere || !camera || processId !== undefined) return;
    setSelection([]);
    const exists = componentId !== undefined && useWorkspace.getState().rows?.component.has(componentId);
    useView.setState({
      highlight: exists
        ? { components: new Map([[componentId, 'current']]), relationships: new Map(), dimOthers: false }
        : null,
    });
    return afterLayout(() => camera.fit(exists ? [componentId] : undefined));
  }, [isThere, camera, componentId, processId]);
  useEffect(() => {
    if (!isThere || !camera || participants.length === 0) return;
    return afterLayout(() => camera.fit(participants));
  }, [isThere, camera, participants]);
}

/** The map gets the space of hidden panels in the next frame. */
function afterLayout(run: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(run);
  });
  return () => cancelAnimationFrame(frame);
}

const NONE: readonly string[] = [];

/** Highlights a step of a process. Returns the components between which it happens. */
function useStepHighlight(processId: string | undefined, step: number, isReady: boolean): readonly string[] {
  const reading = useProcessReading(processId ?? '');
  const rows = useWorkspace((state) => state.rows);
  const process = rows?.process.get(processId ?? '');
  const message = reading?.steps[step - 1];
  const locate =
    rows && process && reading
      ? messageLocator({
          participants: process.participants ?? reading.participants,
          components: rows.component,
          relationships: rows.relationship,
        })
      : null;
  const found = message && locate?.(message);
  const key = [found?.source, found?.target].filter(Boolean).join('\n');
  const shown = useRef<readonly string[]>(NONE);
  if (shown.current.join('\n') !== key) shown.current = key ? key.split('\n') : NONE;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the location is new on every render; `key` is its content
  useEffect(() => {
    if (!isReady || !message || !locate || !reading) return;
    const before = reading.steps.slice(0, step - 1);
    const current = { ...message, number: step, isReply: /dotted/.test(message.arrow) };
    useView.setState({ highlight: { ...highlightSteps(locate, before, current), dimOthers: true } });
    return () => useView.setState({ highlight: null });
  }, [isReady, processId, step, key, message]);
  return shown.current;
}
