/** The icon of a linked page: an emoji, an image fetched by the server, or an icon for the kind of page. */
import { ExternalLink, FileText, Table2 } from 'lucide-react';
import type { LinkKind } from '@/api/generated';
import { isEmoji } from '@/core/wiki/icon';
import { iconImage } from '@/data/useImage';
import { ImageOrFallback } from './ImageOrFallback';
import styles from './WikiIcon.module.css';

interface Props {
  icon: string | undefined;
  /** The URL of the image on this server. */
  path: string;
  kind: LinkKind;
  className?: string | undefined;
}

export function WikiIcon({ icon, path, kind, className }: Props) {
  if (icon && isEmoji(icon)) {
    return (
      <span aria-hidden className={className}>
        {icon}
      </span>
    );
  }
  const Icon = kind === 'wiki-page' ? FileText : kind === 'wiki-database' ? Table2 : ExternalLink;
  return (
    <ImageOrFallback image={iconImage(path, icon)} className={[styles.image, className].join(' ')}>
      <Icon size={16} aria-hidden className={className} />
    </ImageOrFallback>
  );
}
