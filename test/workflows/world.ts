import { randomUUID } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import pg from 'pg'
import { openClickhouse } from '#analytics/client.ts'
import { cacheFolders } from '#cli/local/cache.ts'
import { addManagedTeam } from '#control-plane/reselling/managed-teams/add-managed-team.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { testPrices } from '#test/control-plane/billing/prices.ts'
import { openDatabases } from '#test/support/databases.ts'
import { store } from '#test/support/stores.ts'
import { bundle } from '#workflows/bundle.ts'
import { activitiesOf } from '#workflows/worker.ts'
import { quiet, startServer } from './skipping.ts'

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

export interface Team {
  id: string
  tenantId: string
  resellerId: string
}

/** What a step of a process answered, and when by the clock that is skipped. */
interface Step {
  step: string
  at: number
  outcome: unknown
}

/** Real activities on real stores with skipped time: the time of Temporal's server is passed to the activities. */
export class World {
  readonly environment: TestWorkflowEnvironment
  readonly platform: pg.Pool
  readonly owner: pg.Pool
  readonly clickhouse: ClickHouseClient
  readonly steps: Step[] = []
  /** What is yet to go wrong: the named step throws before it does anything, or after it did. */
  readonly faults: { step: string; when: 'before' | 'after' }[] = []
  readonly #code: string

  private constructor(
    environment: TestWorkflowEnvironment,
    code: string,
    urls: { platformUrl: string; ownerUrl: string; clickhouseUrl: string },
  ) {
    this.environment = environment
    this.#code = code
    this.platform = new pg.Pool({ connectionString: urls.platformUrl, max: 8 })
    this.owner = new pg.Pool({ connectionString: urls.ownerUrl, max: 2 })
    this.clickhouse = openClickhouse(urls.clickhouseUrl)
  }

  static async open(database: string): Promise<World> {
    quiet()
    const [{ path }, code, urls] = await Promise.all([
      store('timeSkipping'),
      bundle(cacheFolders()[0]),
      openDatabases(database),
    ])
    return new World(await startServer(path), code, urls)
  }

  async close(): Promise<void> {
    await Promise.all([this.platform.end(), this.owner.end(), this.clickhouse.close(), this.environment.teardown()])
  }

  now = () => this.environment.currentTimeMs()
  sleep = (ms: number) => this.environment.sleep(ms)

  /**
   * A worker for as long as the work lasts; `start` runs a process on it. Another may take over its queue, with
   * another build.
   */
  async working<T>(
    work: (start: Start) => Promise<T>,
    { taskQueue = randomUUID() as string, code = this.#code } = {},
  ): Promise<T> {
    const worker = await Worker.create({
      connection: this.environment.nativeConnection,
      taskQueue,
      workflowBundle: { code },
      activities: this.#activities(),
      // each turn of a process is played again from its first: what is not the same twice is found at once
      maxCachedWorkflows: 0,
    })
    const start: Start = (name, input) =>
      this.environment.client.workflow.start(name, { taskQueue, workflowId: randomUUID(), args: [input] })
    return worker.runUntil(() => work(start))
  }

  #activities(): Record<string, (...args: never[]) => Promise<unknown>> {
    const { platform, clickhouse } = this
    const { dropErasedFiles: _takesHalfAMinute, ...deps } = activitiesOf({
      platform,
      clickhouse,
      retryDelivery: async () => 'superseded',
      advanceMigration: async () => 'superseded',
      prices: testPrices,
      calendar: { now: async () => new Date(await this.now()), dayMs },
    })
    const quick = { ...deps, dropErasedFiles: async () => undefined }
    return Object.fromEntries(
      Object.entries<(...args: never[]) => Promise<unknown>>(quick).map(([step, act]) => [
        step,
        async (...args: never[]) => {
          if (this.#fails(step, 'before')) throw new Error('away before')
          const at = await this.now()
          const outcome = await act(...args)
          this.steps.push({ step, at, outcome })
          if (this.#fails(step, 'after')) throw new Error('away after')
          return outcome
        },
      ]),
    )
  }

  #fails(step: string, when: 'before' | 'after'): boolean {
    const index = this.faults.findIndex(fault => fault.step === step && fault.when === when)
    if (index >= 0) this.faults.splice(index, 1)
    return index >= 0
  }

  async team({ plan = 'pro' }: { plan?: string } = {}): Promise<Team> {
    const resellerId = await createTenant(this.platform, {
      name: 'Reseller',
      slug: `r-${randomUUID()}`,
      plan: 'pro',
      isReseller: true,
    })
    const tenantId = await createTenant(this.platform, { name: 'Acme', slug: `t-${randomUUID()}`, plan })
    return { id: await addManagedTeam(this.platform, resellerId, tenantId, 'VIP'), tenantId, resellerId }
  }

  /** Sets the end of a trial as of now, by the clock that is skipped. */
  async setTrial(team: Team, endsAtMs: number | null): Promise<void> {
    await this.platform.query('update managed_teams set trial_ends_at = $2 where id = $1', [
      team.id,
      endsAtMs === null ? null : new Date(endsAtMs),
    ])
    // apart: beside the end of a trial, the rule that stays for the version before writes the database's own time
    await this.platform.query(
      'update managed_teams set trial_set_at = $2, trial_reminded = null, trial_expired_at = null where id = $1',
      [team.id, new Date(await this.now())],
    )
  }

  async setDeleted(team: Team, deletedAtMs: number | null): Promise<void> {
    const at = deletedAtMs === null ? null : new Date(deletedAtMs)
    await this.platform.query('update managed_teams set deleted_at = $2 where id = $1', [team.id, at])
    await this.platform.query('update tenants set deleted_at = $2 where id = $1', [team.tenantId, at])
  }

  /** The events of the reseller, in order. */
  async publishedTo({ resellerId }: Team): Promise<{ name: string; payload: Record<string, unknown> }[]> {
    const { rows } = await this.platform.query(
      `select name, payload from outbox where tenant_id = $1 and kind = 'event' order by id`,
      [resellerId],
    )
    return rows
  }

  async planOf({ tenantId }: Team): Promise<string | undefined> {
    return (await this.platform.query<{ plan: string }>('select plan from tenants where id = $1', [tenantId])).rows[0]
      ?.plan
  }
}

export type Start = (
  name: string,
  input: Record<string, unknown>,
) => Promise<{ result(): Promise<unknown>; signal(name: string): Promise<void> }>
