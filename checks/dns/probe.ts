import { promises } from 'node:dns'
import { isIP } from 'node:net'
import type { Probe } from '#checks/probe.ts'
import { hostOf } from '#checks/target.ts'
import { RunFailure } from '#contract/check.ts'
import { queryFailure } from '#egress/names.ts'
import { InternalNames } from './inside.ts'
import { type dns, fingerprint, normalise, parseResolver, type Records, type RecordType, recordTypes } from './kind.ts'
import { RecordMemory } from './memory.ts'
import { zoneOf } from './zone.ts'

const maxValues = 50
const maxValueChars = 500

const memory = new RecordMemory()

/**
 * Queries every resolver for every record type, twice: records on which both queries and all resolvers agree are
 * settled. One failing resolver fails the run, because the monitor names each of them.
 */
export const probeDns: Probe<typeof dns> = async (target, settings, { guard, signal }) => {
  let start = performance.now()
  const name = settings.name ?? hostOf(target).host
  if (isIP(name))
    throw new RunFailure(
      'unsupported',
      'dns',
      'The monitor names an address, and addresses have no records to look up.',
    )
  if (guard.refuseHost(name)) throw new RunFailure('blocked', 'guard', 'The name is for internal use.')
  const resolvers = await Promise.all(settings.resolvers.map(text => checkedRecords(text)))
  const asked = (resolvers.length ? resolvers : [undefined]).map(server => {
    const resolver = new promises.Resolver({
      timeout: Math.max(100, Math.min(2_000, Math.floor(settings.timeout_ms / 3))),
      tries: 2,
    })
    const servers = server ? [server] : guard.servers
    if (servers) resolver.setServers(servers)
    return { resolver, isCustomResolver: Boolean(server) }
  })
  const stop = () => {
    for (const { resolver } of asked) resolver.cancel()
  }
  if (signal.aborted) throw new RunFailure('dns_timeout', 'dns', 'The name servers did not answer in time.')
  signal.addEventListener('abort', stop)
  try {
    const internalNames = resolvers.length === 0 ? new InternalNames(asked[0]!.resolver, guard) : undefined
    await internalNames?.refuseName(name)
    start = performance.now()
    const types = [...new Set([...settings.record_types, ...recordTypes.filter(type => settings.expected[type])])]
    const lookUpAll = () => Promise.all(asked.map(each => lookUp(each, name, types)))
    const findZone = () => zoneOf(name, zone => nameserversOf(asked[0]!, zone))
    const zones = Promise.all([findZone(), findZone()])
    const first = await lookUpAll()
    const total = performance.now() - start
    const records = merge(first)
    await internalNames?.refuseRecords(name, records, (await zones)[0].nameservers ?? [])
    const second = await lookUpAll().catch(() => [])
    const [{ zone, nameservers }, again] = await zones
    const isSame = again.zone === zone && again.nameservers?.join() === nameservers?.join()
    const settled =
      second.length > 0 && isSame && [...first, ...second].every(each => fingerprint(each) === fingerprint(records))
    const replaced = settled
      ? memory.observe([name, ...settings.resolvers, ...types].join(' '), records, performance.now())
      : null
    return {
      seen: { records, settled, replaced, zone, nameservers },
      phases: { dns: total, connect: null, tls: null, first_byte: null, total },
    }
  } catch (error) {
    if (error instanceof RunFailure) {
      const total = performance.now() - start
      error.phases = { dns: total, connect: null, tls: null, first_byte: null, total }
    }
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }

  async function checkedRecords(text: string): Promise<string> {
    const server = parseResolver(text)
    if (!server) throw new RunFailure('unsupported', 'guard', 'A name server is no address.')
    await guard.resolve(server.address, undefined, signal, server.port)
    return isIP(server.address) === 6 ? `[${server.address}]:${server.port}` : `${server.address}:${server.port}`
  }
}

interface Answers {
  resolver: promises.Resolver
  /** For resolvers named by the customer: one that does not answer is the target's fault, not the region's. */
  isCustomResolver: boolean
}

async function lookUp(asked: Answers, name: string, types: readonly RecordType[]): Promise<Records> {
  const found = await Promise.all(types.map(async type => [type, await valuesOf(asked, name, type)] as const))
  return Object.fromEntries(found)
}

async function valuesOf({ resolver, isCustomResolver }: Answers, name: string, type: RecordType): Promise<string[]> {
  try {
    const values = await ask(resolver, name, type)
    return [...new Set(values.map(value => normalise(type, value).slice(0, maxValueChars)))]
      .toSorted()
      .slice(0, maxValues)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
    if (code === 'ENODATA') return []
    const failure = await queryFailure(code, () => resolver.resolveNs('.'))
    throw failure.code === 'resolver_unavailable' && isCustomResolver
      ? new RunFailure('dns_failed', 'dns', 'A name server of the check refuses to be asked.')
      : failure
  }
}

/** The name servers of a name itself; null when unknown. */
async function nameserversOf({ resolver }: Answers, name: string): Promise<string[] | null> {
  try {
    const found = await resolver.resolveNs(name)
    return [...new Set(found.map(each => normalise('NS', each).slice(0, maxValueChars)))].toSorted().slice(0, maxValues)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return code === 'ENODATA' || code === 'ENOTFOUND' ? [] : null
  }
}

async function ask(resolver: promises.Resolver, name: string, type: RecordType): Promise<string[]> {
  switch (type) {
    case 'A':
      return resolver.resolve4(name)
    case 'AAAA':
      return resolver.resolve6(name)
    case 'MX':
      return (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange}`)
    case 'CNAME':
      return resolver.resolveCname(name)
    case 'NS':
      return resolver.resolveNs(name)
    case 'TXT':
      return (await resolver.resolveTxt(name)).map(parts => parts.join(''))
    case 'SOA': {
      const { nsname, hostmaster, serial, refresh, retry, expire, minttl } = await resolver.resolveSoa(name)
      return [`${nsname} ${hostmaster} ${serial} ${refresh} ${retry} ${expire} ${minttl}`]
    }
    case 'SRV':
      return (await resolver.resolveSrv(name)).map(
        ({ priority, weight, port, name: host }) => `${priority} ${weight} ${port} ${host}`,
      )
    case 'CAA':
      return (await resolver.resolveCaa(name)).map(({ critical, ...tags }) => {
        const [tag = '', value = ''] = Object.entries(tags).find(([key]) => key !== 'type') ?? []
        return `${critical} ${tag} "${String(value)}"`
      })
  }
}

/** All values that any resolver returned. */
function merge(answers: Records[]): Records {
  const merged: Records = {}
  for (const answer of answers) {
    for (const [type, values] of Object.entries(answer) as [RecordType, string[]][]) {
      merged[type] = [...new Set([...(merged[type] ?? []), ...values])].toSorted().slice(0, maxValues)
    }
  }
  return merged
}
