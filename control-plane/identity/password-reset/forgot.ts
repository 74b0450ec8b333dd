import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { rateLimits, tooMany } from '#control-plane/http/rate.ts'
import { ok } from '#control-plane/http/reply.ts'
import type { Person } from '#control-plane/identity/users/notify.ts'
import { sendResetLink } from './send-link.ts'

/** Every answer takes this long, so that its delay does not reveal whether the account exists. */
const answerMs = 250
/** Limits the mails that a stranger can cause. */
const mostAnHour = 3

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/auth/password/forgot',
  summary: 'Request a password reset link by mail',
  description:
    'The answer is the same whether or not the address has an account. The link works once, for an hour, and proves ' +
    `the address. At most ${mostAnHour} are sent an hour.`,
  access: 'public',
  rate: 'auth',
  detached: true,
  body: z.object({ email: z.email().max(255) }),
  returns: ok({ message: z.string() }),

  async handle({ body, services, ip }) {
    const counted = await services.rate.count(
      `auth:forgot:${body.email.toLowerCase()}`,
      rateLimits.auth,
      services.clock.nowMs(),
    )
    if (counted.isRefused) throw tooMany(counted)
    await Promise.all([sendLink(services, body.email, ip), sleep(answerMs)])
    return { message: 'If this address has an account, a mail with a link is on its way to it.' }
  },
})

type Account = Person & Row<'memberships', 'tenant_id'>

const find = (email: string) => sql<Account>`
  select u.id, u.name, u.email, u.language, m.tenant_id
  from users u join memberships m on m.user_id = u.id join tenants t on t.id = m.tenant_id and t.deleted_at is null
  where u.email = ${email} and not u.is_service
    and (select count(*) from password_resets r join users o on o.id = r.user_id
         where o.email = ${email} and r.created_at > clock_timestamp() - interval '1 hour') < ${sql.lit(mostAnHour)}
  order by u.email_verified_at is null, (t.id = u.home_tenant_id) desc nulls last, m.created_at limit 1`

const sendLink = ({ platform, config }: RequestContext['services'], email: string, ip: string): Promise<void> =>
  inTransaction(platform, async client => {
    // concurrent requests for one address are counted one after the other
    await rows(client)`select pg_advisory_xact_lock(hashtextextended('password_reset:' || lower(${email}), 0))`
    await rows(client)`delete from password_resets where expires_at < clock_timestamp() - interval '1 hour'`
    const [found] = await rows(client, find(email))
    if (!found) return
    const { tenant_id: tenantId, ...person } = found
    await sendResetLink(client, config, { person, tenantId, ip })
  })
