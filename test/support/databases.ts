import { migrateClickhouse } from '#analytics/migrate.ts'
import { serveApp, store } from './stores.ts'
import { at, copyTemplate } from './template.ts'

const worker = process.env.VITEST_POOL_ID ?? '0'

export interface Databases {
  ownerUrl: string
  appUrl: string
  platformUrl: string
  clickhouseUrl: string
}

const opened = new Map<string, Promise<Databases>>()

/**
 * A PostgreSQL and a ClickHouse database of this worker's own, migrated. Files of one worker share them, each test with
 * its own tenant.
 */
export function openDatabases(name = `vedette_w${worker}`): Promise<Databases> {
  const known = opened.get(name) ?? makeDatabases(name)
  opened.set(name, known)
  return known
}

async function makeDatabases(name: string): Promise<Databases> {
  const [postgres, { url: clickhouseRoot }] = await Promise.all([store('postgres'), store('clickhouse'), serveApp()])
  const [ownerUrl, clickhouseUrl] = [await copyTemplate(postgres.ownerUrl, name), at(clickhouseRoot, name)]
  await migrateClickhouse(clickhouseUrl)
  return { ownerUrl, clickhouseUrl, ...serviceUrls(ownerUrl, postgres) }
}

/** A database as each of the service's two roles. */
export const serviceUrls = (
  ownerUrl: string,
  { appPassword, platformPassword }: { appPassword: string; platformPassword: string },
) => ({
  appUrl: as(ownerUrl, 'vedette_app', appPassword),
  platformUrl: as(ownerUrl, 'vedette_platform', platformPassword),
})

function as(url: string, role: string, password: string): string {
  const target = new URL(url)
  target.username = role
  target.password = password
  return target.toString()
}
