import { z } from 'zod'
import { timeoutMs } from '#checks/settings.ts'
import { checkKind, type Judgement } from '#contract/check.ts'
import { stamp, wholeDaysUntil } from '#contract/time.ts'
import { maxList, maxText } from './registration.ts'

const time = z.iso.datetime().meta({ format: 'date-time' })

const answers = ['fresh', 'kept', 'none', 'not_registered', 'unsupported'] as const

const Seen = z.object({
  domain: z.string().max(253).meta({ description: 'The registered domain the host lies in.' }),
  answer: z.enum(answers).meta({
    description:
      '`fresh`: the registry answered. `kept`: it did not, and this is its last good answer. `none`: nothing is ' +
      'known. `not_registered`: the registry does not know the domain. `unsupported`: the registry has no ' +
      'public server.',
  }),
  /** When the registry gave this answer. */
  as_of: time.nullable(),
  source: z.enum(['rdap', 'whois']).nullable(),
  server: z.string().max(253).nullable(),
  /** Why there is no fresh answer. */
  problem: z.string().max(200).nullable(),
  expires_at: time.nullable(),
  registered_at: time.nullable(),
  updated_at: time.nullable(),
  registrar: z.string().max(maxText).nullable(),
  statuses: z
    .array(z.string().max(60))
    .max(maxList)
    .meta({ description: 'EPP status codes, such as clientTransferProhibited.' }),
  nameservers: z.array(z.string().max(253)).max(maxList),
  signed: z.boolean().nullable().meta({ description: 'Whether the delegation is signed (DNSSEC).' }),
})
type Seen = z.output<typeof Seen>

/** Statuses in which a domain no longer resolves, or soon will not. */
const fatal: Record<string, { code: string; reason: string }> = {
  redemptionPeriod: { code: 'domain_in_redemption', reason: 'was deleted and is in its redemption period' },
  pendingDelete: { code: 'domain_pending_delete', reason: 'is about to be deleted' },
  serverHold: { code: 'domain_on_hold', reason: 'was taken out of the DNS by its registry (serverHold)' },
  clientHold: { code: 'domain_on_hold', reason: 'was taken out of the DNS by its registrar (clientHold)' },
}

export const domainExpiry = checkKind({
  name: 'domain_expiry',
  summary: 'The domain is registered, is not on hold and does not expire soon',
  offered: { website: 'default', needs: 'domain' },
  every: { default: 43_200, min: 3_600 },
  severity: 'major',
  settings: z.object({
    warn_days: z
      .array(z.int().min(1).max(365))
      .min(1)
      .max(10)
      .default([60, 30, 14, 7, 1])
      .meta({ description: 'The expiry ladder: days before the end at which to warn.' }),
    timeout_ms: timeoutMs,
  }),
  backtestable: ['warn_days'],
  seen: Seen,

  /**
   * A registry that does not answer causes no alarm: its last good answer counts, from the agent's memory or from the
   * region's previous result.
   */
  judge(seen, settings, { at, previous }): Judgement {
    switch (seen.answer) {
      case 'unsupported':
        return {
          status: 'unknown',
          code: 'unsupported',
          reason: seen.problem ?? 'The registry of this domain has no public server.',
        }
      case 'not_registered':
        return { status: 'down', code: 'domain_not_registered', reason: `The domain ${seen.domain} is not registered.` }
      case 'fresh':
        return judgeRegistration(seen, settings.warn_days, at, true)
      case 'kept':
        return judgeRegistration(seen, settings.warn_days, at, false)
      case 'none': {
        const before = Seen.safeParse(previous).data
        if (before && before.domain === seen.domain && (before.answer === 'fresh' || before.answer === 'kept'))
          return judgeRegistration(before, settings.warn_days, at, false)
        return { status: 'unknown', code: 'registry_silent', reason: seen.problem ?? 'The registry did not answer.' }
      }
    }
  },

  responseMs: () => null,
})

function judgeRegistration(seen: Seen, warningDays: readonly number[], at: Date, isFresh: boolean): Judgement {
  const bad = Object.keys(fatal).find(status => seen.statuses.includes(status))
  if (bad) return { status: 'down', code: fatal[bad]!.code, reason: `The domain ${seen.domain} ${fatal[bad]!.reason}.` }
  if (!seen.expires_at)
    return {
      status: 'unknown',
      code: 'expiry_not_published',
      reason: `The registry of ${seen.domain} does not publish expiry dates.`,
    }
  const end = new Date(seen.expires_at)
  if (at >= end && isFresh)
    return { status: 'down', code: 'domain_expired', reason: `The domain ${seen.domain} expired on ${day(end)}.` }
  const days = wholeDaysUntil(end, at)
  const depth = at < end ? warningDays.filter(step => days <= step).length : warningDays.length
  if (depth === 0) return { status: 'up' }
  return {
    status: 'warning',
    code: 'domain_expiring',
    reason:
      at < end
        ? `The domain ${seen.domain} expires ${inDays(days)}.`
        : `The domain ${seen.domain} was to expire on ${day(end)}, and its registry has not answered since.`,
    event: 'warning.domain_expiring',
    depth,
    details: { domain: seen.domain, days_remaining: days, expires_at: stamp(end), registrar: seen.registrar },
  }
}

const inDays = (days: number) => (days === 0 ? 'today' : days === 1 ? 'in 1 day' : `in ${days} days`)
const day = (date: Date) => date.toISOString().slice(0, 10)
