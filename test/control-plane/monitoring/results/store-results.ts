import { migrateClickhouse } from '#analytics/migrate.ts'
import { app } from '#test/support/app.ts'

export interface StoredRun {
  tenant: string
  monitor: string
  check: string
  region: string
  /** Milliseconds. */
  due: number
  attempt?: number
  outcome?: 'up' | 'warning' | 'down' | 'unknown'
  code?: string
  reason?: string
  response_ms?: number | null
  request?: string
  received?: number
}

const iso = (ms: number) => new Date(ms).toISOString()

/** Stores raw results as ingest does, one row each. */
export async function store(results: readonly StoredRun[]): Promise<void> {
  await migrateClickhouse(app.stores.clickhouseUrl)
  await app.services.clickhouse.insert({
    table: 'check_results',
    format: 'JSONEachRow',
    clickhouse_settings: { date_time_input_format: 'best_effort' },
    values: results.map(result => ({
      tenant_id: result.tenant,
      monitor_id: result.monitor,
      check_id: result.check,
      region: result.region,
      kind: 'uptime',
      due: iso(result.due),
      attempt: result.attempt ?? 0,
      at: iso(result.due + 5),
      received_at: iso(result.received ?? result.due + 50),
      run_reason: result.request ? 'asked' : 'due',
      request: result.request ?? null,
      outcome: result.outcome ?? 'up',
      code: result.code ?? '',
      reason: result.reason ?? '',
      response_ms: result.response_ms === undefined ? 42.5 : result.response_ms,
      dns_ms: null,
      connect_ms: 3,
      tls_ms: null,
      first_byte_ms: 20,
      total_ms: 42.5,
      http_status: 200,
      seen: '{"status":200}',
      fault_phase: '',
      excerpt: '',
      address: '93.184.216.34',
      is_unreliable: false,
      agent_id: 'a',
    })),
  })
}
