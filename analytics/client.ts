import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'

export type { ClickHouseClient } from '@clickhouse/client'

/** A client of the database in the address. Times come as ISO 8601; errors are thrown, never logged here. */
export const openClickhouse = (url: string, { requestTimeoutMs = 20_000, connections = 16 } = {}): ClickHouseClient =>
  createClient({
    url,
    application: 'vedette',
    request_timeout: requestTimeoutMs,
    max_open_connections: connections,
    use_multipart_params_auto: true, // long lists of ids do not fit into an address
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: {
      session_timezone: 'UTC', // whatever the server's own is
      date_time_output_format: 'iso',
      output_format_json_quote_64bit_integers: 0,
      do_not_merge_across_partitions_select_final: 1, // a key never has rows in two partitions
    },
  })
