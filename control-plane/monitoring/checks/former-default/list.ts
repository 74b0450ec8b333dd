import { sql } from 'kysely'
import { z } from 'zod'
import { namesOf } from '#control-plane/db/by-name.ts'
import { countRows, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { checkAccess } from '#control-plane/monitoring/checks/check-endpoint.ts'
import { hasFormerDefaultSql } from './rows.ts'

const CheckOfFormerDefault = z
  .object({ id: z.uuid(), monitor_id: z.uuid(), monitor_name: z.string(), monitor_url: z.string() })
  .meta({ id: 'CheckOfFormerDefault' })

export const listFormerDefaults = endpoint({
  method: 'GET',
  path: '/former-defaults',
  operation: 'checks.listFormerDefaults',
  summary: 'List checks that treat 503 as a warning by a former default',
  description:
    'A status 503 was a warning before it became down. Checks that were stored before keep that, until a person ' +
    'decides: by POST of this path, or by a change of `warning_status`.',
  tag: 'checks',
  access: checkAccess.read,
  query: offsetQuery(),
  returns: offsetPage(CheckOfFormerDefault),

  async handle({ em, tenant, query, url }) {
    const where = sql`where c.tenant_id = ${tenant.id} and ${hasFormerDefaultSql}`
    const total = await countRows(em)`from checks c ${where}`
    const data = await rows(em)<z.input<typeof CheckOfFormerDefault>>`
      select c.id, m.id as monitor_id, m.name as monitor_name, m.url as monitor_url
     from checks c join monitors m on m.id = c.monitor_id
     ${where} order by ${namesOf('m.name')}, c.id
     limit ${query.per_page} offset ${(query.page - 1) * query.per_page}`
    return { data, ...offsetParts(query, total, url) }
  },
})
