import { createClient } from '@clickhouse/client'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { store } from './stores.ts'
import { at, copyTemplate } from './template.ts'

const worker = process.env.VITEST_POOL_ID ?? '0'

export interface Databases {
  ownerUrl: string
  appUrl: string
  platformUrl: string
  clickhouseUrl: string
}

/**
 * A PostgreSQL and a ClickHouse database of this worker's own, migrated. Files of one worker share them, each test with
 * its own tenant.
 */
export async function openDatabases(name = `vedette_w${worker}`): Promise<Databases> {
  const [postgres, { url: clickhouseRoot }] = await Promise.all([store('postgres'), store('clickhouse')])
  const ownerUrl = await copyTemplate(postgres.ownerUrl, name)

  const clickhouse = createClient({ url: clickhouseRoot })
  await clickhouse.command({ query: `CREATE DATABASE IF NOT EXISTS ${name}` })
  await clickhouse.close()
  const clickhouseUrl = at(clickhouseRoot, name)
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
