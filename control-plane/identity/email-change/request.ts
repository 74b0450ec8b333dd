import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { mintLink } from '#control-plane/base/mail-link.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { tooMany } from '#control-plane/http/rate.ts'
import { ok } from '#control-plane/http/reply.ts'
import { verifiedAccountOf } from '#control-plane/identity/address-proof/lock.ts'
import { confirmIdentity } from '#control-plane/identity/mfa/confirm-identity.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { email } from '#control-plane/identity/users/input.ts'
import { recipientOf } from '#control-plane/identity/users/notify.ts'
import { takeQuestion } from '#control-plane/tenancy/plans/mail-questions.ts'
import { hintAt, revertableUntil } from './revertable.ts'

const lifeMs = 3_600_000
const aMinute = 3

export const changeEmail = endpoint({
  method: 'POST',
  path: '/profile/email',
  operation: 'profile.changeEmail',
  summary: 'Request a change of your e-mail address',
  description:
    'Needs the password, and a code where there is a second factor. The new address gets a link that works for ' +
    'an hour and confirms the change. An address with an account gets none; the answer is the same. The ' +
    'present address gets a notice with a link that cancels the change, or reverts it within 72 hours.',
  access: 'session',
  needsFreshSession: true,
  rate: 'auth',
  underImpersonation: 'refused',
  body: z.object({ email, password: z.string().min(1).max(1_000), otp_code: z.string().max(20).optional() }),
  returns: ok({ data: z.object({ pending_email: z.string(), expires_at: z.string().meta({ format: 'date-time' }) }) }),

  async handle({ body, caller, em, tenant, services, now, ip, audit, mail }) {
    const user = signedIn(caller)
    await confirmIdentity(services, caller, body, now)
    const counted = await services.rate.count(`email-change:${user.id}`, aMinute, services.clock.nowMs())
    if (counted.isRefused) throw tooMany(counted)
    if (body.email.toLowerCase() === user.email.toLowerCase()) throw invalid({ email: ['Is your address already.'] })
    await takeQuestion({ em, services, tenant }, body.email, 'email')
    const { hash, url } = mintLink(`${services.config.baseUrl}/email-change`)
    const expiresAt = new Date(now.getTime() + lifeMs)
    const change = {
      email: body.email,
      token_hash: hash,
      expires_at: expiresAt.toISOString(),
      requested_at: now.toISOString(),
    }
    await queries(em)
      .insertInto('email_changes')
      .values({ user_id: user.id, ...change })
      .onConflict(conflict => conflict.column('user_id').doUpdateSet(change))
      .execute()
    const revert = mintLink(`${services.config.baseUrl}/email-revert`)
    await rows(em)`insert into email_reverts (token_hash, user_id, email, proven_at, requested_at, expires_at)
     select ${revert.hash}::bytea, id, email, email_verified_at, ${now}::timestamptz,
       ${revertableUntil(expiresAt)}::timestamptz
     from users where id = ${user.id}`
    mail('email_change_requested', recipientOf(user), {
      user_name: user.name,
      new_email: hintAt(body.email),
      occurred_at: stamp(now),
      ip_address: ip || null,
      revert_url: revert.url,
    })
    if ((await verifiedAccountOf(services.platform, body.email)) === null)
      mail(
        'email_change_verify',
        { ...recipientOf(user), email: body.email },
        { user_name: user.name, confirm_url: url, expires_at: stamp(expiresAt) },
      )
    audit('email.change_requested', { type: 'user', id: user.id })
    return { data: { pending_email: body.email, expires_at: stamp(expiresAt) } }
  },
})
