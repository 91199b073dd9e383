/** The settings of the instance, as its registry tells them. */
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
      about="Of the whole instance. They hold at once. What the configuration sets is locked here, and says where to change it."
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

/** Saves one; null resets it to its default. */
async function save(key: string, value: unknown): Promise<void> {
  await updateSettings({ [key]: value });
  await Promise.all([
    invalidate(accountQueryKeys.settings),
    queryClient.invalidateQueries({ queryKey: ['sign-in-config'] }),
  ]);
}

function Row({ setting }: { setting: ListedSetting }) {
  const { key, source, locked, lockedBy, secret, isSet, description } = setting;
  const form = useForm(['value'], async ({ value }) => {
    await save(key, parsed(setting, value));
    showToast(`${key} is saved.`);
  });
  const reset = () =>
    save(key, null).then(
      () => showToast(secret ? `${key} is removed.` : `${key} is back at its default.`),
      showError,
    );
  return (
    <DataRow
      title={<code id={`setting-${key}`}>{key}</code>}
      badges={
        <>
          <Badge tone={source === 'default' ? 'plain' : 'good'}>{SOURCES[source]}</Badge>
          {locked && <Badge tone="warn">Locked</Badge>}
          {secret && (
            <Badge tone={isSet ? 'good' : 'plain'}>{isSet ? 'There is one' : 'There is none'}</Badge>
          )}
        </>
      }
      facts={[`${description}.`]}
    >
      {locked ? (
        <FormNote>
          <p>
            {secret ? '' : <SettingValue value={setting.value} />} It is changed{' '}
            {lockedBy ?? 'in the configuration'}, not here.
          </p>
        </FormNote>
      ) : (
        // What it holds now is what one begins with.
        <Form key={JSON.stringify([setting.value, isSet])} form={form}>
          <div className={styles.line}>
            <SettingField setting={setting} problem={form.problem('value') ?? form.problem()} />
            <div className={styles.buttons}>
              <SubmitButton form={form} kind="plain">
                Save<span className="unseen"> {key}</span>
              </SubmitButton>
              {source === 'database' && (
                <Button kind="quiet" onClick={() => void reset()}>
                  {secret ? 'Remove' : `Reset to ${formatSetting(setting.default)}`}
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

function SettingValue({ value }: { value: unknown }) {
  return (
    <>
      It is <code>{formatSetting(value)}</code>.
    </>
  );
}

function formatSetting(value: unknown): string {
  if (value === '') return 'empty';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}
