import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api.ts'
import { readMonitorsAgain } from '../monitors/actions.ts'
import { Button } from '../parts/button.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import { Fieldset, Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { toast } from '../parts/toast.tsx'
import { charts, type Metric, type Server } from './queries.ts'

type Threshold = Server['thresholds'][number]
const metrics: readonly Metric[] = Object.values(charts).flat()
const severities = ['warning', 'critical'] as const
const newThreshold: Threshold = { metric: 'cpu', label: null, above: 90, for_minutes: 5, severity: 'warning' }

/** Name, silence and thresholds. */
export function ServerSettings({ server }: { server: Server }) {
  const { t } = useTranslation('servers')
  const [name, setName] = useState(server.name)
  const [silence, setSilence] = useState(server.no_data_after_minutes ?? Number.NaN)
  const [rows, setRows] = useState(() => server.thresholds.map(withKey))
  const save = useMutation({
    mutationFn: (body: Schemas['AgentMonitorChanges']) => {
      const path = { agent_monitor: server.id }
      return bodyOf(api.PATCH('/api/v1/agent-monitors/{agent_monitor}', { params: { path }, body }))
    },
    onSuccess: async () => {
      await readMonitorsAgain()
      toast.success(t('saved'))
    },
  })
  const body = () => ({
    name,
    no_data_after_minutes: Number.isNaN(silence) ? null : silence,
    thresholds: rows.map(({ key: _, ...threshold }) => threshold),
  })
  const change = (key: string, part: Partial<Threshold>) =>
    setRows(rows.map(row => (row.key === key ? { ...row, ...part } : row)))
  return (
    <section className="card">
      <h2>{t('settings.title')}</h2>
      <Form mutation={save} body={body}>
        <div className="field-columns">
          <TextField name="name" label={t('field.name')} value={name} onChange={setName} isRequired />
          <NumberField
            name="no_data_after_minutes"
            label={t('field.silence')}
            description={t('field.silenceSays')}
            unit={t('minutes')}
            minValue={2}
            maxValue={1_440}
            value={silence}
            onChange={setSilence}
          />
        </div>
        <Fieldset legend={t('thresholds.title')}>
          {rows.map((row, index) => (
            <div key={row.key} className="threshold">
              <SelectField
                name={`thresholds.${index}.metric`}
                label={t('thresholds.metric')}
                choices={metrics.map(id => ({ id, label: t(`metric.${id}`) }))}
                value={row.metric}
                onChange={metric => change(row.key, { metric })}
              />
              <NumberField
                name={`thresholds.${index}.above`}
                label={t('thresholds.above')}
                minValue={0}
                value={row.above}
                onChange={above => change(row.key, { above })}
              />
              <NumberField
                name={`thresholds.${index}.for_minutes`}
                label={t('thresholds.for')}
                unit={t('minutes')}
                minValue={1}
                maxValue={60}
                value={row.for_minutes}
                onChange={minutes => change(row.key, { for_minutes: minutes })}
              />
              <SelectField
                name={`thresholds.${index}.severity`}
                label={t('thresholds.severity')}
                choices={severities.map(id => ({ id, label: t(`severity.${id}`) }))}
                value={row.severity}
                onChange={severity => change(row.key, { severity })}
              />
              <Button
                variant="quiet"
                icon="delete"
                aria-label={t('thresholds.remove', { metric: t(`metric.${row.metric}`) })}
                onPress={() => setRows(rows.filter(({ key }) => key !== row.key))}
              />
            </div>
          ))}
          <Button icon="add" onPress={() => setRows([...rows, withKey(newThreshold)])}>
            {t('thresholds.add')}
          </Button>
        </Fieldset>
        <FormActions>
          <SubmitButton>{t('save')}</SubmitButton>
        </FormActions>
      </Form>
    </section>
  )
}

let made = 0
/** A row keeps its fields when one above it is removed. */
const withKey = (threshold: Threshold) => ({ ...threshold, key: String(made++) })
