import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { markAway } from './away.ts'
import { Breaker } from './breaker.ts'
import { clusterSettings, noteCluster } from './cluster.ts'

export type { ClickHouseClient } from '@clickhouse/client'

interface ClientOptions {
  /** Its name in the servers' configuration; undefined where there is one server. */
  cluster?: string | undefined
  requestTimeoutMs?: number
  connections?: number
}

/**
 * A client of the database in the URL. Times are ISO 8601; errors are thrown, never logged here. While the server does
 * not answer, its methods fail soon.
 */
export function openClickhouse(
  url: string,
  { cluster, requestTimeoutMs = 20_000, connections = 16 }: ClientOptions = {},
): ClickHouseClient {
  const client = marking(
    createClient({
      url,
      application: 'vedette',
      request_timeout: requestTimeoutMs,
      max_open_connections: connections,
      use_multipart_params_auto: true, // long lists of ids do not fit into a URL
      log: { level: ClickHouseLogLevel.OFF },
      clickhouse_settings: {
        session_timezone: 'UTC', // the server's own value
        date_time_output_format: 'iso',
        output_format_json_quote_64bit_integers: 0,
        do_not_merge_across_partitions_select_final: 1, // a key never has rows in two partitions
        ...(cluster !== undefined && clusterSettings),
      },
    }),
    // a connection of its own: that all others are busy does not mean that the server is away
    createClient({ url, request_timeout: 5_000, max_open_connections: 1, log: { level: ClickHouseLogLevel.OFF } }),
  )
  if (cluster !== undefined) noteCluster(client, cluster)
  return client
}

const socketWords = /^Timeout error|socket hang up|^aborted$/

/** Marks an error in reaching ClickHouse. An error that ClickHouse itself returns is not marked. */
export function markedAway(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  const isOfSocket = typeof code === 'string' && /^E[A-Z]+$/.test(code)
  return error instanceof ClickHouseError || !(isOfSocket || socketWords.test(message ?? ''))
    ? error
    : markAway(error, 'archive')
}

type Sent = { abort_signal?: AbortSignal }

function marking(client: ClickHouseClient, asking: ClickHouseClient): ClickHouseClient {
  const breaker = new Breaker(async () => (await asking.ping()).success)
  for (const name of ['query', 'insert', 'command', 'exec'] as const) {
    const send = (client[name] as (given: Sent) => Promise<unknown>).bind(client)
    const marked = (given: Sent) => send(given).catch(error => Promise.reject(markedAway(error)))
    Object.assign(client, {
      [name]: (given: Sent) =>
        breaker.run(over =>
          marked({
            ...given,
            abort_signal: given.abort_signal ? AbortSignal.any([given.abort_signal, over]) : over,
          }),
        ),
    })
  }
  const close = client.close.bind(client)
  return Object.assign(client, {
    ping: asking.ping.bind(asking),
    async close() {
      await Promise.all([close(), asking.close()])
    },
  })
}
