import { z } from 'zod'
import { basicClientOf } from '#importers/reads.ts'
import { flag, number, records, text } from '#importers/shapes.ts'
import { SourceError, type SourceInput, type TheirStatus } from '#importers/source.ts'

const EndpointStatus = z.object({
  name: text(255).prefault(null),
  group: text(255).prefault(null),
  results: records.prefault([]),
})
const Result = z.object({
  success: flag.prefault(null),
  duration: number.prefault(null),
  timestamp: text(40).prefault(null),
  conditionResults: records.prefault([]),
  errors: z.array(z.string()).catch([]).prefault([]),
})
const Condition = z.object({ condition: text(500).prefault(null), success: flag.prefault(null) })

const nanosecondsOfMs = 1_000_000

/** As Gatus itself knows an endpoint: by its group and its name. */
export const idOf = ({ group, name }: { group?: string | null; name?: string | null }): string =>
  `${group ?? ''}_${name ?? ''}`

/** The newest result of each endpoint of a Gatus. */
export async function readStatuses(input: SourceInput): Promise<Map<string, TheirStatus>> {
  const client = basicClientOf(input, input.credential)
  const said = await client.get('/api/v1/endpoints/statuses?page=1&pageSize=1')
  if (!Array.isArray(said)) throw new SourceError('It does not answer as Gatus does.')
  return new Map(
    records.parse(said).flatMap((each): [string, TheirStatus][] => {
      const endpoint = EndpointStatus.parse(each)
      const newest = endpoint.results.at(-1)
      return newest ? [[idOf(endpoint), statusOf(Result.parse(newest))]] : []
    }),
  )
}

function statusOf({ success, duration, conditionResults, errors }: z.output<typeof Result>): TheirStatus {
  if (success === null) return { status: 'unknown' }
  const failed = conditionResults.map(each => Condition.parse(each)).filter(each => each.success === false)
  const reasons = [...errors, ...failed.map(({ condition }) => condition ?? '')].filter(Boolean)
  return {
    status: success ? 'up' : 'down',
    reason: reasons.length > 0 ? reasons.join('; ').slice(0, 500) : null,
    response_ms: duration === null ? null : duration / nanosecondsOfMs,
  }
}
