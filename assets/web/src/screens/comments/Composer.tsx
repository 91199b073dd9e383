/** The form for a message, with a preview and suggestions for mentions. */
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { complete, openMention } from '@/core/comments/mentions';
import { MAX_COMMENT_CHARS } from '@/core/limits';
import { useMentionable } from '@/data/comments';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { useSubmit } from '@/ui/useSubmit';
import { useKeptInput } from '@/workspace/keptInput';
import { useWorkspace } from '@/workspace/store';
import styles from './Comments.module.css';
import { CommentText } from './CommentText';

interface Props {
  label: string;
  /** The ID of the input, which is kept until it is sent or canceled. */
  inputId: string;
  /** The text to edit. */
  value?: string;
  submitLabel: string;
  /** Fields before the text. */
  children?: ReactNode;
  onSubmit: (text: string) => Promise<unknown>;
  onCancel?: (() => void) | undefined;
  autoFocus?: boolean;
}

interface Suggestion {
  /** What is inserted. */
  name: string;
  title: string;
}

/** Maximum number of suggested components. */
const MAX_COMPONENTS = 8;

export function Composer({
  label,
  inputId,
  value = '',
  submitLabel,
  children,
  onSubmit,
  onCancel,
  autoFocus,
}: Props) {
  const { value: text, set: setText, clear } = useKeptInput(inputId, () => value);
  const [caret, setCaret] = useState(text.length);
  const [preview, setPreview] = useState(false);
  const [at, setAt] = useState(0);
  const [isDismissed, setDismissed] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const mention = isDismissed ? null : openMention(text, caret);
  const found = useSuggestions(mention);
  // Nothing is left to complete, and the list would cover the buttons.
  const isComplete = found.length === 1 && found[0]?.name === mention?.typed;
  const suggestions = isComplete ? [] : found;
  const current = Math.min(at, suggestions.length - 1);
  const { busy, problem, submit } = useSubmit(['text'], async () => {
    await onSubmit(text.trim());
    clear();
    setPreview(false);
  });
  const choose = (suggestion: Suggestion | undefined) => {
    if (!mention || !suggestion) return;
    const completed = complete(text, caret, mention, suggestion.name);
    // The next key may come before the next frame, so the field gets the text and the caret now.
    flushSync(() => {
      setText(completed.text);
      setCaret(completed.caret);
    });
    field.current?.setSelectionRange(completed.caret, completed.caret);
    field.current?.focus();
  };
  /** Handles a key while suggestions are shown. Returns whether it did. */
  const onSuggestionKey = (event: KeyboardEvent): boolean => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (suggestions.length === 0) return false;
    if (step) setAt((current + step + suggestions.length) % suggestions.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(suggestions[current]);
    else if (event.key === 'Escape') setDismissed(true);
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isSending = event.key === 'Enter' && (event.metaKey || event.ctrlKey);
    if (isSending && text.trim()) void submit();
    else if (isSending || event.nativeEvent.isComposing || !onSuggestionKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const track = () => setCaret(field.current?.selectionStart ?? 0);
  return (
    <form
      className={styles.composer}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      {children}
      {preview ? (
        <section className={styles.preview} aria-label="Preview">
          <Preview text={text} />
        </section>
      ) : (
        <div className={styles.field}>
          <textarea
            ref={field}
            aria-label={label}
            aria-invalid={Boolean(problem('text'))}
            aria-controls={suggestions.length > 0 ? id : undefined}
            aria-activedescendant={suggestions.length > 0 ? `${id}-${current}` : undefined}
            aria-autocomplete="list"
            placeholder={label}
            rows={3}
            maxLength={MAX_COMMENT_CHARS}
            value={text}
            // biome-ignore lint/a11y/noAutofocus: opened by the user to write
            autoFocus={autoFocus}
            onChange={(event) => {
              setText(event.target.value);
              setCaret(event.target.selectionStart);
              setDismissed(false);
              setAt(0);
            }}
            onSelect={track}
            onBlur={() => setDismissed(true)}
            onKeyDown={onKeyDown}
          />
          {suggestions.length > 0 && (
            <div id={id} className={styles.suggestions} role="listbox" aria-label="Suggestions">
              {suggestions.map((suggestion, place) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keyboard
                <div
                  key={suggestion.name}
                  id={`${id}-${place}`}
                  role="option"
                  aria-selected={place === current}
                  tabIndex={-1}
                  // Before the text field loses the focus.
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => choose(suggestion)}
                >
                  <strong>{suggestion.title}</strong> <small>{suggestion.name}</small>
                </div>
              ))}
            </div>
          )}
        </div>
      )}
      <Alert text={problem('text') ?? problem()} />
      <div className={styles.buttons}>
        <Button type="submit" kind="main" busy={busy} disabled={!text.trim()}>
          {submitLabel}
        </Button>
        <Button aria-pressed={preview} disabled={!text.trim()} onClick={() => setPreview(!preview)}>
          Preview
        </Button>
        {onCancel && (
          <Button
            onClick={() => {
              clear();
              onCancel();
            }}
          >
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

/** The text as it will be shown. All users that are mentioned are known only after it was sent. */
function Preview({ text }: { text: string }) {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const { data } = useMentionable(workspaceId, '');
  return <CommentText text={text} mentions={data?.users ?? []} />;
}

/** Users for `@`, components for `#`. */
function useSuggestions(mention: ReturnType<typeof openMention>): Suggestion[] {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const components = useWorkspace((state) => state.rows?.component);
  const { data } = useMentionable(workspaceId, mention?.sign === '@' ? mention.typed : null);
  if (mention?.sign === '@') {
    return (data?.users ?? []).flatMap(({ login, displayName }) =>
      login ? [{ name: login, title: displayName }] : [],
    );
  }
  if (mention?.sign !== '#' || !components) return [];
  const typed = mention.typed.toLowerCase();
  const found: Suggestion[] = [];
  for (const { id, name } of components.values()) {
    if (found.length >= MAX_COMPONENTS) break;
    // An ID with white space cannot be written in a text.
    const matches = id.toLowerCase().startsWith(typed) || name.toLowerCase().startsWith(typed);
    if (matches && !/[\s@#]/.test(id)) found.push({ name: id, title: name });
  }
  return found;
}
