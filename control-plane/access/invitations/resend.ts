import { refuseGiving } from '#control-plane/access/members/standing.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findInvitation, findPending } from './find.ts'
import { endOfLife, mintInvitation } from './secret.ts'
import { sendInvitation } from './send.ts'
import { startExpiry } from './start-expiry.ts'
import { InvitationView, secretParts } from './view.ts'

const resendsADay = 3

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/invitations/{invitation}/resend',
  summary: 'Send an open invitation again',
  description: `With new tokens, one shown this once and one in the mail; the earlier ones are void. It stands for seven days more. At most ${resendsADay} times in 24 hours.`,
  access: { tenant: 'team:manage', reseller: 'members:write' },
  underImpersonation: 'refused',
  returns: ok({ data: InvitationView, ...secretParts }),

  async handle(facts) {
    const { em, tenant, params, services, now, audit, emit } = facts
    const { id, role, email } = await findPending(em, tenant, params.invitation)
    refuseGiving(facts, role)
    const { hashes, shown, mailedUrl } = mintInvitation(services.config.baseUrl)
    const expiresAt = endOfLife(now)
    const recent = `array(select r from unnest(resent_at) r where r > clock_timestamp() - interval '1 day')`
    const { affectedRows } = await em.execute<{ affectedRows: number }>(
      `update invitations set token_hash = decode(?, 'hex'), mail_hash = decode(?, 'hex'), expires_at = ?, resent_count = resent_count + 1, resent_at = ${recent} || clock_timestamp(), updated_at = now()
       where tenant_id = ? and id = ? and cardinality(${recent}) < ${resendsADay}`,
      [...hashes, expiresAt, tenant.id, id],
      'run',
    )
    if (affectedRows === 0)
      throw invalid({ invitation: [`Was sent again ${resendsADay} times within 24 hours.`] }, 'resent_too_often')
    startExpiry(facts, id, expiresAt)
    sendInvitation(facts, { email, role, mailedUrl, shownUrl: shown.accept_url, expiresAt })
    audit('invitation.resent', { type: 'team_invitation', id })
    emit('invitation.resent', { invitation_id: id, tenant_id: tenant.id, role })
    return { data: await findInvitation(em, tenant, id), ...shown }
  },
})
