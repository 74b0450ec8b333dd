import pg from 'pg'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { StartFault } from '#cli/fault.ts'
import { MigrationFault } from '#contract/migration-fault.ts'
import { migrate, type Stores } from '#control-plane/db/migrate.ts'
import { createEnrolment } from '#control-plane/engine/agents/create-enrolment.ts'
import { seed } from '#control-plane/seed.ts'
import { Accounts, type Prepared } from './local.ts'

export interface Preparing {
  ownerUrl: string
  appUrl: string
  platformUrl: string
  clickhouseUrl: string
  /** Of the ClickHouse servers; undefined where there is one. */
  clickhouseCluster?: string | undefined
  regions: string[]
  /** Whether accounts are created or get new secrets. */
  seeds: boolean
  /** Regions whose agent has no identity yet. */
  enrols: string[]
}

/** Migrates both stores, then creates accounts, regions and one-time tokens of agents. */
export async function prepare({
  ownerUrl,
  appUrl,
  platformUrl,
  clickhouseUrl,
  clickhouseCluster,
  regions,
  seeds,
  enrols,
}: Preparing): Promise<Prepared> {
  const migrations = await migrateStores({ ownerUrl, appUrl, platformUrl, clickhouseUrl, clickhouseCluster })
  const platform = new pg.Pool({ connectionString: platformUrl, max: 2 })
  try {
    await platform.query('insert into regions (name) select unnest($1::text[]) on conflict do nothing', [regions])
    const accounts = seeds ? Accounts.parse(await seed(platform, regions)) : undefined
    const enrolments: Record<string, string> = {}
    for (const region of enrols) enrolments[region] = (await createEnrolment(platform, region)).plain
    return { migrations, ...(accounts && { accounts }), enrolments }
  } finally {
    await platform.end()
  }
}

/** Migrates both stores and returns the names of the applied migrations. */
export async function migrateStores({
  ownerUrl,
  appUrl,
  platformUrl,
  clickhouseUrl,
  clickhouseCluster,
}: Pick<Preparing, 'ownerUrl' | 'appUrl' | 'platformUrl' | 'clickhouseUrl' | 'clickhouseCluster'>): Promise<string[]> {
  const [postgres, clickhouse] = await Promise.all([
    migratePostgres({ ownerUrl, appUrl, platformUrl }),
    migrateClickhouse(clickhouseUrl, { cluster: clickhouseCluster }).catch(asFault),
  ])
  return [...postgres, ...clickhouse]
}

/** Migrates PostgreSQL, by default to the newest schema. */
export const migratePostgres = (
  { ownerUrl, appUrl, platformUrl }: Pick<Preparing, 'ownerUrl' | 'appUrl' | 'platformUrl'>,
  options: Pick<Stores, 'migrations' | 'withRights'> = {},
): Promise<string[]> =>
  migrate({
    ownerUrl,
    appPassword: passwordIn(appUrl),
    platformPassword: passwordIn(platformUrl),
    appRole: roleIn(appUrl),
    platformRole: roleIn(platformUrl),
    ...options,
  }).catch(asFault)

const asFault = (error: unknown): never => {
  throw error instanceof MigrationFault ? new StartFault('migration', error.message, error.why, ...error.fixes) : error
}

const roleIn = (url: string) => decodeURIComponent(new URL(url).username)
const passwordIn = (url: string) => decodeURIComponent(new URL(url).password)

/** The stores as the environment names them. */
export function storesIn(env: NodeJS.ProcessEnv) {
  const appUrl = needed(env, 'DATABASE_URL')
  return {
    appUrl,
    platformUrl: needed(env, 'DATABASE_PLATFORM_URL'),
    ownerUrl: needed(env, 'DATABASE_OWNER_URL'),
    clickhouseUrl: needed(env, 'CLICKHOUSE_URL'),
    clickhouseCluster: env.CLICKHOUSE_CLUSTER || undefined,
  }
}

const example: Record<string, string> = {
  DATABASE_URL: 'postgres://vedette_app:…@localhost/vedette',
  DATABASE_PLATFORM_URL: 'postgres://vedette_platform:…@localhost/vedette',
  DATABASE_OWNER_URL: 'postgres://vedette_owner:…@localhost/vedette',
  CLICKHOUSE_URL: 'http://vedette:…@localhost:8123/vedette',
}

function needed(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name]
  if (!value)
    throw new StartFault(
      'config',
      `${name} is not set`,
      'Migrations need both stores, PostgreSQL as its owner and as the two service roles.',
      `${name}=${example[name] ?? '…'} vedette migrate`,
      'vedette migrate --help      says what the four addresses are',
    )
  return value
}
