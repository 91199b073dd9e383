/** The text of a note: headings, lists, emphasis, code and links as elements, never as HTML. */
import { Fragment, type ReactNode } from 'react';
import type { Block, Line, Run } from '@/core/notes/markdown';
import styles from './NoteText.module.css';

/** `linkTabIndex` is -1 where the keyboard reaches links elsewhere. */
export function NoteText({ blocks, linkTabIndex }: { blocks: readonly Block[]; linkTabIndex?: -1 }) {
  return (
    <div className={styles.text}>
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity
        <NoteBlock key={at} block={block} linkTabIndex={linkTabIndex} />
      ))}
    </div>
  );
}

interface BlockProps {
  block: Block;
  linkTabIndex: -1 | undefined;
}

function NoteBlock({ block: { kind, level, depth, marker, lines }, linkTabIndex }: BlockProps) {
  if (kind === 'rule') return <hr />;
  const content = lines.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
    <Fragment key={at}>
      {at > 0 && <br />}
      {runsOf(line, linkTabIndex)}
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
  // The headings of notes are not part of the outline of the page.
  const className =
    kind === 'heading' ? styles[`heading${level ?? 3}`] : kind === 'code' ? styles.code : undefined;
  return (
    <p className={className} style={style}>
      {content}
    </p>
  );
}

function runsOf(line: Line, linkTabIndex: -1 | undefined): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: runs have no identity
  return line.map((run, at) => <Fragment key={at}>{styled(run, linkTabIndex)}</Fragment>);
}

function styled({ text, bold, italic, code, struck, href }: Run, linkTabIndex: -1 | undefined): ReactNode {
  let node: ReactNode = text;
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
