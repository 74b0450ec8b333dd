import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { mintLink } from '#control-plane/base/mail-link.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { type Db, type Row, rows } from '#control-plane/db/queries.ts'
import { rateLimits, tooMany } from '#control-plane/http/rate.ts'
import type { Services } from '#control-plane/http/services.ts'
import { isPasswordHidden } from '#control-plane/identity/sessions/password-login.ts'
import { type Person, recipientOf } from '#control-plane/identity/users/notify.ts'
import { addMail } from '#control-plane/outbox/mail.ts'
import { browserHashOf, codeHashOf } from './use.ts'

/** Every answer takes this long, so that its delay does not reveal whether the account exists. */
const answerMs = 250
const lifeMinutes = 15
/** Limits the mails that a stranger can cause, and the guesses at codes. */
const [mostAnHour, mostADay] = [3, 10]

interface Asked {
  email: string
  /** The random text of the browser's form cookie. */
  nonce: string
  /** The origin that was asked, one of ours: the link leads back there. */
  origin: string
  next: string
  ip: string
}

/** Mails a link and a code to the account that has proven the address. Nothing reveals whether there is one. */
export async function sendLoginLink(services: Services, asked: Asked): Promise<void> {
  const key = `auth:login-link:${asked.email.toLowerCase()}`
  const counted = await services.rate.count(key, rateLimits.auth, services.clock.nowMs())
  if (counted.isRefused) throw tooMany(counted)
  await Promise.all([send(services, asked), sleep(answerMs)])
}

const sentSince = (time: string) =>
  sql`(select count(*) from login_links l
    where l.user_id = u.id and l.created_at > clock_timestamp() - ${sql.lit(time)}::interval)`

const send = ({ platform, config }: Services, { email, nonce, origin, next, ip }: Asked): Promise<void> =>
  inTransaction(platform, async client => {
    // concurrent requests for one address are counted one after the other
    await rows(client)`select pg_advisory_xact_lock(hashtextextended('login_link:' || lower(${email}), 0))`
    await rows(client)`delete from login_links where created_at < clock_timestamp() - interval '1 day'`
    const [person] = await rows(client)<Person>`
      select u.id, u.name, u.email, u.language from users u
      where u.email = ${email} and u.email_verified_at is not null and not u.is_service
        and ${sentSince('1 hour')} < ${sql.lit(mostAnHour)}
        and ${sentSince('1 day')} < ${sql.lit(mostADay)}`
    const tenantId = person && (await firstTeamOf(client, person.id))
    if (!person || !tenantId) return
    const { hash, url } = mintLink(`${origin}/login/link/open`)
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const stored = await rows(client)<Row<'login_links', 'expires_at'>>`
      insert into login_links (token_hash, user_id, email, browser_hash, code_hash, next, expires_at)
      values (${hash}, ${person.id}, ${person.email}, ${browserHashOf(nonce)}, ${codeHashOf(nonce, code)}, ${next},
      clock_timestamp() + interval '${sql.lit(lifeMinutes)} minutes')
      returning to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as expires_at`
    const data = {
      user_name: person.name,
      login_url: url,
      code,
      expires_at: stored[0]!.expires_at,
      ip_address: ip || null,
    }
    await addMail(client, config, { tenantId, type: 'login_link', recipient: recipientOf(person), data })
  })

/** The first team of a person that is entered without its provider or reseller; a link leads into no other. */
async function firstTeamOf(db: Db, userId: string): Promise<string | undefined> {
  const found = await rows(db)<Row<'memberships', 'tenant_id'>>`
    select m.tenant_id from memberships m join users u on u.id = m.user_id
      join tenants t on t.id = m.tenant_id and t.deleted_at is null and t.suspended_at is null
    where m.user_id = ${userId} and m.disabled_at is null
    order by (t.id = u.home_tenant_id) desc nulls last, m.created_at limit 20`
  for (const { tenant_id: tenantId } of found) if (!(await isPasswordHidden(db, tenantId, userId))) return tenantId
  return undefined
}
