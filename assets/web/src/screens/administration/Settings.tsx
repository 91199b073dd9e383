/** Instance settings. */
import { type ListedSetting, updateSettings } from '@/api/generated';
import { accountQueryKeys, invalidate, useSettings } from '@/data/accountQueries';
import { queryClient } from '@/data/queries';
import { Button } from '@/ui/Button';
import { Badge, DataList, DataRow } from '@/ui/DataList';
import { Form, FormNote, SubmitButton } from '@/ui/Form';
import { QueryResult } from '@/ui/QueryResult';
import { Panel } from '@/ui/Sections';
import { showError, showToast } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';
import { CHOICE_NAMES, parsed, SettingField } from './SettingField';
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
      <QueryResult query={useSettings()} what="the settings">
        {({ settings }) => (
          <DataList label="Settings">
            {settings.map((setting) => (
              <Row key={setting.key} setting={setting} />
            ))}
          </DataList>
        )}
      </QueryResult>
    </Panel>
  );
}

/** Saves a setting; null resets it to its default. */
async function save(key: string, value: unknown): Promise<void> {
  await updateSettings({ [key]: value });
  await Promise.all([
    invalidate(accountQueryKeys.settings),
    queryClient.invalidateQueries({ queryKey: ['sign-in-config'] }),
  ]);
}

function Row({ setting }: { setting: ListedSetting }) {
  const { key, name, source, locked, lockedBy, secret, isSet, description } = setting;
  const form = useForm(['value'], async ({ value }) => {
    await save(key, parsed(setting, value));
    showToast(`Saved “${name}”`);
  });
  const reset = () =>
    save(key, null).then(
      () => showToast(secret ? `Removed “${name}”` : `Reset “${name}” to its default`),
      showError,
    );
  return (
    <DataRow
      title={name}
      badges={
        <>
          <Badge tone={source === 'default' ? 'plain' : 'good'}>{SOURCES[source]}</Badge>
          {locked && <Badge tone="warn">Locked</Badge>}
          {secret && <Badge tone={isSet ? 'good' : 'plain'}>{isSet ? 'Set' : 'Not set'}</Badge>}
        </>
      }
      facts={[<code key="key">{key}</code>]}
      text={`${description}.`}
    >
      {locked ? (
        <FormNote>
          <p>
            {secret ? '' : <SettingValue value={setting.value} />} Locked: change it{' '}
            {lockedBy ?? 'in the configuration'}.
          </p>
        </FormNote>
      ) : (
        // The current value is the initial value of the form.
        <Form key={JSON.stringify([setting.value, isSet])} form={form}>
          <div className={styles.line}>
            <SettingField setting={setting} problem={form.problem('value') ?? form.problem()} />
            <div className={styles.buttons}>
              <SubmitButton form={form} kind="plain">
                Save<span className="unseen"> {name}</span>
              </SubmitButton>
              {source === 'database' && (
                <Button kind="quiet" onClick={() => void reset()}>
                  {secret ? 'Remove' : `Reset to ${formatSetting(setting.default)}`}
                  <span className="unseen"> {name}</span>
                </Button>
              )}
            </div>
          </div>
        </Form>
      )}
    </DataRow>
  );
}

function SettingValue({ value }: { value: unknown }) {
  return (
    <>
      Value: <code>{formatSetting(value)}</code>.
    </>
  );
}

function formatSetting(value: unknown): string {
  if (value === '') return 'empty';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return CHOICE_NAMES[String(value)] ?? String(value);
}
