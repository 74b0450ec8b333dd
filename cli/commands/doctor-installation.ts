import { connect } from 'node:tls'
import { createClient } from '@clickhouse/client'
import pg from 'pg'
import { appliedToClickhouse, readClickhouseMigrations } from '#analytics/migrate.ts'
import { build } from '#contract/version.ts'
import { readMigrations } from '#control-plane/db/migrate.ts'
import { countRows, type Row, rows } from '#control-plane/db/queries.ts'
import { protocolRefusalText } from '#control-plane/engine/agents/agent-protocol.ts'
import { historyWaitsSince } from '#control-plane/engine/agents/history-waits.ts'
import { lastBackup } from '#control-plane/platform/backups.ts'
import { readBacklog } from '#control-plane/platform/processes/backlog.ts'
import { judgeParts } from '#control-plane/platform/processes/judge.ts'
import { readProcesses } from '#control-plane/platform/processes/read.ts'
import { either, type Finding } from './doctor-rows.ts'

const dayMs = 86_400_000
/** Agents and stores that differ by more make results of the future or of the past. */
const clocksMayDifferS = 2
const lateS = 60
const certificateDays = 14
/** One a day, and the time that it takes. */
const backupHours = 36

/** Findings about schema, versions, clocks, processes, lags, regions and domains of the installation. */
export async function installationFindings({
  DATABASE_PLATFORM_URL,
  CLICKHOUSE_URL,
}: NodeJS.ProcessEnv): Promise<Finding[]> {
  if (!DATABASE_PLATFORM_URL) return []
  const platform = new pg.Pool({ connectionString: DATABASE_PLATFORM_URL, max: 1, connectionTimeoutMillis: 4_000 })
  platform.on('error', () => undefined)
  try {
    const schema = await migrations(platform, CLICKHOUSE_URL)
    const clocks = await clock(platform, CLICKHOUSE_URL)
    // what follows reads tables of the present schema
    if (schema.state === 'bad') return [schema, ...clocks]
    return [
      schema,
      ...clocks,
      ...(await processes(platform)),
      ...(await lags(platform)),
      await history(platform),
      ...(await places(platform)),
      await backups(platform),
    ]
  } catch (error) {
    return [
      { title: 'Database', state: 'bad', words: `cannot be read: ${error instanceof Error ? error.message : error}` },
    ]
  } finally {
    await platform.end()
  }
}

async function migrations(platform: pg.Pool, clickhouseUrl: string | undefined): Promise<Finding> {
  const title = 'Migrations'
  // the table also says which rights were set
  const found = await rows(platform)<{ name: string }>`
    select name from schema_migrations where name ~ '^[0-9]{4}-' order by name`
  const ofClickhouse = clickhouseUrl ? await appliedToClickhouse(clickhouseUrl).catch(() => undefined) : undefined
  const known = [
    ...readMigrations().map(({ name }) => name),
    ...(ofClickhouse ? (await readClickhouseMigrations()).map(({ name }) => name) : []),
  ]
  const applied = [...found.map(({ name }) => name), ...(ofClickhouse ?? [])]
  const missing = known.filter(name => !applied.includes(name))
  const newer = applied.filter(name => !known.includes(name))
  if (newer.length > 0)
    return { title, state: 'bad', words: `the database is of a newer version (${newer.at(-1)}): update this one` }
  if (missing.length > 0)
    return { title, state: 'bad', words: `${missing.length} are not applied (${missing.join(', ')}): vedette migrate` }
  return { title, state: 'good', words: `${applied.length} applied, none missing` }
}

async function clock(platform: pg.Pool, clickhouseUrl: string | undefined): Promise<Finding[]> {
  const asked: [name: string, ask: () => Promise<number>][] = [
    [
      'PostgreSQL',
      async () =>
        (await rows(platform)<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`)[0]!
          .ms,
    ],
  ]
  if (clickhouseUrl) asked.push(['ClickHouse', () => clickhouseTime(clickhouseUrl)])
  return Promise.all(
    asked.map(async ([name, ask]): Promise<Finding> => {
      const title = `Clock ${name}`
      const before = Date.now()
      const there = await ask().catch(() => undefined)
      if (there === undefined) return { title, state: 'bad', words: 'does not answer' }
      // the answer was made at some moment between
      const apartS = Math.max(0, before - there, there - Date.now()) / 1_000
      return apartS > clocksMayDifferS
        ? { title, state: 'bad', words: `differs by ${apartS.toFixed(1)} s from this machine: use NTP on both` }
        : { title, state: 'good', words: `within ${clocksMayDifferS} s of this machine` }
    }),
  )
}

async function clickhouseTime(url: string): Promise<number> {
  const clickhouse = createClient({ url, request_timeout: 4_000 })
  try {
    const query = 'select toUnixTimestamp64Milli(now64(3)) as ms'
    const answer = await clickhouse.query({ query, format: 'JSONEachRow' })
    const [row] = await answer.json<{ ms: string | number }>()
    return Number(row?.ms)
  } finally {
    await clickhouse.close()
  }
}

async function processes(platform: pg.Pool): Promise<Finding[]> {
  const seen = (await readProcesses(platform, new Date())).map(each => each.seen)
  if (seen.length === 0)
    return [{ title: 'Processes', state: 'bad', words: 'none has reported within a minute: vedette serve' }]
  const versions = [...new Set(seen.filter(({ isReporting }) => isReporting).map(each => each.version))].sort()
  const others = versions.filter(each => each !== build)
  return [
    {
      title: 'Versions',
      state: either(others.length === 0),
      words:
        others.length === 0
          ? `${seen.length} processes, all ${build}`
          : `this is ${build}; processes run ${versions.join(', ')}: restart those of another version`,
    },
    ...judgeParts(seen, { postgres: null, clickhouse: null }).map(
      ({ name, state, why }): Finding => ({
        title: `Part ${name}`,
        state: either(state === 'ok'),
        words: why ?? 'works',
      }),
    ),
  ]
}

async function lags(platform: pg.Pool): Promise<Finding[]> {
  const { outbox, mails, deliveries } = await readBacklog(platform)
  return Object.entries({ Events: outbox, Mails: mails, Notifications: deliveries }).map(
    ([title, { waiting, oldest_seconds: oldest }]): Finding => ({
      title,
      state: either(oldest < lateS),
      words: waiting === 0 ? 'none waits' : `${waiting} wait, the oldest for ${Math.round(oldest)} s`,
    }),
  )
}

/** Whether results, or values of servers, wait to be stored in ClickHouse. */
async function history(platform: pg.Pool): Promise<Finding> {
  const since = await historyWaitsSince(platform)
  const reports = await countRows(platform)`from waiting_server_samples`
  const waits = [
    ...(since ? [`results since ${since.toISOString()}`] : []),
    ...(reports > 0 ? [`${reports} reports of servers`] : []),
  ]
  return {
    title: 'History',
    state: either(waits.length === 0),
    words: waits.length === 0 ? 'all results are stored' : `${waits.join(' and ')} wait to be stored in ClickHouse`,
  }
}

/** Regions without an agent that reports, and domains of customers that are not served. */
async function places(platform: pg.Pool): Promise<Finding[]> {
  const silent = await rows(platform)<Row<'regions', 'name'> & { seen: string | null }>`
  select r.name, max(a.last_seen_at) as seen from regions r
   left join agents a on a.region = r.name and a.revoked_at is null where r.retired_at is null group by r.name
   having coalesce(max(a.last_seen_at), '-infinity') < clock_timestamp() - interval '60 seconds' order by r.name`
  const domains = await rows(platform)<Row<'custom_domains', 'hostname' | 'state' | 'last_error'>>`
  select hostname, state, last_error from custom_domains where state in ('failed', 'expired')
   order by hostname limit 10`
  const refused = await rows(platform)<Row<'agents', 'name' | 'region'> & { protocol: number; version: string }>`
  select name, region, refused_protocol as protocol, refused_version as version from agents
   where revoked_at is null and refused_at is not null order by region, name limit 10`
  const since = ({ name, seen }: { name: string; seen: string | null }) =>
    seen ? `${name} since ${new Date(seen).toISOString()}` : `${name} (no agent yet)`
  return [
    {
      title: 'Regions',
      state: either(silent.length === 0),
      words: silent.length === 0 ? 'an agent of each reports' : `no agent reports: ${silent.map(since).join(', ')}`,
    },
    {
      title: 'Agents',
      state: either(refused.length === 0),
      words:
        refused.length === 0
          ? 'none is refused for its protocol'
          : refused
              .map(agent => `${agent.name} in ${agent.region}: ${protocolRefusalText(agent)}`)
              .join(`\n${' '.repeat(25)}`),
    },
    {
      title: 'Custom domains',
      // the customer's DNS, not this installation
      state: domains.length === 0 ? 'good' : 'optional',
      words:
        domains.length === 0
          ? 'none has failed'
          : domains
              .map(each => `${each.hostname} ${each.state}${each.last_error ? ` (${each.last_error})` : ''}`)
              .join(', '),
    },
  ]
}

async function backups(platform: pg.Pool): Promise<Finding> {
  const title = 'Backups'
  const last = await lastBackup(platform)
  if (last === null)
    return { title, state: 'optional', words: 'none yet: vedette backup, or --note for one by other means' }
  const hours = (Date.now() - last.getTime()) / 3_600_000
  const isOld = hours > backupHours
  const words = `the last is of ${last.toISOString()}, ${Math.round(hours)} hours ago`
  return { title, state: either(!isOld), words: isOld ? `${words}: vedette backup` : words }
}

/** How long the certificate of this address is valid; nothing where it has none. */
export async function certificateFindings(url: string | undefined): Promise<Finding[]> {
  const parsed = url ? URL.parse(url) : null
  if (parsed?.protocol !== 'https:') return []
  const title = 'Certificate'
  try {
    const until = await validUntil(parsed)
    const days = Math.floor((until.getTime() - Date.now()) / dayMs)
    const words =
      days < 0
        ? `of ${parsed.host} ended on ${until.toISOString().slice(0, 10)}: renew it`
        : `of ${parsed.host} is valid for ${days} days${days < certificateDays ? ': renew it' : ''}`
    return [{ title, state: either(days >= certificateDays), words }]
  } catch (error) {
    return [
      {
        title,
        state: 'bad',
        words: `of ${parsed.host} cannot be read: ${error instanceof Error ? error.message : error}`,
      },
    ]
  }
}

const validUntil = ({ hostname, port }: URL): Promise<Date> =>
  new Promise((resolve, reject) => {
    // one that has ended or is of an unknown authority is read as well
    const socket = connect({
      host: hostname,
      port: Number(port || 443),
      servername: hostname,
      rejectUnauthorized: false,
    })
    socket.setTimeout(5_000, () => socket.destroy(new Error('no answer within 5 s')))
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      resolve(new Date(socket.getPeerCertificate().valid_to))
      socket.destroy()
    })
  })
