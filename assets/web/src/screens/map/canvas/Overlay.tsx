/** Overlays of interactions: selection frame, alignment guides, new line, name editor. */
import { useStore, ViewportPortal } from '@xyflow/react';
import { HIGHLIGHT_MARKS } from '@/map/drawing/highlights';
import { useInteraction } from '@/map/state/interaction';
import { useView } from '@/map/state/view';
import styles from './Canvas.module.css';
import { CommentMarks } from './CommentMarks';
import { ConnectPicker } from './ConnectPicker';
import { DraftEditor } from './DraftEditor';
import { DropOverlay } from './DropOverlay';
import { GroupHandles } from './GroupHandles';
import { LineEditor } from './LineEditor';
import { LineHandles } from './LineHandles';
import { NoteHandles } from './NoteHandles';
import { StepMessages } from './StepMessages';
import { Stubs } from './Stubs';
import { ViewMarks } from './ViewMarks';

export function Overlay() {
  const draft = useInteraction((interaction) => interaction.draft);
  const editingLine = useInteraction((interaction) => interaction.editingLine);
  const connectingFrom = useInteraction((interaction) => interaction.connectingFrom);
  return (
    <>
      <Stubs />
      <ViewMarks />
      <CommentMarks />
      <DropOverlay />
      <GroupHandles />
      <NoteHandles />
      <InteractionLines />
      <RemovedItems />
      <LineHandles />
      <StepMessages />
      {editingLine !== null && (
        <ViewportPortal>
          <LineEditor key={editingLine} id={editingLine} />
        </ViewportPortal>
      )}
      {connectingFrom !== null && (
        <ViewportPortal>
          <ConnectPicker key={connectingFrom} from={connectingFrom} />
        </ViewportPortal>
      )}
      {draft && (
        <ViewportPortal>
          <DraftEditor key={`${draft.at.x} ${draft.at.y}`} draft={draft} />
        </ViewportPortal>
      )}
    </>
  );
}

/** The removed components and notes of a comparison, at their previous positions. */
function RemovedItems() {
  const removed = useView((view) => view.highlight?.removed);
  if (!removed || removed.length === 0) return null;
  return (
    <ViewportPortal>
      {removed.map(({ kind, id, name, x, y, width, height }) => (
        <div
          key={`${kind}/${id}`}
          role="img"
          aria-label={`${name}, ${HIGHLIGHT_MARKS.removed.name}`}
          className={styles.removed}
          data-kind={kind}
          data-removed={id}
          data-tone="removed"
          style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
        >
          <span className={styles.sign}>{HIGHLIGHT_MARKS.removed.sign}</span>
          <s>{name}</s>
        </div>
      ))}
    </ViewportPortal>
  );
}

function InteractionLines() {
  const frame = useInteraction((interaction) => interaction.frame);
  const guides = useInteraction((interaction) => interaction.guides);
  const connection = useInteraction((interaction) => interaction.connecting);
  const [x, y, zoom] = useStore((state) => state.transform);
  if (!frame && guides.length === 0 && !connection) return null;
  return (
    <svg className={styles.lines} aria-hidden>
      <g transform={`translate(${x} ${y}) scale(${zoom})`}>
        {frame && <rect className={styles.frame} {...frame} />}
        {guides.map(({ axis, at, from: start, to: end }) =>
          axis === 'x' ? (
            <line key={`x${at}`} className={styles.guide} x1={at} x2={at} y1={start} y2={end} />
          ) : (
            <line key={`y${at}`} className={styles.guide} y1={at} y2={at} x1={start} x2={end} />
          ),
        )}
        {connection && (
          <line
            className={styles.connection}
            x1={connection.start.x}
            y1={connection.start.y}
            x2={connection.to.x}
            y2={connection.to.y}
          />
        )}
      </g>
    </svg>
  );
}
