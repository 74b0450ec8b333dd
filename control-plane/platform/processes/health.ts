import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import type { Services } from '#control-plane/http/services.ts'
import { Backlog, readBacklog } from './backlog.ts'
import { judgeParts, partNames, partStates, type SeenProcess } from './judge.ts'
import { type ReportRow, readProcesses } from './read.ts'
import { ProcessReport } from './report.ts'

const time = z.string().meta({ format: 'date-time' })

const PlatformHealth = z
  .object({
    state: z.enum(['ok', 'degraded']).meta({ description: '`ok`: every part is.' }),
    parts: z.array(
      z.object({
        name: z.enum(partNames),
        state: z.enum(partStates),
        why: z.string().nullable().meta({ description: '`null` where the part is ok.' }),
        latency_ms: z.number().nullable().meta({ description: 'How long a store took to answer; `null` for others.' }),
      }),
    ),
    ...Backlog.shape,
    ingest_lag_ms: z
      .number()
      .nullable()
      .meta({ description: 'From a run to the acknowledgement of its result, lately; `null` without results.' }),
    rollup_mismatch: z
      .int()
      .nullable()
      .meta({ description: 'Roll-up cells that differed from raw results; `null` while no process compares.' }),
    processes: z.array(
      z.object({
        id: z.uuid(),
        ...ProcessReport.pick({ roles: true, host: true, version: true }).shape,
        is_reporting: z.boolean().meta({ description: 'False: it ended without a word, or hangs.' }),
        started_at: time,
        reported_at: time,
        event_loop_delay_ms: ProcessReport.shape.event_loop_delay_ms.meta({
          description: 'The 99th percentile over ten seconds.',
        }),
        memory_bytes: z.int(),
        not_ready: z
          .record(z.string(), z.string())
          .meta({ description: 'Parts that are not ready for this process, each with its reason.' }),
      }),
    ),
    measured_at: time,
  })
  .meta({ id: 'PlatformHealth' })
type Health = z.input<typeof PlatformHealth>

export const getPlatformHealth = endpoint({
  method: 'GET',
  path: '/platform/health',
  summary: 'Get the health of this installation by part and process',
  description: 'Each process reports every ten seconds. One that is silent for a minute leaves the list.',
  access: 'super-admin',
  detached: true,
  returns: ok({ data: PlatformHealth }),

  async handle({ services, now }) {
    const { platform } = services
    const [processes, backlog, stores] = await Promise.all([
      readProcesses(platform, now),
      readBacklog(platform),
      measureStores(services),
    ])
    const seen = processes.map(({ seen }) => seen)
    const parts = judgeParts(seen, { postgres: null, clickhouse: stores.clickhouse.why })
    const state: Health['state'] = parts.every(part => part.state === 'ok') ? 'ok' : 'degraded'
    const leader = seen.find(({ isReporting, rollup_mismatch: mismatch }) => isReporting && mismatch !== null)
    return {
      data: {
        state,
        parts: parts.map(part => ({
          ...part,
          latency_ms: part.name === 'postgres' || part.name === 'clickhouse' ? stores[part.name].latencyMs : null,
        })),
        ...backlog,
        ingest_lag_ms: leader?.ingest_lag_ms ?? null,
        rollup_mismatch: leader?.rollup_mismatch ?? null,
        processes: processes.map(viewProcess),
        measured_at: stamp(now),
      },
    }
  },
})

const viewProcess = ({ row, seen }: { row: ReportRow; seen: SeenProcess }) => ({
  id: row.id,
  roles: seen.roles,
  host: seen.host,
  version: seen.version,
  is_reporting: seen.isReporting,
  started_at: stamp(new Date(row.started_at)),
  reported_at: stamp(new Date(row.reported_at)),
  event_loop_delay_ms: seen.event_loop_delay_ms,
  memory_bytes: seen.memory_bytes,
  not_ready: Object.fromEntries(
    Object.entries(seen.parts).flatMap(([name, { is_ready: isReady, why }]) => (isReady ? [] : [[name, why ?? '']])),
  ),
})

/** How long each store takes to answer, and why ClickHouse does not. */
async function measureStores({ platform, clickhouse }: Pick<Services, 'platform' | 'clickhouse'>) {
  const [postgres, { took, answered }] = await Promise.all([
    timed(rows(platform)`select 1`),
    timed(
      clickhouse.ping().then(
        ({ success }) => success,
        () => false,
      ),
    ),
  ])
  return {
    postgres: { latencyMs: postgres.took },
    clickhouse: answered ? { latencyMs: took, why: null } : { latencyMs: null, why: 'does not answer' },
  }
}

async function timed<T>(work: Promise<T>): Promise<{ answered: T; took: number }> {
  const began = performance.now()
  const answered = await work
  return { answered, took: Math.round(10 * (performance.now() - began)) / 10 }
}
