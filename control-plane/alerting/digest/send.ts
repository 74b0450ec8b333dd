import type { PoolClient } from 'pg'
import { addMail } from '#control-plane/kernel/mail.ts'
import type { Services } from '#control-plane/kernel/services.ts'
import { inTransaction } from '#control-plane/kernel/transaction.ts'
import { leaveToken } from '#control-plane/people/digest/link.ts'
import { morningBefore, nextMorning } from '#control-plane/people/digest/morning.ts'
import { teamsOf } from '#control-plane/people/profile/view.ts'
import { type Person, recipientOf } from '#control-plane/people/users/notify.ts'
import { readDigest } from './content.ts'

type Means = Pick<Services, 'platform' | 'config' | 'log'>

interface Reader extends Person {
  timezone: string
  digest: 'daily' | 'weekly'
  now: Date
}

// who dies with a claim, or fails at it, gives it back in ten minutes; meanwhile the others get theirs
const claim = `
  with due as materialized (
    select id from users where digest <> 'off' and digest_at <= clock_timestamp() order by digest_at limit 1 for update skip locked
  )
  update users u set digest_at = clock_timestamp() + interval '10 minutes'
  from due where u.id = due.id
  returning u.id, u.name, u.email, u.language, u.timezone, u.digest, clock_timestamp() as now`

/**
 * Asks for the digests that are due, one person after the other, each in one transaction with the date of the next: any number of
 * processes may do so at once. After a time away only the last is made up for.
 */
export async function sendDigests(means: Means, isStopped: () => boolean = () => false): Promise<void> {
  while (!isStopped()) {
    const { rows } = await means.platform.query<Reader>(claim)
    const [reader] = rows
    if (!reader) return
    await inTransaction(means.platform, client => sendTo(client, means, reader)).catch(error =>
      means.log.warn({ err: error, user_id: reader.id }, 'a digest could not be written; trying again'),
    )
  }
}

async function sendTo(client: PoolClient, { config }: Means, reader: Reader): Promise<void> {
  const { id, timezone, digest, now } = reader
  const next = nextMorning(now, timezone, digest)
  const to = morningBefore(next, timezone, digest)
  const from = morningBefore(to, timezone, digest)
  const token = leaveToken(config, id)
  for (const team of await teamsOf(client, id)) {
    const content = await readDigest(client, team, from, to)
    if (content === null) continue
    const links = { unsubscribe_url: `${config.baseUrl}/unsubscribe#${token}`, one_click_url: `${config.baseUrl}/api/v1/digest/unsubscribe?token=${token}` }
    await addMail(client, config, {
      tenantId: team.tenant_id,
      type: 'digest',
      recipient: recipientOf(reader),
      data: { period: digest, timezone, ...content, ...links },
    })
  }
  await client.query('update users set digest_at = $2 where id = $1 and digest = $3', [id, next, digest])
}
