import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api.ts'
import { ButtonLink } from '../parts/button.tsx'
import { CheckboxField, SelectField, TextField } from '../parts/field.tsx'
import { Fieldset, Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { planQuery } from '../shared-queries.ts'
import { readMonitorsAgain } from './actions.ts'
import { IntervalField } from './interval-field.tsx'
import { guess, type OfferedCheck, offeredChecks, type WatchedType } from './kinds.ts'
import { defaultPolicy, PolicyFields, type PolicyValues } from './policy-fields.tsx'
import { type CheckType, regionsQuery } from './queries.ts'
import { RegionsField } from './regions-field.tsx'
import { tagsOf } from './tags.ts'
import { TryIt } from './try-it.tsx'
import './monitors.css'

const defaultInterval = 60
/** One address is enough: kind, name and checks are proposed from it. Leads to the page of the new monitor. */
export function NewMonitor() {
  const { t } = useTranslation('monitors')
  const navigate = useNavigate()
  const { limits } = useSuspenseQuery(planQuery).data
  // read before the first letter: the fields that come with it need them, and must not take the page away meanwhile
  useSuspenseQuery(regionsQuery)
  const [text, setText] = useState('')
  const [type, setType] = useState<WatchedType | null>(null)
  const [name, setName] = useState<string | null>(null)
  const [interval, setInterval] = useState(Math.max(defaultInterval, limits.min_check_interval))
  const [switched, setSwitched] = useState<Partial<Record<CheckType, boolean>>>({})
  const [regions, setRegions] = useState<string[]>([])
  const [policy, setPolicy] = useState<PolicyValues>(defaultPolicy)
  const [tags, setTags] = useState('')

  const guessed = guess(text)
  const target = { ...guessed, ...(type !== null && { type }) }
  const offered = offeredChecks(target)
  const isOn = ({ type: kind, isDefault }: OfferedCheck) => switched[kind] ?? isDefault
  const wanted = offered.filter(isOn).map(({ type: kind }) => kind)
  const settingsOf = (kind: CheckType) => (kind === 'tcp' && target.port !== null ? { port: target.port } : undefined)

  const body = () =>
    ({
      name: name ?? (guessed.name || text.trim()),
      url: target.url,
      type: target.type,
      check_interval: interval,
      regions,
      ...policy,
      tags: tagsOf(tags),
      checks: wanted.map(kind => ({ type: kind, settings: settingsOf(kind) })),
      // the server knows the defaults of what is left out
    }) as Schemas['NewMonitor']
  const create = useMutation({
    mutationFn: (monitor: Schemas['NewMonitor']) => bodyOf(api.POST('/api/v1/monitors', { body: monitor })),
    onSuccess: async ({ data }) => {
      await readMonitorsAgain()
      await navigate({ to: '/app/monitors/$monitor', params: { monitor: data.id } })
    },
  })

  return (
    <div className="page">
      <PageHead
        title={t('create.title')}
        actions={
          <ButtonLink to="/app/settings/import/new" icon="download">
            {t('create.import')}
          </ButtonLink>
        }
      />
      <Form mutation={create} body={body} call={{ method: 'POST', path: '/monitors' }}>
        <TextField
          name="url"
          label={t('create.url')}
          description={t('create.urlSays')}
          placeholder="https://example.com"
          value={text}
          onChange={setText}
          isRequired
          autoFocus
          isCode
        />
        {guessed.url !== '' && (
          <>
            <div className="field-columns">
              <SelectField
                name="type"
                label={t('create.type')}
                choices={(['website', 'host'] as const).map(id => ({ id, label: t(`type.${id}`) }))}
                value={target.type}
                onChange={id => setType(id)}
              />
              <TextField
                name="name"
                label={t('create.name')}
                value={name ?? guessed.name}
                onChange={setName}
                isRequired
              />
              <IntervalField name="check_interval" value={interval} onChange={setInterval} />
            </div>
            <Fieldset legend={t('create.checks')}>
              <p className="soft">{t('create.checksSays')}</p>
              {offered.map(check => (
                <CheckboxField
                  key={check.type}
                  name={`checks.${wanted.indexOf(check.type)}.type`}
                  label={t(`kind.${check.type}`)}
                  description={t(`why.${check.type}`)}
                  isSelected={isOn(check)}
                  onChange={selected => setSwitched({ ...switched, [check.type]: selected })}
                />
              ))}
            </Fieldset>
            <details className="advanced">
              <summary>{t('create.advanced')}</summary>
              <RegionsField value={regions} onChange={setRegions} />
              <PolicyFields value={policy} onChange={setPolicy} />
              <TextField
                name="tags"
                label={t('field.tags')}
                description={t('field.tagsSays')}
                value={tags}
                onChange={setTags}
              />
            </details>
          </>
        )}
        {guessed.url !== '' && (
          <TryIt
            tried={
              wanted[0] === undefined
                ? null
                : { url: target.url, type: target.type, check: { type: wanted[0], settings: settingsOf(wanted[0]) } }
            }
            regions={regions}
          />
        )}
        <FormActions>
          <SubmitButton>{t('create.submit')}</SubmitButton>
        </FormActions>
      </Form>
    </div>
  )
}
