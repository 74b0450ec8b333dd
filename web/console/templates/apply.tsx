import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../../api.ts'
import { SelectField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { toast } from '../../parts/toast.tsx'
import { refresh } from '../../queries.ts'
import { usePerson } from '../../shell/session.ts'
import { typedOf, VariableFields } from './variable-fields.tsx'
import { filled } from './variables.ts'

/** Creates the monitors of a template in a team: all of them or, where one is refused, none. */
export function Apply({ template, onClose }: { template: Schemas['MonitorTemplate']; onClose(): void }) {
  const { t } = useTranslation('console')
  const { managed_teams: teams = [] } = usePerson()
  const [team, setTeam] = useState<string | null>(null)
  const [values, setValues] = useState<Record<string, string>>({})
  const defaults = Object.fromEntries(template.variables.map(each => [each.name, each.default ?? '']))
  const shown = { ...defaults, ...typedOf(values) }
  const apply = async () => {
    const body = { template_id: template.id, variables: typedOf(values) }
    const params = { path: { managed_team: team ?? '' } }
    const path = '/api/v1/reseller/managed-teams/{managed_team}/apply-template' as const
    const { data } = await bodyOf(api.POST(path, { params, body }))
    await refresh(['reseller'])
    toast.success(t('templates.apply.done', { count: data.length }))
  }
  return (
    <FormDialog
      title={t('templates.apply.title', { name: template.name })}
      submit={t('templates.apply')}
      onClose={onClose}
      act={apply}
    >
      <SelectField
        label={t('templates.apply.team')}
        isRequired
        choices={teams.map(({ id, name }) => ({ id, label: name }))}
        value={team}
        onChange={setTeam}
      />
      <VariableFields variables={template.variables} values={values} onChange={setValues} />
      <h3>{t('templates.preview')}</h3>
      <ul>
        {template.monitors.map(monitor => (
          <li key={monitor.name_template}>
            {filled(monitor.name_template, shown)} <code>{filled(monitor.url_template ?? '', shown)}</code>
          </li>
        ))}
      </ul>
    </FormDialog>
  )
}
