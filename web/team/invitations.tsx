import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { type Role, RoleField } from '../access/role-field.tsx'
import { Shown } from '../access/shown.tsx'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Pager } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { refresh } from '../queries.ts'
import { useMay } from '../shell/may.ts'
import { invitationsQuery } from './queries.ts'

type Invitation = Schemas['Invitation']

const of = ({ id: invitation }: Invitation) => ({ params: { path: { invitation } } })
const again = () => refresh(['invitations'])

export function Invitations() {
  const { t } = useTranslation('team')
  const { managesPeople } = useMay()
  const [page, setPage] = useState(1)
  const [isInviting, setInviting] = useState(false)
  const [revoked, setRevoked] = useState<Invitation | null>(null)
  const [link, setLink] = useState<{ email: string; url: string } | null>(null)
  const { data } = useQuery({ ...invitationsQuery(page), placeholderData: keepPreviousData })

  const resend = async (invitation: Invitation) => {
    const sent = await bodyOf(api.POST('/api/v1/invitations/{invitation}/resend', of(invitation)))
    await again()
    setLink({ email: invitation.email, url: sent.accept_url })
  }
  const invite = managesPeople && (
    <Button variant="primary" icon="add" onPress={() => setInviting(true)}>
      {t('invite')}
    </Button>
  )
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('invitations')}</h2>
        {invite}
      </div>
      {data?.meta.total === 0 ? (
        <EmptyState title={t('invitations.empty')} action={invite}>
          {t('invitations.empty.says')}
        </EmptyState>
      ) : (
        <Table
          caption={t('invitations')}
          rows={data?.data}
          keyOf={({ id }) => id}
          columns={[
            { id: 'email', header: t('email'), cell: ({ email }) => email },
            { id: 'role', header: t('role'), cell: ({ role }) => t(`role.${role}`) },
            { id: 'state', header: t('state'), cell: ({ status }) => t(`state.${status}`) },
            {
              id: 'expires',
              header: t('expires'),
              cell: ({ status, expires_at: at }) => status === 'pending' && <Moment at={at} />,
            },
            ...(managesPeople
              ? [
                  {
                    id: 'actions',
                    header: '',
                    cell: (invitation: Invitation) =>
                      invitation.status === 'pending' && (
                        <Actions
                          label={t('actions', { name: invitation.email })}
                          actions={[
                            { id: 'resend', label: t('resend'), act: () => resend(invitation) },
                            {
                              id: 'revoke',
                              label: t('revoke'),
                              act: () => setRevoked(invitation),
                              isDanger: true,
                            },
                          ]}
                        />
                      ),
                  },
                ]
              : []),
          ]}
        />
      )}
      {data && <Pager meta={data.meta} onPage={setPage} />}
      {isInviting && <Invite onClose={() => setInviting(false)} onSent={setLink} />}
      {link && (
        <Shown
          title={t('invite.sent', { email: link.email })}
          says={t('invite.link')}
          label={t('invite.link.label')}
          secret={link.url}
          onClose={() => setLink(null)}
        />
      )}
      {revoked && (
        <FormDialog
          title={t('revoke.title', { email: revoked.email })}
          says={t('revoke.says')}
          submit={t('revoke')}
          isDanger
          onClose={() => setRevoked(null)}
          act={async () => {
            await bodyOf(api.DELETE('/api/v1/invitations/{invitation}', of(revoked)))
            await again()
            toast.success(t('revoked'))
          }}
        />
      )}
    </section>
  )
}

function Invite({ onClose, onSent }: { onClose(): void; onSent(link: { email: string; url: string }): void }) {
  const { t } = useTranslation('team')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  return (
    <FormDialog
      title={t('invite.title')}
      submit={t('invite.send')}
      onClose={onClose}
      act={async () => {
        const { accept_url: url } = await bodyOf(api.POST('/api/v1/invitations', { body: { email, role } }))
        await again()
        onSent({ email, url })
      }}
    >
      <TextField label={t('email')} name="email" type="email" autoFocus isRequired value={email} onChange={setEmail} />
      <RoleField value={role} onChange={setRole} />
    </FormDialog>
  )
}
