import { dnsHistory } from './dns/report.ts'
import { pingReport } from './ping/report.ts'
import type { Report } from './report.ts'
import { certificate } from './ssl/report.ts'
import { tcpReport } from './tcp/report.ts'

/** The statistics of monitors that come from a kind of check: a line a kind. */
export const reports: readonly Report[] = [certificate, dnsHistory, pingReport, tcpReport]
