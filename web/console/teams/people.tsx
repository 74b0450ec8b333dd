import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../../access/actions.tsx'
import { type Role, RoleField } from '../../access/role-field.tsx'
import { Shown } from '../../access/shown.tsx'
import { api, bodyOf, type Schemas } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { Moment } from '../../parts/time.tsx'
import { toast } from '../../parts/toast.tsx'
import { refresh } from '../../queries.ts'
import { teamInvitationsQuery, teamMembersQuery } from '../queries.ts'

type Member = Schemas['Member']

export function People({ id }: { id: string }) {
  const { t } = useTranslation('console')
  const [page, setPage] = useState(1)
  const [isInviting, setInviting] = useState(false)
  const [asked, setAsked] = useState<{ step: 'remove' | 'reset'; member: Member } | null>(null)
  const [link, setLink] = useState<{ name: string; url: string } | null>(null)
  const { data } = useQuery({ ...teamMembersQuery(id, page), placeholderData: keepPreviousData })
  const signInLink = async ({ name, email }: Member) => {
    const { data: made } = await bodyOf(
      api.POST('/api/v1/reseller/managed-teams/{managed_team}/sso-link', {
        params: { path: { managed_team: id } },
        body: { user_email: email },
      }),
    )
    setLink({ name, url: made.sso_url })
  }
  const actions = (member: Member) => [
    { id: 'link', label: t('people.login-link'), act: () => signInLink(member) },
    ...(member.mfa_enabled
      ? [{ id: 'reset', label: t('people.reset'), act: () => setAsked({ step: 'reset' as const, member }) }]
      : []),
    {
      id: 'remove',
      label: t('people.remove'),
      act: () => setAsked({ step: 'remove' as const, member }),
      isDanger: true,
    },
  ]
  const invite = (
    <Button variant="primary" icon="add" onPress={() => setInviting(true)}>
      {t('people.invite')}
    </Button>
  )
  return (
    <>
      <section className="card">
        <div className="row spread">
          <h2>{t('team.tab.people')}</h2>
          {invite}
        </div>
        {data?.meta.total === 0 ? (
          <EmptyState title={t('people.empty')} action={invite}>
            {t('people.empty.says')}
          </EmptyState>
        ) : (
          <Table
            caption={t('team.tab.people')}
            rows={data?.data}
            keyOf={member => member.user_id}
            columns={[
              {
                id: 'name',
                header: t('people.name'),
                cell: member => (
                  <>
                    {member.name}
                    <small className="soft">{member.email}</small>
                  </>
                ),
              },
              { id: 'role', header: t('people.role'), cell: ({ role }) => t(`role.${role}`) },
              {
                id: 'factor',
                header: t('people.factor'),
                cell: member => t(member.mfa_enabled ? 'people.factor.on' : 'people.factor.off'),
              },
              {
                id: 'active',
                header: t('people.active'),
                cell: ({ last_active_at: at }) => (at ? <Moment at={at} /> : t('never')),
              },
              {
                id: 'actions',
                header: '',
                cell: member => (
                  <Actions label={t('people.actions', { name: member.name })} actions={actions(member)} />
                ),
              },
            ]}
          />
        )}
        {data && <Pager meta={data.meta} onPage={setPage} />}
      </section>
      <OpenInvitations id={id} />
      {isInviting && <Invite id={id} onClose={() => setInviting(false)} />}
      {asked && <MemberStep id={id} {...asked} onClose={() => setAsked(null)} />}
      {link && (
        <Shown
          title={t('people.login-link')}
          says={t('people.login-link.says', { name: link.name })}
          label={t('people.login-link')}
          secret={link.url}
          onClose={() => setLink(null)}
        />
      )}
    </>
  )
}

const again = (id: string) => refresh(['reseller', 'team', id])

function MemberStep(props: { id: string; step: 'remove' | 'reset'; member: Member; onClose(): void }) {
  const { id, step, member, onClose } = props
  const { t } = useTranslation('console')
  const params = { path: { managed_team: id, user_id: member.user_id } }
  const { name } = member
  const path = '/api/v1/reseller/managed-teams/{managed_team}/members/{user_id}' as const
  return (
    <FormDialog
      title={t(`people.${step}.title`, { name })}
      says={t(`people.${step}.says`)}
      submit={t(`people.${step}`)}
      isDanger
      onClose={onClose}
      act={async () => {
        if (step === 'remove') await bodyOf(api.DELETE(path, { params }))
        else await bodyOf(api.POST(`${path}/reset-mfa`, { params }))
        await again(id)
        toast.success(step === 'remove' ? t('people.removed', { name }) : t('people.reset.done'))
      }}
    />
  )
}

function OpenInvitations({ id }: { id: string }) {
  const { t } = useTranslation('console')
  const { data } = useQuery(teamInvitationsQuery(id))
  if (!data || data.data.length === 0) return null
  const revoke = async (invitation: string) => {
    await bodyOf(
      api.DELETE('/api/v1/reseller/managed-teams/{managed_team}/invitations/{invitation}', {
        params: { path: { managed_team: id, invitation } },
      }),
    )
    await again(id)
    toast.success(t('people.revoked'))
  }
  return (
    <section className="card">
      <h2>{t('people.pending')}</h2>
      <Table
        caption={t('people.pending')}
        rows={data.data}
        keyOf={invitation => invitation.id}
        columns={[
          { id: 'email', header: t('people.email'), cell: ({ email }) => email },
          { id: 'role', header: t('people.role'), cell: ({ role }) => t(`role.${role}`) },
          { id: 'expires', header: t('people.expires'), cell: ({ expires_at: at }) => <Moment at={at} /> },
          {
            id: 'actions',
            header: '',
            cell: invitation => (
              <Button
                variant="quiet"
                aria-label={`${t('people.revoke')}: ${invitation.email}`}
                onPress={() => revoke(invitation.id)}
              >
                {t('people.revoke')}
              </Button>
            ),
          },
        ]}
      />
    </section>
  )
}

function Invite({ id, onClose }: { id: string; onClose(): void }) {
  const { t } = useTranslation('console')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('admin')
  return (
    <FormDialog
      title={t('people.invite')}
      submit={t('people.invite')}
      onClose={onClose}
      act={async () => {
        await bodyOf(
          api.POST('/api/v1/reseller/managed-teams/{managed_team}/invitations', {
            params: { path: { managed_team: id } },
            body: { email, role },
          }),
        )
        await again(id)
        toast.success(t('people.invited', { email }))
      }}
    >
      <TextField
        label={t('people.email')}
        name="email"
        type="email"
        isRequired
        autoFocus
        value={email}
        onChange={setEmail}
      />
      <RoleField value={role} onChange={setRole} />
    </FormDialog>
  )
}
