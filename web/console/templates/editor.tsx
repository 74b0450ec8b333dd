import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { CheckboxField, SelectField, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { toast } from '../../parts/toast.tsx'
import { refresh } from '../../queries.ts'
import { templatesQuery } from '../queries.ts'
import { filled, variablesIn } from './variables.ts'

type Template = Schemas['MonitorTemplate']
type NewTemplate = Schemas['NewMonitorTemplate']
type NewMonitor = NewTemplate['monitors'][number]
const types = ['website', 'host', 'cron', 'agent'] as const
/** Kinds that need no settings; others of a template are kept as they are. */
const kinds = ['uptime', 'ssl', 'dns', 'domain_expiry', 'security_headers'] as const

interface Draft {
  number: number
  name: string
  url: string
  type: (typeof types)[number]
  interval: string
  kinds: readonly string[]
  /** What the editor does not show. */
  rest: Partial<Template['monitors'][number]>
}
interface Variable {
  required: boolean
  default: string
  description: string | null
}

const emptyMonitor = (number: number): Draft => ({
  number,
  name: '',
  url: '',
  type: 'website',
  interval: '',
  kinds: ['uptime', 'ssl'],
  rest: {},
})
const draftOf = (monitor: Template['monitors'][number], number: number): Draft => ({
  number,
  name: monitor.name_template,
  url: monitor.url_template ?? '',
  type: monitor.type,
  interval: monitor.check_interval === null ? '' : String(monitor.check_interval),
  kinds: monitor.checks.map(({ type }) => type),
  rest: monitor,
})

function monitorOf({ name, url, type, interval, kinds: chosen, rest }: Draft): NewMonitor {
  const kept = (rest.checks ?? []).filter(check => chosen.includes(check.type))
  const added = chosen.filter(kind => !kept.some(check => check.type === kind)).map(kind => ({ type: kind }))
  const isChecked = type === 'website' || type === 'host'
  return {
    tags: rest.tags ?? [],
    slo: rest.slo ?? null,
    secret_hosts: rest.secret_hosts ?? [],
    name_template: name,
    type,
    url_template: isChecked ? url : null,
    check_interval: interval === '' ? null : Number(interval),
    checks: (isChecked ? [...kept, ...added] : (rest.checks ?? [])) as never,
  }
}

/** A template: its monitors, the variables found in them, and what would be created with the values typed. */
export function TemplateEditor({ template, onClose }: { template: Template | null; onClose(): void }) {
  const { t } = useTranslation('console')
  const [name, setName] = useState(template?.name ?? '')
  const [monitors, setMonitors] = useState<readonly Draft[]>(() => template?.monitors.map(draftOf) ?? [emptyMonitor(0)])
  const [variables, setVariables] = useState<Readonly<Record<string, Variable>>>(() =>
    Object.fromEntries(
      (template?.variables ?? []).map(each => [
        each.name,
        { required: each.required, default: each.default ?? '', description: each.description },
      ]),
    ),
  )
  const settings = template?.monitors.flatMap(({ checks, tags }) => [JSON.stringify(checks), ...tags]) ?? []
  const found = variablesIn([...monitors.flatMap(monitor => [monitor.name, monitor.url]), ...settings])
  const of = (variable: string) => variables[variable] ?? { required: true, default: '', description: null }
  const put = (number: number, part: Partial<Draft>) =>
    setMonitors(monitors.map(monitor => (monitor.number === number ? { ...monitor, ...part } : monitor)))
  const values = Object.fromEntries(found.map(variable => [variable, of(variable).default]))
  const save = async () => {
    const body = {
      name,
      monitors: monitors.map(monitorOf),
      variables: found.map(variable => {
        const { required, default: value, description } = of(variable)
        return { name: variable, required, description, default: value || null }
      }),
    }
    if (template === null) await bodyOf(api.POST('/api/v1/reseller/monitor-templates', { body }))
    else {
      const path = { monitor_template: template.id }
      await bodyOf(api.PATCH('/api/v1/reseller/monitor-templates/{monitor_template}', { params: { path }, body }))
    }
    await refresh(templatesQuery.queryKey)
    toast.success(t('saved'))
  }
  return (
    <FormDialog title={template?.name ?? t('templates.new')} submit={t('save')} onClose={onClose} act={save}>
      <TextField label={t('templates.name')} name="name" isRequired autoFocus value={name} onChange={setName} />
      {monitors.map((monitor, index) => (
        <MonitorFields
          key={monitor.number}
          monitor={monitor}
          index={index}
          onChange={part => put(monitor.number, part)}
          onRemove={
            monitors.length > 1
              ? () => setMonitors(monitors.filter(({ number }) => number !== monitor.number))
              : undefined
          }
        />
      ))}
      <Button
        icon="add"
        onPress={() => setMonitors([...monitors, emptyMonitor(Math.max(...monitors.map(each => each.number)) + 1)])}
      >
        {t('templates.monitor.add')}
      </Button>
      <h3>{t('templates.found')}</h3>
      {found.length === 0 && <p className="soft">{t('templates.found.none')}</p>}
      {found.map((variable, index) => (
        <div key={variable} className="row">
          <TextField
            label={`${variable}: ${t('templates.variable.default')}`}
            name={`variables.${index}.default`}
            value={of(variable).default}
            onChange={value => setVariables({ ...variables, [variable]: { ...of(variable), default: value } })}
          />
          <CheckboxField
            label={t('templates.variable.required')}
            isSelected={of(variable).required}
            onChange={required => setVariables({ ...variables, [variable]: { ...of(variable), required } })}
          />
        </div>
      ))}
      <h3>{t('templates.preview')}</h3>
      <p className="soft">{t('templates.preview.says')}</p>
      <ul>
        {monitors.map(monitor => (
          <li key={monitor.number}>
            {filled(monitor.name, values)} <code>{filled(monitor.url, values)}</code>
          </li>
        ))}
      </ul>
    </FormDialog>
  )
}

interface MonitorFieldsProps {
  monitor: Draft
  index: number
  onChange(part: Partial<Draft>): void
  onRemove: (() => void) | undefined
}

function MonitorFields({ monitor, index, onChange, onRemove }: MonitorFieldsProps) {
  const { t } = useTranslation('console')
  const isChecked = monitor.type === 'website' || monitor.type === 'host'
  const toggle = (kind: string, isChosen: boolean) =>
    onChange({ kinds: isChosen ? [...monitor.kinds, kind] : monitor.kinds.filter(each => each !== kind) })
  return (
    <fieldset className="card">
      <legend>{t('templates.monitor', { number: index + 1 })}</legend>
      <TextField
        label={t('templates.monitor.name')}
        name={`monitors.${index}.name_template`}
        isRequired
        value={monitor.name}
        onChange={name => onChange({ name })}
      />
      <SelectField
        label={t('templates.monitor.type')}
        name={`monitors.${index}.type`}
        choices={types.map(id => ({ id, label: t(`templates.type.${id}`) }))}
        value={monitor.type}
        onChange={type => onChange({ type })}
      />
      {isChecked && (
        <>
          <TextField
            label={t('templates.monitor.url')}
            name={`monitors.${index}.url_template`}
            isRequired
            isCode
            placeholder="https://{{domain}}"
            value={monitor.url}
            onChange={url => onChange({ url })}
          />
          <fieldset className="row plain">
            <legend>{t('templates.monitor.checks')}</legend>
            {kinds.map(kind => (
              <CheckboxField
                key={kind}
                label={t(`templates.check.${kind}`)}
                isSelected={monitor.kinds.includes(kind)}
                onChange={isChosen => toggle(kind, isChosen)}
              />
            ))}
          </fieldset>
        </>
      )}
      <TextField
        label={`${t('templates.monitor.interval')} (${t('templates.seconds')})`}
        name={`monitors.${index}.check_interval`}
        inputMode="numeric"
        value={monitor.interval}
        onChange={interval => onChange({ interval })}
      />
      {onRemove && (
        <Button variant="quiet" icon="delete" onPress={onRemove}>
          {t('templates.monitor.remove')}
        </Button>
      )}
    </fieldset>
  )
}
