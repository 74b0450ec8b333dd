import { useSuspenseQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { CheckboxField, SelectField, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Table } from '../../parts/table.tsx'
import { toast } from '../../parts/toast.tsx'
import { refresh } from '../../queries.ts'
import { overridesQuery, teamPlanQuery } from '../queries.ts'

type Limits = Schemas['PresentPlanLimits']
type Feature = keyof Limits
type Changes = Schemas['FeatureOverrideChanges']
const removal = '__remove__'

/** These cannot be unlimited. */
const bounded: readonly Feature[] = ['agent_limit', 'min_check_interval', 'data_retention_days']

/** Each limit of the team: what is in effect, how much is used, and whether its reseller overrides the plan. */
export function TeamPlan({ id }: { id: string }) {
  const { t } = useTranslation('console')
  const { t: ofSettings } = useTranslation('settings')
  const [{ data: planBody }, { data: overridesBody }] = useSuspenseQueries({
    queries: [teamPlanQuery(id), overridesQuery(id)],
  })
  const { limits, usage } = planBody.data
  const { overrides } = overridesBody.data
  const [changed, setChanged] = useState<Feature | null>(null)
  const used = (feature: Feature) => (usage as Partial<Record<Feature, number>>)[feature]
  return (
    <section className="card">
      <p className="soft">{t('plan.says')}</p>
      <Table
        caption={t('team.tab.plan')}
        rows={Object.keys(limits) as Feature[]}
        keyOf={feature => feature}
        columns={[
          { id: 'feature', header: t('plan.feature'), cell: feature => ofSettings(`feature.${feature}`) },
          { id: 'effective', header: t('plan.effective'), cell: feature => <Value value={limits[feature]} /> },
          {
            id: 'used',
            header: t('plan.used'),
            cell: feature => {
              const count = used(feature)
              const limit = limits[feature]
              const isOver = count !== undefined && typeof limit === 'number' && count > limit
              return (
                <>
                  {count ?? '–'} {isOver && <strong className="down">{t('plan.over')}</strong>}
                </>
              )
            },
          },
          {
            id: 'override',
            header: t('plan.override'),
            cell: feature =>
              feature in overrides ? (
                <Value value={overrides[feature]} />
              ) : (
                <span className="soft">{t('plan.override.none')}</span>
              ),
          },
          {
            id: 'actions',
            header: '',
            cell: feature => (
              <Button
                variant="quiet"
                aria-label={`${t('plan.change')}: ${ofSettings(`feature.${feature}`)}`}
                onPress={() => setChanged(feature)}
              >
                {t('plan.change')}
              </Button>
            ),
          },
        ]}
      />
      {changed && (
        <Override
          id={id}
          feature={changed}
          value={overrides[changed] ?? limits[changed]}
          isSet={changed in overrides}
          onClose={() => setChanged(null)}
        />
      )}
    </section>
  )
}

function Value({ value }: { value: Limits[Feature] | undefined }) {
  const { t } = useTranslation('console')
  if (value === null) return t('plan.override.unlimited')
  if (typeof value === 'boolean') return t(value ? 'plan.yes' : 'plan.no')
  return Array.isArray(value) ? value.join(', ') : String(value)
}

interface OverrideProps {
  id: string
  feature: Feature
  value: Limits[Feature]
  isSet: boolean
  onClose(): void
}

function Override({ id, feature, value, isSet, onClose }: OverrideProps) {
  const { t } = useTranslation('console')
  const { t: ofSettings } = useTranslation('settings')
  const [text, setText] = useState(Array.isArray(value) ? value.join(', ') : String(value ?? ''))
  const [isUnlimited, setUnlimited] = useState(value === null)
  const put = async (next: unknown) => {
    const body = { overrides: { [feature]: next } as Changes }
    const path = '/api/v1/reseller/managed-teams/{managed_team}/feature-overrides' as const
    await bodyOf(api.PUT(path, { params: { path: { managed_team: id } }, body }))
    await refresh(['reseller', 'team', id])
    toast.success(t('plan.override.saved'))
  }
  const typed = () => {
    if (isUnlimited) return null
    if (typeof value === 'boolean') return text === 'true'
    if (Array.isArray(value)) return text.split(/[\s,]+/).filter(type => type !== '')
    return feature === 'api_access' ? text : Number(text)
  }
  const name = ofSettings(`feature.${feature}`)
  const choices = feature === 'api_access' ? ['read', 'full'] : ['true', 'false']
  const wordOf = (choice: string) =>
    feature === 'api_access' ? ofSettings(`plan.access.${choice}`) : t(choice === 'true' ? 'plan.yes' : 'plan.no')
  return (
    <FormDialog
      title={t('plan.override.set', { feature: name })}
      submit={t('save')}
      onClose={onClose}
      act={() => put(typed())}
    >
      {typeof value === 'boolean' || feature === 'api_access' ? (
        <SelectField
          label={t('plan.override.value')}
          name={`overrides.${feature}`}
          choices={choices.map(choice => ({ id: choice, label: wordOf(choice) }))}
          value={text}
          onChange={setText}
        />
      ) : (
        <TextField
          label={t('plan.override.value')}
          name={`overrides.${feature}`}
          isDisabled={isUnlimited}
          autoFocus
          value={text}
          onChange={setText}
        />
      )}
      {(typeof value === 'number' || value === null) && !bounded.includes(feature) && (
        <CheckboxField label={t('plan.override.unlimited')} isSelected={isUnlimited} onChange={setUnlimited} />
      )}
      {isSet && (
        <p>
          <Button
            onPress={async () => {
              await put(removal)
              onClose()
            }}
          >
            {t('plan.override.remove')}
          </Button>
        </p>
      )}
    </FormDialog>
  )
}
