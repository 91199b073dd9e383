/** The map: elements for components at a readable zoom, a canvas for everything else, and gestures. */
import '@xyflow/react/dist/base.css';
import { type Node as FlowNode, ReactFlow } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import type { CardSizes } from '@/core/scene/cardSizes';
import type { Rect } from '@/core/scene/geometry';
import { GROUP_TITLE_HEIGHT, type Scene } from '@/core/scene/scene';
import { detailAt } from '@/map/drawing/detail';
import { flowNodes } from '@/map/drawing/flowNodes';
import { mountComponentDrop } from '@/map/gestures/componentDrop';
import { handleContextMenu } from '@/map/gestures/contextMenu';
import { mountFileDrop } from '@/map/gestures/fileDrop';
import { useMapKeyboard } from '@/map/gestures/keyboard';
import { mountLongPress } from '@/map/gestures/longPress';
import { mountPointerGestures } from '@/map/gestures/pointer';
import { MAX_ZOOM, MIN_ZOOM, setViewport, useCamera, type Viewport } from '@/map/state/camera';
import { mountCamera } from '@/map/state/framing';
import { cancelInteraction, useInteraction, useUploads } from '@/map/state/interaction';
import { useCommittedNotes } from '@/map/state/notes';
import { usePicking } from '@/map/state/picking';
import { currentSizes, useRects, useScene } from '@/map/state/scenes';
import { useMapUrl } from '@/map/state/urlState';
import { useView } from '@/map/state/view';
import { useViewUrl } from '@/map/state/viewUrl';
import { useWheelBehavior } from '@/map/state/wheel';
import styles from './Canvas.module.css';
import { CanvasLayer } from './CanvasLayer';
import { ComponentNode } from './ComponentNode';
import { EmptyMap } from './EmptyMap';
import { NotesBehind, NotesInFront } from './NoteLayers';
import { Overlay } from './Overlay';
import { PlacingHint } from './PlacingHint';

const NODE_TYPES = { component: ComponentNode };
const NONE: FlowNode[] = [];
const onViewportChange = (viewport: Viewport) => setViewport(viewport);

export function Canvas() {
  const canvas = useRef<HTMLDivElement>(null);
  const tool = useView((view) => view.tool);
  const isPicking = usePicking(({ pick }) => pick !== null);
  const hasNotes = useCommittedNotes().length > 0;
  const isUploading = useUploads(({ uploads }) => uploads.length > 0);
  const isEmpty = useScene().nodes.length === 0 && !hasNotes && !isUploading;
  const placing = useInteraction((interaction) => interaction.placing);
  const isOverview = useCamera((camera) => camera.isOverview);
  const detail = useCamera((camera) => detailAt(camera.viewport.zoom));
  // Must be called first, because the scene depends on it.
  useViewUrl();
  useEffect(() => {
    if (!canvas.current) return;
    const cleanups = [
      mountCamera(canvas.current),
      mountPointerGestures(canvas.current),
      mountLongPress(canvas.current),
      mountFileDrop(canvas.current),
      mountComponentDrop(canvas.current),
      cancelInteraction,
    ];
    return () => {
      for (const take of cleanups) take();
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
      data-picking={isPicking || undefined}
      data-placing={placing ?? undefined}
      data-overview={isOverview || undefined}
      data-detail={detail}
      onContextMenu={handleContextMenu}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the map handles keyboard events
      tabIndex={0}
    >
      <a className={styles.skip} href="#map-tools">
        Skip map
      </a>
      <Flow />
      {isEmpty && <EmptyMap />}
      <PlacingHint />
      <LiveRegion />
    </section>
  );
}

/** Announces selected relationships to screen readers. */
function LiveRegion() {
  const announcement = useInteraction((interaction) => interaction.announcement);
  return (
    <span className="unseen" role="status">
      {announcement}
    </span>
  );
}

function renderedNodes(
  rendered: ReadonlySet<string> | null,
  scene: Scene,
  rects: readonly Rect[],
  sizes: CardSizes,
): FlowNode[] {
  if (rendered?.size === 0) return NONE;
  const { moving } = useInteraction.getState();
  const all = flowNodes(scene, rects, sizes, GROUP_TITLE_HEIGHT, (id) => moving?.has(id) ?? false);
  return rendered ? all.filter(({ id }) => rendered.has(id)) : all;
}

function Flow() {
  const viewport = useCamera((camera) => camera.viewport);
  const rendered = useCamera((camera) => camera.rendered);
  const isPositioned = useCamera((camera) => camera.isPositioned);
  const scene = useScene();
  const rects: readonly Rect[] = useRects();
  const wheel = useWheelBehavior();
  return (
    <ReactFlow
      nodes={isPositioned ? renderedNodes(rendered, scene, rects, currentSizes()) : NONE}
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
      <NotesBehind />
      <CanvasLayer />
      <NotesInFront />
      <Overlay />
    </ReactFlow>
  );
}
