import { sql } from 'kysely'
import { Sentence } from '#contract/sentence.ts'
import { requireMayGive } from '#control-plane/access/members/role-limits.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
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
  description:
    'With new tokens, one shown once and one in the mail; the earlier ones are void. It is open for seven more days. ' +
    `At most ${resendsADay} times in 24 hours.`,
  access: { tenant: 'team:manage', reseller: 'members:write' },
  needsOwnSession: true,
  underImpersonation: 'refused',
  returns: ok({ data: InvitationView, ...secretParts }),

  async handle(context) {
    const { em, tenant, params, services, now, audit, emit } = context
    const { id, role, email } = await findPending(em, tenant, params.invitation)
    requireMayGive(context, role)
    const { hashes, shown, mailedUrl } = mintInvitation(await keptOriginOf(services, tenant.id))
    const expiresAt = endOfLife(now)
    const recent = sql<
      string[]
    >`array(select r from unnest(resent_at) r where r > clock_timestamp() - interval '1 day')`
    const { numUpdatedRows } = await queries(em)
      .updateTable('invitations')
      .set({
        token_hash: sql<Buffer>`decode(${hashes[0]}, 'hex')`,
        mail_hash: sql<Buffer>`decode(${hashes[1]}, 'hex')`,
        expires_at: expiresAt.toISOString(),
        resent_count: sql<number>`resent_count + 1`,
        resent_at: sql<string[]>`${recent} || clock_timestamp()`,
        updated_at: sql<string>`now()`,
      })
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', id)
      .where(sql<number>`cardinality(${recent})`, '<', resendsADay)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n)
      throw invalid(
        { invitation: [new Sentence('Was sent again {n} times within 24 hours.', { n: resendsADay })] },
        'resent_too_often',
      )
    startExpiry(context, id, expiresAt)
    sendInvitation(context, { email, role, mailedUrl, shownUrl: shown.accept_url, expiresAt })
    audit('invitation.resent', { type: 'team_invitation', id })
    emit('invitation.resent', { invitation_id: id, tenant_id: tenant.id, role })
    return { data: await findInvitation(em, tenant, id), ...shown }
  },
})
