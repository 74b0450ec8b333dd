import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { Refusal } from '#control-plane/base/refusal.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { noticeOf, type Person, recipientOf } from '#control-plane/identity/users/notify.ts'
import { addMail } from '#control-plane/outbox/mail.ts'
import { isNewBlock } from './guesses.ts'

interface Deps {
  config: Keyring
  platform: Pool
  log: Logger
}

/** Only who has proven the address is mailed: before that, it may be a stranger’s. The first team is that of the mail. */
const findOwner = (userId: string) => sql<Person & Row<'memberships', 'tenant_id'>>`
  select u.id, u.name, u.email, u.language, m.tenant_id
  from users u join memberships m on m.user_id = u.id join tenants t on t.id = m.tenant_id and t.deleted_at is null
  where u.id = ${userId} and u.email_verified_at is not null and not u.is_service
  order by (t.id = u.home_tenant_id) desc nulls last, m.created_at limit 1`

interface Blocked {
  userId: string | undefined
  /** The network of the guesses; null: they were made in a session. */
  network: string | null
  now: Date
}

/**
 * Mails the owner of an account, once for each block, that guesses at it were refused. The answer does not wait for it:
 * it would reveal that the account exists.
 */
export function noteBlock({ config, platform, log }: Deps, error: unknown, { userId, network, now }: Blocked): void {
  if (!(error instanceof Refusal) || error.status !== 429 || userId === undefined) return
  inTransaction(platform, async client => {
    if (!(await isNewBlock(client, userId))) return
    const [owner] = await rows(client, findOwner(userId))
    if (!owner) return
    const { tenant_id: tenantId, ...person } = owner
    const data = { ...noticeOf(person, now, null), reason: 'guesses' as const, team_name: null, network }
    await addMail(client, config, { tenantId, type: 'security_account_blocked', recipient: recipientOf(person), data })
  }).catch(err => log.error({ err }, 'notice of blocked guesses'))
}
