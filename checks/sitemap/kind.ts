import { z } from 'zod'
import { verifyTls } from '#checks/http/settings.ts'
import { ipVersion } from '#checks/settings.ts'
import { checkKind } from '#contract/check.ts'
import { roots } from './forms.ts'
import { describe, problemCodes } from './problems.ts'

const shown = z.string().max(500)

export const sitemap = checkKind({
  name: 'sitemap',
  summary: 'The sitemap can be read, keeps to the limits of its protocol, and what it names is there',
  offered: { website: 'possible' },
  every: { default: 86_400, min: 300 },
  severity: 'minor',
  settings: z.object({
    path: z
      .string()
      .max(1_000)
      .regex(/^\/(?![/\\])[\x21-\x7e]*$/, 'Must be a path such as /sitemap.xml.')
      .nullable()
      .default(null)
      .meta({ description: 'Path of the sitemap. `null`: those that robots.txt names, else `/sitemap.xml`.' }),
    sample: z
      .int()
      .min(0)
      .max(50)
      .default(10)
      .meta({ description: 'How many of the addresses are checked; a different sample every day.' }),
    max_sitemaps: z.int().min(1).max(50).default(10).meta({
      description: 'How many sitemaps are read beside the first, of those that robots.txt and an index name.',
    }),
    ignored: z
      .array(z.enum(problemCodes).meta({ id: 'SitemapFinding' }))
      .max(problemCodes.length)
      .default([])
      .meta({ description: 'Problems that do not matter.' }),
    verify_tls: verifyTls,
    ip_version: ipVersion,
    timeout_ms: z
      .int()
      .min(1_000)
      .max(60_000)
      .default(30_000)
      .meta({ description: 'Timeout of the run in milliseconds.' }),
  }),
  backtestable: ['ignored'],
  seen: z.object({
    url: shown,
    status: z.int(),
    root: z.enum(roots).nullable().meta({
      description: 'Its form: `urlset` or `sitemapindex` of the protocol, `rss` or `feed` (Atom), or `text`.',
    }),
    /** Number of sitemaps read, and number named beside the first: by an index or by robots.txt. */
    read: z.int().nonnegative(),
    named: z.int().nonnegative(),
    /** Number of addresses in all sitemaps read. */
    urls: z.int().nonnegative(),
    /** Decompressed size of the first sitemap. */
    bytes: z.int().nonnegative(),
    gzip: z.boolean(),
    newest: z.iso.datetime().nullable(),
    sampled: z
      .array(z.object({ url: shown, status: z.int().nullable(), error: z.string().max(40).nullable() }))
      .max(50),
    /** The run ended before it had checked everything: out of time, or over the limit. */
    cut_short: z.boolean(),
    problems: z
      .array(z.object({ code: z.enum(problemCodes), count: z.int(), examples: z.array(z.string().max(300)).max(3) }))
      .max(problemCodes.length),
  }),

  judge(seen, settings) {
    const problems = seen.problems.filter(({ code }) => !settings.ignored.includes(code))
    const [worst] = problems
    if (!worst) return { status: 'up' }
    return {
      status: 'warning',
      code: worst.code,
      reason: describe(worst),
      event: 'warning.sitemap_issues',
      depth: problems.length,
      details: { url: seen.url, urls: seen.urls, problems },
    }
  },
})
