/** The thumbnail on a card, loaded when the card first becomes visible. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Workspace } from '@/api/generated';
import { drawThumbnail } from '@/core/digest/thumbnail';
import { useCatalogue } from '@/data/queries';
import { cardStyle } from '@/ui/cardStyle';
import styles from './MapThumbnail.module.css';
import { useDigest } from './useDigests';

export function MapThumbnail({ workspace }: { workspace: Workspace }) {
  const place = useRef<HTMLDivElement>(null);
  const seen = useVisibleOnce(place);
  const digest = useDigest(workspace, seen).data;
  const types = useCatalogue().data?.componentTypes;
  const drawn = useMemo(() => {
    const colors = new Map(types?.map(({ id, color }) => [id, color]));
    return digest && drawThumbnail(digest, (typeId) => colors.get(typeId) ?? 'currentColor');
  }, [digest, types]);
  return (
    <div className={styles.place} ref={place} aria-hidden>
      {drawn && (
        <svg aria-hidden className={styles.map} viewBox={drawn.viewBox} preserveAspectRatio="xMidYMid meet">
          <path className={styles.outline} d={drawn.outlines} strokeWidth={drawn.stroke} />
          <path className={styles.line} d={drawn.lines} strokeWidth={drawn.stroke} />
          {drawn.boxes.map(({ color, path }) => (
            <path
              key={color}
              className={styles.box}
              d={path}
              style={{ ...cardStyle(color), fill: 'var(--card-edge)' }}
              strokeWidth={drawn.stroke / 2}
            />
          ))}
        </svg>
      )}
      {digest && !drawn && <span className={styles.emptyMessage}>Empty map</span>}
    </div>
  );
}

/** Whether the element has been visible. */
function useVisibleOnce(place: React.RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        setSeen(true);
        observer.disconnect();
      },
      { rootMargin: '200px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [place]);
  return seen;
}
