/** Suggestions for tags and technologies: values in this workspace, and technologies with a logo. */
import { Cpu } from 'lucide-react';
import { useMemo } from 'react';
import { completeKeyword, suggestKeywords, usedKeywords } from '@/core/model/keywords';
import type { Rows } from '@/core/sync/rows';
import { loadTechnologies, TechnologyIcon, useTechnologyNames } from '@/ui/TechnologyIcon';
import type { Suggestions } from './useSuggestions';

const MAX_SUGGESTIONS = 8;

export function useTagSuggestions({ component }: Pick<Rows, 'component'>): Suggestions {
  return useMemo(
    () => ({
      find: (text) => suggestKeywords(text, usedTags(component), MAX_SUGGESTIONS),
      complete: completeKeyword,
    }),
    [component],
  );
}

const usedTags = (component: Rows['component']) =>
  usedKeywords([...component.values()].map(({ tags }) => tags));

export function useTechnologySuggestions({
  component,
  relationship,
}: Pick<Rows, 'component' | 'relationship'>): Suggestions {
  const names = useTechnologyNames();
  return useMemo(
    () => ({
      load: () => void loadTechnologies(),
      find: (text) => {
        const rows = [...component.values(), ...relationship.values()];
        const used = usedKeywords(rows.map(({ technology }) => technology));
        return suggestKeywords(text, [...used, ...names], MAX_SUGGESTIONS);
      },
      complete: completeKeyword,
      icon: (name) => (
        <TechnologyIcon technologies={[name]} size={16}>
          <Cpu size={16} aria-hidden />
        </TechnologyIcon>
      ),
    }),
    [component, relationship, names],
  );
}
