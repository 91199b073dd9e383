/** The text of a comment: Markdown as elements, with links to mentioned components. */
import type { ThreadMessage } from '@/api/generated';
import { splitMentions } from '@/core/comments/mentions';
import { setSelection } from '@/map/state/view';
import { NoteText } from '@/ui/NoteText';
import { useNoteBlocks } from '@/ui/noteBlocks';
import { useWorkspace } from '@/workspace/store';
import styles from './Comments.module.css';

interface Props {
  text: string;
  mentions: ThreadMessage['mentions'];
}

export function CommentText({ text, mentions }: Props) {
  const blocks = useNoteBlocks(text);
  const components = useWorkspace((state) => state.rows?.component);
  const logins = new Set(mentions.map(({ login }) => login?.toLowerCase()));
  const renderText = (plain: string) =>
    splitMentions(
      plain,
      (login) => logins.has(login.toLowerCase()),
      (id) => components?.has(id) ?? false,
    ).map(({ text: part, login, componentId }, at) => {
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity
      if (login) return <strong key={at}>{part}</strong>;
      if (!componentId) return part;
      return (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity
          key={at}
          type="button"
          className={styles.reference}
          title={components?.get(componentId)?.name}
          onClick={() => setSelection([componentId])}
        >
          {part}
        </button>
      );
    });
  return <NoteText blocks={blocks} renderText={renderText} />;
}
