import { z } from 'zod'
import { stampSql } from '#control-plane/base/stamp-sql.ts'

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
export type CaughtMailRow = z.input<typeof CaughtMailView>

export const caughtColumns = `c.id, c.tenant_id, c.type, c.sender as from_name, c.recipients, c.subject, ${stampSql('c.created_at')} as created_at`
