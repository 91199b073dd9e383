/** The logo of a component's technology. Logos are loaded when the first component with a technology is shown. */
import { type ReactNode, useEffect } from 'react';
import { create } from 'zustand';
import {
  findTechnology,
  LOGO_SIZE,
  type TechnologyIndex,
  technologyIndex,
} from '@/core/drawing/technologies';

const useLogos = create<{ index: TechnologyIndex | null }>()(() => ({ index: null }));

let loading: Promise<void> | null = null;

function loadLogos(): void {
  if (loading) return;
  loading = import('@/core/drawing/technologies.json').then(
    ({ default: technologies }) => useLogos.setState({ index: technologyIndex(technologies) }),
    () => {
      // Offline, or the server was updated. The type icons stay, and the next card retries.
      loading = null;
    },
  );
}

interface Props {
  technologies: readonly string[];
  size: number;
  /** Shown if no technology has a logo. */
  children: ReactNode;
}

export function TechnologyIcon({ technologies, size, children }: Props) {
  const index = useLogos((logos) => logos.index);
  const isWanted = technologies.length > 0;
  useEffect(() => {
    if (isWanted && !index) loadLogos();
  }, [isWanted, index]);
  const found = index && isWanted ? findTechnology(index, technologies) : undefined;
  if (!found) return children;
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${LOGO_SIZE} ${LOGO_SIZE}`}
      fill="currentColor"
      data-technology={found.title}
      aria-hidden
    >
      <path d={found.path} />
    </svg>
  );
}
