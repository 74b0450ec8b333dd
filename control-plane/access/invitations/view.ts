import { z } from 'zod'
import { roles } from '#contract/scopes.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'

const time = z.string().meta({ format: 'date-time' })

export const invitationStatuses = ['pending', 'accepted', 'declined', 'expired', 'revoked'] as const

export const InvitationView = z
  .object({
    id: z.uuid(),
    email: z.string(),
    role: z.enum(roles),
    status: z.enum(invitationStatuses),
    expires_at: time,
    invited_by: z.uuid().nullable(),
    accepted_at: time.nullable(),
    accepted_by: z.uuid().nullable(),
    resent_count: z.int(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Invitation' })

export type InvitationRow = z.output<typeof InvitationView>

/** One past its end is over, whether or not anybody has noted it yet. */
export const shownStatus = `case when i.status = 'pending' and i.expires_at <= clock_timestamp() then 'expired' else i.status end`

/** Columns of `InvitationRow`, of `invitations` known as `i`. */
export const selectInvitations = `
  i.id, i.email, i.role, ${shownStatus} as status, ${stampSql('i.expires_at')} as expires_at, i.invited_by,
  ${stampSql('i.accepted_at')} as accepted_at, i.accepted_by, i.resent_count, ${stampSql('i.created_at')} as created_at, ${stampSql('i.updated_at')} as updated_at`

/** What is shown once, to who invites. */
export const secretParts = {
  plain_text_token: z.string().meta({
    description:
      'Shown this once. Whoever holds it may accept the invitation; an account made with it is unverified until its address is proven.',
  }),
  accept_url: z.url().meta({
    description:
      'The dashboard’s page to take it up; the token is behind the `#`. Programs send it to POST /invitations/accept.',
  }),
}
