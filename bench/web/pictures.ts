import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { fillStores } from '#cli/local/demo/demo.ts'
import { settling } from '#test/support/settled.ts'
import { withInstallation } from './installation.ts'
import { fillReseller, fillTeam } from './scenes.ts'

/**
 * Takes the pictures of docs/pictures from the demo data. `--all FOLDER [NAME…]` takes every screen, or those named,
 * into another folder, as PNG, as high as it is: in light, on a phone, in dark, and in German.
 */
type Who = 'team' | 'reseller' | 'operator' | 'visitor'
interface Screen {
  name: string
  path: string
  who: Who
  /** Among those of the documentation. */
  isKept?: boolean
  /** What is done before. */
  prepare?(page: Page): Promise<unknown>
}

/** One line a screen; names in capitals are of what scenes.ts made. The first ones are those of the documentation. */
const screens: readonly Screen[] = [
  { name: 'incident', path: '/app/incidents/INCIDENT', who: 'team', isKept: true },
  { name: 'monitors', path: '/app/monitors', who: 'team', isKept: true },
  { name: 'on-call', path: '/app/on-call/SCHEDULE', who: 'team', isKept: true },
  { name: 'status-page', path: '/status/bakery-blume', who: 'visitor', isKept: true },
  { name: 'console', path: '/console', who: 'reseller', isKept: true },
  { name: 'overview', path: '/app', who: 'team' },
  { name: 'monitor', path: '/app/monitors/MONITOR?span=7d', who: 'team' },
  {
    name: 'what-if',
    path: '/app/monitors/MONITOR/what-if',
    who: 'team',
    prepare: async page => {
      await page.getByRole('slider', { name: /Failures before/ }).press('ArrowRight')
      await page.getByRole('button', { name: 'Compare' }).click()
      await page.getByRole('columnheader', { name: 'Would have been' }).waitFor()
    },
  },
  { name: 'regions', path: '/app/monitors/MONITOR/regions', who: 'team' },
  { name: 'checks', path: '/app/monitors/MONITOR/checks', who: 'team' },
  { name: 'check', path: '/app/monitors/MONITOR/checks/CHECK', who: 'team' },
  { name: 'monitor-settings', path: '/app/monitors/MONITOR/settings', who: 'team' },
  { name: 'monitor-history', path: '/app/monitors/MONITOR/history', who: 'team' },
  { name: 'new-monitor', path: '/app/monitors/new', who: 'team' },
  { name: 'welcome', path: '/app/welcome', who: 'team' },
  { name: 'incidents', path: '/app/incidents', who: 'team' },
  { name: 'heartbeats', path: '/app/heartbeats', who: 'team' },
  { name: 'heartbeat', path: '/app/heartbeats/HEARTBEAT', who: 'team' },
  { name: 'new-heartbeat', path: '/app/heartbeats/new', who: 'team' },
  { name: 'servers', path: '/app/servers', who: 'team' },
  { name: 'server', path: '/app/servers/SERVER', who: 'team' },
  { name: 'new-server', path: '/app/servers/new', who: 'team' },
  { name: 'channels', path: '/app/alerts', who: 'team' },
  { name: 'rules', path: '/app/alerts/rules', who: 'team' },
  { name: 'policies', path: '/app/alerts/policies', who: 'team' },
  { name: 'deliveries', path: '/app/alerts/deliveries', who: 'team' },
  { name: 'on-call-list', path: '/app/on-call', who: 'team' },
  { name: 'maintenance', path: '/app/maintenance', who: 'team' },
  { name: 'maintenance-window', path: '/app/maintenance/WINDOW', who: 'team' },
  { name: 'new-maintenance', path: '/app/maintenance/new', who: 'team' },
  { name: 'status-pages', path: '/app/status-pages', who: 'team' },
  { name: 'status-page-design', path: '/app/status-pages/PAGE', who: 'team' },
  { name: 'status-page-components', path: '/app/status-pages/PAGE/components', who: 'team' },
  { name: 'status-page-posts', path: '/app/status-pages/PAGE/posts', who: 'team' },
  { name: 'status-page-post', path: '/app/status-pages/PAGE/posts/POST', who: 'team' },
  { name: 'status-page-access', path: '/app/status-pages/PAGE/access', who: 'team' },
  { name: 'status-page-domain', path: '/app/status-pages/PAGE/domain', who: 'team' },
  { name: 'status-page-subscribers', path: '/app/status-pages/PAGE/subscribers', who: 'team' },
  { name: 'reports', path: '/app/reports', who: 'team' },
  { name: 'team', path: '/app/team', who: 'team' },
  { name: 'settings', path: '/app/settings', who: 'team' },
  { name: 'security', path: '/app/settings/security', who: 'team' },
  { name: 'tokens', path: '/app/settings/tokens', who: 'team' },
  { name: 'branding', path: '/app/settings/branding', who: 'team' },
  { name: 'smtp', path: '/app/settings/smtp', who: 'team' },
  { name: 'plan', path: '/app/settings/plan', who: 'team' },
  { name: 'billing', path: '/app/settings/billing', who: 'team' },
  { name: 'audit-log', path: '/app/settings/audit-log', who: 'team' },
  { name: 'data', path: '/app/settings/data', who: 'team' },
  { name: 'wall', path: '/app/wall#WALL', who: 'team' },
  { name: 'login', path: '/login', who: 'visitor' },
  { name: 'console-teams', path: '/console/teams', who: 'reseller' },
  { name: 'console-team', path: '/console/teams/TEAM', who: 'reseller' },
  { name: 'console-team-plan', path: '/console/teams/TEAM?tab=plan', who: 'reseller' },
  { name: 'templates', path: '/console/templates', who: 'reseller' },
  { name: 'profiles', path: '/console/profiles', who: 'reseller' },
  { name: 'webhooks', path: '/console/webhooks', who: 'reseller' },
  { name: 'webhook', path: '/console/webhooks/WEBHOOK', who: 'reseller' },
  { name: 'mails', path: '/console/mails', who: 'reseller' },
  { name: 'portal', path: '/console/portal', who: 'reseller' },
  { name: 'console-tokens', path: '/console/tokens', who: 'reseller' },
  { name: 'reference', path: '/console/api', who: 'reseller' },
  { name: 'health', path: '/ops', who: 'operator' },
  { name: 'agents', path: '/ops/agents', who: 'operator' },
  { name: 'tenants', path: '/ops/tenants', who: 'operator' },
  { name: 'caught-mails', path: '/ops/mails', who: 'operator' },
  { name: 'jobs', path: '/ops/jobs', who: 'operator' },
  { name: 'versions', path: '/ops/info', who: 'operator' },
]
const styles = ['light', 'phone', 'dark', 'german'] as const
type Style = (typeof styles)[number]
const maxBytes = 150_000

const [option, all = option === '--all' ? '.' : undefined, ...named] = process.argv.slice(2)
const wanted = screens.filter(({ name, isKept }) => {
  if (all === undefined) return isKept
  return named.length === 0 || named.includes(name)
})
const folder = all ?? join(import.meta.dirname, '..', '..', 'docs', 'pictures')

async function take(page: Page, name: string): Promise<void> {
  if (all !== undefined) {
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
    return
  }
  // smaller than PNG, and Playwright knows only that and JPEG
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 })
  const bytes = Buffer.from(data, 'base64')
  if (bytes.length > maxBytes) throw new Error(`The picture ${name} has ${bytes.length} bytes, more than ${maxBytes}.`)
  writeFileSync(join(folder, `${name}.webp`), bytes)
}

await withInstallation('pictures', async installation => {
  const { platform, stores } = installation
  const places = { platform, clickhouseUrl: stores.clickhouseUrl, sites: 'https://demo.example/' }
  await (await fillStores(places, crypto.randomUUID())).results
  const tenantOf = async (slug: string) => {
    const { rows } = await platform.query<{ id: string }>('select id from tenants where slug = $1', [slug])
    return rows[0]?.id ?? ''
  }
  const [team, reseller] = [await tenantOf('demo-bakery'), await tenantOf('northwind')]
  const surroundings = { locale: 'en-GB', timezoneId: 'Europe/Berlin', viewport: { width: 1280, height: 800 } }
  const windowOf = async (of: Parameters<typeof installation.person>[0]) =>
    installation.window(await installation.person(of), surroundings)
  const windows: Record<Who, BrowserContext> = {
    team: await windowOf({ tenantId: team, name: 'Blanca Blume' }),
    reseller: await windowOf({ tenantId: reseller, name: 'Rae North' }),
    operator: await windowOf({ tenantId: reseller, name: 'Ola Operator', isOperator: true }),
    visitor: await installation.browser.newContext({ ...surroundings, baseURL: installation.baseUrl }),
  }
  const made = {
    ...(await fillTeam(installation, team, windows.team.request)),
    ...(await fillReseller(windows.reseller.request)),
  }
  const addressOf = (path: string) => path.replace(/(?<=[/#])[A-Z]+/g, name => made[name] ?? name)
  if (all === undefined) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })

  async function show({ name, path, who, prepare }: Screen, style: Style): Promise<void> {
    const page = await windows[who].newPage()
    await page.emulateMedia({ colorScheme: style === 'dark' ? 'dark' : 'light' })
    if (style === 'phone') await page.setViewportSize({ width: 360, height: 740 })
    const settled = settling(page)
    await page.goto(addressOf(path))
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    if (style !== 'german') await prepare?.(page)
    await settled()
    await take(page, style === 'light' ? name : `${name}-${style}`)
    await page.close()
    console.log(`${name}, ${style}`)
  }

  for (const style of all === undefined ? (['light'] as const) : styles) {
    if (style === 'german') await platform.query(`update users set language = 'de'`)
    for (const screen of wanted) await show(screen, style)
  }
})
