import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type ControlPlane, type ServeRole, startControlPlane } from '#cli/serve/serve.ts'
import type { Config } from '#control-plane/config.ts'
import { createEnrolment } from '#control-plane/engine/agents/create-enrolment.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { readConfig as readAgentConfig } from '#probe-agent/config.ts'
import { type RunningAgent, startAgent } from '#probe-agent/main.ts'
import { configOn } from '#test/support/config.ts'
import { type Databases, openDatabases } from '#test/support/databases.ts'

/** A control plane and databases for one test file alone, without the agents and locks of other files. */
export async function serving(
  name: string,
  { roles, config = {} }: { roles?: ServeRole[]; config?: Partial<Config> } = {},
): Promise<Serving> {
  const { stores, config: complete } = await prepared(name, config)
  return new Serving(stores, complete, await startControlPlane(complete, roles))
}

/** Databases and a configuration, and nothing started. */
export async function prepared(
  name: string,
  config: Partial<Config> = {},
): Promise<{ stores: Databases; config: Config }> {
  const stores = await openDatabases(name)
  return { stores, config: configOn(stores, { egressAllow: '127.0.0.0/8', ...config }) }
}

export class Serving {
  readonly stores: Databases
  readonly config: Config
  plane: ControlPlane
  readonly #folders: string[] = []
  readonly #agents = new Set<RunningAgent>()

  constructor(stores: Databases, config: Config, plane: ControlPlane) {
    this.stores = stores
    this.config = config
    this.plane = plane
  }

  get platform() {
    return this.plane.services.platform
  }

  /** Stops the control plane and starts another on the same port. */
  async restart(roles?: ServeRole[]): Promise<void> {
    const port = Number(new URL(this.plane.baseUrl).port)
    await this.plane.close()
    this.plane = await startControlPlane({ ...this.config, port }, roles)
  }

  async agent(region: string, settings: Record<string, string> = {}): Promise<RunningAgent> {
    const { plain } = await createEnrolment(this.platform, region)
    const folder = mkdtempSync(join(tmpdir(), 'vedette-agent-'))
    this.#folders.push(folder)
    const agent = await startAgent(
      readAgentConfig({
        VEDETTE_URL: this.plane.baseUrl,
        REGION: region,
        ENROLMENT_TOKEN: plain,
        DATA_DIR: folder,
        EGRESS_ALLOW: '127.0.0.0/8',
        LOG_LEVEL: 'silent',
        ...settings,
      }),
      { log: pino({ level: 'silent' }) },
    )
    this.#agents.add(agent)
    return agent
  }

  async stopAgent(agent: RunningAgent): Promise<void> {
    this.#agents.delete(agent)
    await agent.stop()
  }

  tenant(overrides: Record<string, unknown> = { min_check_interval: 1 }): Promise<string> {
    return createTenant(this.platform, {
      name: 'Team',
      slug: `t-${randomUUID()}`,
      plan: 'pro',
      featureOverrides: overrides,
      isReseller: false,
    })
  }

  /** A monitor with one check. */
  async monitor(
    tenant: string,
    url: string,
    columns: Partial<MonitorColumns> = {},
  ): Promise<{ monitor: string; check: string }> {
    const { regions, policy, interval, kind, settings, severity } = { ...usual, ...columns }
    const [monitor, check] = [randomUUID(), randomUUID()]
    await this.platform.query(
      `with made as (
         insert into monitors (
           id, tenant_id, name, url, type, check_interval, timeout, regions, region_policy, confirmations,
           recovery_confirmations
         )
         values ($1, $2, 'Site', $3, 'website', $4, 10, $5, $6, 2, 2) returning id
       )
       insert into checks (id, tenant_id, monitor_id, type, settings, severity)
       select $7, $2, id, $8, $9, $10 from made`,
      [
        monitor,
        tenant,
        url,
        interval,
        regions,
        JSON.stringify(policy),
        check,
        kind,
        JSON.stringify(settings),
        severity,
      ],
    )
    return { monitor, check }
  }

  async close(): Promise<void> {
    for (const agent of this.#agents) await agent.stop()
    await this.plane.close()
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true })
  }
}

interface MonitorColumns {
  regions: string[]
  policy: { mode: string; count: number | null }
  interval: number
  kind: string
  settings: Record<string, unknown>
  severity: string
}

const usual: MonitorColumns = {
  regions: [],
  policy: { mode: 'majority', count: null },
  interval: 10,
  kind: 'uptime',
  settings: {},
  severity: 'critical',
}

/** Waits until the answer is not undefined. It asks ever more rarely: the API limits the rate of requests. */
export async function eventually<Value>(
  ask: () => Promise<Value | undefined> | Value | undefined,
  withinMs = 30_000,
): Promise<Value> {
  const begin = performance.now()
  for (;;) {
    const value = await ask()
    if (value !== undefined) return value
    const waited = performance.now() - begin
    if (waited > withinMs) throw new Error('The condition was not met in time.')
    await new Promise(resolve => setTimeout(resolve, Math.min(20 + waited / 10, 250)))
  }
}
