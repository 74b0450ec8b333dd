import type { Behaviour } from './sites.ts'

export interface DemoTeam {
  slug: string
  name: string
  label: string
  /** Names of people, the owner first. */
  people: readonly string[]
  sites: readonly string[]
}

/** The site that fails for three of each ten minutes, of the first team. */
export const failing = { team: 'demo-bakery', site: 'checkout', fails: 180, every: 600 }

/** The customers of the sample reseller. The first has one of everything. */
export const teams: readonly DemoTeam[] = [
  {
    slug: 'demo-bakery',
    name: 'Bakery Blume',
    label: 'gold',
    people: ['Ada Blume', 'Ben Korn', 'Cleo Malz', 'Dora Hefe'],
    sites: [
      'checkout',
      'shop',
      'blog',
      'orders',
      'login',
      'api',
      'cdn',
      'search',
      'mail',
      'payments',
      'status',
      'press',
    ],
  },
  {
    slug: 'demo-clinic',
    name: 'Clinic Seeblick',
    label: 'gold',
    people: ['Emil See', 'Fanny Ufer'],
    sites: ['portal', 'booking', 'records', 'imaging', 'lab', 'forms', 'billing', 'video', 'gateway', 'feedback'],
  },
  {
    slug: 'demo-studio',
    name: 'Studio Nord',
    label: 'silver',
    people: ['Gil Nord', 'Hanna Licht'],
    sites: ['www', 'portfolio', 'fonts', 'assets', 'staging', 'uploads', 'render', 'tickets'],
  },
  {
    slug: 'demo-hotel',
    name: 'Hotel Seestern',
    label: 'silver',
    people: ['Ida Stern'],
    sites: ['www', 'rooms', 'restaurant', 'spa', 'shop'],
  },
  {
    slug: 'demo-lawyers',
    name: 'Berg & Partner',
    label: 'bronze',
    people: ['Jonas Berg'],
    sites: ['www', 'documents', 'calendar', 'intake', 'mail'],
  },
]

/** How the site of this place behaves: one fails now and then, every seventh is slow. `from`: seconds since 1970. */
export function behaviourOf(team: DemoTeam, site: string, index: number, from: number): Behaviour {
  if (team.slug === failing.team && site === failing.site) return { fails: failing.fails, every: failing.every, from }
  return index % 7 === 5 ? { ms: 900 } : { ms: 20 + ((index * 37) % 120) }
}

export const emailOf = (team: DemoTeam, person: string) =>
  `${person.split(' ')[0]?.toLowerCase()}@${team.slug.replace('demo-', '')}.example`
