/** The icon of a page elsewhere. Emoji stand as they are; pictures of other hosts are not loaded, for the page asks nobody
 * but its own server: what kind of page it is stands in their place. */
import { ExternalLink, FileText, Table2 } from 'lucide-react';
import type { LinkKind } from '@/api/generated';

interface Props {
  icon: string | undefined;
  kind: LinkKind;
  className?: string | undefined;
}

export function WikiIcon({ icon, kind, className }: Props) {
  if (icon && !icon.includes('/')) {
    return (
      <span aria-hidden className={className}>
        {icon}
      </span>
    );
  }
  const Icon = kind === 'wiki-page' ? FileText : kind === 'wiki-database' ? Table2 : ExternalLink;
  return <Icon size={16} aria-hidden className={className} />;
}
