import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { isPassiveKind, type KindName, kinds } from '#checks/index.ts'
import { regionName } from '#contract/agent.ts'
import type { CheckKind } from '#contract/check.ts'
import { invalid, notInPlan } from '#control-plane/base/refusal.ts'
import { regionsFor, timeoutOf } from '#control-plane/engine/assignments/assigned.ts'
import { RegionAnswer, tryDefinitionBytes } from '#control-plane/engine/assignments/try-notices.ts'
import { isCrawlKind } from '#control-plane/engine/crawls/terms.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { tooMany } from '#control-plane/http/rate.ts'
import { ok } from '#control-plane/http/reply.ts'
import { readUrl, regionNames, validateFields } from '#control-plane/monitoring/monitors/validate.ts'
import { planNow } from '#control-plane/tenancy/plans/limits.ts'
import { checkAccess, shortUnit } from './check-endpoint.ts'
import { defaultChecks, draftCheck, monitorTypes, NewCheck } from './input.ts'
import { tryInRegions } from './try-in-regions.ts'

/** Runs a minute of a team, counted in each region. */
const runsAMinute = 60
const maxTimeoutMs = 25_000

const CheckTry = z
  .object({
    url: z.string().min(1).max(2_048).meta({ description: 'The web address; for hosts a name or address.' }),
    type: z.enum(monitorTypes).meta({ id: 'WatchedType' }).default('website'),
    timeout: z.int().min(1).max(25).default(10).meta({ description: 'Seconds after which the run is given up.' }),
    regions: z
      .array(regionName)
      .max(50)
      .transform(regions => [...new Set(regions)])
      .default([])
      .meta({ description: 'The regions that run the check. Empty: all regions that the plan allows.' }),
    check: NewCheck.optional().meta({ description: 'By default an uptime check for a website, a ping for a host.' }),
  })
  .meta({ id: 'NewCheckTry' })
type CheckTry = z.output<typeof CheckTry>

const TryView = z
  .object({
    url: z.string().meta({ description: 'The address as a monitor would store it.' }),
    type: z.string().meta({ description: 'The kind of the check.' }),
    asked: z.array(z.string()).meta({ description: 'The regions of the check.' }),
    silent: z.array(z.string()).meta({ description: 'The regions without a result.' }),
    results: z.array(RegionAnswer),
  })
  .meta({ id: 'CheckTry' })

export const tryCheck = endpoint({
  method: 'POST',
  path: '/checks/try',
  summary: 'Try a check without saving it',
  description:
    'Runs it once from each region, and answers when every region has a result, after half a minute at most. ' +
    'Nothing is stored: no monitor, no result, no statistic. Regions without a result by then are in `silent`. ' +
    `${runsAMinute} runs a minute for each team, counted in each region.`,
  tag: 'checks',
  access: checkAccess.write,
  body: CheckTry,
  detached: true,
  returns: ok({ data: TryView }),

  async handle(context) {
    const { tenant, services, requestId } = context
    const id = randomUUID()
    const definition = await shortUnit(context, requestId, async (em, sideEffects) => {
      const drafted = await draft({ ...context, em }, id)
      for (const _ of drafted.regions) {
        const counted = await services.rate.count(`check-tries:${tenant.id}`, runsAMinute, services.clock.nowMs())
        if (counted.isRefused) throw tooMany(counted)
      }
      sideEffects.audits.push({
        whose: 'tenant',
        action: 'check.tried',
        type: 'check',
        id: null,
        changes: { type: drafted.kind, url: drafted.url, regions: drafted.regions },
      })
      return drafted
    })
    const results = await tryInRegions(services, { id, definition })
    const answered = new Set(results.map(({ region }) => region))
    return {
      data: {
        url: definition.url,
        type: definition.kind,
        asked: definition.regions,
        silent: definition.regions.filter(region => !answered.has(region)),
        results: results.toSorted((a, b) => a.region.localeCompare(b.region)),
      },
    }
  },
})

type TryContext = Pick<RequestContext<object, undefined, CheckTry>, 'em' | 'tenant' | 'body' | 'services'>

async function draft({ em, tenant, body, services }: TryContext, id: string) {
  const { guard } = services
  const { plan, limits } = await planNow(em, tenant.id)
  const known = await regionNames(em)
  const address = readUrl(body.url, body.type, guard)
  const url = 'url' in address ? address.url : ''
  const check = body.check ?? defaultChecks(body.type)[0]!
  const timeoutMs = body.timeout * 1_000
  const { fields, errors, unplanned } = draftCheck(
    check,
    { type: body.type, timeout: body.timeout, url },
    { limits, guard },
    'check.',
  )
  Object.assign(errors, validateFields(body, limits, known))
  if ('error' in address) errors.url = [address.error]
  const cannot = whyNotTried(check.type)
  if (cannot) errors['check.type'] ??= [cannot]
  const regions = regionsFor(
    { check: id, wanted: body.regions, regionsAtMost: limits.regions_per_monitor },
    [...known].sort(),
  )
  const definition = {
    tenant: tenant.id,
    kind: check.type,
    url,
    settings: fields.settings,
    timeout_ms: Math.min(timeoutOf(check.type, fields.settings, timeoutMs, maxTimeoutMs), maxTimeoutMs),
    regions: [...regions],
  }
  if (Buffer.byteLength(JSON.stringify(definition)) > tryDefinitionBytes)
    errors['check.settings'] ??= ['The settings are too long to be tried: save the check instead.']
  if (Object.keys(errors).length > 0) throw invalid(errors)
  if (unplanned) throw notInPlan(unplanned.feature, plan, unplanned.why, unplanned.path)
  return definition
}

/** Kinds that no single run of half a minute can answer. */
function whyNotTried(type: KindName): string | null {
  const kind: CheckKind = kinds[type]
  if (isPassiveKind(type)) return 'Is reported, not run: it cannot be tried.'
  if (isCrawlKind(type)) return 'Crawls the whole site: it cannot be tried.'
  if (kind.isHeavy) return 'Takes longer than half a minute: it cannot be tried.'
  return null
}
