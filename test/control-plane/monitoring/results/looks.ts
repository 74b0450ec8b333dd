import { migrateClickhouse } from '#analytics/migrate.ts'
import { app } from '#test/support/app.ts'

export interface Seen {
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

/** Stores looks as ingest does: raw, one row each. */
export async function store(looks: readonly Seen[]): Promise<void> {
  await migrateClickhouse(app.stores.clickhouseUrl)
  await app.services.clickhouse.insert({
    table: 'check_results',
    format: 'JSONEachRow',
    clickhouse_settings: { date_time_input_format: 'best_effort' },
    values: looks.map(look => ({
      tenant_id: look.tenant,
      monitor_id: look.monitor,
      check_id: look.check,
      region: look.region,
      kind: 'uptime',
      due: iso(look.due),
      attempt: look.attempt ?? 0,
      at: iso(look.due + 5),
      received_at: iso(look.received ?? look.due + 50),
      run_reason: look.request ? 'asked' : 'due',
      request: look.request ?? null,
      outcome: look.outcome ?? 'up',
      code: look.code ?? '',
      reason: look.reason ?? '',
      response_ms: look.response_ms === undefined ? 42.5 : look.response_ms,
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
