import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { z } from 'zod'
import { roles } from '#contract/scopes.ts'
import { Sentence } from '#contract/sentence.ts'
import { requireMayGive } from '#control-plane/access/members/role-limits.ts'
import { reserveSeat } from '#control-plane/access/members/seats.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { countRows, queries, rows } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { email } from '#control-plane/identity/users/input.ts'
import { reserveQuota } from '#control-plane/tenancy/plans/enforce.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { findInvitation } from './find.ts'
import { endOfLife, mintInvitation } from './secret.ts'
import { sendInvitation } from './send.ts'
import { startExpiry } from './start-expiry.ts'
import { InvitationView, secretParts } from './view.ts'

/** Limits on mails to strangers: invitations of a team in a day, to one address by it, and by all teams. */
const invitationLimits = { aDay: 100, aDayForOne: 3, aDayForOneOfAll: 10 }

export const createInvitation = endpoint({
  method: 'POST',
  path: '/invitations',
  summary: 'Invite someone to a team by e-mail address',
  description:
    'Open for seven days; takes a seat of the plan. The mailed link also proves the address; ' +
    'another token is shown to the inviter once. The event invitation.created has ids only. ' +
    `At most ${invitationLimits.aDay} a day, ${invitationLimits.aDayForOne} to one address; plans limit open ones. ` +
    'A role above the caller’s own is refused; it opens only while the inviter could still give it. To act for ' +
    'a managed team, use its path under the reseller.',
  access: { tenant: 'team:manage', reseller: 'members:write' },
  needsOwnSession: true,
  needsFreshSession: true,
  underImpersonation: 'refused',
  body: z.object({ email, role: z.enum(roles).default('member') }),
  returns: created({ data: InvitationView, ...secretParts }),

  async handle(context) {
    const { body, em, tenant, caller, services, now, audit, emit } = context
    requireMayGive(context, body.role)
    await reserveSeat(context)
    await reserveQuota(context, 'pending_invitations', 1)
    await refuseNeedless(em, tenant, body.email)
    await refuseFlood(context, body.email)
    const { hashes, shown, mailedUrl } = mintInvitation(await keptOriginOf(services, tenant.id))
    const [id, expiresAt] = [randomUUID(), endOfLife(now)]
    const [tokenHash, mailHash] = hashes
    await rows(em)`
      insert into invitations (id, tenant_id, email, role, token_hash, mail_hash, invited_by, expires_at)
      values (${id}, ${tenant.id}, ${body.email}, ${body.role}, decode(${tokenHash}, 'hex'),
        decode(${mailHash}, 'hex'), ${caller.user?.id ?? caller.maker}, ${expiresAt})`
    startExpiry(context, id, expiresAt)
    sendInvitation(context, { email: body.email, role: body.role, mailedUrl, shownUrl: shown.accept_url, expiresAt })
    audit('invitation.created', { type: 'team_invitation', id }, { role: body.role })
    emit('invitation.created', { invitation_id: id, tenant_id: tenant.id, role: body.role })
    return { data: await findInvitation(em, tenant, id), ...shown }
  },
})

/** Call it under the lock of `reserveSeat`, so that no two invitations to one address are created at once. */
async function refuseNeedless(em: EntityManager, tenant: { id: string }, address: string): Promise<void> {
  await rows(em)`update invitations set status = 'expired', updated_at = now()
    where tenant_id = ${tenant.id} and email = ${address}::citext and status = 'pending'
      and expires_at <= clock_timestamp()`
  const { is_member, is_invited } = await queries(em)
    .selectNoFrom(({ exists, selectFrom }) => [
      exists(
        selectFrom('memberships as m')
          .innerJoin('users as u', 'u.id', 'm.user_id')
          .where('m.tenant_id', '=', tenant.id)
          .where('u.email', '=', address)
          .select('u.id'),
      ).as('is_member'),
      exists(
        selectFrom('invitations as i')
          .where('i.tenant_id', '=', tenant.id)
          .where('i.email', '=', address)
          .where('i.status', '=', 'pending')
          .select('i.id'),
      ).as('is_invited'),
    ])
    .executeTakeFirstOrThrow()
  if (is_member) throw invalid({ email: ['Belongs to this team already.'] }, 'already_member')
  if (is_invited) throw invalid({ email: ['Has an open invitation: send that one again.'] }, 'already_invited')
}

async function refuseFlood(
  { em, tenant, services }: Pick<RequestContext, 'em' | 'tenant' | 'services'>,
  address: string,
): Promise<void> {
  const { by_all, for_one } = await queries(em)
    .selectFrom('invitations as i')
    .where('i.tenant_id', '=', tenant.id)
    .where('i.created_at', '>', sql<string>`clock_timestamp() - interval '1 day'`)
    .select(({ ref }) => [
      sql<number>`count(*)::int`.as('by_all'),
      sql<number>`(count(*) filter (where ${ref('i.email')} = ${address}))::int`.as('for_one'),
    ])
    .executeTakeFirstOrThrow()
  if (by_all >= invitationLimits.aDay)
    throw invalid(
      { email: [new Sentence('At most {n} invitations are made a day.', { n: invitationLimits.aDay })] },
      'too_many_invitations',
    )
  const byAllTeams = await countRows(services.platform)`
    from invitations where email = ${address} and created_at > clock_timestamp() - interval '1 day'`
  const isTooMuch = byAllTeams >= invitationLimits.aDayForOneOfAll
  if (for_one >= invitationLimits.aDayForOne || isTooMuch)
    throw invalid({ email: ['This address was invited often enough today.'] }, 'too_many_invitations')
}
