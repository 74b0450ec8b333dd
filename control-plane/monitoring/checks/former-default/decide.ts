import { sql } from 'kysely'
import { z } from 'zod'
import { uptime } from '#checks/uptime/kind.ts'
import { among, countRows, type Row, rows } from '#control-plane/db/queries.ts'
import { decryptForChange } from '#control-plane/engine/assignments/check-secrets.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { changeCheck } from '#control-plane/monitoring/checks/change.ts'
import { checkAccess } from '#control-plane/monitoring/checks/check-endpoint.ts'
import { type CheckRow, fromChecks, selectChecks } from '#control-plane/monitoring/checks/row.ts'
import { hasFormerDefaultSql } from './rows.ts'

/** How many checks one request decides about. */
const mostChecks = 500
const { warning_status: present } = uptime.settings.parse({})

export const decideFormerDefaults = endpoint({
  method: 'POST',
  path: '/former-defaults',
  operation: 'checks.decideFormerDefaults',
  summary: 'Decide whether checks go on treating 503 as a warning',
  description:
    'down: `warning_status` becomes the present default, so that 503 is down. warning: it stays as it is, and is ' +
    `listed no longer. Without \`check_ids\` it is decided for all that are listed, at most ${mostChecks} a request: ` +
    '`left_count` says how many remain.',
  tag: 'checks',
  access: checkAccess.write,
  body: z.object({
    treat_503_as: z.enum(['down', 'warning']),
    check_ids: z.array(z.uuid()).min(1).max(mostChecks).optional().meta({ description: 'Only these.' }),
  }),
  returns: ok({
    data: z.object({ changed_count: z.int(), left_count: z.int() }).meta({ id: 'FormerDefaultsDecided' }),
  }),

  async handle(context) {
    const { em, tenant, body } = context
    const named = body.check_ids ? sql`and c.id = ${among(body.check_ids)}` : sql``
    const found = await rows(em)<CheckRow>`select ${selectChecks} ${fromChecks}
      where c.tenant_id = ${tenant.id} and ${hasFormerDefaultSql} ${named}
      order by c.created_at, c.id limit ${mostChecks} for update of c`
    if (body.treat_503_as === 'warning') await keepFormerDefault(context, found)
    else
      for (const check of found) {
        const open = { ...check, settings: decryptForChange(context.services.config, check.id, check) }
        await changeCheck(context, open, { settings: { ...open.settings, warning_status: present } })
      }
    const left = await countRows(em)`
      from checks c where c.tenant_id = ${tenant.id} and ${hasFormerDefaultSql}`
    return { data: { changed_count: found.length, left_count: left } }
  },
})

/** Notes that a person decided to keep the former default of these checks. */
export async function keepFormerDefault(
  { em, tenant, audit }: Pick<RequestContext, 'em' | 'tenant' | 'audit'>,
  checks: readonly Pick<CheckRow, 'id'>[],
): Promise<void> {
  if (checks.length === 0) return
  const kept = await rows(em)<Row<'checks', 'id'>>`update checks c set keeps_former_default = true
    where c.tenant_id = ${tenant.id} and c.id = ${among(checks.map(({ id }) => id))}
      and ${hasFormerDefaultSql} returning c.id`
  for (const { id } of kept)
    audit('check.updated', { type: 'check', id }, { keeps_former_default: { before: false, after: true } })
}
