/** The logo of a component's technology. Logos are loaded when the first component with a technology is shown. */
import { type ReactNode, useEffect } from 'react';
import { create } from 'zustand';
import {
  findTechnology,
  LOGO_SIZE,
  type Technology,
  type TechnologyIndex,
  technologyIndex,
} from '@/core/drawing/technologies';
// A file instead of a module, because the server reads it too, and embeds it only once.
import technologiesFile from '@/core/drawing/technologies.json?url';
import { memoizeLast } from '@/core/scene/memoize';

/** A logo and its ID. */
export interface LogoItem {
  id: string;
  name: string;
}

const NO_LOGOS: readonly LogoItem[] = [];
const useLogos = create<{ index: TechnologyIndex | null; items: readonly LogoItem[] }>()(() => ({
  index: null,
  items: NO_LOGOS,
}));

let loading: Promise<void> | null = null;

/** Loads the logos, once. */
export function loadTechnologies(): Promise<void> {
  loading ??= importLogos();
  return loading;
}

async function importLogos(): Promise<void> {
  try {
    const technologies = await readLogos();
    useLogos.setState({
      index: technologyIndex(technologies),
      items: Object.entries(technologies)
        .map(([id, { title }]) => ({ id, name: title }))
        .sort((a, b) => a.name.localeCompare(b.name)),
    });
  } catch {
    // Offline, or the server was updated. The type icons stay, and the next card retries.
    loading = null;
  }
}

async function readLogos(): Promise<Record<string, Technology>> {
  const response = await fetch(technologiesFile);
  if (!response.ok) throw new Error(`The logos could not be loaded (${response.status}).`);
  return response.json() as Promise<Record<string, Technology>>;
}

/** The first of several technologies that has a logo, if the logos are loaded. */
export function loadedTechnology(technologies: readonly string[]): Technology | undefined {
  const { index } = useLogos.getState();
  return index ? findTechnology(index, technologies) : undefined;
}

const NO_NAMES: readonly string[] = [];
const namesOf = memoizeLast((index: TechnologyIndex): readonly string[] => [
  ...new Set([...index.values()].map(({ title }) => title)),
]);

/** The names of all technologies with a logo, once they are loaded. */
export function useTechnologyNames(): readonly string[] {
  const index = useLogos((logos) => logos.index);
  return index ? namesOf(index) : NO_NAMES;
}

/** All logos by name, once they are loaded. Loads them. */
export function useLogoItems(): readonly LogoItem[] {
  useEffect(() => void loadTechnologies(), []);
  return useLogos((logos) => logos.items);
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
    if (isWanted && !index) void loadTechnologies();
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
