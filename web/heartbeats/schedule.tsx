import { useTranslation } from 'react-i18next'
import { SelectField, TextField } from '../parts/field.tsx'
import { NumberField } from '../parts/number-field.tsx'
import type { Heartbeat } from './queries.ts'
import '../monitors/monitors.css'

/** The fields of a heartbeat's form. An empty number is none. */
export interface Fields {
  name: string
  schedule_kind: Heartbeat['schedule_kind']
  schedule: string
  timezone: string
  period_minutes: number
  grace_minutes: number
  max_run_minutes: number
}

/** What is sent: only what belongs to the chosen kind of schedule. */
export const bodyOfFields = ({ schedule, period_minutes, timezone, max_run_minutes, ...same }: Fields) => ({
  ...same,
  timezone,
  max_run_minutes: Number.isNaN(max_run_minutes) ? null : max_run_minutes,
  ...(same.schedule_kind === 'cron' ? { schedule } : { period_minutes }),
})

const kinds = ['simple', 'cron'] as const
const zones = Intl.supportedValuesOf('timeZone')

interface Props {
  value: Fields
  onChange(part: Partial<Fields>): void
}

/** When a job pings, how late it may be, and how long it may run. */
export function ScheduleFields({ value, onChange }: Props) {
  const { t } = useTranslation('heartbeats')
  const known = zones.includes(value.timezone) ? zones : [value.timezone, ...zones]
  return (
    <>
      <TextField
        name="name"
        label={t('field.name')}
        value={value.name}
        onChange={name => onChange({ name })}
        isRequired
        autoFocus={value.name === ''}
      />
      <div className="field-columns">
        <SelectField
          name="schedule_kind"
          label={t('field.kind')}
          choices={kinds.map(id => ({ id, label: t(`kind.${id}`) }))}
          value={value.schedule_kind}
          onChange={kind => onChange({ schedule_kind: kind })}
        />
        {value.schedule_kind === 'cron' ? (
          <TextField
            name="schedule"
            label={t('field.schedule')}
            description={t('field.scheduleSays')}
            placeholder="30 2 * * *"
            value={value.schedule}
            onChange={schedule => onChange({ schedule })}
            isRequired
            isCode
          />
        ) : (
          <NumberField
            name="period_minutes"
            label={t('field.period')}
            unit={t('minutes')}
            minValue={1}
            maxValue={525_600}
            value={value.period_minutes}
            onChange={minutes => onChange({ period_minutes: minutes })}
          />
        )}
        {value.schedule_kind === 'cron' && (
          <SelectField
            name="timezone"
            label={t('field.zone')}
            choices={known.map(id => ({ id, label: id }))}
            value={value.timezone}
            onChange={timezone => onChange({ timezone })}
          />
        )}
        <NumberField
          name="grace_minutes"
          label={t('field.grace')}
          description={t('field.graceSays')}
          unit={t('minutes')}
          minValue={1}
          maxValue={1_440}
          value={value.grace_minutes}
          onChange={minutes => onChange({ grace_minutes: minutes })}
        />
        <NumberField
          name="max_run_minutes"
          label={t('field.maxRun')}
          description={t('field.maxRunSays')}
          unit={t('minutes')}
          minValue={1}
          maxValue={10_080}
          value={value.max_run_minutes}
          onChange={minutes => onChange({ max_run_minutes: minutes })}
        />
      </div>
    </>
  )
}
