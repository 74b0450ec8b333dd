import { z } from 'zod'
import { limits } from '#contract/agent.ts'
import type { Row } from '#control-plane/db/queries.ts'

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

/** An agent with its times as `stamp` writes them. */
export type AgentRow = Row<'agents', 'id' | 'region' | 'name' | 'enrolled_at' | 'last_seen_at' | 'revoked_at'>

/** `last_seen_at` is written every few seconds, so an agent counts as silent that much later. */
const noticeMs = limits.leaseMs + limits.beatMs

export const viewAgent = (row: AgentRow, now: Date): z.input<typeof AgentView> => ({
  id: row.id,
  region: row.region,
  name: row.name,
  state: stateOf(row, now),
  enrolled_at: row.enrolled_at,
  last_seen_at: row.last_seen_at,
  revoked_at: row.revoked_at,
})

function stateOf({ revoked_at: revokedAt, last_seen_at: seenAt }: AgentRow, now: Date): (typeof agentStates)[number] {
  if (revokedAt) return 'revoked'
  if (!seenAt) return 'never_seen'
  return now.getTime() - Date.parse(seenAt) <= noticeMs ? 'connected' : 'silent'
}

export const RegionView = z
  .object({
    name: z.string(),
    is_reporting: z.boolean(),
    history_waits_since: time.nullable().meta({
      description:
        'Results of this region from this moment on are not all stored yet: they are missing from lists, charts and ' +
        'reports until they are. `null`: none is missing.',
    }),
  })
  .meta({ id: 'Region' })
