import { expect, it } from 'vitest';
import { participantMatcher } from './matchParticipants';
import { newProcessId } from './newProcess';
import { grammarText, processTextProblem } from './source';

const find = participantMatcher([
  { id: 'geo-dns', name: 'Geo DNS' },
  { id: 'core-databases', name: 'Core databases' },
  { id: 'wikidata-query', name: 'Wikidata Query Service' },
]);

it('finds equal names in different spellings, aliases, and similar names', () => {
  expect(find('dns', 'geo dns')?.id).toBe('geo-dns');
  expect(find('geo_dns')?.id).toBe('geo-dns');
  expect(find('db', 'Core database')?.id).toBe('core-databases');
  expect(find('Wikidata query services')?.id).toBe('wikidata-query');
});

it('finds nothing if no name is similar', () => {
  for (const name of ['', 'x', 'Stream', '漢字', '%', '<script>', 'a'.repeat(10_000)])
    expect(find(name)).toBeUndefined();
});

it('creates valid IDs from any name', () => {
  const taken = new Set(['check-out', 'process']);
  for (const name of ['Check out', 'Größe & <b>', '漢字', '', 'x', '--', 'y'.repeat(10_000)]) {
    const id = newProcessId(name, (candidate) => taken.has(candidate));
    expect(id).toMatch(/^[a-z0-9][a-z0-9-]{0,48}[a-z0-9]$/);
    expect(taken.has(id)).toBe(false);
    taken.add(id);
  }
});

it('reports errors that the server would report', () => {
  expect(processTextProblem('sequenceDiagram\nA->>B: x')).toBe('');
  expect(processTextProblem('%% about\n\n  sequenceDiagram')).toBe('');
  expect(processTextProblem('')).toContain('sequenceDiagram');
  expect(processTextProblem('flowchart TD')).toContain('sequenceDiagram');
  expect(processTextProblem(`sequenceDiagram\n${'é'.repeat(140_000)}`)).toContain('256 KiB');
});

it('keeps line numbers when parts are removed that Mermaid ignores', () => {
  const { text, lines } = grammarText('---\ntitle: x\n---\n\n%% a\nsequenceDiagram\n%% b\nA->>B: x');
  expect(text.split('\n')).toEqual(['sequenceDiagram', 'A->>B: x']);
  expect(lines).toEqual([6, 8]);
});
