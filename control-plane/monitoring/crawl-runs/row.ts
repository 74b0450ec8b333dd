import type { EntityManager } from '@mikro-orm/postgresql'
import { notFound } from '#control-plane/base/refusal.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'

/** A crawl as it is stored. Moments are text in the wire's form. */
export interface CrawlRunRow {
  id: string
  monitor_id: string
  cause: string
  state: string
  reason: string | null
  region: string | null
  page_limit: number | null
  found: number
  visited: number
  checked: number
  queued: number
  broken: number
  mixed: number
  bytes: string
  refused: Record<string, number>
  findings: unknown
  created_at: string
  started_at: string | null
  finished_at: string | null
}

const plain = [
  'id',
  'monitor_id',
  'cause',
  'state',
  'reason',
  'region',
  'page_limit',
  'found',
  'visited',
  'checked',
  'queued',
  'broken',
  'mixed',
  'bytes',
  'refused',
  'findings',
]
const moments = ['created_at', 'started_at', 'finished_at']

export const selectRuns = `${plain.map(name => `r.${name}`).join(', ')}, ${moments.map(name => `${stampSql(`r.${name}`)} as ${name}`).join(', ')}`

/** The one way to reach a crawl by id: it exists, and it is this tenant's. */
export async function findRun(em: EntityManager, tenant: { id: string }, id: string): Promise<CrawlRunRow> {
  const [row] = await em.execute<CrawlRunRow[]>(
    `select ${selectRuns} from crawl_runs r where r.id = ? and r.tenant_id = ?`,
    [id, tenant.id],
  )
  if (!row) throw notFound('Crawl run')
  return row
}
