/** The account page, in sections. */
import { Bell, Building2, CircleUserRound, KeyRound, Lock, Palette, ShieldCheck } from 'lucide-react';
import type { ComponentType } from 'react';
import { useParams } from 'wouter';
import { useTitle } from '@/routing/useTitle';
import { NotFound } from '@/screens/shell/NotFound';
import { Shell } from '@/screens/shell/Shell';
import { type Section, Sections } from '@/ui/Sections';
import { ACCESS_PARTS, Access } from './Access';
import { Appearance } from './Appearance';
import { Notifications } from './Notifications';
import { Organizations } from './Organizations';
import { PasswordChange } from './PasswordChange';
import { Profile } from './Profile';
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
  { id: 'access', name: 'Access', icon: <KeyRound size={16} aria-hidden />, part: Access },
  { id: 'notifications', name: 'Notifications', icon: <Bell size={16} aria-hidden />, part: Notifications },
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
  // Sessions, tokens and connected apps have URLs of their own, which scroll to their part of the page.
  const id = ACCESS_PARTS.includes(section ?? '') ? 'access' : (section ?? 'profile');
  const current = SECTIONS.find((one) => one.id === id);
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
