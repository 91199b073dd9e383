/** The account page, in sections. */
import {
  Blocks,
  Building2,
  CircleUserRound,
  KeyRound,
  LaptopMinimal,
  Lock,
  Palette,
  ShieldCheck,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { useParams } from 'wouter';
import { useTitle } from '@/routing/useTitle';
import { NotFound } from '@/screens/shell/NotFound';
import { Shell } from '@/screens/shell/Shell';
import { type Section, Sections } from '@/ui/Sections';
import { Appearance } from './Appearance';
import { ConnectedApps } from './ConnectedApps';
import { Organizations } from './Organizations';
import { PasswordChange } from './PasswordChange';
import { Profile } from './Profile';
import { Sessions } from './Sessions';
import { Tokens } from './Tokens';
import { TwoFactor } from './TwoFactor';

const SECTIONS: readonly (Section & { part: ComponentType })[] = [
  { id: 'profile', name: 'Profile', icon: <CircleUserRound size={16} aria-hidden />, part: Profile },
  { id: 'password', name: 'Password', icon: <Lock size={16} aria-hidden />, part: PasswordChange },
  {
    id: 'second-factor',
    name: 'Two-factor authentication',
    icon: <ShieldCheck size={16} aria-hidden />,
    part: TwoFactor,
  },
  { id: 'sessions', name: 'Sessions', icon: <LaptopMinimal size={16} aria-hidden />, part: Sessions },
  { id: 'tokens', name: 'Tokens', icon: <KeyRound size={16} aria-hidden />, part: Tokens },
  { id: 'programs', name: 'Connected apps', icon: <Blocks size={16} aria-hidden />, part: ConnectedApps },
  { id: 'appearance', name: 'Appearance', icon: <Palette size={16} aria-hidden />, part: Appearance },
  {
    id: 'organizations',
    name: 'Organizations',
    icon: <Building2 size={16} aria-hidden />,
    part: Organizations,
  },
];

export default function Account() {
  const { section } = useParams();
  const current = SECTIONS.find(({ id }) => id === (section ?? 'profile'));
  useTitle(current ? `${current.name} · Account` : undefined);
  if (!current) return <NotFound />;
  const Part = current.part;
  return (
    <Shell middle={<h1>Account</h1>}>
      <Sections label="Account sections" base="/account" sections={SECTIONS} current={current.id}>
        <Part />
      </Sections>
    </Shell>
  );
}
