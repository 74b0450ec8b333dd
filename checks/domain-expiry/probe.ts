import { isIP } from 'node:net'
import { parse } from 'tldts'
import type { Probe, ProbeContext, ProbeResult } from '#checks/probe.ts'
import { hostOf } from '#checks/target.ts'
import { RunFailure } from '#contract/check.ts'
import type { domainExpiry } from './kind.ts'
import { freshMs, type StoredAnswer } from './memory.ts'
import { type QueryResult, queryRdap, queryReferral, queryWhois } from './query.ts'
import { complete, type Registration } from './registration.ts'
import { Registries } from './registries.ts'

type Seen = ProbeResult<ReturnType<typeof describe>>['seen']

/** Default for runs outside an agent: the registries in the package. */
const packaged = new Registries()

/**
 * Queries RDAP, and WHOIS for what RDAP lacks. A failing registry does not fail the run: it is reported beside the last
 * good answer.
 */
export const probeDomainExpiry: Probe<typeof domainExpiry> = async (target, settings, context) => {
  const start = performance.now()
  const { host } = hostOf(target)
  if (!isIP(host) && context.guard.refuseHost(host))
    throw new RunFailure('blocked', 'guard', 'The name is for internal use.')
  const seen = await lookUp(host.replace(/\.$/, ''), settings.timeout_ms, context)
  return { seen, phases: { dns: null, connect: null, tls: null, first_byte: null, total: performance.now() - start } }
}

async function lookUp(host: string, timeoutMs: number, context: ProbeContext): Promise<Seen> {
  const { domain, isIcann, publicSuffix } = parse(host)
  if (!domain || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
    return describe(host, 'unsupported', undefined, 'The host lies in no registered domain.')
  const { registries = packaged, now } = context
  const { memory } = registries
  const known = memory.get(domain, now())
  if (known && now() - known.at < freshMs) return describe(domain, 'fresh', known)
  await registries.refresh(context)

  // leave time for WHOIS when RDAP hangs
  const timeLeft = AbortSignal.any([context.signal, AbortSignal.timeout(timeoutMs * 0.6)])
  const rdap = await queryRdap(domain, registries.rdapOf(domain), memory, { ...context, signal: timeLeft })
  if (rdap.code === 'found' && rdap.registration.expires_at) return note(domain, rdap, 'rdap')

  const root = registries.rootOf(domain)
  const zone = domain.slice(domain.lastIndexOf('.') + 1)
  const servers =
    registries.whoisOf(domain) ??
    (isIcann && root ? await queryReferral(zone, root, memory, context) : undefined) ??
    undefined
  const whois = await queryWhois(domain, servers, memory, context)
  return combine(domain, rdap, whois, known, publicSuffix ?? zone)

  function note(
    name: string,
    { registration, server }: Extract<QueryResult, { code: 'found' }>,
    source: StoredAnswer['source'],
  ): Seen {
    const fresh = { registration, source, server, at: now() }
    memory.store(name, fresh)
    return describe(name, 'fresh', fresh)
  }

  function combine(
    name: string,
    first: QueryResult,
    second: QueryResult,
    before: StoredAnswer | undefined,
    suffix: string,
  ): Seen {
    const problem =
      [...new Set([first, second].flatMap(each => ('problem' in each ? [each.problem] : [])))].join(' ') || null
    if (first.code === 'found' || second.code === 'found') {
      const found =
        first.code === 'found' && second.code === 'found'
          ? { ...second, registration: complete(first.registration, second.registration) }
          : first.code === 'found'
            ? first
            : second
      if (
        found.code === 'found' &&
        (found.registration.expires_at || problem === null || !before?.registration.expires_at)
      )
        return note(name, found, second.code === 'found' ? 'whois' : 'rdap')
      return describe(name, 'kept', before, problem)
    }
    if (first.code === 'absent' || (second.code === 'absent' && (first.code === 'doubtful' || !before))) {
      memory.forget(name)
      return describe(name, 'not_registered', undefined)
    }
    if (before) return describe(name, 'kept', before, problem ?? 'The registry says that there is no such domain.')
    if (first.code === 'no_server' && second.code === 'no_server')
      return describe(
        name,
        'unsupported',
        undefined,
        `The registry of .${suffix} is known to answer neither RDAP nor WHOIS.`,
      )
    return describe(name, 'none', undefined, problem)
  }
}

const nothing: Registration = {
  registered_at: null,
  updated_at: null,
  expires_at: null,
  registrar: null,
  statuses: [],
  nameservers: [],
  signed: null,
}

function describe(
  domain: string,
  answer: 'fresh' | 'kept' | 'none' | 'not_registered' | 'unsupported',
  known: StoredAnswer | undefined,
  problem: string | null = null,
) {
  return {
    domain,
    answer,
    as_of: known ? new Date(known.at).toISOString() : null,
    source: known?.source ?? null,
    server: known?.server ?? null,
    problem: problem?.slice(0, 200) ?? null,
    ...(known?.registration ?? nothing),
  }
}
