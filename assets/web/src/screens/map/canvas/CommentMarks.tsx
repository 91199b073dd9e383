/** Marks for open comments: on components, on lines, and at points of the map. */
import { ViewportPortal } from '@xyflow/react';
import { MessageSquare, TriangleAlert } from 'lucide-react';
import type { AnchorCounts, CommentOverview, ThreadPoint } from '@/api/generated';
import { describeCounts, openAnchors } from '@/core/comments/overview';
import { visibleRoutes } from '@/core/route/mapRoutes';
import { overlaps, type Point, type Rect } from '@/core/scene/geometry';
import { linePath, middleOfPath } from '@/core/scene/linePath';
import { useCommentOverview } from '@/data/comments';
import { useCamera, visibleRect } from '@/map/state/camera';
import { showComments, showThread, useComments } from '@/map/state/comments';
import { useOpenView } from '@/map/state/openView';
import { useRoutes } from '@/map/state/routes';
import { useRects, useScene } from '@/map/state/scenes';
import { useWorkspace } from '@/workspace/store';
import styles from './CommentMarks.module.css';

/** Maximum number of marks that are drawn of each kind. */
const MAX_MARKS = 300;

export function CommentMarks() {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const isOverview = useCamera((camera) => camera.isOverview);
  const marks = useComments((comments) => comments.marks);
  const { data } = useCommentOverview(workspaceId);
  if (isOverview || !marks || !data || data.open === 0) return null;
  return (
    <ViewportPortal>
      <ComponentMarks overview={data} />
      <LineMarks overview={data} />
      <PointMarks points={data.points} />
    </ViewportPortal>
  );
}

interface MarkProps {
  counts: Pick<AnchorCounts, 'open' | 'inaccurate'>;
  name: string;
  at: Point;
  of: string;
  onClick: () => void;
}

function Mark({ counts, name, at, of, onClick }: MarkProps) {
  const text = `${name}: ${describeCounts(counts)}`;
  const Icon = counts.inaccurate > 0 ? TriangleAlert : MessageSquare;
  return (
    <button
      type="button"
      className={styles.mark}
      data-comments={of}
      data-inaccurate={counts.inaccurate > 0 || undefined}
      // The panel has the same threads for the keyboard.
      tabIndex={-1}
      aria-label={text}
      title={text}
      style={{ transform: `translate(${at.x}px, ${at.y}px) translate(-50%, -50%)` }}
      onClick={onClick}
    >
      <Icon size={13} aria-hidden />
      <span>{counts.open.toLocaleString('en')}</span>
    </button>
  );
}

function ComponentMarks({ overview }: { overview: CommentOverview }) {
  const scene = useScene();
  const rects = useRects();
  // Marks outside of the visible part are not rendered.
  useCamera((camera) => camera.viewport);
  const seen = visibleRect();
  const open = openAnchors(overview, 'component');
  if (open.size === 0) return null;
  const shown = scene.nodes
    .flatMap(({ id, component }, at) => {
      const counts = open.get(id);
      const rect = rects[at] as Rect;
      return counts && overlaps(rect, seen) ? [{ id, name: component.name, counts, rect }] : [];
    })
    .slice(0, MAX_MARKS);
  return shown.map(({ id, name, counts, rect }) => (
    <Mark
      key={id}
      of={id}
      name={name}
      counts={counts}
      at={{ x: rect.x + 14, y: rect.y }}
      onClick={() => showComments({ type: 'component', id })}
    />
  ));
}

function LineMarks({ overview }: { overview: CommentOverview }) {
  const open = openAnchors(overview, 'relationship');
  return open.size > 0 ? <MarksOnLines open={open} /> : null;
}

function MarksOnLines({ open }: { open: ReadonlyMap<string, AnchorCounts> }) {
  const { scene, now } = useRoutes();
  const rects = useRects();
  const routes = visibleRoutes(now, scene, false);
  return scene.lines
    .filter(({ ids }) => ids.some((id) => open.has(id)))
    .slice(0, MAX_MARKS)
    .map((line) => {
      const found = line.ids.flatMap((id) => open.get(id) ?? []);
      const [first] = found;
      if (!first) return null;
      const at = middleOfPath(linePath(scene, rects, line, routes.get(line.id)));
      const [from, to] = [scene.nodes[line.from], scene.nodes[line.to]];
      return (
        <Mark
          key={line.id}
          of={line.id}
          name={`${from?.component.name} → ${to?.component.name}`}
          counts={{ open: sum(found, 'open'), inaccurate: sum(found, 'inaccurate') }}
          at={{ x: at.x, y: at.y - 12 }}
          onClick={() => showComments({ type: 'relationship', ...(first.id ? { id: first.id } : {}) })}
        />
      );
    });
}

function sum(counts: readonly AnchorCounts[], field: 'open' | 'inaccurate'): number {
  return counts.reduce((all, one) => all + one[field], 0);
}

function PointMarks({ points }: { points: readonly ThreadPoint[] }) {
  const view = useOpenView();
  const viewId = view && !view.isPersonal ? view.view.id : undefined;
  if (view?.isPersonal) return null;
  return points
    .filter((point) => point.viewId === viewId)
    .slice(0, MAX_MARKS)
    .map(({ threadId, x, y, kind }) => (
      <Mark
        key={threadId}
        of={threadId}
        name="Point"
        counts={{ open: 1, inaccurate: kind === 'inaccurate' ? 1 : 0 }}
        at={{ x, y }}
        onClick={() => showThread(threadId)}
      />
    ));
}
