/** The map itself: elements for what is near, a drawing for the rest, and the hands that work on both. */
import '@xyflow/react/dist/base.css';
import { type Node, ReactFlow } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import type { Rect } from '@/core/scene/geometry';
import { type Scene, TITLE } from '@/core/scene/scene';
import { useView } from '../view';
import { useAddress } from './address';
import styles from './Canvas.module.css';
import { ComponentNode } from './ComponentNode';
import { look, MAX_ZOOM, MIN_ZOOM, mountCamera, useCamera, type Viewport } from './camera';
import { Empty } from './Empty';
import { useFolds } from './folds';
import { mountHands } from './hands';
import { letGo, useHold } from './hold';
import { Joining } from './Joining';
import { useMapKeys } from './keys';
import { Layer } from './Layer';
import { askForMenu } from './menu';
import { flowNodes } from './nodes';
import { Overlay } from './Overlay';
import { mountRest } from './rest';
import { usePlaces, useScene } from './scenes';
import { useWheel } from './wheel';

const NODE_TYPES = { component: ComponentNode };
const NONE: Node[] = [];
const lookOn = (viewport: Viewport) => look(viewport);

export function Canvas() {
  const canvas = useRef<HTMLDivElement>(null);
  const tool = useView((view) => view.tool);
  const isEmpty = useScene().nodes.length === 0;
  const far = useCamera((camera) => camera.far);
  // First of all: what is seen depends on it.
  useFolds();
  useEffect(() => {
    if (!canvas.current) return;
    const away = [mountCamera(canvas.current), mountHands(canvas.current), mountRest(canvas.current), letGo];
    return () => {
      for (const take of away) take();
    };
  }, []);
  useAddress();
  useMapKeys(canvas);
  return (
    <section
      ref={canvas}
      className={styles.canvas}
      aria-label="Map"
      data-canvas
      data-tool={tool}
      data-far={far || undefined}
      onContextMenu={askForMenu}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the map takes keys
      tabIndex={0}
    >
      <a className={styles.skip} href="#map-tools">
        Skip map
      </a>
      <Flow />
      {isEmpty && <Empty />}
      <Joining />
      <Said />
    </section>
  );
}

/** For those who do not see which line is lit. */
function Said() {
  const said = useHold((hold) => hold.said);
  return (
    <span className="unseen" role="status">
      {said}
    </span>
  );
}

function only(built: ReadonlySet<string> | null, scene: Scene, rects: readonly Rect[]): Node[] {
  if (built?.size === 0) return NONE;
  const all = flowNodes(scene, rects, TITLE);
  return built ? all.filter(({ id }) => built.has(id)) : all;
}

function Flow() {
  const viewport = useCamera((camera) => camera.viewport);
  const built = useCamera((camera) => camera.built);
  const isAimed = useCamera((camera) => camera.isAimed);
  const scene = useScene();
  const rects: readonly Rect[] = usePlaces();
  const wheel = useWheel();
  return (
    <ReactFlow
      nodes={isAimed ? only(built, scene, rects) : NONE}
      nodeTypes={NODE_TYPES}
      viewport={viewport}
      onViewportChange={lookOn}
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
      proOptions={{ hideAttribution: true }}
      aria-label="Components"
    >
      <Layer />
      <Overlay />
    </ReactFlow>
  );
}
