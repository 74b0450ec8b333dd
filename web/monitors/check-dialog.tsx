import { useMutation } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { SelectField, SwitchField, TextField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { readMonitorsAgain } from './actions.ts'
import { type Setting, settingsOf, textOf, typedValue } from './check-settings.ts'
import { intervalWords } from './intervals.ts'
import type { Check } from './queries.ts'

const severities = ['critical', 'major', 'minor', 'warning'] as const satisfies readonly Schemas['CheckSeverity'][]

/** Edits the interval, the severity and the thresholds of a check. Only what was changed is sent. */
export function CheckDialog({ check, onClose }: { check: Check; onClose(): void }) {
  const { t } = useTranslation('monitors')
  const settings = settingsOf(check)
  const [interval, setInterval] = useState(textOf(check.interval))
  const [severity, setSeverity] = useState<Schemas['CheckSeverity']>(check.severity)
  const [texts, setTexts] = useState<Record<string, string | boolean>>({})
  const save = useMutation({
    mutationFn: (changes: Schemas['ChecksUpdateRequest']) =>
      bodyOf(api.PATCH('/api/v1/checks/{check}', { params: { path: { check: check.id } }, body: changes })),
    onSuccess: async () => {
      await readMonitorsAgain()
      onClose()
    },
  })
  const body = (): Schemas['ChecksUpdateRequest'] => ({
    ...(interval !== textOf(check.interval) && { interval: interval === '' ? null : Number(interval) }),
    ...(severity !== check.severity && { severity }),
    settings: Object.fromEntries(
      settings
        .filter(({ name }) => texts[name] !== undefined)
        .map(({ name, shape }) => [name, typed(shape, texts[name] ?? '')]),
    ),
  })
  return (
    <Dialog
      title={t('checks.editTitle', { check: t(`kind.${check.type}`) })}
      isOpen
      onOpenChange={isOpen => isOpen || onClose()}
    >
      {close => (
        <Form mutation={save} body={body}>
          <TextField
            name="interval"
            label={t('checks.interval')}
            description={intervalSays(check, t)}
            inputMode="numeric"
            value={interval}
            onChange={setInterval}
          />
          <SelectField
            name="severity"
            label={t('checks.severity')}
            choices={severities.map(id => ({ id, label: t(`severity.${id}`) }))}
            value={severity}
            onChange={id => setSeverity(id)}
          />
          {settings.map(setting => (
            <SettingField
              key={setting.name}
              setting={setting}
              value={texts[setting.name]}
              onChange={value => setTexts({ ...texts, [setting.name]: value })}
            />
          ))}
          <FormActions>
            <SubmitButton>{t('save')}</SubmitButton>
            <Button onPress={close}>{t('cancel')}</Button>
          </FormActions>
        </Form>
      )}
    </Dialog>
  )
}

const intervalSays = ({ interval, effective_interval }: Check, t: TFunction<'monitors'>) =>
  interval !== null && interval < effective_interval
    ? t('checks.intervalFloor', { every: intervalWords(effective_interval, t) })
    : t('checks.intervalSays')

const typed = (shape: Setting['shape'], value: string | boolean) =>
  typeof value === 'boolean' ? value : typedValue(shape, value)

interface SettingFieldProps {
  setting: Setting
  /** What was typed; undefined: nothing so far. */
  value: string | boolean | undefined
  onChange(value: string | boolean): void
}

function SettingField({ setting: { name, shape, value: before }, value, onChange }: SettingFieldProps) {
  const { t } = useTranslation('monitors')
  const label = t(`setting.${name}`)
  if (shape === 'boolean')
    return (
      <SwitchField
        name={`settings.${name}`}
        label={label}
        isSelected={typeof value === 'boolean' ? value : before === true}
        onChange={onChange}
      />
    )
  return (
    <TextField
      name={`settings.${name}`}
      label={label}
      {...(shape.endsWith('s') && { description: t('field.tagsSays') })}
      {...(shape.endsWith('number') && { inputMode: 'numeric' as const })}
      value={typeof value === 'string' ? value : textOf(before)}
      onChange={onChange}
    />
  )
}
