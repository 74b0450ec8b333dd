import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckboxField, SelectField, SwitchField, TextField } from '../parts/field.tsx'
import { Fieldset } from '../parts/form.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { useTimes } from '../parts/time.tsx'
import { tagsQuery } from '../shared-queries.ts'
import { DatesOfFields } from './next-dates.tsx'
import { type MaintenanceWindow, monitorsQuery, type NewWindow, pagesQuery } from './queries.ts'
import { dayName, days, kinds, type Recurrence, recurrenceOf, ruleOf } from './recurrence.ts'
import '../monitors/monitors.css'

/** The fields of a window's form. Local times without seconds; an empty end is none. */
export interface Fields {
  title: string
  description: string
  starts_at: string
  timezone: string
  duration_minutes: number
  recurrence: Recurrence
  until: string
  isAll: boolean
  monitor_ids: readonly string[]
  tags: readonly string[]
  mode: MaintenanceWindow['mode']
  exclude_from_uptime: boolean
  notify: MaintenanceWindow['notify']
  status_page_ids: readonly string[]
}

export const emptyFields = (timezone: string): Fields => ({
  ...{ title: '', description: '', starts_at: '', timezone, duration_minutes: 60, until: '' },
  recurrence: recurrenceOf(null),
  ...{ isAll: false, monitor_ids: [], tags: [], mode: 'suppress_alerts', exclude_from_uptime: true },
  notify: { on_create: false, before_minutes: [], on_start: false, on_end: false },
  status_page_ids: [],
})

const toMinutes = (time: string) => time.slice(0, 'YYYY-MM-DDTHH:MM'.length)

export const fieldsOf = (window: MaintenanceWindow): Fields => ({
  ...window,
  starts_at: toMinutes(window.starts_at),
  until: toMinutes(window.until ?? ''),
  recurrence: recurrenceOf(window.rrule),
  isAll: window.scope.all,
  monitor_ids: window.scope.monitor_ids,
  tags: window.scope.tags,
})

/** What changes while a window is active. */
export const openBodyOf = ({ title, description, status_page_ids, notify }: Fields) => ({
  ...{ title, description, notify },
  status_page_ids: [...status_page_ids],
})

export function bodyOfFields(fields: Fields): NewWindow {
  const { isAll, monitor_ids, tags, recurrence, until, starts_at, timezone, duration_minutes } = fields
  return {
    ...openBodyOf(fields),
    ...{ starts_at, timezone, duration_minutes },
    rrule: ruleOf(recurrence),
    until: recurrence.kind === 'none' || until === '' ? null : until,
    scope: { all: isAll, monitor_ids: isAll ? [] : [...monitor_ids], tags: isAll ? [] : [...tags] },
    mode: fields.mode,
    exclude_from_uptime: fields.exclude_from_uptime,
  }
}

interface Props {
  value: Fields
  onChange(part: Partial<Fields>): void
}

export function TitleFields({ value, onChange }: Props) {
  const { t } = useTranslation('maintenance')
  return (
    <>
      <TextField
        name="title"
        label={t('field.title')}
        isRequired
        maxLength={255}
        value={value.title}
        onChange={title => onChange({ title })}
      />
      <TextField
        name="description"
        label={t('field.description')}
        description={t('field.descriptionSays')}
        rows={3}
        value={value.description}
        onChange={description => onChange({ description })}
      />
    </>
  )
}

/** When it starts, as the clocks of its zone show it, how long it lasts, and how it repeats. */
export function TimeFields({ value, onChange }: Props) {
  const { t, i18n } = useTranslation('maintenance')
  const { recurrence } = value
  const put = (part: Partial<Recurrence>) => onChange({ recurrence: { ...recurrence, ...part } })
  // a refused rule is shown where it was chosen
  const chosenIn = recurrence.kind === 'rule' ? {} : { name: 'rrule' }
  return (
    <Fieldset legend={t('group.time')}>
      <div className="field-columns">
        <TextField
          name="starts_at"
          type="datetime-local"
          label={t('field.start')}
          description={t('field.startSays')}
          isRequired
          value={value.starts_at}
          onChange={starts_at => onChange({ starts_at })}
        />
        <TextField
          name="timezone"
          label={t('field.zone')}
          description={t('field.zoneSays')}
          isRequired
          value={value.timezone}
          onChange={timezone => onChange({ timezone })}
        />
        <NumberField
          name="duration_minutes"
          label={t('field.duration')}
          unit={t('minutes')}
          isRequired
          minValue={1}
          value={value.duration_minutes}
          onChange={duration_minutes => onChange({ duration_minutes })}
        />
      </div>
      <SelectField
        {...chosenIn}
        label={t('field.recurrence')}
        choices={kinds.map(id => ({ id, label: t(`kind.${id}`) }))}
        value={recurrence.kind}
        onChange={kind => put({ kind })}
      />
      {recurrence.kind === 'weekly' && (
        <fieldset className="plain">
          <legend>{t('field.days')}</legend>
          <p className="soft">{t('field.daysSays')}</p>
          <div className="row">
            {days.map(day => (
              <CheckboxField
                key={day}
                label={dayName(day, i18n.language)}
                isSelected={recurrence.days.includes(day)}
                onChange={isOn => put({ days: withOrWithout(recurrence.days, day, isOn) })}
              />
            ))}
          </div>
        </fieldset>
      )}
      {recurrence.kind === 'rule' && (
        <TextField
          name="rrule"
          label={t('field.rule')}
          description={t('field.ruleSays')}
          isCode
          isRequired
          value={recurrence.rule}
          onChange={rule => put({ rule })}
        />
      )}
      {recurrence.kind !== 'none' && (
        <TextField
          name="until"
          type="datetime-local"
          label={t('field.until')}
          description={t('field.untilSays')}
          value={value.until}
          onChange={until => onChange({ until })}
        />
      )}
      <DatesOfFields fields={value} />
    </Fieldset>
  )
}

function withOrWithout<Each>(all: readonly Each[], one: Each, isIn: boolean): Each[] {
  const rest = all.filter(each => each !== one)
  return isIn ? [...rest, one] : rest
}

const modes = ['suppress_alerts', 'pause_checks'] as const

/** Which monitors it concerns, and what happens with them meanwhile. */
export function WorkFields({ value, onChange }: Props) {
  const { t } = useTranslation('maintenance')
  return (
    <Fieldset legend={t('group.work')}>
      <SelectField
        name="scope"
        label={t('field.scope')}
        choices={(['some', 'all'] as const).map(id => ({ id, label: t(`scope.${id}`) }))}
        value={value.isAll ? 'all' : 'some'}
        onChange={id => onChange({ isAll: id === 'all' })}
      />
      {!value.isAll && (
        <>
          <MonitorChoice chosen={value.monitor_ids} onChange={monitor_ids => onChange({ monitor_ids })} />
          <TagChoice chosen={value.tags} onChange={tags => onChange({ tags })} />
        </>
      )}
      <SelectField
        name="mode"
        label={t('field.mode')}
        description={t(`mode.${value.mode}.says`)}
        choices={modes.map(id => ({ id, label: t(`mode.${id}`), description: t(`mode.${id}.says`) }))}
        value={value.mode}
        onChange={mode => onChange({ mode })}
      />
      <SwitchField
        name="exclude_from_uptime"
        label={t('field.exclude')}
        description={t('field.excludeSays')}
        isSelected={value.exclude_from_uptime}
        onChange={exclude_from_uptime => onChange({ exclude_from_uptime })}
      />
    </Fieldset>
  )
}

interface ChoiceProps {
  chosen: readonly string[]
  onChange(chosen: string[]): void
}

function MonitorChoice({ chosen, onChange }: ChoiceProps) {
  const { t } = useTranslation('maintenance')
  const [search, setSearch] = useState('')
  const monitors = useQuery(monitorsQuery(search)).data?.data
  return (
    <fieldset className="plain">
      <legend>
        {t('field.monitors')} <span className="soft">({t('field.monitorsCount', { count: chosen.length })})</span>
      </legend>
      <TextField type="search" label={t('field.search')} value={search} onChange={setSearch} />
      {monitors?.length === 0 && <p className="soft">{t('field.noMonitors')}</p>}
      <div className="choice-list">
        {monitors?.map(({ id, name }) => (
          <CheckboxField
            key={id}
            label={name}
            isSelected={chosen.includes(id)}
            onChange={isOn => onChange(withOrWithout(chosen, id, isOn))}
          />
        ))}
      </div>
    </fieldset>
  )
}

function TagChoice({ chosen, onChange }: ChoiceProps) {
  const { t } = useTranslation('maintenance')
  const known = useQuery(tagsQuery).data?.map(({ name }) => name) ?? []
  const offered = [...new Set([...known, ...chosen])]
  if (offered.length === 0) return null
  return (
    <fieldset className="plain">
      <legend>{t('field.tags')}</legend>
      <div className="choice-list">
        {offered.map(tag => (
          <CheckboxField
            key={tag}
            label={tag}
            isSelected={chosen.includes(tag)}
            onChange={isOn => onChange(withOrWithout(chosen, tag, isOn))}
          />
        ))}
      </div>
    </fieldset>
  )
}

export const moments = ['on_create', 'on_start', 'on_end'] as const
/** An hour, a day and a week. */
const defaultReminders = [60, 1_440, 10_080]
const minuteMs = 60_000

/** Mails to the team, and status pages. */
export function PublishingFields({ value, onChange }: Props) {
  const { t } = useTranslation('maintenance')
  const times = useTimes()
  const pages = useQuery(pagesQuery).data?.data ?? []
  const { notify, status_page_ids: chosen } = value
  const reminders = [...new Set([...defaultReminders, ...notify.before_minutes])].toSorted((a, b) => b - a)
  const putBefore = (before_minutes: number[]) => onChange({ notify: { ...notify, before_minutes } })
  return (
    <Fieldset legend={t('group.publishing')}>
      <fieldset className="plain">
        <legend>{t('field.mails')}</legend>
        {moments.map(moment => (
          <CheckboxField
            key={moment}
            label={t(`notify.${moment}`)}
            isSelected={notify[moment]}
            onChange={isOn => onChange({ notify: { ...notify, [moment]: isOn } })}
          />
        ))}
        {reminders.map(minutes => (
          <CheckboxField
            key={minutes}
            label={t('notify.before', { time: times.duration(minutes * minuteMs) })}
            isSelected={notify.before_minutes.includes(minutes)}
            onChange={isOn => putBefore(withOrWithout(notify.before_minutes, minutes, isOn))}
          />
        ))}
      </fieldset>
      {pages.length > 0 && (
        <fieldset className="plain">
          <legend>{t('field.pages')}</legend>
          {pages.map(({ id, name }) => (
            <CheckboxField
              key={id}
              label={name}
              isSelected={chosen.includes(id)}
              onChange={isOn => onChange({ status_page_ids: withOrWithout(chosen, id, isOn) })}
            />
          ))}
        </fieldset>
      )}
    </Fieldset>
  )
}
