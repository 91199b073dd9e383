/** Participants find the components that are called like them, and ids are made that the server takes. */
import { expect, it } from 'vitest';
import { participantMatcher } from './matchParticipants';
import { newProcessId } from './newProcess';
import { grammarText, processTextProblem } from './source';

const find = participantMatcher([
  { id: 'geo-dns', name: 'Geo DNS' },
  { id: 'core-databases', name: 'Core databases' },
  { id: 'wikidata-query', name: 'Wikidata Query Service' },
]);

it('finds the same name in another spelling, by alias, and a name that is nearly the same', () => {
  expect(find('dns', 'geo dns')?.id).toBe('geo-dns');
  expect(find('geo_dns')?.id).toBe('geo-dns');
  expect(find('db', 'Core database')?.id).toBe('core-databases');
  expect(find('Wikidata query services')?.id).toBe('wikidata-query');
});

it('finds nothing where nothing is alike, whatever the name', () => {
  for (const name of ['', 'x', 'Stream', '漢字', '%', '<script>', 'a'.repeat(10_000)])
    expect(find(name)).toBeUndefined();
});

it('makes ids of any name', () => {
  const taken = new Set(['check-out', 'process']);
  for (const name of ['Check out', 'Größe & <b>', '漢字', '', 'x', '--', 'y'.repeat(10_000)]) {
    const id = newProcessId(name, (one) => taken.has(one));
    expect(id).toMatch(/^[a-z0-9][a-z0-9-]{0,48}[a-z0-9]$/);
    expect(taken.has(id)).toBe(false);
    taken.add(id);
  }
});

it('says before saving what the server would not take', () => {
  expect(processTextProblem('sequenceDiagram\nA->>B: x')).toBe('');
  expect(processTextProblem('%% about\n\n  sequenceDiagram')).toBe('');
  expect(processTextProblem('')).toContain('sequenceDiagram');
  expect(processTextProblem('flowchart TD')).toContain('sequenceDiagram');
  expect(processTextProblem(`sequenceDiagram\n${'é'.repeat(140_000)}`)).toContain('256 KiB');
});

it('knows the lines of a text without what mermaid leaves out', () => {
  const { text, lines } = grammarText('---\ntitle: x\n---\n\n%% a\nsequenceDiagram\n%% b\nA->>B: x');
  expect(text.split('\n')).toEqual(['sequenceDiagram', 'A->>B: x']);
  expect(lines).toEqual([6, 8]);
});
