import type { CheckKind } from '#contract/check.ts'
import { agent } from './agent/kind.ts'
import { applicationHealth } from './application-health/kind.ts'
import { brokenLinks } from './broken-links/kind.ts'
import { crawl } from './crawl/kind.ts'
import { cron } from './cron/kind.ts'
import { dns } from './dns/kind.ts'
import { dnsbl } from './dnsbl/kind.ts'
import { domainExpiry } from './domain-expiry/kind.ts'
import { lighthouse } from './lighthouse/kind.ts'
import { mixedContent } from './mixed-content/kind.ts'
import { ping } from './ping/kind.ts'
import { redirectChain } from './redirect-chain/kind.ts'
import { robotsTxt } from './robots-txt/kind.ts'
import { securityHeaders } from './security-headers/kind.ts'
import { sitemap } from './sitemap/kind.ts'
import { ssl } from './ssl/kind.ts'
import { tcp } from './tcp/kind.ts'
import { uptime } from './uptime/kind.ts'

/** Every kind of check. A new one is a folder, a line here and, unless it is passive, a line in probes.ts. */
export const kinds = {
  uptime,
  ssl,
  dns,
  tcp,
  ping,
  domain_expiry: domainExpiry,
  dnsbl,
  security_headers: securityHeaders,
  redirect_chain: redirectChain,
  mixed_content: mixedContent,
  broken_links: brokenLinks,
  crawl,
  cron,
  robots_txt: robotsTxt,
  application_health: applicationHealth,
  sitemap,
  lighthouse,
  agent,
} as const

export type KindName = keyof typeof kinds
export const kindNames = Object.keys(kinds) as [KindName, ...KindName[]]

export const isKindName = (name: string): name is KindName => Object.hasOwn(kinds, name)

/** Kinds with a probe. */
export type ProbedKindName = {
  [Name in KindName]: (typeof kinds)[Name] extends { isPassive: true } ? never : Name
}[KindName]

const every: readonly CheckKind[] = Object.values(kinds)
/** The kinds whose response times stand for a monitor, in the order in which they are preferred. */
export const uptimeKinds: readonly string[] = every
  .filter(({ uptimeRank }) => uptimeRank !== undefined)
  .toSorted((a, b) => (a.uptimeRank ?? 0) - (b.uptimeRank ?? 0))
  .map(({ name }) => name)
/** Whether a failure of this kind means that the target cannot be reached or used. */
export const isReachability = (name: string): boolean =>
  every.some(kind => kind.name === name && kind.isReachability === true)

/** Whether a kind has no probe: its reports are pushed. */
export const isPassiveKind = (name: string): boolean => isKindName(name) && 'isPassive' in kinds[name]
export const isProbedKindName = (name: string): name is ProbedKindName => isKindName(name) && !isPassiveKind(name)
