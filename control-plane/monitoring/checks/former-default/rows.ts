import { type RawBuilder, sql } from 'kysely'
import { formerWarningStatus } from '#checks/uptime/kind.ts'

/**
 * Whether the check `c` still has the former default of `warning_status`, by which 503 is a warning, and no person
 * has decided to keep it. Checks keep what was stored when a default changes.
 */
export const hasFormerDefaultSql: RawBuilder<boolean> = sql`(c.type = 'uptime' and not c.keeps_former_default
  and c.settings -> 'warning_status' = ${sql.lit(JSON.stringify(formerWarningStatus))}::jsonb)`
