import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { type Role, RoleField } from '../access/role-field.tsx'
import { api, bodyOf, type Schemas } from '../api.ts'
import { TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Pager } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { refresh } from '../queries.ts'
import { useMay } from '../shell/may.ts'
import { usePerson } from '../shell/session.ts'
import { tokensQuery } from '../tokens/families.ts'
import { membersQuery } from './queries.ts'

type Member = Schemas['Member']
type Step = 'role' | 'reset' | 'disable' | 'remove'

const of = ({ user_id }: Member) => ({ params: { path: { user_id } } })
const again = () => refresh(['members'])

export function Members() {
  const { t } = useTranslation('team')
  const { managesPeople } = useMay()
  const { id: ownId } = usePerson()
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [asked, setAsked] = useState<{ step: Step; member: Member } | null>(null)
  const { data } = useQuery({ ...membersQuery(page, useDeferredValue(search)), placeholderData: keepPreviousData })
  const enable = async (member: Member) => {
    await bodyOf(api.PATCH('/api/v1/members/{user_id}', { ...of(member), body: { status: 'active' } }))
    await again()
    toast.success(t('enabled', { name: member.name }))
  }
  const actions = (member: Member) => {
    const ask = (step: Step) => () => setAsked({ step, member })
    const isDisabled = member.status === 'disabled'
    return [
      { id: 'role', label: t('role.change'), act: ask('role') },
      ...(member.mfa_enabled ? [{ id: 'reset', label: t('factor.reset'), act: ask('reset') }] : []),
      isDisabled
        ? { id: 'enable', label: t('enable'), act: () => enable(member) }
        : { id: 'disable', label: t('disable'), act: ask('disable') },
      { id: 'remove', label: t('remove'), act: ask('remove'), isDanger: true },
    ]
  }
  return (
    <section className="card">
      <h2>{t('members')}</h2>
      <TextField
        label={t('search')}
        type="search"
        value={search}
        onChange={value => {
          setSearch(value)
          setPage(1)
        }}
      />
      <Table
        caption={t('members')}
        rows={data?.data}
        keyOf={member => member.user_id}
        columns={[
          {
            id: 'name',
            header: t('name'),
            cell: member => (
              <>
                {member.name} {member.user_id === ownId && <span className="soft">({t('you')})</span>}
                <small className="soft">{member.email}</small>
              </>
            ),
          },
          {
            id: 'role',
            header: t('role'),
            cell: member => (
              <>
                {t(`role.${member.role}`)}
                {member.status === 'disabled' && <span className="soft"> · {t('status.disabled')}</span>}
              </>
            ),
          },
          { id: 'factor', header: t('factor'), cell: member => <Factors member={member} /> },
          {
            id: 'active',
            header: t('active'),
            cell: member => (member.last_active_at ? <Moment at={member.last_active_at} /> : t('active.never')),
          },
          ...(managesPeople
            ? [
                {
                  id: 'actions',
                  header: '',
                  cell: (member: Member) =>
                    member.user_id !== ownId && (
                      <Actions label={t('actions', { name: member.name })} actions={actions(member)} />
                    ),
                },
              ]
            : []),
        ]}
      />
      {data && <Pager meta={data.meta} onPage={setPage} />}
      {asked && <MemberStep {...asked} onClose={() => setAsked(null)} />}
    </section>
  )
}

function Factors({ member: { auth_methods: methods } }: { member: Member }) {
  const { t } = useTranslation('team')
  const factors = methods.filter(method => method !== 'password')
  if (factors.length === 0) return <span className="soft">{t('factor.none')}</span>
  return factors.map(factor => t(`factor.${factor}`)).join(', ')
}

function MemberStep({ step, member, onClose }: { step: Step; member: Member; onClose(): void }) {
  const { t } = useTranslation('team')
  const [role, setRole] = useState<Role>(member.role)
  const { name } = member
  const { data: keys } = useQuery({ ...tokensQuery('keys', 1), enabled: step === 'remove' || step === 'disable' })
  const stopping =
    keys?.data.filter(({ created_by: by, is_active: isActive }) => by === member.user_id && isActive) ?? []
  const stops =
    stopping.length === 0
      ? ''
      : ` ${t('remove.keys', { count: stopping.length, names: stopping.map(key => key.name).join(', ') })}`
  const path = '/api/v1/members/{user_id}' as const
  const steps = {
    role: {
      title: t('role.change.title', { name }),
      submit: t('save'),
      done: t('role.changed'),
      act: () => bodyOf(api.PATCH(path, { ...of(member), body: { role } })),
    },
    reset: {
      title: t('factor.reset.title', { name }),
      says: t('factor.reset.says'),
      submit: t('factor.reset'),
      done: t('factor.reset.done'),
      act: () => bodyOf(api.POST('/api/v1/members/{user_id}/reset-mfa', of(member))),
    },
    disable: {
      title: t('disable.title', { name }),
      says: t('disable.says') + stops,
      submit: t('disable'),
      done: t('disabled', { name }),
      act: () => bodyOf(api.PATCH(path, { ...of(member), body: { status: 'disabled' } })),
    },
    remove: {
      title: t('remove.title', { name }),
      says: t('remove.says') + stops,
      submit: t('remove'),
      done: t('removed', { name }),
      act: () => bodyOf(api.DELETE(path, of(member))),
    },
  }
  const { act, done, ...words } = steps[step]
  return (
    <FormDialog
      {...words}
      isDanger={step !== 'role'}
      onClose={onClose}
      act={async () => {
        await act()
        await again()
        toast.success(done)
      }}
    >
      {step === 'role' && <RoleField value={role} onChange={setRole} />}
    </FormDialog>
  )
}
