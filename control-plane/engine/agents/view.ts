import { z } from 'zod'
import { limits } from '#contract/agent.ts'
import { stamp } from '#contract/time.ts'

const time = z.string().meta({ format: 'date-time' })

export const agentStates = ['connected', 'silent', 'never_seen', 'revoked'] as const

export const AgentView = z
  .object({
    id: z.uuid(),
    region: z.string(),
    name: z.string(),
    state: z.enum(agentStates),
    enrolled_at: time,
    last_seen_at: time.nullable(),
    revoked_at: time.nullable(),
  })
  .meta({ id: 'Agent' })

export interface AgentRow {
  id: string
  region: string
  name: string
  enrolled_at: Date
  last_seen_at: Date | null
  revoked_at: Date | null
}

export const agentColumns = 'id, region, name, enrolled_at, last_seen_at, revoked_at'

/** When an agent was heard of is written down every few seconds, so silence is judged with that much patience. */
const noticeMs = limits.leaseMs + limits.beatMs

export const viewAgent = (row: AgentRow, now: Date): z.input<typeof AgentView> => ({
  id: row.id,
  region: row.region,
  name: row.name,
  state: stateOf(row, now),
  enrolled_at: stamp(row.enrolled_at),
  last_seen_at: stamp(row.last_seen_at),
  revoked_at: stamp(row.revoked_at),
})

function stateOf({ revoked_at: revokedAt, last_seen_at: seenAt }: AgentRow, now: Date): (typeof agentStates)[number] {
  if (revokedAt) return 'revoked'
  if (!seenAt) return 'never_seen'
  return now.getTime() - seenAt.getTime() <= noticeMs ? 'connected' : 'silent'
}

export const RegionView = z.object({ name: z.string(), is_reporting: z.boolean() }).meta({ id: 'Region' })
