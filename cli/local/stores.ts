import { join } from 'node:path'
import pg from 'pg'
import { messageOf, StartFault } from '#cli/fault.ts'
import { ownName } from '#control-plane/db/roles.ts'
import { clickhousePart, clickhouseUrl } from './embedded/clickhouse.ts'
import { ensureDatabase, ownerUrl, postgresPart } from './embedded/postgres.ts'
import { findTemporal, obtainTemporal, temporalPart } from './embedded/temporal.ts'
import type { Keys } from './keys.ts'
import { answers, findPort, isFree, isTemporalServing, readinessMs, until } from './loopback.ts'
import type { Show } from './show.ts'
import type { Part, Supervisor } from './supervise.ts'

interface Context {
  env: NodeJS.ProcessEnv
  dataDir: string
  show: Show
  supervisor: Supervisor
}

export interface Database {
  databaseUrl: string
  platformUrl: string
  ownerUrl: string
}

/**
 * The PostgreSQL that the environment names by its owner, else an embedded one. The service's two roles are created
 * in it.
 */
export async function startPostgres({ env, dataDir, show, supervisor }: Context, keys: Keys): Promise<Database> {
  const began = performance.now()
  const given = env.DATABASE_URL
  if (given) {
    const owner = env.DATABASE_OWNER_URL || given
    const urls = env.DATABASE_PLATFORM_URL
      ? { databaseUrl: given, platformUrl: env.DATABASE_PLATFORM_URL, ownerUrl: owner }
      : {
          databaseUrl: withUser(owner, ownName(owner, 'app'), keys.postgres.app),
          platformUrl: withUser(owner, ownName(owner, 'platform'), keys.postgres.platform),
          ownerUrl: owner,
        }
    const about = await ask(owner)
    show.ready({
      part: 'postgres',
      title: `PostgreSQL ${about}`,
      how: 'given',
      address: placeOf(owner),
      seconds: secondsSince(began),
    })
    return urls
  }
  const options = await startOnFreePort(supervisor, 54_329, async port => {
    const options = { dataDir: join(dataDir, 'postgres'), port, ownerPassword: keys.postgres.owner }
    show.starting({ part: 'postgres', title: 'PostgreSQL 18' })
    return { options, part: await postgresPart(options) }
  })
  await ensureDatabase(options)
  const owner = ownerUrl(options)
  show.ready({
    part: 'postgres',
    title: 'PostgreSQL 18',
    how: 'embedded',
    address: placeOf(owner),
    seconds: secondsSince(began),
    ...pid(supervisor, 'postgres'),
  })
  return {
    databaseUrl: withUser(owner, ownName(owner, 'app'), keys.postgres.app),
    platformUrl: withUser(owner, ownName(owner, 'platform'), keys.postgres.platform),
    ownerUrl: owner,
  }
}

export async function startClickHouse({ env, dataDir, show, supervisor }: Context, keys: Keys): Promise<string> {
  const began = performance.now()
  const given = env.CLICKHOUSE_URL
  if (given) {
    const isThere = await until(
      async () => (await answers(new URL('/ping', given).href, readinessMs))?.status === 200,
      {
        withinMs: 10_000,
        everyMs: 500,
        signal: supervisor.signal,
      },
    )
    if (!isThere)
      throw new StartFault(
        'dependency',
        `ClickHouse at ${placeOf(given)} does not answer`,
        'CLICKHOUSE_URL names it, so none of our own was started.',
        `curl http://${placeOf(given)}/ping`,
        'or unset CLICKHOUSE_URL',
      )
    show.ready({
      part: 'clickhouse',
      title: 'ClickHouse',
      how: 'given',
      address: placeOf(given),
      seconds: secondsSince(began),
    })
    return given
  }
  show.starting({ part: 'clickhouse', title: 'ClickHouse' })
  const options = await startOnFreePort(supervisor, 58_123, async port => {
    const options = { dataDir: join(dataDir, 'clickhouse'), port, password: keys.clickhouse }
    return { options, part: clickhousePart(options, withoutSecrets(env)) }
  })
  const url = clickhouseUrl(options)
  show.ready({
    part: 'clickhouse',
    title: 'ClickHouse',
    how: 'embedded',
    address: placeOf(url),
    seconds: secondsSince(began),
    ...pid(supervisor, 'clickhouse'),
  })
  return url
}

export interface Temporal {
  address: string
  uiUrl: string | null
  /** Whether the program must be obtained first, which may take minutes. */
  isFetched: boolean
  /** Every port that was chosen for it. */
  ports: number[]
  /** Settles when it serves or is unavailable; never rejects, because only workflows need it. */
  settled: Promise<'serving' | 'unavailable'>
}

/** Starts Temporal. Its address is known at once; the first start may take minutes, and only workflows wait for it. */
export async function startTemporal(
  { env, dataDir, show, supervisor }: Context,
  { withUi }: { withUi: boolean },
): Promise<Temporal> {
  const began = performance.now()
  const given = env.TEMPORAL_ADDRESS
  if (given) {
    const settled = until(() => isTemporalServing(given), {
      withinMs: 10_000,
      everyMs: 500,
      signal: supervisor.signal,
    }).then(isThere => {
      if (isThere)
        show.ready({ part: 'temporal', title: 'Temporal', how: 'given', address: given, seconds: secondsSince(began) })
      else
        show.failed({
          part: 'temporal',
          title: 'Temporal',
          how: 'given',
          address: given,
          why: 'It does not answer. Checks, incidents and reports work; life cycles wait.',
          fixes: [
            `temporal operator cluster health --address ${given}`,
            'or unset TEMPORAL_ADDRESS: one of our own is started then',
          ],
        })
      return isThere ? 'serving' : 'unavailable'
    })
    return { address: given, uiUrl: env.TEMPORAL_UI_URL || null, isFetched: false, ports: [], settled }
  }

  const port = await findPort(7_233)
  const [httpPort, metricsPort] = [await findPort(0), await findPort(0)]
  const uiPort = withUi ? await findPort(8_233) : undefined
  const uiUrl = uiPort === undefined ? null : `http://127.0.0.1:${uiPort}`
  const isFetched = findTemporal(env) === undefined
  const start = async () => {
    show.starting({ part: 'temporal', title: 'Temporal' })
    const onProgress = (note: string) => show.starting({ part: 'temporal', title: 'Temporal', note })
    const { path, how } = await obtainTemporal({ env, onProgress, signal: supervisor.signal })
    const options = { path, dataFile: join(dataDir, 'temporal.db'), port, httpPort, metricsPort, uiPort }
    await supervisor.start(temporalPart(options, withoutSecrets(env)))
    show.ready({
      part: 'temporal',
      title: 'Temporal',
      how,
      address: `127.0.0.1:${port}`,
      ...(uiUrl !== null && { note: `Web UI ${uiUrl}` }),
      seconds: secondsSince(began),
      ...pid(supervisor, 'temporal'),
    })
    return 'serving' as const
  }
  const settled = start().catch(error => {
    if (supervisor.signal.aborted) return 'unavailable' as const
    const fault = error instanceof StartFault ? error : undefined
    const why = [messageOf(error), fault?.why, 'Checks, incidents and reports work; life cycles wait in the outbox.']
      .filter(Boolean)
      .join('. ')
      .replaceAll('..', '.')
    show.failed({ part: 'temporal', title: 'Temporal', why, fixes: fault?.fixes ?? [] })
    return 'unavailable' as const
  })
  const ports = [port, httpPort, metricsPort, ...(uiPort === undefined ? [] : [uiPort])]
  return { address: `127.0.0.1:${port}`, uiUrl, isFetched, ports, settled }
}

/** Starts on a free port; tries the next one if another process has taken it meanwhile. */
async function startOnFreePort<Options>(
  supervisor: Supervisor,
  wished: number,
  make: (port: number) => Promise<{ options: Options; part: Part }>,
): Promise<Options> {
  for (let attempt = 1; ; attempt++) {
    const port = await findPort(wished)
    const { options, part } = await make(port)
    try {
      await supervisor.start(part)
      return options
    } catch (error) {
      const isTaken = !supervisor.signal.aborted && !(await isFree(port))
      if (!isTaken || attempt === 3) throw error
    }
  }
}

/** The environment without secrets that parts must not see. */
export function withoutSecrets(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  const secrets = /^(DATABASE_|CLICKHOUSE_|SECRET_KEY|SMTP_|SETUP_|NODE_CHANNEL)/
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secrets.test(name)))
}

const withUser = (url: string, user: string, password: string) => {
  const address = new URL(url)
  address.username = user
  address.password = encodeURIComponent(password)
  return address.href
}

const placeOf = (url: string) => new URL(url).host
const secondsSince = (began: number) => Math.round((performance.now() - began) / 100) / 10
const pid = (supervisor: Supervisor, name: string) => ({ pid: supervisor.pidOf(name) })

async function ask(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string }>(
      `select split_part(current_setting('server_version'), '.', 1) as version`,
    )
    return rows[0]?.version ?? ''
  } catch (error) {
    throw new StartFault(
      'dependency',
      `PostgreSQL at ${placeOf(url)} cannot be used`,
      `${messageOf(error)}. DATABASE_URL names it, so none of our own was started.`,
      'psql "$DATABASE_URL" -c "select 1"',
      'or unset DATABASE_URL',
    )
  } finally {
    await client.end().catch(() => {})
  }
}
