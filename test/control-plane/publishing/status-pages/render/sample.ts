import type { ComponentStatus } from '#control-plane/db/model/status-page-values.ts'
import type { Level, PageComponent, PageDay, PageModel } from '#control-plane/publishing/status-pages/render/model.ts'

export const asOf = Date.parse('2026-11-23T16:45:00Z')
const dayMs = 86_400_000

/** Pseudo-random numbers, the same in each run. */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

export function someDays(count: number, random: () => number): PageDay[] {
  return Array.from({ length: count }, () => {
    const chance = random()
    const minutes = Math.ceil(random() * 200)
    const day = { level: 'good' as Level, uptimePct: 100, downMs: 0, degradedMs: 0, maintenanceMs: 0 }
    if (chance < 0.02)
      return { ...day, level: 'major', downMs: minutes * 60_000, uptimePct: Math.floor(1e6 - minutes * 694.4) / 1e4 }
    if (chance < 0.04) return { ...day, level: 'minor', degradedMs: minutes * 60_000 }
    if (chance < 0.05) return { ...day, maintenanceMs: minutes * 60_000 }
    if (chance < 0.06) return { ...day, level: 'none', uptimePct: null }
    return day
  })
}

/** The last days until `asOf`. */
export const datesUntilNow = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => new Date(asOf - (count - 1 - index) * dayMs).toISOString().slice(0, 10))

const names = ['API', 'Website', 'Dashboard', 'Webhooks', 'Mail', 'Search', 'Exports', 'Payments', 'Login', 'Files']

export function someComponents(count: number, days: number, seed = 7): PageComponent[] {
  const random = randomOf(seed)
  return Array.from({ length: count }, (_, index) => ({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    name: `${names[index % names.length]}${index >= names.length ? ` ${Math.floor(index / names.length) + 1}` : ''}`,
    description: index % 3 === 0 ? 'What our customers call first.' : '',
    status: (index === 2 ? 'major_outage' : index === 4 ? 'degraded_performance' : 'operational') as ComponentStatus,
    days: someDays(days, random),
    uptimePct: 99 + random(),
    responseMs: Math.round(random() * 400),
    createdAt: asOf - 400 * dayMs,
    updatedAt: asOf - dayMs,
  }))
}

/** A page on a bad day. */
export function aModel(changes: Partial<PageModel> = {}): PageModel {
  const components = someComponents(20, 90)
  return {
    id: '11111111-1111-4111-8111-111111111111',
    slug: 'acme',
    name: 'Acme Cloud',
    description: 'The state of everything that Acme runs for you.',
    url: 'https://status.example.com/status/acme',
    locale: 'en',
    locales: ['en', 'de'],
    timezone: 'Europe/Berlin',
    theme: 'auto',
    noindex: false,
    brand: {
      name: 'Acme',
      color: '#6d28d9',
      logoUrl: null,
      logoUrlDark: null,
      faviconUrl: null,
      footerText: 'Acme Ltd., 1 Example Street',
      imprintUrl: 'https://example.com/imprint',
      privacyUrl: 'https://example.com/privacy',
      supportUrl: null,
      hidesPoweredBy: false,
    },
    texts: {},
    headerLinks: [{ label: 'Documentation', url: 'https://docs.example.com/' }],
    footerLinks: [],
    historyDays: 90,
    dates: datesUntilNow(90),
    show: { uptime: true, response: true, values: true },
    uptimeFormula: 1,
    hasSubscriptions: true,
    access: { mode: 'public' },
    status: 'partial_outage',
    groups: [
      { id: null, name: '', isOpen: true, status: 'major_outage', components: components.slice(0, 4) },
      {
        id: '22222222-2222-4222-8222-222222222222',
        name: 'Europe',
        isOpen: false,
        status: 'degraded_performance',
        components: components.slice(4, 12),
      },
      {
        id: '33333333-3333-4333-8333-333333333333',
        name: 'North America',
        isOpen: false,
        status: 'operational',
        components: components.slice(12),
      },
    ],
    posts: [
      {
        id: '44444444-4444-4444-8444-444444444444',
        title: 'The dashboard does not load',
        impact: 'major',
        phase: 'identified',
        startedAt: asOf - 3_600_000,
        resolvedAt: null,
        createdAt: asOf - 3_500_000,
        updatedAt: asOf - 900_000,
        postmortem: null,
        postmortemAt: null,
        components: [{ id: components[2]!.id, name: 'Dashboard', status: 'major_outage' }],
        updates: [
          {
            id: '55555555-5555-4555-8555-555555555551',
            phase: 'identified',
            body: 'A **certificate** has expired. We replace it; see [our forum](https://forum.example.com/).',
            at: asOf - 900_000,
          },
          {
            id: '55555555-5555-4555-8555-555555555552',
            phase: 'investigating',
            body: 'The dashboard answers with an error. The API is not affected:\n\n- reading works\n- writing works',
            at: asOf - 3_500_000,
          },
        ],
      },
      {
        id: '66666666-6666-4666-8666-666666666666',
        title: 'Delayed mails',
        impact: 'minor',
        phase: 'resolved',
        startedAt: asOf - 5 * dayMs,
        resolvedAt: asOf - 5 * dayMs + 5_400_000,
        createdAt: asOf - 5 * dayMs,
        updatedAt: asOf - 4 * dayMs,
        postmortem: '# What happened\n\nA queue was full.\n\n> It is larger now.\n\n`queue.size = 10`',
        postmortemAt: asOf - 3 * dayMs,
        components: [{ id: components[4]!.id, name: 'Mail', status: 'degraded_performance' }],
        updates: [
          {
            id: '77777777-7777-4777-8777-777777777771',
            phase: 'resolved',
            body: 'All mails have been sent.',
            at: asOf - 5 * dayMs + 5_400_000,
          },
        ],
      },
    ],
    maintenance: [
      {
        id: '88888888-8888-4888-8888-888888888888',
        title: 'New database servers',
        description: 'Writing takes up to a minute longer.',
        isRunning: false,
        startsAt: asOf + 2 * dayMs,
        endsAt: asOf + 2 * dayMs + 7_200_000,
        components: [{ id: components[0]!.id, name: 'API' }],
        updatedAt: asOf - dayMs,
      },
    ],
    asOf,
    changedAt: asOf - 900_000,
    ...changes,
  }
}
