import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Table } from '../parts/table.tsx'
import { toast } from '../parts/toast.tsx'
import { refresh } from '../queries.ts'
import { plans, profilesQuery, templatesQuery } from './queries.ts'

type Profile = Schemas['ProvisioningProfile']
const none = 'none'
const again = () => refresh(profilesQuery.queryKey)

/** What new teams start with. */
export function Profiles() {
  const { t } = useTranslation('console')
  const { data } = useQuery(profilesQuery)
  const templates = useQuery(templatesQuery).data?.data ?? []
  const [edited, setEdited] = useState<Profile | 'new' | null>(null)
  const [deleted, setDeleted] = useState<Profile | null>(null)
  const create = (
    <Button variant="primary" icon="add" onPress={() => setEdited('new')}>
      {t('profiles.new')}
    </Button>
  )
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('nav.profiles')}</h2>
        {create}
      </div>
      <p className="soft">{t('profiles.says')}</p>
      {data?.meta.total === 0 ? (
        <EmptyState title={t('profiles.empty')} action={create}>
          {t('profiles.empty.says')}
        </EmptyState>
      ) : (
        <Table
          caption={t('nav.profiles')}
          rows={data?.data}
          keyOf={({ id }) => id}
          columns={[
            { id: 'name', header: t('profiles.name'), cell: ({ name }) => name },
            { id: 'plan', header: t('profiles.plan'), cell: ({ plan }) => plan },
            {
              id: 'trial',
              header: t('profiles.trial'),
              cell: ({ trial_days: days }) => days ?? t('profiles.trial.none'),
            },
            {
              id: 'template',
              header: t('profiles.template'),
              cell: profile => templates.find(({ id }) => id === profile.monitor_template_id)?.name ?? '–',
            },
            {
              id: 'overrides',
              header: t('profiles.overrides'),
              cell: profile => Object.keys(profile.feature_overrides).length,
            },
            {
              id: 'actions',
              header: '',
              cell: profile => (
                <Actions
                  label={t('profiles.actions', { name: profile.name })}
                  actions={[
                    { id: 'edit', label: t('edit'), act: () => setEdited(profile) },
                    { id: 'delete', label: t('delete'), act: () => setDeleted(profile), isDanger: true },
                  ]}
                />
              ),
            },
          ]}
        />
      )}
      {edited && <ProfileEditor profile={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {deleted && (
        <FormDialog
          title={t('profiles.delete.title', { name: deleted.name })}
          says={t('profiles.delete.says')}
          submit={t('delete')}
          isDanger
          onClose={() => setDeleted(null)}
          act={async () => {
            const params = { path: { provisioning_profile: deleted.id } }
            await bodyOf(api.DELETE('/api/v1/reseller/provisioning-profiles/{provisioning_profile}', { params }))
            await again()
            toast.success(t('profiles.deleted'))
          }}
        />
      )}
    </section>
  )
}

function ProfileEditor({ profile, onClose }: { profile: Profile | null; onClose(): void }) {
  const { t } = useTranslation('console')
  const templates = useQuery(templatesQuery).data?.data ?? []
  const [name, setName] = useState(profile?.name ?? '')
  const [plan, setPlan] = useState(profile?.plan ?? 'starter')
  const [days, setDays] = useState(String(profile?.trial_days ?? ''))
  const [template, setTemplate] = useState(profile?.monitor_template_id ?? none)
  const save = async () => {
    const body = {
      name,
      plan,
      trial_days: days === '' ? null : Number(days),
      monitor_template_id: template === none ? null : template,
    }
    if (profile === null)
      await bodyOf(api.POST('/api/v1/reseller/provisioning-profiles', { body: { ...body, feature_overrides: {} } }))
    else {
      const params = { path: { provisioning_profile: profile.id } }
      await bodyOf(api.PATCH('/api/v1/reseller/provisioning-profiles/{provisioning_profile}', { params, body }))
    }
    await again()
    toast.success(t('saved'))
  }
  return (
    <FormDialog
      title={profile?.name ?? t('profiles.new')}
      says={profile ? t('profiles.kept') : undefined}
      submit={t('save')}
      onClose={onClose}
      act={save}
    >
      <TextField label={t('profiles.name')} name="name" isRequired autoFocus value={name} onChange={setName} />
      <SelectField
        label={t('profiles.plan')}
        name="plan"
        choices={plans.map(id => ({ id, label: id }))}
        value={plan}
        onChange={value => setPlan(value)}
      />
      <TextField
        label={t('profiles.trial')}
        name="trial_days"
        inputMode="numeric"
        placeholder={t('profiles.trial.none')}
        value={days}
        onChange={setDays}
      />
      <SelectField
        label={t('profiles.template')}
        name="monitor_template_id"
        choices={[
          { id: none, label: t('profiles.template.none') },
          ...templates.map(({ id, name: label }) => ({ id, label })),
        ]}
        value={template}
        onChange={setTemplate}
      />
    </FormDialog>
  )
}
