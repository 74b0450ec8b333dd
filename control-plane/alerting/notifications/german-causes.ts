import { germanCauses as agent, germanThresholds } from '#checks/agent/german-causes.ts'
import { germanCauses as applicationHealth } from '#checks/application-health/german-causes.ts'
import { germanCauses as brokenLinks } from '#checks/broken-links/german-causes.ts'
import { germanCauses as crawl } from '#checks/crawl/german-causes.ts'
import { germanCauses as cron } from '#checks/cron/german-causes.ts'
import { germanCauses as dns } from '#checks/dns/german-causes.ts'
import { germanCauses as dnsbl } from '#checks/dnsbl/german-causes.ts'
import { germanCauses as domainExpiry } from '#checks/domain-expiry/german-causes.ts'
import { germanCauses as http } from '#checks/http/german-causes.ts'
import { germanCauses as lighthouse } from '#checks/lighthouse/german-causes.ts'
import { germanCauses as ping } from '#checks/ping/german-causes.ts'
import { germanCauses as redirectChain } from '#checks/redirect-chain/german-causes.ts'
import { germanCauses as robotsTxt } from '#checks/robots-txt/german-causes.ts'
import { germanCauses as securityHeaders } from '#checks/security-headers/german-causes.ts'
import { germanCauses as sitemap } from '#checks/sitemap/german-causes.ts'
import { germanCauses as ssl } from '#checks/ssl/german-causes.ts'
import { germanCauses as tcp } from '#checks/tcp/german-causes.ts'
import { germanCauses as uptime } from '#checks/uptime/german-causes.ts'
import { germanCauses as egress } from '#egress/german-causes.ts'

/** Sentences that begin with any text come last. */
const sentences = [
  ...egress,
  ...http,
  ...uptime,
  ...redirectChain,
  ...lighthouse,
  ...ssl,
  ...domainExpiry,
  ...dns,
  ...tcp,
  ...ping,
  ...cron,
  ...agent,
  ...applicationHealth,
  ...robotsTxt,
  ...crawl,
  ...brokenLinks,
  ...securityHeaders,
  ...sitemap,
  ...dnsbl,
]

/** A cause in German. A sentence without translation stays in English. */
export function germanCause(english: string): string {
  const thresholds = germanThresholds(english)
  if (thresholds !== null) return thresholds
  for (const [pattern, german] of sentences) {
    const found = pattern.exec(english)
    // a cause may end with another: why the target of a redirect could not be reached
    if (found) return german.replace(/\$(\d)/g, (_, place) => germanCause(found[Number(place)] ?? ''))
  }
  return english
}
