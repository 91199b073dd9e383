/** How the user is notified: in the inbox and by email, for each kind. */
import { useState } from 'react';
import { errorText } from '@/api/errors';
import {
  type KindSetting,
  type NotificationSettings,
  type NotificationSettingsPatch,
  updateNotificationSettings,
} from '@/api/generated';
import { useMe } from '@/data/accountQueries';
import { invalidateNotificationSettings, useNotificationSettings, useWatches } from '@/data/inbox';
import { useSignInConfig } from '@/data/queries';
import { KINDS } from '@/screens/inbox/kinds';
import { WatchButton } from '@/screens/inbox/WatchButton';
import { DataList, DataRow } from '@/ui/DataList';
import { FormError } from '@/ui/Form';
import { QueryResult } from '@/ui/QueryResult';
import { Panel } from '@/ui/Sections';
import { Select } from '@/ui/Select';
import { showToast } from '@/ui/Toasts';
import styles from './Notifications.module.css';

const EMAILS: readonly { id: KindSetting['email']; name: string }[] = [
  { id: 'immediate', name: 'Immediately' },
  { id: 'digest', name: 'Once a day' },
  { id: 'off', name: 'Never' },
];

export function Notifications() {
  const query = useNotificationSettings();
  return (
    <>
      <Panel title="Notifications" about="Choose what is in your inbox and when you receive emails.">
        <QueryResult query={query} what="your notification settings">
          {(settings) => <Kinds settings={settings} />}
        </QueryResult>
      </Panel>
      <Watched />
    </>
  );
}

function Kinds({ settings: loaded }: { settings: NotificationSettings }) {
  // Choices are shown before they are saved.
  const [settings, setSettings] = useState(loaded);
  const [error, setError] = useState<unknown>(null);
  const save = async (patch: NotificationSettingsPatch) => {
    setError(null);
    setSettings(patched(settings, patch));
    try {
      setSettings(await updateNotificationSettings(patch));
      showToast('Notification settings saved');
    } catch (problem) {
      setSettings(loaded);
      setError(problem);
    }
    await invalidateNotificationSettings();
  };
  const settingOf = (kind: string) => settings.kinds.find((setting) => setting.kind === kind);
  return (
    <div className={styles.settings}>
      <EmailHint emails={settings.emails} />
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">Inbox</th>
            <th scope="col">Email</th>
          </tr>
        </thead>
        <tbody>
          {KINDS.map(({ id, name, hint }) => {
            const setting = settingOf(id);
            if (!setting) return null;
            return (
              <tr key={id}>
                <th scope="row">
                  {name}
                  <small>{hint}</small>
                </th>
                <td>
                  <input
                    type="checkbox"
                    aria-label={`${name} in inbox`}
                    checked={setting.inbox}
                    onChange={(event) => void save({ kinds: [{ ...setting, inbox: event.target.checked }] })}
                  />
                </td>
                <td>
                  <Select
                    aria-label={`Emails about ${name.toLowerCase()}`}
                    value={setting.email}
                    onChange={(event) =>
                      void save({
                        kinds: [{ ...setting, email: event.target.value as KindSetting['email'] }],
                      })
                    }
                  >
                    {EMAILS.map((email) => (
                      <option key={email.id} value={email.id}>
                        {email.name}
                      </option>
                    ))}
                  </Select>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div className={styles.hour}>
        <span aria-hidden>Daily email at</span>
        <Select
          aria-label="Time of the daily email"
          value={settings.digestHour}
          onChange={(event) => void save({ digestHour: Number(event.target.value) })}
        >
          {Array.from({ length: 24 }, (_, hour) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its index
            <option key={hour} value={hour}>
              {localTime(hour)}
            </option>
          ))}
        </Select>
      </div>
      <FormError text={error ? errorText(error) : undefined} />
    </div>
  );
}

/** The settings with a change. */
function patched(settings: NotificationSettings, patch: NotificationSettingsPatch): NotificationSettings {
  const { kinds, digestHour } = settings;
  return {
    ...settings,
    kinds: kinds.map((setting) => patch.kinds?.find(({ kind }) => kind === setting.kind) ?? setting),
    digestHour: patch.digestHour ?? digestHour,
  };
}

/** An hour in UTC as the time of this browser. */
function localTime(hour: number): string {
  const time = new Date();
  time.setUTCHours(hour, 0, 0, 0);
  return time.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hour12: false });
}

/** Says why no emails are sent. */
function EmailHint({ emails }: { emails: boolean }) {
  const sendsEmails = useSignInConfig().data?.emails;
  const me = useMe().data;
  if (emails || sendsEmails === undefined || !me) return null;
  return (
    <p className={styles.hint}>
      {sendsEmails
        ? 'You receive no emails yet: enter and confirm your email address in the profile.'
        : 'This server sends no emails. Notifications are only in the inbox.'}
    </p>
  );
}

function Watched() {
  const query = useWatches();
  return (
    <Panel
      title="Watching"
      about="Changes by others, and new threads, are in your inbox. Watch more in the details of a workspace or component, or on the page of a team."
    >
      <QueryResult query={query} what="what you watch">
        {({ watches }) =>
          watches.length === 0 ? (
            <p className={styles.hint}>You watch nothing in this organization.</p>
          ) : (
            <DataList label="Watching">
              {watches.map((watch) => (
                <DataRow
                  key={`${watch.type} ${watch.workspaceId ?? ''} ${watch.id ?? ''}`}
                  title={watch.name}
                  facts={[
                    watch.type === 'component' ? `Component in ${watch.workspaceName}` : TYPES[watch.type],
                  ]}
                  actions={<WatchButton target={watch} />}
                />
              ))}
            </DataList>
          )
        }
      </QueryResult>
    </Panel>
  );
}

const TYPES = { workspace: 'Workspace', team: 'Components of a team', component: 'Component' } as const;
