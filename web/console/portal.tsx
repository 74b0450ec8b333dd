import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { SelectField, SwitchField, TextField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Table } from '../parts/table.tsx'
import { toast } from '../parts/toast.tsx'
import { queries, refresh } from '../queries.ts'
import { domainsQuery, plans, portalQuery, profilesQuery } from './queries.ts'

type Settings = Schemas['Portal']
type Domain = Schemas['CustomDomain']
const none = 'none'

/** Where customers sign in and sign up, and under which names. */
export function Portal() {
  const portal = useSuspenseQuery(portalQuery).data.data
  return (
    <>
      <PortalForm portal={portal} />
      <Domains />
    </>
  )
}

function PortalForm({ portal }: { portal: Settings }) {
  const { t } = useTranslation('console')
  const profiles = useQuery(profilesQuery).data?.data ?? []
  const [slug, setSlug] = useState(portal.slug ?? '')
  const [isEnabled, setEnabled] = useState(portal.is_enabled)
  const [support, setSupport] = useState(portal.support_email ?? '')
  const [isOpen, setOpen] = useState(portal.sign_up.is_enabled)
  const [plan, setPlan] = useState(portal.sign_up.plan ?? 'free')
  const [profile, setProfile] = useState(portal.sign_up.profile_id ?? none)
  const [domains, setDomains] = useState(portal.sign_up.allowed_email_domains.join('\n'))
  const save = async () => {
    const body = {
      slug: slug || null,
      is_enabled: isEnabled,
      support_email: support || null,
      sign_up: {
        is_enabled: isOpen,
        plan: profile === none ? plan : null,
        profile_id: profile === none ? null : profile,
        allowed_email_domains: domains.split(/[\s,]+/).filter(domain => domain !== ''),
      },
    }
    const saved = await bodyOf(api.PATCH('/api/v1/reseller/portal', { body }))
    queries.setQueryData(portalQuery.queryKey, saved)
    toast.success(t('saved'))
  }
  const saving = useMutation({ mutationFn: save })
  return (
    <section className="card">
      <h2>{t('nav.portal')}</h2>
      <p className="soft">{t('portal.says')}</p>
      {portal.is_enabled && (
        <p>
          {t('portal.url')}: <a href={portal.url}>{portal.url}</a>
        </p>
      )}
      <Form mutation={saving} body={() => undefined}>
        <SwitchField label={t('portal.enabled')} name="is_enabled" isSelected={isEnabled} onChange={setEnabled} />
        <TextField
          label={t('portal.slug')}
          description={t('team.slug.says')}
          name="slug"
          isCode
          value={slug}
          onChange={setSlug}
        />
        <TextField
          label={t('portal.support')}
          name="support_email"
          type="email"
          value={support}
          onChange={setSupport}
        />
        <h3>{t('portal.sign-up')}</h3>
        {portal.sign_up.is_enabled && !portal.sign_up.is_open && <p>{t('portal.sign-up.closed')}</p>}
        <SwitchField
          label={t('portal.sign-up.enabled')}
          name="sign_up.is_enabled"
          isSelected={isOpen}
          onChange={setOpen}
        />
        {isOpen && (
          <>
            <SelectField
              label={t('portal.sign-up.profile')}
              name="sign_up.profile_id"
              choices={[
                { id: none, label: t('portal.sign-up.none') },
                ...profiles.map(({ id, name }) => ({ id, label: name })),
              ]}
              value={profile}
              onChange={setProfile}
            />
            {profile === none && (
              <SelectField
                label={t('portal.sign-up.plan')}
                name="sign_up.plan"
                choices={plans.map(id => ({ id, label: id }))}
                value={plan}
                onChange={value => setPlan(value)}
              />
            )}
            <TextField
              label={t('portal.sign-up.domains')}
              description={t('portal.sign-up.domains.says')}
              name="sign_up.allowed_email_domains"
              rows={2}
              value={domains}
              onChange={setDomains}
            />
          </>
        )}
        <FormActions>
          <SubmitButton>{t('save')}</SubmitButton>
        </FormActions>
      </Form>
    </section>
  )
}

const again = () => refresh(domainsQuery.queryKey)

function Domains() {
  const { t } = useTranslation('console')
  const { data } = useQuery(domainsQuery)
  const [isAdding, setAdding] = useState(false)
  const [deleted, setDeleted] = useState<Domain | null>(null)
  const verify = async ({ id }: Domain) => {
    const params = { path: { custom_domain: id } }
    await bodyOf(api.POST('/api/v1/reseller/custom-domains/{custom_domain}/verify', { params }))
    await again()
  }
  const add = (
    <Button icon="add" onPress={() => setAdding(true)}>
      {t('portal.domain.add')}
    </Button>
  )
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('portal.domains')}</h2>
        {add}
      </div>
      {data?.meta.total === 0 ? (
        <EmptyState title={t('portal.domain.none')} action={add}>
          {t('portal.domain.none.says')}
        </EmptyState>
      ) : (
        <Table
          caption={t('portal.domains')}
          rows={data?.data}
          keyOf={({ id }) => id}
          columns={[
            { id: 'domain', header: t('portal.domain'), cell: ({ hostname }) => hostname },
            {
              id: 'state',
              header: t('portal.domain.state'),
              cell: ({ state, last_error: error }) =>
                `${t(`portal.domain.state.${state}`)}${error ? `: ${t(`portal.domain.error.${error}`)}` : ''}`,
            },
            {
              id: 'records',
              header: t('portal.domain.records'),
              cell: ({ hostname, dns }) => (
                <>
                  <code>{`${hostname} CNAME ${dns.cname}`}</code>
                  <br />
                  <code>{`${dns.txt_name} TXT ${dns.txt_value}`}</code>
                </>
              ),
            },
            {
              id: 'actions',
              header: '',
              cell: domain => (
                <Actions
                  label={domain.hostname}
                  actions={[
                    { id: 'verify', label: t('portal.domain.verify'), act: () => verify(domain) },
                    {
                      id: 'delete',
                      label: t('portal.domain.delete'),
                      act: () => setDeleted(domain),
                      isDanger: true,
                    },
                  ]}
                />
              ),
            },
          ]}
        />
      )}
      {isAdding && <AddDomain onClose={() => setAdding(false)} />}
      {deleted && (
        <FormDialog
          title={t('portal.domain.delete.title', { name: deleted.hostname })}
          says={t('portal.domain.delete.says')}
          submit={t('portal.domain.delete')}
          isDanger
          onClose={() => setDeleted(null)}
          act={async () => {
            const params = { path: { custom_domain: deleted.id } }
            await bodyOf(api.DELETE('/api/v1/reseller/custom-domains/{custom_domain}', { params }))
            await again()
            toast.success(t('portal.domain.deleted'))
          }}
        />
      )}
    </section>
  )
}

function AddDomain({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('console')
  const [hostname, setHostname] = useState('')
  return (
    <FormDialog
      title={t('portal.domain.add')}
      submit={t('portal.domain.add')}
      onClose={onClose}
      act={async () => {
        await bodyOf(
          api.POST('/api/v1/reseller/custom-domains', { body: { hostname, purpose: 'portal', target_id: null } }),
        )
        await again()
        toast.success(t('portal.domain.added'))
      }}
    >
      <TextField
        label={t('portal.domain')}
        name="hostname"
        isRequired
        autoFocus
        isCode
        placeholder="status.example.com"
        value={hostname}
        onChange={setHostname}
      />
    </FormDialog>
  )
}
