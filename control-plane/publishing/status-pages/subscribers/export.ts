import { z } from 'zod'
import { csvLine } from '#contract/csv.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { inSlices } from '#control-plane/base/slices.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { csv } from '#control-plane/http/reply.ts'
import { findPage, mayRead, selectSubscribers, viewSubscriber } from './row.ts'

export const csvColumns = ['channel', 'address', 'locale', 'components', 'state', 'source', 'created_at'] as const
const mostRows = 100_000

export const exportSubscribers = endpoint({
  method: 'GET',
  path: '/status-pages/{status_page}/subscribers/export',
  operation: 'statusPageSubscribers.export',
  summary: 'Export the subscribers of a status page as CSV',
  description:
    `Columns: ${csvColumns.join(', ')}. Components are ids separated by spaces. A cell that a program for tables ` +
    'would read as a formula begins with a quote.',
  access: mayRead,
  query: z.object({}),
  returns: csv({ 'Content-Disposition': 'attachment; filename="subscribers.csv"', 'Cache-Control': 'no-store' }),

  async handle({ em, tenant, params, services }) {
    const page = await findPage(em, tenant, params.status_page)
    const rows = await selectSubscribers(em, tenant, page.id)
      .orderBy('s.created_at')
      .orderBy('s.id')
      .limit(mostRows)
      .execute()
    return inSlices(csvOf(rows, services.config))
  },
})

/** Each address is decrypted by itself: of thousands this takes a while. */
function* csvOf(rows: readonly Parameters<typeof viewSubscriber>[0][], keys: Keyring): Generator<undefined, string> {
  const lines = [csvLine(csvColumns)]
  for (const row of rows) {
    const { channel, address, locale, component_ids, state, source, created_at } = viewSubscriber(row, keys)
    lines.push(csvLine([channel, address ?? '', locale, component_ids.join(' '), state, source, created_at]))
    yield
  }
  return lines.join('')
}
