import type { JWK } from 'jose'
import { type InferResult, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { Enrol } from '#contract/agent.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { type BadRow, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { among, queries, type Row, rows } from '#control-plane/db/queries.ts'
import type { AgentProtocol } from './agent-protocol.ts'

interface EnrolledAgent {
  id: string
  region: string
  name: string
  key: JWK
  generation: number
  isRevoked: boolean
  /** The protocol for which it is refused at the moment. */
  refusedProtocol: number | null
  /** When that was last written, on the monotonic clock. */
  refusedAt: number
}

/** At most this often a refusal that goes on is written again. */
const refusedMs = 30_000
/** At most this often an unknown agent causes a reload of the list. */
const reloadMs = 1_000

const selectAgents = (platform: Pool) =>
  queries(platform)
    .selectFrom('agents')
    .select(['id', 'region', 'name', 'public_key', 'generation', 'refused_protocol'])
    .select(({ eb }) => eb('revoked_at', 'is not', null).$castTo<boolean>().as('is_revoked'))
    .orderBy('id')

type AgentRow = InferResult<ReturnType<typeof selectAgents>>[number]

/**
 * All enrolled agents, kept in memory: read on every frame. The 'agents' channel reports each one enrolled or
 * revoked.
 */
export class AgentRegistry {
  readonly #platform: Pool
  readonly #quarantine: Quarantine
  #agents: ReadonlyMap<string, EnrolledAgent> = new Map()
  #loading: Promise<void> | undefined
  #loadedAt = -Infinity
  /** Numbers of the last read that began and of the one in memory. */
  #began = 0
  #kept = 0

  constructor({ platform, log }: { platform: Pool; log: Pick<Logger, 'warn' | 'error'> }) {
    this.#platform = platform
    this.#quarantine = new Quarantine({ platform, log })
  }

  /** Reads the list. An answer that arrives after that of a later read is dropped: it may lack an agent. */
  async load(): Promise<void> {
    this.#loadedAt = performance.now()
    const turn = ++this.#began
    const { agents, bad } = await parsed(await selectAgents(this.#platform).execute())
    if (turn < this.#kept) return
    this.#kept = turn
    this.#agents = agents
    await this.#quarantine.replace('agent', bad)
  }

  /** An agent enrolled and not revoked. An unknown one causes a reload of the list, at most once a second. */
  async find(id: string): Promise<EnrolledAgent | null> {
    if (!this.#agents.has(id)) {
      if (performance.now() - this.#loadedAt > reloadMs)
        this.#loading ??= this.load().finally(() => {
          this.#loading = undefined
        })
      await this.#loading
    }
    const agent = this.#agents.get(id)
    return agent && !agent.isRevoked ? agent : null
  }

  isTrusted(id: string, region: string): boolean {
    const agent = this.#agents.get(id)
    return agent !== undefined && !agent.isRevoked && agent.region === region
  }

  get trusted(): EnrolledAgent[] {
    return [...this.#agents.values()].filter(agent => !agent.isRevoked)
  }

  /** Regions that some agent may still report from, in a fixed order. */
  get regions(): string[] {
    return [...new Set(this.trusted.map(agent => agent.region))].sort()
  }

  /** The agent that took each region last, and with which generation. */
  get holders(): Map<string, { agent: string; generation: number }> {
    const holders = new Map<string, { agent: string; generation: number }>()
    for (const { id, region, generation } of this.#agents.values())
      if (generation > (holders.get(region)?.generation ?? 0)) holders.set(region, { agent: id, generation })
    return holders
  }

  /**
   * The region passes to this agent: its generation becomes the region's highest. Row locks serialise two agents that
   * take the region at once.
   */
  async take(id: string, region: string): Promise<number> {
    const [found] = await rows(this.#platform)<Row<'agents', 'generation'>>`
      with rivals as (select generation from agents where region = ${region} order by id for update)
      update agents set generation = 1 + (select max(generation) from rivals), last_seen_at = clock_timestamp()
      where id = ${id} and revoked_at is null returning generation`
    const generation = found?.generation
    if (generation === undefined) throw new Error('This agent was revoked.')
    const agent = this.#agents.get(id)
    if (agent) agent.generation = generation
    return generation
  }

  /** Records that the agent is refused for its protocol. True: it was not before. */
  async refuse(id: string, { protocol, version }: AgentProtocol): Promise<boolean> {
    const agent = this.#agents.get(id)
    if (!agent) return false
    const isNew = agent.refusedProtocol !== protocol
    if (!isNew && performance.now() - agent.refusedAt < refusedMs) return false
    agent.refusedProtocol = protocol
    agent.refusedAt = performance.now()
    await queries(this.#platform)
      .updateTable('agents')
      .set({ refused_protocol: protocol, refused_version: version, refused_at: sql<string>`clock_timestamp()` })
      .where('id', '=', id)
      .execute()
    return isNew
  }

  /** The agent speaks a protocol that is spoken here. */
  async welcome(id: string): Promise<void> {
    const agent = this.#agents.get(id)
    if (!agent || agent.refusedProtocol === null) return
    await queries(this.#platform)
      .updateTable('agents')
      .set({ refused_protocol: null, refused_version: null, refused_at: null })
      .where('id', '=', id)
      .execute()
    agent.refusedProtocol = null
  }

  /** Protocols of agents that are refused for them. */
  get refusedProtocols(): number[] {
    return this.trusted.flatMap(({ refusedProtocol }) => refusedProtocol ?? [])
  }

  /** Records when agents last sent something, in one statement. */
  async touch(ids: string[]): Promise<void> {
    if (ids.length === 0) return
    const now = sql<string>`clock_timestamp()`
    await queries(this.#platform)
      .updateTable('agents')
      .set({ last_seen_at: now })
      .where('id', '=', among(ids))
      .execute()
  }
}

/** Rows that cannot be read are returned apart: their agents are not trusted. */
async function parsed(rows: readonly AgentRow[]): Promise<{ agents: Map<string, EnrolledAgent>; bad: BadRow[] }> {
  const agents = new Map<string, EnrolledAgent>()
  const bad: BadRow[] = []
  const keep = (row: AgentRow) => {
    // frozen: jose then imports the key once and not at each signature
    const key = Object.freeze(Enrol.shape.public_key.parse(row.public_key))
    agents.set(row.id, {
      id: row.id,
      region: row.region,
      name: row.name,
      key,
      generation: row.generation,
      isRevoked: row.is_revoked,
      refusedProtocol: row.refused_protocol,
      refusedAt: -Infinity,
    })
  }
  await eachIsolated(rows, keep, ({ id }, error) => {
    bad.push({ key: id, tenant: null, error })
  })
  return { agents, bad }
}
