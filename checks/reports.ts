import { applicationHealthReport } from './application-health/report.ts'
import { brokenLinksReport } from './broken-links/report.ts'
import { dnsHistory } from './dns/report.ts'
import { dnsblReport } from './dnsbl/report.ts'
import { domainExpiryReport } from './domain-expiry/report.ts'
import { lighthouseReport } from './lighthouse/report.ts'
import { mixedContentReport } from './mixed-content/report.ts'
import { pingReport } from './ping/report.ts'
import { redirectChainReport } from './redirect-chain/report.ts'
import type { Report } from './report.ts'
import { robotsTxtReport } from './robots-txt/report.ts'
import { securityHeadersReport } from './security-headers/report.ts'
import { sitemapReport } from './sitemap/report.ts'
import { certificate } from './ssl/report.ts'
import { tcpReport } from './tcp/report.ts'

/** The statistics of monitors that belong to a kind of check, one line each. */
export const reports: readonly Report[] = [
  certificate,
  dnsHistory,
  pingReport,
  tcpReport,
  applicationHealthReport,
  redirectChainReport,
  robotsTxtReport,
  securityHeadersReport,
  domainExpiryReport,
  dnsblReport,
  mixedContentReport,
  brokenLinksReport,
  sitemapReport,
  lighthouseReport,
]
