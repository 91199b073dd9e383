/** The photo of the user's account: choose, drop or paste an image, or remove it. */
import { ImageUp, Trash2 } from 'lucide-react';
import { type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { errorText } from '@/api/errors';
import type { CurrentUser } from '@/api/generated';
import { IMAGE_TYPES, imageProblem } from '@/core/notes/image';
import { isReadableImage, isUploadedPhoto, removePhoto, uploadPhoto, useOwnPhoto } from '@/data/photos';
import { Alert } from '@/ui/Alert';
import { Avatar } from '@/ui/Avatar';
import { Button } from '@/ui/Button';
import { chooseFiles } from '@/ui/chooseFiles';
import styles from './PhotoField.module.css';

type Progress =
  | { state: 'idle'; done?: string }
  | { state: 'uploading'; preview: string }
  | { state: 'removing' };

export function PhotoField({ me }: { me: CurrentUser }) {
  const label = useId();
  const hint = useId();
  const photo = useOwnPhoto();
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState('');
  const { progress, upload, remove } = usePhotoChanges(setProblem);
  const isBusy = progress.state !== 'idle';
  usePastedImages(upload);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void upload([...event.dataTransfer.files]);
  };
  return (
    <section
      className={styles.photo}
      aria-labelledby={label}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={onDrop}
    >
      <span className={styles.shown} data-busy={isBusy || undefined}>
        {progress.state === 'uploading' ? (
          <img src={progress.preview} alt="" className={styles.preview} />
        ) : (
          <Avatar of={me.id} name={me.displayName} photo={photo} size="giant" />
        )}
      </span>
      <div className={styles.side}>
        <h3 id={label}>Photo</h3>
        <div className={styles.buttons}>
          <Button
            icon={<ImageUp size={16} aria-hidden />}
            busy={progress.state === 'uploading'}
            disabled={isBusy}
            aria-describedby={hint}
            onClick={async () => upload(await chooseFiles(IMAGE_TYPES))}
          >
            {me.avatarUrl ? 'Change photo' : 'Upload photo'}
          </Button>
          {me.avatarUrl && <RemoveButton progress={progress} remove={remove} />}
        </div>
        <p id={hint} className={styles.hint}>
          PNG, JPEG, WebP or GIF, at most 2 MiB. You can also drop an image here or paste one. The photo is
          cut to a square, and members of your organizations see it.
        </p>
        <p role="status" className={styles.status}>
          {statusText(progress)}
        </p>
        <Alert text={problem} />
      </div>
    </section>
  );
}

/**
 * The photo of an account that an identity provider manages, if the user uploaded it before. It can only be removed,
 * because the provider does not know it.
 */
export function EarlierPhoto({ me, providerName }: { me: CurrentUser; providerName: string }) {
  const label = useId();
  const photo = useOwnPhoto();
  const [problem, setProblem] = useState('');
  const { progress, remove } = usePhotoChanges(setProblem);
  const isUploaded = isUploadedPhoto(me.avatarUrl);
  const status = statusText(progress);
  if (!isUploaded && status === '') return null;
  return (
    <section className={`${styles.photo} ${styles.fixed}`} aria-labelledby={label}>
      <span className={styles.shown} data-busy={progress.state !== 'idle' || undefined}>
        <Avatar of={me.id} name={me.displayName} photo={photo} size="giant" />
      </span>
      <div className={styles.side}>
        <h3 id={label}>Photo</h3>
        {isUploaded && (
          <>
            <div className={styles.buttons}>
              <RemoveButton progress={progress} remove={remove} />
            </div>
            <p className={styles.hint}>
              You uploaded this photo before {providerName} managed your account. You can remove it, but not
              upload another one here.
            </p>
          </>
        )}
        <p role="status" className={styles.status}>
          {status}
        </p>
        <Alert text={problem} />
      </div>
    </section>
  );
}

function RemoveButton({ progress, remove }: { progress: Progress; remove: () => Promise<void> }) {
  return (
    <Button
      icon={<Trash2 size={16} aria-hidden />}
      busy={progress.state === 'removing'}
      disabled={progress.state !== 'idle'}
      onClick={() => void remove()}
    >
      Remove photo
    </Button>
  );
}

function statusText(progress: Progress): string {
  if (progress.state === 'uploading') return 'Uploading the photo…';
  if (progress.state === 'removing') return 'Removing the photo…';
  return progress.done ?? '';
}

function usePhotoChanges(setProblem: (text: string) => void) {
  const [progress, setProgress] = useState<Progress>({ state: 'idle' });
  // A second file can be pasted before the first one is rendered as busy.
  const isBusy = useRef(false);
  const change = async (busy: Progress, work: () => Promise<string>) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setProblem('');
    setProgress(busy);
    try {
      setProgress({ state: 'idle', done: await work() });
    } catch (error) {
      setProgress({ state: 'idle' });
      setProblem(errorText(error));
    } finally {
      isBusy.current = false;
    }
  };
  const upload = async ([file, ...others]: readonly File[]) => {
    if (!file) return;
    const wrong = others.length > 0 ? 'Choose only one image.' : imageProblem(file);
    if (wrong) return setProblem(wrong);
    const preview = URL.createObjectURL(file);
    await change({ state: 'uploading', preview }, async () => {
      if (!(await isReadableImage(file))) throw new Error(`“${file.name}” is damaged or not an image.`);
      await uploadPhoto(file);
      return 'Photo saved.';
    });
    URL.revokeObjectURL(preview);
  };
  const remove = () =>
    change({ state: 'removing' }, async () => {
      await removePhoto();
      return 'Photo removed.';
    });
  return { progress, upload, remove };
}

/** Uploads images that are pasted anywhere on the page, because a section cannot have the focus. */
function usePastedImages(upload: (files: readonly File[]) => void): void {
  const latest = useRef(upload);
  latest.current = upload;
  useEffect(() => {
    const onPaste = ({ clipboardData }: ClipboardEvent) => {
      const files = [...(clipboardData?.files ?? [])];
      // Some programs add an image of copied text, which belongs into the focused field.
      if (files.length > 0 && !clipboardData?.getData('text/plain')) latest.current(files);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
}
