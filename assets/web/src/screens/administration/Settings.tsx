/** Instance settings. */
import { type ListedSetting, updateSettings } from '@/api/generated';
import { accountKeys, stale, useSettings } from '@/app/accountQueries';
import { queryClient } from '@/app/queries';
import { Button } from '@/ui/Button';
import { Badge, DataList, DataRow } from '@/ui/DataList';
import { Form, Remark, Submit } from '@/ui/Form';
import { Loaded } from '@/ui/Loaded';
import { Panel } from '@/ui/Sections';
import { complain, say } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';
import { parsed, SettingField } from './SettingField';
import styles from './Settings.module.css';

const SOURCES: Record<ListedSetting['source'], string> = {
  default: 'Default',
  database: 'Set here',
  file: 'Set in the configuration file',
  environment: 'Set in the environment',
  flag: 'Set on the command line',
};

export function Settings() {
  return (
    <Panel
      title="Settings"
      about="Instance-wide settings. Changes apply immediately. Settings fixed by the configuration are locked."
    >
      <Loaded query={useSettings()} what="the settings">
        {({ settings }) => (
          <DataList label="Settings">
            {settings.map((setting) => (
              <Row key={setting.key} setting={setting} />
            ))}
          </DataList>
        )}
      </Loaded>
    </Panel>
  );
}

/** Saves a setting; null resets it to its default. */
async function save(key: string, value: unknown): Promise<void> {
  await updateSettings({ [key]: value });
  await Promise.all([
    stale(accountKeys.settings),
    queryClient.invalidateQueries({ queryKey: ['sign-in-config'] }),
  ]);
}

function Row({ setting }: { setting: ListedSetting }) {
  const { key, source, locked, lockedBy, secret, isSet, description } = setting;
  const form = useForm(['value'], async ({ value }) => {
    await save(key, parsed(setting, value));
    say(`Saved ${key}`);
  });
  const reset = () =>
    save(key, null).then(() => say(secret ? `Removed ${key}` : `Reset ${key} to its default`), complain);
  return (
    <DataRow
      title={<code id={`setting-${key}`}>{key}</code>}
      badges={
        <>
          <Badge tone={source === 'default' ? 'plain' : 'good'}>{SOURCES[source]}</Badge>
          {locked && <Badge tone="warn">Locked</Badge>}
          {secret && <Badge tone={isSet ? 'good' : 'plain'}>{isSet ? 'Set' : 'Not set'}</Badge>}
        </>
      }
      facts={[`${description}.`]}
    >
      {locked ? (
        <Remark>
          <p>
            {secret ? '' : <Shown value={setting.value} />} Locked: change it{' '}
            {lockedBy ?? 'in the configuration'}.
          </p>
        </Remark>
      ) : (
        // The current value is the initial value of the form.
        <Form key={JSON.stringify([setting.value, isSet])} form={form}>
          <div className={styles.line}>
            <SettingField setting={setting} problem={form.problem('value') ?? form.problem()} />
            <div className={styles.buttons}>
              <Submit form={form} kind="plain">
                Save<span className="unseen"> {key}</span>
              </Submit>
              {source === 'database' && (
                <Button kind="quiet" onClick={() => void reset()}>
                  {secret ? 'Remove' : `Reset to ${shown(setting.default)}`}
                  <span className="unseen"> {key}</span>
                </Button>
              )}
            </div>
          </div>
        </Form>
      )}
    </DataRow>
  );
}

function Shown({ value }: { value: unknown }) {
  return (
    <>
      Value: <code>{shown(value)}</code>.
    </>
  );
}

function shown(value: unknown): string {
  if (value === '') return 'empty';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}
