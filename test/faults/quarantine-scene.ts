import { randomUUID } from 'node:crypto'
import { createClient } from '@clickhouse/client'
import pg from 'pg'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { encryptConfig } from '#control-plane/alerting/channels/config.ts'
import { mintSecret, tailOf } from '#control-plane/base/token-secret.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import type { Receiver } from '#test/control-plane/alerting/receiver.ts'
import type { System } from '#test/support/system.ts'
import type { Site } from '#test/support/target.ts'

/** All features of a plan, so that a tenant may have a bad row of any kind. */
const features = {
  min_check_interval: 1,
  monitors: null,
  site_crawls: true,
  web_vitals: true,
  server_monitoring: true,
  custom_smtp: true,
}

export interface Made {
  tenant: string
  monitor: string
  check: string
}

interface MonitorOptions {
  url?: string
  type?: string
  kind?: string
  interval?: number
  settings?: object
}

/** A system under test, and what its database's owner can do to its rows without it. */
export class Scene {
  readonly system: System
  readonly site: Site
  readonly receiver: Receiver
  readonly owner: pg.Pool
  readonly #clickhouse: ReturnType<typeof createClient>
  readonly ring: { secretKey: string }
  readonly forgotten = { secretKey: 'a former key of this installation, which is lost' }

  constructor(system: System, site: Site, receiver: Receiver) {
    this.system = system
    this.site = site
    this.receiver = receiver
    const { DATABASE_OWNER_URL = '', CLICKHOUSE_URL = '', SECRET_KEY = '' } = system.environment
    this.owner = new pg.Pool({ connectionString: DATABASE_OWNER_URL, max: 4 })
    this.owner.on('error', () => undefined)
    this.#clickhouse = createClient({ url: CLICKHOUSE_URL })
    this.ring = { secretKey: SECRET_KEY }
  }

  async close(): Promise<void> {
    await this.owner.end()
    await this.#clickhouse.close()
  }

  sql = async (text: string, ...values: unknown[]) => (await this.owner.query(text, values)).rows

  clickhouse = (query: string) => this.#clickhouse.command({ query })

  tenant = (): Promise<string> =>
    createTenant(this.owner, {
      name: 'Team',
      slug: `t-${randomUUID()}`,
      plan: 'pro',
      featureOverrides: features,
      isReseller: false,
    })

  /** A monitor of a tenant of its own, with one check. */
  async monitor(options: MonitorOptions = {}): Promise<Made> {
    const tenant = await this.tenant()
    const {
      url = `${this.site.url}/${tenant}`,
      type = 'website',
      kind = 'uptime',
      interval = 10,
      settings = {},
    } = options
    const [monitor, check] = [randomUUID(), randomUUID()]
    await this.sql(
      `with made as (
         insert into monitors (
           id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations, recovery_confirmations
         )
         values ($1, $2, 'Site', $3, $4, $5, 2, '{"mode":"majority","count":null}', 2, 2) returning id
       )
       insert into checks (id, tenant_id, monitor_id, type, settings, severity)
       select $6, $2, id, $7, $8, 'critical' from made`,
      ...[monitor, tenant, url, type, interval, check, kind, JSON.stringify(settings)],
    )
    return { tenant, monitor, check }
  }

  job = (minutes = 60): Promise<Made> =>
    this.monitor({
      url: 'cron:job',
      type: 'cron',
      kind: 'cron',
      settings: { period_minutes: minutes, grace_minutes: 1 },
    })

  async ping({ check }: Pick<Made, 'check'>): Promise<number> {
    const [address] = await this.sql('select id from ping_addresses where check_id = $1', check)
    return (await fetch(`${this.system.local.base_url}/api/ping/${address.id}`)).status
  }

  /** A server that measures itself, and the token of its agent. */
  async server(): Promise<Made & { token: string }> {
    const made = await this.monitor({ url: 'agent://server', type: 'agent', kind: 'agent' })
    const { plain, hash } = mintSecret('am')
    await this.sql(
      'insert into agent_tokens (id, tenant_id, monitor_id, hash, tail) values ($1, $2, $3, $4, $5)',
      ...[randomUUID(), made.tenant, made.monitor, hash, tailOf(plain)],
    )
    return { ...made, token: plain }
  }

  /** A webhook that is notified of incidents. */
  async webhook(tenant: string, path = `/${tenant}`): Promise<{ channel: string; rule: string }> {
    const [channel, rule] = [randomUUID(), randomUUID()]
    const { config, secrets } = encryptConfig(this.ring, channel, 'webhook', {
      url: this.receiver.url + path,
      secret: 'a secret of the customer',
    })
    await this.sql(
      `insert into notification_channels (id, tenant_id, name, type, config, secrets) values ($1, $2, 'Ops', 'webhook', $3, $4)`,
      ...[channel, tenant, JSON.stringify(config), secrets],
    )
    await this.sql(
      `insert into notification_rules (id, tenant_id, channel_id, event_types) values ($1, $2, $3, '{incident.created}')`,
      ...[rule, tenant, channel],
    )
    return { channel, rule }
  }

  /** Writes an event of a tenant, as the transaction of its cause would. Returns its id. */
  async happen(tenant: string, payload: unknown = anIncident()): Promise<string> {
    const [row] = await this.sql(
      `with written as (insert into outbox (tenant_id, kind, name, payload) values ($1, 'event', 'incident.created', $2) returning id)
       select id, pg_notify('outbox', '') from written`,
      ...[tenant, JSON.stringify(payload)],
    )
    return row.id
  }

  async person(tenant: string, columns: string): Promise<string> {
    const id = randomUUID()
    await this.sql(
      `insert into users (id, name, email, email_verified_at) values ($1, 'Pat', $2, now())`,
      id,
      `${id}@people.test`,
    )
    await this.sql(`insert into memberships (user_id, tenant_id, role) values ($1, $2, 'owner')`, id, tenant)
    await this.sql(`update users set ${columns} where id = $1`, id)
    return id
  }

  /** A token of a tenant, as a script of its owner uses it. */
  async token(tenant: string): Promise<string> {
    const userId = await this.person(tenant, 'name = name')
    const { plain } = await createToken(this.owner, {
      kind: 'ss',
      tenantId: tenant,
      userId,
      name: 'test',
      scopes: [],
      expiresAt: null,
    })
    return plain
  }

  /**
   * PostgreSQL refuses what is written of a row, until the returned function is called. `when`: SQL over `new` or
   * `old`.
   */
  async refuse(
    table: string,
    on: 'insert' | 'update' | 'delete' | 'insert or update',
    when: string,
  ): Promise<() => Promise<unknown>> {
    const name = `refuse_${randomUUID().replaceAll('-', '_')}`
    await this.owner.query(
      `create function ${name}() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = '54000'; end $$;
       create trigger ${name} before ${on} on ${table} for each row when (${when}) execute function ${name}()`,
    )
    return () => this.owner.query(`drop trigger ${name} on ${table}; drop function ${name}`)
  }

  /** The same by ClickHouse, for all rows of one tenant. */
  async refuseResults(table: string, tenant: string): Promise<() => Promise<unknown>> {
    const name = `refuse_${tenant.replaceAll('-', '_')}`
    await this.clickhouse(`ALTER TABLE ${table} ADD CONSTRAINT ${name} CHECK tenant_id != '${tenant}'`)
    return () => this.clickhouse(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  }
}

const anIncident = () => ({
  incident_id: randomUUID(),
  monitor_id: randomUUID(),
  monitor_name: 'Shop',
  monitor_url: 'https://shop.example.com/cart',
  title: 'Shop is down',
  status: 'investigating',
  severity: 'critical',
  started_at: '2026-01-15T08:30:00.000000Z',
  resolved_at: null,
})
