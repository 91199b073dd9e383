/** Marks for open comments: on components, on lines, and at points of the map. */
import { ViewportPortal } from '@xyflow/react';
import { MessageSquare, TriangleAlert } from 'lucide-react';
import { memo, useDeferredValue, useMemo } from 'react';
import type { AnchorCounts, CommentOverview, ThreadPoint } from '@/api/generated';
import { describeCounts, openAnchors } from '@/core/comments/overview';
import { visibleRoutes } from '@/core/route/mapRoutes';
import type { Point } from '@/core/scene/geometry';
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
  // The map is painted before its marks.
  const data = useDeferredValue(useCommentOverview(workspaceId).data, undefined);
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

const Mark = memo(function Mark({ counts, name, at, of, onClick }: MarkProps) {
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
});

/** Size of the squares of the map whose marks are rendered together. */
const TILE = 400;

/** Marks in the visible squares, so that they are not rendered in each frame while the map moves. */
function VisibleMarks({ marks }: { marks: readonly MarkProps[] }) {
  const tiles = useCamera(visibleTiles);
  const [left = 0, top = 0, right = 0, bottom = 0] = tiles.split(' ').map((tile) => Number(tile) * TILE);
  return marks
    .filter(({ at }) => at.x >= left && at.x <= right && at.y >= top && at.y <= bottom)
    .slice(0, MAX_MARKS)
    .map((mark) => <Mark key={mark.of} {...mark} />);
}

/** The edges of the visible squares: left, top, right, bottom. */
function visibleTiles(): string {
  const { x, y, width, height } = visibleRect();
  const [right, bottom] = [Math.ceil((x + width) / TILE), Math.ceil((y + height) / TILE)];
  return [Math.floor(x / TILE), Math.floor(y / TILE), right, bottom].join(' ');
}

function ComponentMarks({ overview }: { overview: CommentOverview }) {
  const scene = useScene();
  const rects = useRects();
  const marks = useMemo(() => {
    const open = openAnchors(overview, 'component');
    return scene.nodes.flatMap(({ id, component: { name } }, at): MarkProps[] => {
      const counts = open.get(id);
      const rect = rects[at];
      if (!counts || !rect) return [];
      const onClick = () => showComments({ type: 'component', id });
      return [{ of: id, name, counts, at: { x: rect.x + 14, y: rect.y }, onClick }];
    });
  }, [overview, scene, rects]);
  return <VisibleMarks marks={marks} />;
}

function LineMarks({ overview }: { overview: CommentOverview }) {
  const open = useMemo(() => openAnchors(overview, 'relationship'), [overview]);
  return open.size > 0 ? <MarksOnLines open={open} /> : null;
}

function MarksOnLines({ open }: { open: ReadonlyMap<string, AnchorCounts> }) {
  const { scene, now } = useRoutes();
  const rects = useRects();
  const marks = useMemo(() => {
    const routes = visibleRoutes(now, scene, false);
    return scene.lines.flatMap((line): MarkProps[] => {
      const found = line.ids.flatMap((id) => open.get(id) ?? []);
      const [first] = found;
      if (!first) return [];
      const { x, y } = middleOfPath(linePath(scene, rects, line, routes.get(line.id)));
      const [from, to] = [scene.nodes[line.from], scene.nodes[line.to]];
      const name = `${from?.component.name} → ${to?.component.name}`;
      const counts = { open: sum(found, 'open'), inaccurate: sum(found, 'inaccurate') };
      const onClick = () => showComments({ type: 'relationship', ...(first.id ? { id: first.id } : {}) });
      return [{ of: line.id, name, counts, at: { x, y: y - 12 }, onClick }];
    });
  }, [open, scene, now, rects]);
  return <VisibleMarks marks={marks} />;
}

function sum(counts: readonly AnchorCounts[], field: 'open' | 'inaccurate'): number {
  return counts.reduce((all, one) => all + one[field], 0);
}

function PointMarks({ points }: { points: readonly ThreadPoint[] }) {
  const view = useOpenView();
  const viewId = view && !view.isPersonal ? view.view.id : undefined;
  const marks = useMemo(() => {
    const shown = points.filter((point) => point.viewId === viewId);
    return shown.map(({ threadId, x, y, kind }): MarkProps => {
      const counts = { open: 1, inaccurate: kind === 'inaccurate' ? 1 : 0 };
      return { of: threadId, name: 'Point', counts, at: { x, y }, onClick: () => showThread(threadId) };
    });
  }, [points, viewId]);
  return view?.isPersonal ? null : <VisibleMarks marks={marks} />;
}
