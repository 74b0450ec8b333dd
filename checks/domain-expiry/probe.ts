import { isIP } from 'node:net'
import { parse } from 'tldts'
import type { Looked, Probe, Reach } from '#checks/probe.ts'
import { hostOf } from '#checks/target.ts'
import { RunFailure } from '#contract/check.ts'
import { type Asked, askRdap, askReferral, askWhois } from './ask.ts'
import type { domainExpiry } from './kind.ts'
import { freshMs, type Known } from './memory.ts'
import { complete, type Registration } from './registration.ts'
import { Registries } from './registries.ts'

type Seen = Looked<ReturnType<typeof describe>>['seen']

/** For those who look without an agent: what the package knows. */
const packaged = new Registries()

/**
 * Asks by RDAP, and by WHOIS what RDAP does not tell. What goes wrong at a registry is no failure of the look: it is said
 * beside the last good answer.
 */
export const probeDomainExpiry: Probe<typeof domainExpiry> = async (target, settings, reach) => {
  const start = performance.now()
  const { host } = hostOf(target)
  if (!isIP(host) && reach.guard.refuseHost(host))
    throw new RunFailure('blocked', 'guard', 'The name is for internal use.')
  const seen = await lookUp(host.replace(/\.$/, ''), settings.timeout_ms, reach)
  return { seen, phases: { dns: null, connect: null, tls: null, first_byte: null, total: performance.now() - start } }
}

async function lookUp(host: string, timeoutMs: number, reach: Reach): Promise<Seen> {
  const { domain, isIcann, publicSuffix } = parse(host)
  if (!domain || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
    return describe(host, 'unsupported', undefined, 'The host lies in no registered domain.')
  const { registries = packaged, now } = reach
  const { memory } = registries
  const known = memory.get(domain, now())
  if (known && now() - known.at < freshMs) return describe(domain, 'fresh', known)
  await registries.refresh(reach)

  // WHOIS must have its turn within the time that is left when RDAP hangs
  const patience = AbortSignal.any([reach.signal, AbortSignal.timeout(timeoutMs * 0.6)])
  const rdap = await askRdap(domain, registries.rdapOf(domain), memory, { ...reach, signal: patience })
  if (rdap.code === 'found' && rdap.registration.expires_at) return note(domain, rdap, 'rdap')

  const root = registries.rootOf(domain)
  const zone = domain.slice(domain.lastIndexOf('.') + 1)
  const place =
    registries.whoisOf(domain) ??
    (isIcann && root ? await askReferral(zone, root, memory, reach) : undefined) ??
    undefined
  const whois = await askWhois(domain, place, memory, reach)
  return weigh(domain, rdap, whois, known, publicSuffix ?? zone)

  function note(
    name: string,
    { registration, server }: Extract<Asked, { code: 'found' }>,
    source: Known['source'],
  ): Seen {
    const fresh = { registration, source, server, at: now() }
    memory.note(name, fresh)
    return describe(name, 'fresh', fresh)
  }

  function weigh(name: string, first: Asked, second: Asked, before: Known | undefined, suffix: string): Seen {
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
    if (first.code === 'nobody' && second.code === 'nobody')
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
  known: Known | undefined,
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
