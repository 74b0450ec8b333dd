import type { Pool } from 'pg'
import { z } from 'zod'
import { queries, stamp } from '#control-plane/db/queries.ts'

export const CaughtMailView = z
  .object({
    id: z.uuid(),
    tenant_id: z.uuid(),
    type: z.string().nullable(),
    from_name: z.string().nullable(),
    recipients: z.array(z.string()),
    subject: z.string(),
    created_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'CaughtMail' })

/** The mails of the mail sink; callers add conditions. */
export const selectSinkMails = (platform: Pool) =>
  queries(platform)
    .selectFrom('mail_sink_messages')
    .select(['id', 'tenant_id', 'type', 'sender as from_name', 'recipients', 'subject'])
    .select(({ ref }) => stamp(ref('created_at')).as('created_at'))
