/** The icon of a role: an emoji, or one of these icons. */
import {
  BookOpen,
  Briefcase,
  ClipboardCheck,
  Code,
  Crown,
  Database,
  Eye,
  Flag,
  GraduationCap,
  Handshake,
  Heart,
  KeyRound,
  LifeBuoy,
  type LucideIcon,
  Megaphone,
  Palette,
  Phone,
  Scale,
  Server,
  Shield,
  Star,
  Target,
  User,
  Users,
  Wrench,
} from 'lucide-react';
import type { Role } from '@/api/generated';
import { cardStyle } from './cardStyle';
import styles from './RoleIcon.module.css';

export const ROLE_ICONS: Readonly<Record<string, LucideIcon>> = {
  crown: Crown,
  'life-buoy': LifeBuoy,
  briefcase: Briefcase,
  user: User,
  users: Users,
  wrench: Wrench,
  shield: Shield,
  eye: Eye,
  star: Star,
  'key-round': KeyRound,
  megaphone: Megaphone,
  code: Code,
  database: Database,
  server: Server,
  phone: Phone,
  scale: Scale,
  'graduation-cap': GraduationCap,
  'clipboard-check': ClipboardCheck,
  flag: Flag,
  heart: Heart,
  handshake: Handshake,
  palette: Palette,
  target: Target,
  'book-open': BookOpen,
};

export function RoleIcon({
  role,
  size = 16,
}: {
  role: Pick<Role, 'color' | 'icon' | 'iconName'>;
  size?: number;
}) {
  const Icon = ROLE_ICONS[role.iconName ?? ''] ?? User;
  // A value that is not an icon name is an emoji.
  const isEmoji = role.icon && !/^[a-z0-9-]+$/.test(role.icon);
  return (
    <span
      className={styles.icon}
      style={{ ...cardStyle(role.color), borderColor: 'var(--card-edge)' }}
      aria-hidden
    >
      {isEmoji ? role.icon?.slice(0, 8) : <Icon size={size} />}
    </span>
  );
}
