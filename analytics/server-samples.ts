import type { ClickHouseClient } from './client.ts'
import { Store, type StoreOptions } from './ingest/store.ts'

const columns = ['tenant_id', 'monitor_id', 'metric', 'label', 'at', 'value', 'keep_days', 'received_at'] as const

/** The store for server samples. Small batches of many servers are combined. */
export const serverSampleStore = (clickhouse: ClickHouseClient, onRefused?: StoreOptions['onRefused']) =>
  new Store({ clickhouse, table: 'server_samples', columns, concurrency: 2, onRefused })

export interface ServerRows {
  tenant: string
  monitor: string
  keepDays: number
  receivedAt: number
  values: readonly { metric: string; label: string; at: number; value: number }[]
}

export const encodeServerRows = ({ tenant, monitor, keepDays, receivedAt, values }: ServerRows): Buffer =>
  Buffer.from(
    values
      .map(
        ({ metric, label, at, value }) =>
          `${JSON.stringify([tenant, monitor, metric, label, at, value, keepDays, receivedAt])}\n`,
      )
      .join(''),
  )
