/** Opens the import of files. In narrow windows, the details of the workspace have the button. */
import { FileUp } from 'lucide-react';
import { IconButton } from '@/ui/Button';
import { openImport } from '@/workspace/importRequest';
import styles from './workspace.module.css';

export function ImportButton() {
  return (
    <IconButton
      label="Import files"
      className={styles.inWideBar}
      icon={<FileUp size={20} aria-hidden />}
      onClick={() => openImport()}
    />
  );
}
