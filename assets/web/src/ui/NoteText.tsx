/** The text of a note: headings, lists, emphasis, code and links as elements, never as HTML. */
import { Fragment, type ReactNode } from 'react';
import type { Block, Line, Run } from '@/core/notes/markdown';
import styles from './NoteText.module.css';

interface Props {
  blocks: readonly Block[];
  /** -1 where the keyboard reaches links elsewhere. */
  linkTabIndex?: -1;
  /** The level of the highest headings in the outline of the page. Default: headings are not part of it. */
  outline?: 2 | 3;
  /** Renders plain text, which is neither code nor a link. */
  renderText?: (text: string) => ReactNode;
}

export function NoteText({ blocks, outline, ...rest }: Props) {
  // Texts usually begin with headings of the second level.
  const top = Math.min(3, ...blocks.map(({ level = 3 }) => level));
  const options = { ...rest, ...(outline ? { firstHeading: outline - top + 1 } : {}) };
  return (
    <div className={styles.text}>
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity
        <NoteBlock key={at} block={block} {...options} />
      ))}
    </div>
  );
}

interface Options extends Omit<Props, 'blocks' | 'outline'> {
  /** The level of a heading `#` in the outline of the page. */
  firstHeading?: number;
}

interface BlockProps extends Options {
  block: Block;
}

function NoteBlock({ block: { kind, level, depth, marker, lines, cells }, ...options }: BlockProps) {
  if (kind === 'rule') return <hr />;
  if (kind === 'table') return <NoteTable cells={cells ?? []} {...options} />;
  const content = lines.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
    <Fragment key={at}>
      {at > 0 && <br />}
      {runsOf(line, options)}
    </Fragment>
  ));
  const style = depth > 0 ? { marginLeft: `calc(${depth} * var(--indent))` } : undefined;
  if (kind === 'item') {
    return (
      <div className={styles.item} style={style}>
        <span className={styles.marker}>{marker}</span>
        <span>{content}</span>
      </div>
    );
  }
  if (kind === 'heading' && options.firstHeading !== undefined) {
    const Heading = `h${options.firstHeading + (level ?? 3) - 1}` as 'h2';
    return <Heading className={styles[`heading${level ?? 3}`]}>{content}</Heading>;
  }
  // The headings of notes are not part of the outline of the page.
  const className =
    kind === 'heading' ? styles[`heading${level ?? 3}`] : kind === 'code' ? styles.code : undefined;
  return (
    <p className={className} style={style}>
      {content}
    </p>
  );
}

function NoteTable({ cells, ...options }: Options & { cells: readonly (readonly Line[])[] }) {
  const [header = [], ...rows] = cells;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section className={styles.table} tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity
              <th key={at} scope="col">
                {runsOf(cell, options)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity
            <tr key={at}>
              {row.map((cell, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity
                <td key={place}>{runsOf(cell, options)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function runsOf(line: Line, options: Options): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: runs have no identity
  return line.map((run, at) => <Fragment key={at}>{styled(run, options)}</Fragment>);
}

function styled(
  { text, bold, italic, code, struck, href }: Run,
  { linkTabIndex, renderText }: Options,
): ReactNode {
  let node: ReactNode = renderText && !code && !href ? renderText(text) : text;
  if (code) node = <code>{node}</code>;
  if (struck) node = <s>{node}</s>;
  if (italic) node = <em>{node}</em>;
  if (bold) node = <strong>{node}</strong>;
  if (!href) return node;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      tabIndex={linkTabIndex}
      draggable={false}
    >
      {node}
    </a>
  );
}
