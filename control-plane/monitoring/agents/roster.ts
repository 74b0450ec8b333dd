import type { JWK } from 'jose'
import type { Pool } from 'pg'

interface EnrolledAgent {
  id: string
  region: string
  name: string
  key: JWK
  generation: number
  isRevoked: boolean
}

interface Row {
  id: string
  region: string
  name: string
  public_key: JWK
  generation: number
  is_revoked: boolean
}

/** How often an agent that is not known makes the list be read anew. */
const reloadMs = 1_000

const columns = 'id, region, name, public_key, generation, revoked_at is not null as is_revoked'

/** All enrolled agents, held in memory: small, and asked on every frame. The 'agents' channel tells when one came or was revoked. */
export class Roster {
  readonly #platform: Pool
  readonly #agents = new Map<string, EnrolledAgent>()
  #loading: Promise<void> | undefined
  #loadedAt = -Infinity

  constructor(platform: Pool) {
    this.#platform = platform
  }

  async load(): Promise<void> {
    this.#loadedAt = performance.now()
    const { rows } = await this.#platform.query<Row>(`select ${columns} from agents order by id`)
    this.#agents.clear()
    for (const row of rows) this.#keep(row)
  }

  /** An agent enrolled and not revoked. One that is not known makes the list be read anew, once a second however many ask. */
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

  /** The region passes to this agent: its generation becomes the region's highest. The row locks keep two takers apart. */
  async take(id: string, region: string): Promise<number> {
    const { rows } = await this.#platform.query<{ generation: number }>(
      `with rivals as (select generation from agents where region = $2 order by id for update)
       update agents set generation = 1 + (select max(generation) from rivals), last_seen_at = clock_timestamp()
       where id = $1 and revoked_at is null returning generation`,
      [id, region],
    )
    const generation = rows[0]?.generation
    if (generation === undefined) throw new Error('This agent was revoked.')
    const agent = this.#agents.get(id)
    if (agent) agent.generation = generation
    return generation
  }

  /** Notes when agents were last heard of, all in one statement. */
  async touch(ids: string[]): Promise<void> {
    if (ids.length > 0) await this.#platform.query('update agents set last_seen_at = clock_timestamp() where id = any($1::uuid[])', [ids])
  }

  #keep(row: Row): void {
    const { id, region, name, generation } = row
    // frozen: jose then imports the key once and not at each signature
    this.#agents.set(id, { id, region, name, generation, key: Object.freeze(row.public_key), isRevoked: row.is_revoked })
  }
}
