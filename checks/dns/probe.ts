import { promises } from 'node:dns'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Probe } from '#checks/probe.ts'
import { hostOf } from '#checks/target.ts'
import { RunFailure } from '#contract/check.ts'
import { failureOf } from '#egress/failures.ts'
import { queryFailure } from '#egress/names.ts'
import { InternalNames, untilOthers } from './inside.ts'
import {
  boundedRecords,
  type dns,
  fingerprint,
  maxSeenChars,
  normalise,
  parseResolver,
  type Records,
  type RecordType,
  recordTypes,
} from './kind.ts'
import { RecordMemory } from './memory.ts'
import { bounded } from './values.ts'
import { zoneOf } from './zone.ts'

const memory = new RecordMemory()

/** Types that are waited for at least this long, and this part of the timeout, once another type was answered. */
const leastWaitMs = 500
const waitShare = 0.25

/**
 * Queries every resolver for every record type, twice: records on which both queries and all resolvers agree are
 * settled. A type without an answer is a finding. A resolver that answers for none fails the run, because the monitor
 * names each of them.
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
    const waitMs = Math.max(leastWaitMs, settings.timeout_ms * waitShare)
    await internalNames?.refuseName(name, waitMs)
    start = performance.now()
    const types = [...new Set([...settings.record_types, ...recordTypes.filter(type => settings.expected[type])])]
    const findZone = () => zoneOf(name, zone => nameserversOf(asked[0]!, zone, waitMs))
    const zones = Promise.all([findZone(), findZone()])
    const first = await Promise.all(asked.map(each => lookUp(each, name, types, waitMs)))
    const total = Math.max(...first.map(({ answeredAt }) => answeredAt)) - start
    const records = merge(first)
    await internalNames?.refuseRecords(name, records, (await zones)[0].nameservers ?? [])
    const failed = types.filter(type => first.some(each => each.failed.includes(type)))
    // what was not answered is not asked for again
    const again = asked.map((each, index) => lookUp(each, name, answeredOf(first[index]!), waitMs))
    const second = await Promise.all(again).catch(() => [])
    const [{ zone, nameservers }, zoneAgain] = await zones
    const isSame = zoneAgain.zone === zone && zoneAgain.nameservers?.join() === nameservers?.join()
    const print = fingerprint(records)
    const settled =
      second.length > 0 && isSame && [...first, ...second].every(each => fingerprint(each.records) === print)
    const kept = boundedRecords(records, () => maxSeenChars, settings.expected)
    const isWhole = settled && failed.length === 0
    const replaced = isWhole
      ? memory.observe([name, ...settings.resolvers, ...types].join(' '), kept, performance.now())
      : null
    return {
      seen: { records: kept, failed, settled, replaced, zone, nameservers },
      phases: { dns: total, connect: null, tls: null, first_byte: null, total },
    }
  } catch (error) {
    const failure = failureOf(error, 'dns')
    const total = performance.now() - start
    failure.phases = { dns: total, connect: null, tls: null, first_byte: null, total }
    throw failure
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }

  async function checkedRecords(text: string): Promise<string> {
    const server = parseResolver(text)
    if (!server) throw new RunFailure('unsupported', 'guard', 'A name server is no address.')
    await guard.resolve(server.address, undefined, signal, server.port)
    return isIP(server.address) === 6 ? `[${server.address}]:${server.port}` : `${server.address}:${server.port}`
  }
}

interface Asked {
  resolver: promises.Resolver
  /** For resolvers named by the customer: one that does not answer is the target's fault, not the region's. */
  isCustomResolver: boolean
}

interface Found {
  records: Records
  /** Types without an answer. */
  failed: RecordType[]
  /** When the last answer came, by the monotonic clock. */
  answeredAt: number
}

const answeredOf = ({ records }: Found) => Object.keys(records) as RecordType[]

/**
 * Asks for all types at once. Once one is answered, the others are waited for only a while: some name servers never
 * answer for a type that they do not know (RFC 4074). Throws where no type is answered.
 */
async function lookUp(asked: Asked, name: string, types: readonly RecordType[], waitMs: number): Promise<Found> {
  const found: Found = { records: {}, failed: [], answeredAt: 0 }
  const failures = new Map<RecordType, RunFailure>()
  await untilOthers(
    types.map(async type => {
      try {
        found.records[type] = await valuesOf(asked, name, type)
        found.answeredAt = performance.now()
        return true
      } catch (error) {
        failures.set(type, failureOf(error, 'dns'))
        return false
      }
    }),
    waitMs,
  )
  const { records, answeredAt } = found
  // without an answer to another type, the name does not exist; with one, it only has no such record
  const [failure] = types.flatMap(type => failures.get(type) ?? [])
  if (Object.keys(records).length === 0) throw failure ?? unanswered()
  for (const [type, { code }] of failures) if (code === 'dns_not_found') records[type] = []
  return { records: { ...records }, failed: types.filter(type => !records[type]), answeredAt }
}

const unanswered = () => new RunFailure('dns_timeout', 'dns', 'The name servers did not answer in time.')

async function valuesOf({ resolver, isCustomResolver }: Asked, name: string, type: RecordType): Promise<string[]> {
  try {
    const values = await ask(resolver, name, type)
    return [...new Set(values.map(value => normalise(type, value)))].toSorted()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
    if (code === 'ENODATA') return []
    const failure = await queryFailure(code, () => resolver.resolveNs('.'))
    throw failure.code === 'resolver_unavailable' && isCustomResolver
      ? new RunFailure('dns_failed', 'dns', 'A name server of the check refuses to be asked.')
      : failure
  }
}

/** The name servers of a name itself; null when unknown, also after this time. */
async function nameserversOf({ resolver }: Asked, name: string, waitMs: number): Promise<string[] | null> {
  const found = resolver.resolveNs(name).then(
    names => bounded([...new Set(names.map(each => normalise('NS', each)))].toSorted(), maxSeenChars),
    (error: NodeJS.ErrnoException) => (error.code === 'ENODATA' || error.code === 'ENOTFOUND' ? [] : null),
  )
  return Promise.race([found, sleep(waitMs, null, { ref: false })])
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
function merge(answers: readonly Found[]): Records {
  const merged: Records = {}
  for (const { records } of answers) {
    for (const [type, values] of Object.entries(records) as [RecordType, string[]][])
      merged[type] = [...new Set([...(merged[type] ?? []), ...values])].toSorted()
  }
  return merged
}
