import type { Fault, Phases, Target } from '#contract/check.ts'
import { failureOf } from '#egress/failures.ts'
import type { Guard } from '#egress/guard.ts'
import { probeApplicationHealth } from './application-health/probe.ts'
import { probeBrokenLinks } from './broken-links/probe.ts'
import { probeCrawl } from './crawl/probe.ts'
import { probeDns } from './dns/probe.ts'
import { probeDnsbl } from './dnsbl/probe.ts'
import { probeDomainExpiry } from './domain-expiry/probe.ts'
import type { Registries } from './domain-expiry/registries.ts'
import type { kinds, ProbedKindName } from './index.ts'
import type { BrowserPlaces } from './lighthouse/parts.ts'
import { probeLighthouse } from './lighthouse/probe.ts'
import { probeMixedContent } from './mixed-content/probe.ts'
import { probePing } from './ping/probe.ts'
import type { Probe, ProbeResult } from './probe.ts'
import { probeRedirectChain } from './redirect-chain/probe.ts'
import { probeRobotsTxt } from './robots-txt/probe.ts'
import { probeSecurityHeaders } from './security-headers/probe.ts'
import { probeSitemap } from './sitemap/probe.ts'
import { probeSsl } from './ssl/probe.ts'
import { probeTcp } from './tcp/probe.ts'
import { probeUptime } from './uptime/probe.ts'

/** The probe of each kind. Separate from the kinds, so that only agents load network code. */
export const probes = {
  uptime: probeUptime,
  ssl: probeSsl,
  dns: probeDns,
  tcp: probeTcp,
  ping: probePing,
  domain_expiry: probeDomainExpiry,
  dnsbl: probeDnsbl,
  security_headers: probeSecurityHeaders,
  redirect_chain: probeRedirectChain,
  mixed_content: probeMixedContent,
  broken_links: probeBrokenLinks,
  crawl: probeCrawl,
  robots_txt: probeRobotsTxt,
  application_health: probeApplicationHealth,
  sitemap: probeSitemap,
  lighthouse: probeLighthouse,
} satisfies { [Name in ProbedKindName]: Probe<(typeof kinds)[Name]> }

/** What one run yielded: findings or a fault. */
export type RunResult =
  | (ProbeResult<Record<string, unknown>> & { fault?: undefined })
  | { fault: Fault; phases: Phases; excerpt?: string; seen?: undefined; address?: undefined }

export interface RunRequest {
  guard: Guard
  timeoutMs: number
  now: () => number
  tenant?: string | undefined
  registries?: Registries | undefined
  browser?: BrowserPlaces | undefined
  /** Ends the run early when the agent stops. */
  signal?: AbortSignal
}

/** Runs a check once, within the timeout. Never throws: every error becomes a fault. */
export async function runCheck(
  name: ProbedKindName,
  target: Target,
  settings: unknown,
  { guard, timeoutMs, now, tenant, registries, browser, signal }: RunRequest,
): Promise<RunResult> {
  const controller = new AbortController()
  const stop = () => controller.abort()
  const timer = setTimeout(stop, timeoutMs)
  signal?.addEventListener('abort', stop)
  try {
    const probe = probes[name] as (
      target: Target,
      settings: unknown,
      context: unknown,
    ) => Promise<ProbeResult<Record<string, unknown>>>
    return await probe(target, settings, { guard, signal: controller.signal, now, tenant, registries, browser })
  } catch (error) {
    const failure = failureOf(error)
    return {
      fault: failure.toFault(),
      phases: failure.phases,
      ...(failure.excerpt !== undefined && { excerpt: failure.excerpt }),
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}
