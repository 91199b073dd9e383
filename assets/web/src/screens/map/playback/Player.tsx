/** The playback bar of a process on the map. */
import {
  ChartGantt,
  ChevronLeft,
  ChevronRight,
  Link2,
  Pause,
  Pencil,
  Play,
  Repeat,
  SkipBack,
  X,
} from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { ProcessReading } from '@/api/generated';
import { highlightSteps, type MessageLocation, messageLocator } from '@/core/process/highlight';
import { enclosingBlocks, innermostLoop } from '@/core/process/playback';
import { exitPlayback, processPath } from '@/map/state/playbackUrl';
import { useView } from '@/map/state/view';
import { stepUrl } from '@/map/state/viewUrl';
import { useProcessReading } from '@/screens/processes/useProcess';
import { Button, IconButton } from '@/ui/Button';
import { copyText } from '@/ui/copyText';
import { showToast } from '@/ui/Toasts';
import { useWorkspace } from '@/workspace/store';
import { Branches } from './Branches';
import { FullScreenButton } from './FullScreenButton';
import styles from './Playback.module.css';
import { PlayedDiagram } from './PlayedDiagram';
import { StepText } from './StepText';
import { type Player as PlayerState, usePlayer } from './usePlayer';

export function Player({ processId, initialStep }: { processId: string; initialStep: number }) {
  const name = useWorkspace((state) => state.rows?.process.get(processId)?.name);
  const isReady = useWorkspace((state) => state.status === 'ready');
  const isStalled = useWorkspace((state) => state.isStalled);
  const reading = useProcessReading(processId);
  if (!isReady) return null;
  if (name === undefined) {
    return <Empty>Process “{processId}” does not exist. It was deleted, or the link is mistyped.</Empty>;
  }
  if (!reading) return isStalled ? <Empty>“{name}” cannot be played while you are offline.</Empty> : null;
  if (reading.steps.length === 0) {
    return (
      <Empty>
        “{name}” has no messages yet. <Link href={processPath(processId)}>Add the first message</Link>
      </Empty>
    );
  }
  return <Bar reading={reading} name={name} initialStep={initialStep} />;
}

function Empty({ children }: { children: ReactNode }) {
  return (
    <section className={styles.bar} data-bar aria-label="Playback">
      <div className={styles.line}>
        <p className={styles.text}>{children}</p>
        <IconButton label="Exit playback" icon={<X size={18} aria-hidden />} onClick={exitPlayback} />
      </div>
    </section>
  );
}

function Bar({ reading, name, initialStep }: { reading: ProcessReading; name: string; initialStep: number }) {
  const player = usePlayer(reading, initialStep);
  const [hasDiagram, setDiagram] = useState(false);
  const endpoints = useStepHighlight(reading, player, hasDiagram);
  const { step, steps } = player;
  const place = steps.indexOf(step) + 1;
  const loop = innermostLoop(reading, step);
  const copyLink = async () => {
    const link = stepUrl(reading.id, step);
    showToast((await copyText(link)) ? 'Link to this step copied' : `Could not copy. Link: ${link}`);
  };
  return (
    <>
      {hasDiagram && <PlayedDiagram reading={reading} name={name} step={step} />}
      <section className={styles.bar} data-bar aria-label={`Playback of ${name}`}>
        <div className={styles.line}>
          <h2 className={styles.title}>{name}</h2>
          <span className={styles.count}>
            Step {place} of {steps.length}
          </span>
          <Link href={processPath(reading.id)} className={styles.edit} aria-label="Edit process" title="Edit">
            <Pencil size={16} aria-hidden />
          </Link>
          <IconButton
            label="Diagram"
            title={hasDiagram ? 'Hide diagram' : 'Show diagram'}
            icon={<ChartGantt size={18} aria-hidden />}
            aria-pressed={hasDiagram}
            onClick={() => setDiagram(!hasDiagram)}
          />
          <IconButton
            label="Copy link to this step"
            icon={<Link2 size={18} aria-hidden />}
            onClick={() => void copyLink()}
          />
          <FullScreenButton />
          <IconButton label="Exit playback (Esc)" icon={<X size={18} aria-hidden />} onClick={exitPlayback} />
        </div>
        <StepText reading={reading} step={step} endpoints={endpoints} />
        <Branches
          around={enclosingBlocks(reading, step, player.choices)}
          countOf={(block) => player.countOf(block)}
          onChoose={player.choose}
        >
          {loop !== undefined && (
            <Button kind="quiet" icon={<Repeat size={16} aria-hidden />} onClick={() => player.again(loop)}>
              Play again
            </Button>
          )}
        </Branches>
        <div className={styles.line}>
          <IconButton
            label="First step (Home)"
            icon={<SkipBack size={18} aria-hidden />}
            disabled={place <= 1}
            onClick={player.first}
          />
          <IconButton
            label="Previous step (,)"
            icon={<ChevronLeft size={20} aria-hidden />}
            disabled={place <= 1}
            onClick={player.previous}
          />
          <Button
            kind="main"
            // Focus the play button, so that Space works immediately.
            autoFocus
            className={styles.play}
            aria-label={player.playing ? 'Pause (Space)' : 'Play (Space)'}
            icon={player.playing ? <Pause size={18} aria-hidden /> : <Play size={18} aria-hidden />}
            onClick={player.toggle}
          />
          <IconButton
            label="Next step (.)"
            icon={<ChevronRight size={20} aria-hidden />}
            disabled={place >= steps.length}
            onClick={player.next}
          />
          <input
            type="range"
            className={styles.position}
            aria-label="Position"
            aria-valuetext={`Step ${place} of ${steps.length}`}
            min={1}
            max={steps.length}
            value={Math.max(1, place)}
            onChange={(event) => player.go(steps[Number(event.target.value) - 1] ?? step)}
          />
          <select
            className={styles.speed}
            aria-label="Speed"
            value={player.speed}
            onChange={(event) => player.setSpeed(Number(event.target.value))}
          >
            <option value={0.5}>½ ×</option>
            <option value={1}>1 ×</option>
            <option value={2}>2 ×</option>
          </select>
        </div>
      </section>
    </>
  );
}

/** Highlights the step on the map and pans it into view, until the bar unmounts. */
function useStepHighlight(
  reading: ProcessReading,
  { step, steps }: PlayerState,
  hasDiagram: boolean,
): MessageLocation {
  const process = useWorkspace((state) => state.rows?.process.get(reading.id));
  const components = useWorkspace((state) => state.rows?.component);
  const relationships = useWorkspace((state) => state.rows?.relationship);
  const locate = useMemo(
    () =>
      messageLocator({
        participants: process?.participants ?? reading.participants,
        components: components ?? new Map(),
        relationships: relationships ?? new Map(),
      }),
    [process, reading, components, relationships],
  );
  const message = reading.steps[step];
  const location = useMemo<MessageLocation>(
    () => (message ? locate(message) : NO_LOCATION),
    [locate, message],
  );
  useEffect(() => {
    if (!message) return;
    const before = steps.flatMap((index) => (index < step ? (reading.steps[index] ?? []) : []));
    const current = {
      ...message,
      number: steps.indexOf(step) + 1,
      isReply: /dotted/.test(message.arrow),
    };
    useView.setState({ highlight: { ...highlightSteps(locate, before, current), dimOthers: true } });
  }, [locate, reading, steps, step, message]);
  useEffect(() => () => useView.setState({ highlight: null }), []);
  const everyone = useMemo(
    () => [
      ...new Set(
        reading.steps.flatMap((message) => {
          const { source, target } = locate(message);
          return [source, target].filter((id) => id !== undefined);
        }),
      ),
    ],
    [reading, locate],
  );
  const { source, target } = location;
  useCameraOnSteps(everyone, source, target, hasDiagram);
  return location;
}

/** Shows all components of the process if they are readable together, and otherwise those of the current step. */
function useCameraOnSteps(
  everyone: readonly string[],
  source: string | undefined,
  target: string | undefined,
  hasDiagram: boolean,
): void {
  const camera = useView((view) => view.camera);
  /** Whether the diagram covered a part of the map when all components were shown. */
  const shownWith = useRef<boolean>(null);
  const latest = useRef(everyone);
  latest.current = everyone;
  useEffect(() => {
    if (!camera) return;
    const reveal = () => {
      const [at, beside] = target ? [target, source] : [source];
      if (at) camera.reveal(at, beside);
    };
    if (shownWith.current === hasDiagram) return reveal();
    // The map gets the space of the hidden panels in the next frame.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        shownWith.current = hasDiagram;
        if (latest.current.length === 0 || !camera.showTogether(latest.current)) reveal();
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [camera, source, target, hasDiagram]);
}

const NO_LOCATION: MessageLocation = {
  source: undefined,
  target: undefined,
  relationship: undefined,
  isPart: false,
};
