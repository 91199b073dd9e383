/** What was read from files: counts, messages with file and line, and what has no counterpart on a map. */
import { Info, TriangleAlert } from 'lucide-react';
import type { ConvertedFiles, ReadingCounts, ReadingDiagnostic } from '@/api/generated';
import { placeText } from '@/core/importing/places';
import { formatCount } from '@/core/text';
import { CodeText } from '@/ui/CodeText';
import styles from './Import.module.css';

/** Maximum number of messages in the list. */
const MAX_SHOWN = 200;

const COUNTS: readonly (readonly [keyof ReadingCounts, string])[] = [
  ['components', 'component'],
  ['relationships', 'relationship'],
  ['processes', 'process'],
  ['views', 'view'],
  ['teams', 'team'],
  ['people', 'person'],
];

const PLURALS: Readonly<Record<string, string>> = { process: 'processes', person: 'people' };

/** The format and what was found, as one line. */
export function readText({ formatName, counts }: ConvertedFiles): string {
  const found = COUNTS.flatMap(([part, one]) => {
    const count = counts[part];
    if (count === 0) return [];
    const many = PLURALS[one];
    return [count > 1 && many ? `${count.toLocaleString('en')} ${many}` : formatCount(count, one)];
  });
  return `${formatName}: ${found.length > 0 ? found.join(', ') : 'nothing to import'}`;
}

export function ReadSummary({ read }: { read: ConvertedFiles }) {
  const { diagnostics, diagnosticCount, ignored } = read;
  const left = Object.entries(ignored);
  if (diagnostics.length === 0 && left.length === 0) return null;
  const isSerious = diagnostics.some(({ severity }) => severity !== 'info');
  return (
    <details className={styles.messages} open={diagnostics.some(({ severity }) => severity === 'error')}>
      <summary>
        {isSerious ? <TriangleAlert size={16} aria-hidden /> : <Info size={16} aria-hidden />}{' '}
        {diagnosticCount > 0 && formatCount(diagnosticCount, 'message')}
        {diagnosticCount > 0 && left.length > 0 && ', '}
        {left.length > 0 && `${formatCount(sum(left), 'item')} without a counterpart on the map`}
      </summary>
      <ul>
        {diagnostics.slice(0, MAX_SHOWN).map((diagnostic, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages may be equal, and the list never changes
          <Message key={at} diagnostic={diagnostic} />
        ))}
        {diagnosticCount > Math.min(diagnostics.length, MAX_SHOWN) && (
          <li>
            … and {(diagnosticCount - Math.min(diagnostics.length, MAX_SHOWN)).toLocaleString('en')} more
          </li>
        )}
        {left.map(([name, count]) => (
          <li key={name} className={styles.soft}>
            Not imported: {name} ({count.toLocaleString('en')})
          </li>
        ))}
      </ul>
    </details>
  );
}

function Message({ diagnostic: { severity, file, line, text } }: { diagnostic: ReadingDiagnostic }) {
  return (
    <li data-severity={severity}>
      {file && <code>{placeText(file, line)}</code>} <CodeText text={text} />
    </li>
  );
}

/** How rows of the files were matched with those of the map: rows that other sources have too, and names that are not sure. */
export function MatchMessages({ diagnostics }: { diagnostics: readonly ReadingDiagnostic[] }) {
  if (diagnostics.length === 0) return null;
  const isSerious = diagnostics.some(({ severity }) => severity !== 'info');
  return (
    <details className={styles.messages} open={isSerious}>
      <summary>
        {isSerious ? <TriangleAlert size={16} aria-hidden /> : <Info size={16} aria-hidden />}{' '}
        {formatCount(diagnostics.length, 'message')} about matching components
      </summary>
      <ul>
        {diagnostics.map((diagnostic, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages may be equal, and the list never changes
          <Message key={at} diagnostic={diagnostic} />
        ))}
      </ul>
      {diagnostics.some(({ text }) => text.includes('`same:')) && (
        <p className={styles.soft}>
          <code>same</code> is a key of <code>planroom.yaml</code>, the configuration of{' '}
          <code>planroom sync</code>.
        </p>
      )}
    </details>
  );
}

function sum(entries: readonly (readonly [string, number])[]): number {
  return entries.reduce((total, [, count]) => total + count, 0);
}
