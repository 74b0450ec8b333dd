import { sql } from 'kysely'
import { rows } from '#control-plane/db/queries.ts'
import { leaveLinks } from '#control-plane/identity/digest/link.ts'
import { morningBefore, nextMorning } from '#control-plane/identity/digest/morning.ts'
import { teamsOf } from '#control-plane/identity/profile/view.ts'
import { recipientOf } from '#control-plane/identity/users/notify.ts'
import { addMail } from '#control-plane/outbox/mail.ts'
import { readDigest } from './content.ts'
import type { Subscribed } from './due.ts'

export const digests: Subscribed = {
  kind: 'digest',
  wanted: sql`digest <> 'off'`,
  at: 'digest_at',

  async write(client, { config }, reader) {
    const { id, timezone, digest, now } = reader
    const next = nextMorning(now, timezone, digest)
    const to = morningBefore(next, timezone, digest)
    const from = morningBefore(to, timezone, digest)
    for (const team of await teamsOf(client, id)) {
      const content = await readDigest(client, team, from, to)
      if (content === null) continue
      await addMail(client, config, {
        tenantId: team.tenant_id,
        type: 'digest',
        recipient: recipientOf(reader),
        data: {
          period: digest,
          timezone,
          ...content,
          details_url: `${config.baseUrl}/app/monitors`,
          ...leaveLinks(config, 'digest', id),
        },
      })
    }
    await rows(client)`update users set digest_at = ${next} where id = ${id} and digest = ${digest}`
  },
}
