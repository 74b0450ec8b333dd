import type { ClickHouseClient } from '@clickhouse/client'
import type { Pool } from 'pg'
import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { revision, version } from '#contract/version.ts'
import { rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { Configuration, configurationOf } from './configuration.ts'

const Migrations = z.array(z.object({ name: z.string(), applied_at: z.string().meta({ format: 'date-time' }) }))

const PlatformInfo = z
  .object({
    version: z.string(),
    revision: z.string().nullable().meta({ description: 'The commit that it was built of.' }),
    node_version: z.string(),
    postgres: z.object({ version: z.string(), migrations: Migrations }),
    clickhouse: z
      .object({ version: z.string(), migrations: Migrations })
      .nullable()
      .meta({ description: '`null` while it does not answer.' }),
    configuration: Configuration,
  })
  .meta({ id: 'PlatformInfo' })

export const getPlatformInfo = endpoint({
  method: 'GET',
  path: '/platform/info',
  summary: 'Get the version of this installation',
  description:
    'With its migrations and its configuration. ' +
    'The configuration is that of the process that answers. It holds no secrets, and no user names of stores.',
  access: 'super-admin',
  detached: true,
  returns: ok({ data: PlatformInfo }),

  async handle({ services }) {
    const { platform, clickhouse, config } = services
    const [postgres, analytics] = await Promise.all([
      aboutPostgres(platform),
      aboutClickhouse(clickhouse).catch(() => null),
    ])
    return {
      data: {
        version,
        revision,
        node_version: process.versions.node,
        postgres,
        clickhouse: analytics,
        configuration: configurationOf(config),
      },
    }
  },
})

async function aboutPostgres(platform: Pool) {
  const found = await rows(platform)<Record<'name' | 'applied_at' | 'version', string>>`
  select name, applied_at, current_setting('server_version') as version from schema_migrations
   where name not like 'rights of %' order by name`
  return {
    version: found[0]?.version ?? '',
    migrations: found.map(({ name, applied_at: at }) => ({ name, applied_at: stamp(new Date(at)) })),
  }
}

async function aboutClickhouse(clickhouse: ClickHouseClient) {
  const answer = await clickhouse.query({
    query: `SELECT name, toUnixTimestamp64Milli(applied_at)::Float64 AS at, version() AS version
      FROM schema_migrations FINAL ORDER BY name`,
    format: 'JSONEachRow',
  })
  const rows = await answer.json<{ name: string; at: number; version: string }>()
  return {
    version: rows[0]?.version ?? '',
    migrations: rows.map(({ name, at }) => ({ name, applied_at: stamp(new Date(at)) })),
  }
}
