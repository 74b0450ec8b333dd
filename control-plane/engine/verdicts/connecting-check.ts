import { isPassiveKind, type KindName } from '#checks/index.ts'
import { type Severity, severities } from '#contract/check.ts'
import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import type { CheckState, RegionState } from './core.ts'

/*
 * One dead host is one incident of a monitor: while its connecting check cannot connect, the incidents of its other
 * checks are withheld as those of child monitors are.
 */

/** Kinds that find out whether a host can be connected to, in the order in which one stands for its monitor. */
const connectingKinds: readonly KindName[] = ['uptime', 'tcp', 'ping']
/** Kinds that ask others than the host itself: a dead host explains none of their failures. */
const askOthers: readonly KindName[] = ['domain_expiry', 'dnsbl']
/** Kinds that are no part of a TLS handshake. */
const withoutTls: readonly KindName[] = ['dns', 'tcp', 'ping']

const connectFaults: ReadonlySet<string> = new Set([
  'dns_not_found',
  'dns_failed',
  'dns_timeout',
  'refused',
  'reset',
  'unreachable',
  'timeout',
  'no_reply',
])

/**
 * The check that stands for the host of a monitor towards the given one of its checks; null if there is none, or the
 * given one is it. Its own incident is at least as severe: a critical one is not withheld for a minor one.
 */
export function connectingCheckOf(of: Assigned, checks: readonly (Assigned | undefined)[]): Assigned | null {
  if (askOthers.includes(of.kind)) return null
  let best: Assigned | null = null
  for (const each of checks) if (each && rank(each) < (best ? rank(best) : Infinity)) best = each
  const isItself = best === null || best.check === of.check
  return isItself || severityRank(best!.rules.severity) > severityRank(of.rules.severity) ? null : best
}

/** The most severe first, then by kind; without an incident it stands for nothing. */
function rank({ kind, rules }: Assigned): number {
  const place = connectingKinds.indexOf(kind)
  if (place === -1 || rules.severity === null) return Infinity
  return severityRank(rules.severity) * connectingKinds.length + place
}

const severityRank = (severity: Severity | null): number =>
  severity === null ? Infinity : severities.indexOf(severity)

/** Whether a connecting check is down in a way in which checks of this kind fail as well. */
export function explains(check: CheckState, kind: KindName): boolean {
  if (check.verdict !== 'down') return false
  const failing = check.regions.filter(({ outcome }) => outcome === 'down')
  return 2 * failing.filter(region => explainsRegion(region, kind)).length > failing.length
}

/** Whether it may be about to. */
export const beginsToExplain = (check: CheckState, kind: KindName, now: number): boolean =>
  check.isSettling(now) && check.regions.some(region => explainsRegion(region, kind))

/** Whether the last result of a region failed before any answer. */
function explainsRegion({ outcome, error, phases }: RegionState, kind: KindName): boolean {
  if (outcome !== 'down' || !error || phases.first_byte !== null) return false
  if (error.code === 'tls_failed') return !withoutTls.includes(kind) && !isPassiveKind(kind)
  return connectFaults.has(error.code)
}
