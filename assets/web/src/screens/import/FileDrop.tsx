/** Where files to import are dropped or chosen. */
import { FileUp } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { formatCount } from '@/core/text';
import { Button } from '@/ui/Button';
import styles from './Import.module.css';

interface Props {
  names: readonly string[];
  /** What the files were recognized as. */
  kind: string | undefined;
  onFiles: (files: readonly File[]) => void;
}

export function FileDrop({ names, kind, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    // Otherwise, the page around the dialog would import the files too.
    event.stopPropagation();
    setIsOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  const [name] = names;
  return (
    <section
      className={styles.drop}
      aria-label="Files"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
    >
      <FileUp size={28} aria-hidden />
      <div className={styles.what}>
        {name === undefined ? (
          <>
            <span>Drop files here.</span>
            <span className={styles.soft}>
              Planroom, CSV, Compose, Kubernetes, Terraform, Structurizr, LikeC4, IcePanel, Backstage,
              draw.io, Excalidraw, ArchiMate, Mermaid, PlantUML (C4) and service graphs
            </span>
          </>
        ) : (
          <>
            <strong title={names.slice(0, 50).join('\n')}>
              {names.length === 1 ? name : formatCount(names.length, 'file')}
            </strong>
            {kind && (
              <span className={styles.soft} role="status">
                {kind}
              </span>
            )}
          </>
        )}
      </div>
      <Button onClick={() => input.current?.click()}>
        {name === undefined ? 'Choose files' : 'Choose other files'}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label="File to import"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </section>
  );
}
