/** Organization settings, in sections. Members can only see the settings that administrators control. */
import { BookOpen, Building2, MailPlus, Shapes, Share2, Users, Webhook } from 'lucide-react';
import type { ComponentType } from 'react';
import { useParams } from 'wouter';
import { useOrganizations } from '@/data/queries';
import { orgPath, useOrgSlug } from '@/routing/paths';
import { useTitle } from '@/routing/useTitle';
import { NotFound } from '@/screens/shell/NotFound';
import { Shell } from '@/screens/shell/Shell';
import { type Section, Sections } from '@/ui/Sections';
import { General } from './General';
import { Invitations } from './Invitations';
import { Kinds } from './Kinds';
import { Members } from './Members';
import type { OrganizationProps } from './organizationProps';
import { SharingSettings } from './SharingSettings';
import { Webhooks } from './Webhooks';
import { Wiki } from './Wiki';

const SECTIONS: readonly (Section & { part: ComponentType<OrganizationProps> })[] = [
  { id: 'general', name: 'General', icon: <Building2 size={16} aria-hidden />, part: General },
  { id: 'members', name: 'Members', icon: <Users size={16} aria-hidden />, part: Members },
  { id: 'invitations', name: 'Invitations', icon: <MailPlus size={16} aria-hidden />, part: Invitations },
  { id: 'kinds', name: 'Kinds', icon: <Shapes size={16} aria-hidden />, part: Kinds },
  { id: 'sharing', name: 'Share links', icon: <Share2 size={16} aria-hidden />, part: SharingSettings },
  { id: 'webhooks', name: 'Webhooks', icon: <Webhook size={16} aria-hidden />, part: Webhooks },
  { id: 'wiki', name: 'Wiki', icon: <BookOpen size={16} aria-hidden />, part: Wiki },
];

export default function OrganizationSettings() {
  const { section } = useParams();
  const slug = useOrgSlug();
  const organization = useOrganizations().data?.organizations.find(
    (organization) => organization.slug === slug,
  );
  const current = SECTIONS.find(({ id }) => id === (section ?? 'general'));
  useTitle(current && organization && `${current.name} · ${organization.name}`);
  if (!current) return <NotFound />;
  if (!organization) return null;
  const Part = current.part;
  return (
    <Shell middle={<h1>Organization settings</h1>}>
      <Sections
        label={`Settings for ${organization.name}`}
        base={orgPath(slug, 'settings')}
        sections={SECTIONS}
        current={current.id}
      >
        <Part organization={organization} />
      </Sections>
    </Shell>
  );
}
