import { z } from 'zod'
import type { ResellerScope, TenantScope } from '#contract/scopes.ts'
import { commaText } from '#control-plane/http/page.ts'
import { checkAccess } from '#control-plane/monitoring/checks/check-endpoint.ts'

/** What a stream is asked for: two topics of the whole team, and the results of some checks. */
export interface Topics {
  monitors: boolean
  incidents: boolean
  /** Ids of checks. */
  runs: string[]
}

export const topicNames = ['monitors', 'incidents', 'runs'] as const
export type TopicName = (typeof topicNames)[number]

/** Checks whose results one stream may have. */
export const mostChecks = 20

const runsShape = /^runs:([0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})$/i

export const topicsText = commaText
  .refine(names => names.length > 0, 'Must not be empty.')
  .refine(
    names => names.every(name => name === 'monitors' || name === 'incidents' || runsShape.test(name)),
    'Must be monitors, incidents or runs:{check}.',
  )
  .transform(
    (names): Topics => ({
      monitors: names.includes('monitors'),
      incidents: names.includes('incidents'),
      runs: [...new Set(names.flatMap(name => runsShape.exec(name)?.[1]?.toLowerCase() ?? []))],
    }),
  )
  .refine(({ runs }) => runs.length <= mostChecks, { message: 'At most {n} checks.', params: { n: mostChecks } })
  .meta({
    description: 'Separated by commas: `monitors`, `incidents`, and for each of some checks `runs:{check}`.',
    examples: ['monitors,incidents'],
  })

export const StreamQuery = z.object({ topics: topicsText })

type Access = { tenant: TenantScope; reseller: ResellerScope }

/** The scopes of the base topic, which the endpoint itself needs, and of the others. */
export const accessOf: Record<TopicName, Access> = {
  monitors: { tenant: 'monitors:read', reseller: 'monitors:read' },
  incidents: { tenant: 'incidents:read', reseller: 'incidents:read' },
  runs: checkAccess.read,
}

export const isAskedFor = (topics: Topics, name: TopicName): boolean =>
  name === 'runs' ? topics.runs.length > 0 : topics[name]

/** The topic of a streamed event. */
export const topicOf = (event: string): Exclude<TopicName, 'runs'> =>
  event.startsWith('incident.') ? 'incidents' : 'monitors'
