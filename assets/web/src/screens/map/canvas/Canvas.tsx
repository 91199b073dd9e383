/** The map itself: elements for what is near, a drawing for the rest, and the gestures on both. */
import '@xyflow/react/dist/base.css';
import { type Node, ReactFlow } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import type { Rect } from '@/core/scene/geometry';
import { GROUP_TITLE_HEIGHT, type Scene } from '@/core/scene/scene';
import { flowNodes } from '@/map/drawing/flowNodes';
import { handleContextMenu } from '@/map/gestures/contextMenu';
import { useMapKeyboard } from '@/map/gestures/keyboard';
import { mountLongPress } from '@/map/gestures/longPress';
import { mountPointerGestures } from '@/map/gestures/pointer';
import { MAX_ZOOM, MIN_ZOOM, mountCamera, setViewport, useCamera, type Viewport } from '@/map/state/camera';
import { useCollapsedGroups } from '@/map/state/collapsed';
import { cancelInteraction, useInteraction } from '@/map/state/interaction';
import { useRects, useScene } from '@/map/state/scenes';
import { useMapUrl } from '@/map/state/urlState';
import { useView } from '@/map/state/view';
import { useWheelBehavior } from '@/map/state/wheel';
import styles from './Canvas.module.css';
import { CanvasLayer } from './CanvasLayer';
import { ComponentNode } from './ComponentNode';
import { EmptyMap } from './EmptyMap';
import { Overlay } from './Overlay';
import { RelationshipTypePicker } from './RelationshipTypePicker';

const NODE_TYPES = { component: ComponentNode };
const NONE: Node[] = [];
const onViewportChange = (viewport: Viewport) => setViewport(viewport);

export function Canvas() {
  const canvas = useRef<HTMLDivElement>(null);
  const tool = useView((view) => view.tool);
  const isEmpty = useScene().nodes.length === 0;
  const far = useCamera((camera) => camera.isOverview);
  // First of all: what is seen depends on it.
  useCollapsedGroups();
  useEffect(() => {
    if (!canvas.current) return;
    const away = [
      mountCamera(canvas.current),
      mountPointerGestures(canvas.current),
      mountLongPress(canvas.current),
      cancelInteraction,
    ];
    return () => {
      for (const take of away) take();
    };
  }, []);
  useMapUrl();
  useMapKeyboard(canvas);
  return (
    <section
      ref={canvas}
      className={styles.canvas}
      aria-label="Map"
      data-canvas
      data-tool={tool}
      data-far={far || undefined}
      onContextMenu={handleContextMenu}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the map takes keys
      tabIndex={0}
    >
      <a className={styles.skip} href="#map-tools">
        Skip map
      </a>
      <Flow />
      {isEmpty && <EmptyMap />}
      <RelationshipTypePicker />
      <LiveRegion />
    </section>
  );
}

/** For those who do not see which line is lit. */
function LiveRegion() {
  const said = useInteraction((interaction) => interaction.announcement);
  return (
    <span className="unseen" role="status">
      {said}
    </span>
  );
}

function only(built: ReadonlySet<string> | null, scene: Scene, rects: readonly Rect[]): Node[] {
  if (built?.size === 0) return NONE;
  const all = flowNodes(scene, rects, GROUP_TITLE_HEIGHT);
  return built ? all.filter(({ id }) => built.has(id)) : all;
}

function Flow() {
  const viewport = useCamera((camera) => camera.viewport);
  const built = useCamera((camera) => camera.built);
  const isAimed = useCamera((camera) => camera.isAimed);
  const scene = useScene();
  const rects: readonly Rect[] = useRects();
  const wheel = useWheelBehavior();
  return (
    <ReactFlow
      nodes={isAimed ? only(built, scene, rects) : NONE}
      nodeTypes={NODE_TYPES}
      viewport={viewport}
      onViewportChange={onViewportChange}
      minZoom={MIN_ZOOM}
      maxZoom={MAX_ZOOM}
      onlyRenderVisibleElements
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      elementsSelectable={false}
      zoomOnDoubleClick={false}
      zoomOnScroll={wheel === 'zoom'}
      panOnScroll={wheel === 'pan'}
      zoomOnPinch
      deleteKeyCode={null}
      selectionKeyCode={null}
      multiSelectionKeyCode={null}
      panActivationKeyCode={null}
      disableKeyboardA11y
      attributionPosition="bottom-left"
      aria-label="Components"
    >
      <CanvasLayer />
      <Overlay />
    </ReactFlow>
  );
}
