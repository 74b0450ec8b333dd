import { z } from 'zod'
import { crawlSeen, judgeCrawl, things } from '#checks/crawl/findings.ts'
import { crawlSettings, grade } from '#checks/crawl/settings.ts'
import { checkKind } from '#contract/check.ts'
import { mixedKinds } from '#contract/crawl.ts'

export const MixedFinding = z.object({
  page: z.string().max(500),
  url: z.string().max(300),
  element: z.string().max(20),
  kind: z.enum(mixedKinds),
})
export type MixedFinding = z.infer<typeof MixedFinding>

export const mixedContent = checkKind({
  name: 'mixed_content',
  summary: 'Secure pages load nothing without security, and send nothing without it',
  every: { default: 86_400, min: 3_600 },
  severity: 'minor',
  settings: z.object({
    ...crawlSettings,
    active: grade
      .default('warning')
      .meta({ description: 'What scripts, frames and style sheets over http are: browsers refuse them.' }),
    passive: grade.default('warning').meta({
      description:
        'What pictures, sound and films over http are: browsers ask for them by https instead, or show them.',
    }),
    forms: grade.default('warning').meta({ description: 'What forms that send over http are.' }),
  }),
  backtestable: ['active', 'passive', 'forms'],
  seen: z.object({
    ...crawlSeen,
    mixed_pages: z.int().nonnegative(),
    active: z.int().nonnegative(),
    passive: z.int().nonnegative(),
    forms: z.int().nonnegative(),
    /** The first findings, the worst first. */
    mixed: z.array(MixedFinding).max(20),
  }),

  judge(seen, settings) {
    const first = judgeCrawl(seen)
    if (first) return first
    const active = settings.active === 'ignore' ? 0 : seen.active
    const passive = settings.passive === 'ignore' ? 0 : seen.passive
    const forms = settings.forms === 'ignore' ? 0 : seen.forms
    if (active + passive + forms === 0) return { status: 'up' }
    const isDown = [
      active > 0 && settings.active,
      passive > 0 && settings.passive,
      forms > 0 && settings.forms,
    ].includes('down')
    const parts = [
      active > 0 && things(active, 'part that browsers refuse', 'parts that browsers refuse'),
      passive > 0 && things(passive, 'picture or other medium', 'pictures and other media'),
      forms > 0 && things(forms, 'form'),
    ].filter(part => part !== false)
    return {
      status: isDown ? 'down' : 'warning',
      code: 'mixed_content',
      reason: `Over http on secure pages: ${parts.join(', ')}.`,
      event: 'warning.mixed_content',
      details: { active, passive, forms, pages: seen.mixed_pages },
    }
  },

  responseMs: () => null,
})
