/** Resizes a panel on the right: drag, arrow keys, double-click to reset. */
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import styles from './ResizeHandle.module.css';

interface Props {
  label: string;
  panel: RefObject<HTMLElement | null>;
  /** Limits in pixels. */
  min: number;
  max: number;
  onResize: (width: number) => void;
  onReset: () => void;
}

/** Pixels per key press. */
const STEP = 16;

export function ResizeHandle({ label, panel, min, max, onResize, onReset }: Props) {
  const [width, setWidth] = useState(min);
  /** The width minus the pointer position during a drag. */
  const offset = useRef(0);
  useEffect(() => {
    if (!panel.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? min)));
    observer.observe(panel.current);
    return () => observer.disconnect();
  }, [panel, min]);
  const current = () => panel.current?.getBoundingClientRect().width ?? width;
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    offset.current = current() + event.clientX;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const widths: Record<string, number> = {
      ArrowLeft: current() + STEP,
      ArrowRight: current() - STEP,
      Home: min,
      End: max,
    };
    const next = widths[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onResize(next);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a focusable separator with a value, which hr does not support
    <div
      role="separator"
      tabIndex={0}
      className={styles.handle}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={Math.min(max, Math.max(min, width))}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => event.buttons === 1 && onResize(offset.current - event.clientX)}
      onDoubleClick={onReset}
      onKeyDown={onKeyDown}
    />
  );
}
