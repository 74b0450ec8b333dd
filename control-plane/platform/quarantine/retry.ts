import { sql } from 'kysely'
import { quarantineNotice } from '#control-plane/base/quarantine/retries.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { type QuarantinedRow, QuarantinedRowView, quarantineColumns, viewQuarantined } from './view.ts'

export const retryQuarantinedRow = endpoint({
  method: 'POST',
  path: '/platform/quarantine/{quarantined_row}/retry',
  summary: 'Retry a quarantined row now',
  description: 'It is retried within seconds, and leaves the list if it can be handled.',
  access: 'super-admin',
  returns: ok({ data: QuarantinedRowView }),

  async handle({ services, params, audit }) {
    const [row] = await rows(services.platform)<QuarantinedRow>`
      with q as (update quarantined_rows set next_try_at = clock_timestamp() where id = ${params.quarantined_row}
      returning *)
       select ${quarantineColumns}, pg_notify(${sql.lit(quarantineNotice)}, '') as notified from q`
    if (!row) throw notFound('Quarantined row')
    audit('quarantined_row.retried', { type: 'quarantined_row', id: row.id }, { kind: row.kind, key: row.key })
    return { data: viewQuarantined(row) }
  },
})
