import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../../api.ts'
import { SelectField, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { toast } from '../../parts/toast.tsx'
import { refresh } from '../../queries.ts'
import { type ManagedTeam, type Plan, plans, profilesQuery, templatesQuery } from '../queries.ts'
import { typedOf, VariableFields } from '../templates/variable-fields.tsx'

type NewManagedTeam = Schemas['ManagedTeamsCreateRequest']
const none = 'none'
const empty = { name: '', slug: '', label: '', ref: '', days: '', email: '', person: '', password: '' }

/** Such as `bakery-blume` of "Bakery Blume". */
const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 100)

/** Creates a team: by a profile, or by plan and trial. The short name follows the name until it is typed. */
export function NewTeam({ onClose, onCreated }: { onClose(): void; onCreated(team: ManagedTeam): void }) {
  const { t } = useTranslation('console')
  const [draft, setDraft] = useState(empty)
  const [plan, setPlan] = useState<Plan>('free')
  const [profileId, setProfileId] = useState(none)
  const [variables, setVariables] = useState<Record<string, string>>({})
  const profiles = useQuery(profilesQuery).data?.data ?? []
  const templates = useQuery(templatesQuery).data?.data ?? []
  const profile = profiles.find(({ id }) => id === profileId)
  const template = templates.find(({ id }) => id === profile?.monitor_template_id)
  const put = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const text = (name: keyof typeof draft, field: string, rest: Partial<Parameters<typeof TextField>[0]> = {}) => (
    <TextField
      label={t(wordOf[name])}
      name={field}
      value={draft[name]}
      onChange={value => put({ [name]: value })}
      {...rest}
    />
  )
  const create = async () => {
    const { name, slug, label, ref, days, email, person, password } = draft
    const body = {
      name,
      slug: slug || slugOf(name),
      label: label || null,
      external_ref: ref || null,
      metadata: {},
      ...(profile
        ? { profile_id: profile.id, variables: typedOf(variables) }
        : { plan, ...(days && { trial_days: Number(days) }) }),
      ...(email && { admin_email: email, admin_password: password, ...(person && { admin_name: person }) }),
    }
    // the API takes variables with a profile alone, and has a default for them
    const { data } = await bodyOf(api.POST('/api/v1/reseller/managed-teams', { body: body as NewManagedTeam }))
    // the list of a reseller's teams is a part of the person
    await Promise.all([refresh(['reseller']), refresh(['person'])])
    toast.success(t('team.created', { name }))
    onCreated(data)
  }
  return (
    <FormDialog title={t('team.new.title')} submit={t('create')} onClose={onClose} act={create}>
      {text('name', 'name', { isRequired: true, autoFocus: true })}
      {text('slug', 'slug', { description: t('team.slug.says'), placeholder: slugOf(draft.name), isCode: true })}
      {text('label', 'label', { description: t('team.label.says') })}
      {text('ref', 'external_ref', { description: t('team.external_ref.says') })}
      {profiles.length > 0 && (
        <SelectField
          label={t('team.profile')}
          description={t('team.profile.says')}
          name="profile_id"
          choices={[
            { id: none, label: t('team.profile.none') },
            ...profiles.map(({ id, name: label }) => ({ id, label })),
          ]}
          value={profileId}
          onChange={setProfileId}
        />
      )}
      {!profile && (
        <div className="cards">
          <SelectField
            label={t('teams.plan')}
            name="plan"
            choices={plans.map(id => ({ id, label: id }))}
            value={plan}
            onChange={value => setPlan(value)}
          />
          {text('days', 'trial_days', { inputMode: 'numeric', placeholder: t('team.trial.none') })}
        </div>
      )}
      {template && template.variables.length > 0 && (
        <fieldset className="plain">
          <legend>{t('team.variables')}</legend>
          <VariableFields variables={template.variables} values={variables} onChange={setVariables} />
        </fieldset>
      )}
      <details>
        <summary>{t('team.admin')}</summary>
        <p className="soft">{t('team.admin.says')}</p>
        {text('email', 'admin_email', { type: 'email' })}
        {text('person', 'admin_name')}
        {text('password', 'admin_password', { type: 'password', autoComplete: 'new-password' })}
      </details>
    </FormDialog>
  )
}

const wordOf = {
  name: 'team.name',
  slug: 'team.slug',
  label: 'teams.label',
  ref: 'team.external_ref',
  days: 'team.trial_days',
  email: 'team.admin.email',
  person: 'team.admin.name',
  password: 'team.admin.password',
} as const
