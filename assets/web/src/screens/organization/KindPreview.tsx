/** A card as the map draws components of a kind. */
import { shapeOf, shapePath } from '@/core/drawing/shapes';
import { cardStyle } from '@/ui/cardStyle';
import { TechnologyIcon } from '@/ui/TechnologyIcon';
import { TypeIcon } from '@/ui/TypeIcon';
import styles from './Kinds.module.css';

interface Props {
  name: string;
  baseType: string;
  color: string;
  icon: string;
  logo: string | undefined;
}

const SIZE = { width: 200, height: 64 };
const NO_LOGO: readonly string[] = [];

export function KindPreview({ name, baseType, color, icon, logo }: Props) {
  const shape = shapeOf(baseType, false);
  const path = (part: 'outline' | 'detail') => shapePath(shape, part, SIZE.width, SIZE.height);
  return (
    <div
      className={styles.preview}
      style={{ ...cardStyle(color), ...SIZE }}
      role="img"
      aria-label={`Preview of a ${name || 'component'}`}
    >
      <svg {...SIZE} viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} className={styles.shape} aria-hidden>
        <path d={path('outline')} className={styles.outline} />
        <path d={path('detail')} className={styles.detail} />
      </svg>
      <span className={styles.face} aria-hidden>
        <TechnologyIcon technologies={logo ? [logo] : NO_LOGO} size={22}>
          <TypeIcon icon={icon} size={22} />
        </TechnologyIcon>
        <span className={styles.names}>
          <span className={styles.cardName}>Example</span>
          <span className={styles.note}>{name || 'Name of the kind'}</span>
        </span>
      </span>
    </div>
  );
}
