import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { CheckboxField, SelectField, TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Pager } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { refresh } from '../queries.ts'
import { actIn } from '../shell/acting.ts'
import { tenantsQuery } from './queries.ts'

type Tenant = Schemas['Tenant']
const plans = ['unlimited', 'free', 'hobby', 'starter', 'pro'] as const
type Plan = (typeof plans)[number]
const planOf = ({ is_unlimited, plan }: Tenant): Plan => (is_unlimited ? 'unlimited' : plan)
const again = () => refresh(['tenants'])
const update = (tenant: string, body: Schemas['TenantsUpdateRequest']) =>
  bodyOf(api.PATCH('/api/v1/tenants/{tenant}', { params: { path: { tenant } }, body }))

/** Teams, resellers and their teams. */
export function Tenants() {
  const { t } = useTranslation('ops')
  const nameOf = usePlanNames()
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const wanted = useDeferredValue(search)
  const { data } = useQuery({ ...tenantsQuery({ search: wanted, page }), placeholderData: keepPreviousData })
  const [asked, setAsked] = useState<{ step: 'edit' | 'suspend'; tenant: Tenant } | 'new' | null>(null)
  const lift = async (tenant: Tenant) => {
    await update(tenant.id, { is_suspended: false })
    await again()
    toast.success(t('tenants.unsuspended', { name: tenant.name }))
  }
  const actions = (tenant: Tenant) => [
    { id: 'step-in', label: t('tenants.step-in'), act: () => actIn({ tenantId: tenant.id, name: tenant.name }) },
    { id: 'edit', label: t('tenants.edit'), act: () => setAsked({ step: 'edit', tenant }) },
    tenant.is_suspended
      ? { id: 'lift', label: t('tenants.unsuspend'), act: () => lift(tenant) }
      : {
          id: 'suspend',
          label: t('tenants.suspend'),
          act: () => setAsked({ step: 'suspend', tenant }),
          isDanger: true,
        },
  ]
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('nav.tenants')}</h2>
        <Button variant="primary" icon="add" onPress={() => setAsked('new')}>
          {t('tenants.new')}
        </Button>
      </div>
      <TextField
        label={t('tenants.search')}
        type="search"
        value={search}
        onChange={value => {
          setSearch(value)
          setPage(1)
        }}
      />
      {data?.meta.total === 0 ? (
        <EmptyState title={t('tenants.empty')}>{t('tenants.empty.says')}</EmptyState>
      ) : (
        <Table
          caption={t('nav.tenants')}
          rows={data?.data}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'name',
              header: t('tenants.name'),
              cell: tenant => (
                <>
                  {tenant.name}
                  <small className="soft">{tenant.slug}</small>
                </>
              ),
            },
            { id: 'kind', header: t('tenants.kind'), cell: tenant => t(`tenants.kind.${kindOf(tenant)}`) },
            { id: 'plan', header: t('tenants.plan'), cell: tenant => nameOf(planOf(tenant)) },
            { id: 'state', header: t('tenants.state'), cell: tenant => t(`tenants.state.${stateOf(tenant)}`) },
            { id: 'monitors', header: t('tenants.monitors'), cell: tenant => tenant.monitors_count },
            {
              id: 'owners',
              header: t('tenants.owners'),
              cell: ({ owners }) => owners.map(({ email }) => email).join(', ') || '–',
            },
            { id: 'created', header: t('tenants.created'), cell: ({ created_at: at }) => <Moment at={at} /> },
            {
              id: 'actions',
              header: '',
              cell: tenant =>
                tenant.deleted_at === null && (
                  <Actions label={t('tenants.actions', { name: tenant.name })} actions={actions(tenant)} />
                ),
            },
          ]}
        />
      )}
      {data && <Pager meta={data.meta} onPage={setPage} />}
      {asked === 'new' && <NewTenant onClose={() => setAsked(null)} />}
      {asked !== null && asked !== 'new' && asked.step === 'edit' && (
        <EditTenant tenant={asked.tenant} onClose={() => setAsked(null)} />
      )}
      {asked !== null && asked !== 'new' && asked.step === 'suspend' && (
        <Suspend tenant={asked.tenant} onClose={() => setAsked(null)} />
      )}
    </section>
  )
}

function kindOf(tenant: Tenant) {
  if (tenant.is_reseller) return 'reseller'
  return tenant.reseller_id === null ? 'team' : 'managed'
}

function stateOf(tenant: Tenant) {
  if (tenant.deleted_at !== null) return 'deleted'
  if (tenant.is_suspended) return 'suspended'
  return tenant.is_paused ? 'paused' : 'active'
}

function Suspend({ tenant, onClose }: { tenant: Tenant; onClose(): void }) {
  const { t } = useTranslation('ops')
  const [reason, setReason] = useState('')
  const { name } = tenant
  return (
    <FormDialog
      title={t('tenants.suspend.title', { name })}
      says={t('tenants.suspend.says')}
      submit={t('tenants.suspend')}
      isDanger
      typed={name}
      onClose={onClose}
      act={async () => {
        await update(tenant.id, { is_suspended: true, suspended_reason: reason || null })
        await again()
        toast.success(t('tenants.suspended', { name }))
      }}
    >
      <TextField
        label={t('tenants.suspend.reason')}
        name="suspended_reason"
        autoFocus
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  )
}

function EditTenant({ tenant, onClose }: { tenant: Tenant; onClose(): void }) {
  const { t } = useTranslation('ops')
  const [name, setName] = useState(tenant.name)
  const [plan, setPlan] = useState(planOf(tenant))
  const [isReseller, setReseller] = useState(tenant.is_reseller)
  return (
    <FormDialog
      title={tenant.name}
      submit={t('save')}
      onClose={onClose}
      act={async () => {
        await update(tenant.id, {
          name,
          ...(plan !== planOf(tenant) && (plan === 'unlimited' ? { is_unlimited: true } : { plan })),
          ...(isReseller !== tenant.is_reseller && { is_reseller: isReseller }),
        })
        await again()
        toast.success(t('saved'))
      }}
    >
      <TextField label={t('tenants.name')} name="name" isRequired autoFocus value={name} onChange={setName} />
      <PlanField plan={plan} isManaged={tenant.reseller_id !== null} onChange={setPlan} />
      <CheckboxField
        label={t('tenants.is-reseller')}
        description={t('tenants.is-reseller.says')}
        name="is_reseller"
        isDisabled={tenant.reseller_id !== null}
        isSelected={isReseller}
        onChange={setReseller}
      />
    </FormDialog>
  )
}

function usePlanNames() {
  const { t } = useTranslation('ops')
  return (plan: Plan) => (plan === 'unlimited' ? t('tenants.plan.unlimited') : plan)
}

interface PlanFieldProps {
  plan: Plan
  isManaged?: boolean
  onChange(plan: Plan): void
}

/** Without a plan are only tenants that no reseller manages. */
function PlanField({ plan, isManaged = false, onChange }: PlanFieldProps) {
  const { t } = useTranslation('ops')
  const nameOf = usePlanNames()
  const choices = plans.filter(id => !isManaged || id !== 'unlimited')
  return (
    <SelectField
      label={t('tenants.plan')}
      name="plan"
      choices={choices.map(id => ({ id, label: nameOf(id) }))}
      value={plan}
      onChange={value => onChange(value)}
    />
  )
}

function NewTenant({ onClose }: { onClose(): void }) {
  const { t, i18n } = useTranslation('ops')
  const [draft, setDraft] = useState({ name: '', slug: '', email: '', person: '' })
  const [plan, setPlan] = useState<Plan>('unlimited')
  const [isReseller, setReseller] = useState(false)
  const put = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const { name, slug, email, person } = draft
  return (
    <FormDialog
      title={t('tenants.new')}
      submit={t('tenants.create')}
      onClose={onClose}
      act={async () => {
        const owner = { email, language: i18n.language, password: null, ...(person && { name: person }) }
        const body = { name, slug, is_reseller: isReseller, owner, ...(plan !== 'unlimited' && { plan }) }
        await bodyOf(api.POST('/api/v1/tenants', { body }))
        await again()
        toast.success(t('tenants.created.done', { name }))
      }}
    >
      <TextField
        label={t('tenants.name')}
        name="name"
        isRequired
        autoFocus
        value={name}
        onChange={value => put({ name: value })}
      />
      <TextField
        label={t('tenants.slug')}
        description={t('tenants.slug.says')}
        name="slug"
        isRequired
        isCode
        value={slug}
        onChange={value => put({ slug: value })}
      />
      <PlanField plan={plan} onChange={setPlan} />
      <CheckboxField
        label={t('tenants.is-reseller')}
        description={t('tenants.is-reseller.says')}
        name="is_reseller"
        isSelected={isReseller}
        onChange={setReseller}
      />
      <h3>{t('tenants.owner')}</h3>
      <TextField
        label={t('tenants.owner.email')}
        description={t('tenants.owner.says')}
        name="owner.email"
        type="email"
        isRequired
        value={email}
        onChange={value => put({ email: value })}
      />
      <TextField
        label={t('tenants.owner.name')}
        name="owner.name"
        value={person}
        onChange={value => put({ person: value })}
      />
    </FormDialog>
  )
}
