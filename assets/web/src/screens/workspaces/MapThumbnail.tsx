/** The thumbnail on a card, loaded when the card first becomes visible. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Workspace } from '@/api/generated';
import type { DigestComponent } from '@/core/digest/digest';
import { drawThumbnail } from '@/core/digest/thumbnail';
import { CUSTOM_TYPE_PROPERTY, customTypeOf } from '@/core/model/customTypes';
import { useCatalogue, useKinds } from '@/data/queries';
import { cardStyle } from '@/ui/cardStyle';
import { useTypes } from '@/workspace/types';
import styles from './MapThumbnail.module.css';
import { useDigest } from './useDigests';

export function MapThumbnail({ workspace }: { workspace: Workspace }) {
  const place = useRef<HTMLDivElement>(null);
  const seen = useVisibleOnce(place);
  const digest = useDigest(workspace, seen).data;
  const types = useCatalogue().data?.componentTypes;
  useKinds();
  const customTypes = useTypes((state) => state.types);
  const drawn = useMemo(() => {
    const colors = new Map(types?.map(({ id, color }) => [id, color]));
    const colorOf = ({ typeId, customType }: DigestComponent) =>
      customTypeOf(customTypes, { typeId, properties: { [CUSTOM_TYPE_PROPERTY]: customType } })?.color ??
      colors.get(typeId) ??
      'currentColor';
    return digest && drawThumbnail(digest, colorOf);
  }, [digest, types, customTypes]);
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
