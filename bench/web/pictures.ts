import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { demo } from '#cli/local/demo.ts'
import { settling } from '#test/support/settled.ts'
import { type Installation, withInstallation } from './installation.ts'

/**
 * Takes the pictures of docs/pictures from the demo data: every screen in light, the first five in dark too.
 * `--all FOLDER` takes every screen into another folder, as PNG.
 */
type Who = 'team' | 'reseller' | 'operator'
interface Screen {
  name: string
  path: string
  who: Who
  /** Among those of the documentation. */
  isKept?: boolean
  /** What is done before. */
  prepare?(page: Page): Promise<unknown>
}

/** One line a screen. `MONITOR`, `CHECK` and `INCIDENT` are those of the demo that is down. */
const screens: readonly Screen[] = [
  { name: 'overview', path: '/app', who: 'team', isKept: true },
  { name: 'monitors', path: '/app/monitors', who: 'team', isKept: true },
  { name: 'monitor', path: '/app/monitors/MONITOR?span=7d', who: 'team', isKept: true },
  {
    name: 'what-if',
    path: '/app/monitors/MONITOR/what-if',
    who: 'team',
    isKept: true,
    prepare: async page => {
      await page.getByRole('slider', { name: /Failures before/ }).press('ArrowRight')
      await page.getByRole('button', { name: 'Compare' }).click()
      await page.getByRole('columnheader', { name: 'Would have been' }).waitFor()
    },
  },
  { name: 'console', path: '/console', who: 'reseller', isKept: true },
  { name: 'console-teams', path: '/console/teams', who: 'reseller', isKept: true },
  { name: 'regions', path: '/app/monitors/MONITOR/regions', who: 'team' },
  { name: 'checks', path: '/app/monitors/MONITOR/checks', who: 'team' },
  { name: 'check', path: '/app/monitors/MONITOR/checks/CHECK', who: 'team' },
  { name: 'new-monitor', path: '/app/monitors/new', who: 'team' },
  { name: 'team', path: '/app/team', who: 'team' },
  { name: 'settings', path: '/app/settings', who: 'team' },
  { name: 'tokens', path: '/app/settings/tokens', who: 'team' },
  { name: 'audit-log', path: '/app/settings/audit-log', who: 'team' },
  { name: 'branding', path: '/app/settings/branding', who: 'team' },
  { name: 'plan', path: '/app/settings/plan', who: 'team' },
  { name: 'templates', path: '/console/templates', who: 'reseller' },
  { name: 'webhooks', path: '/console/webhooks', who: 'reseller' },
  { name: 'portal', path: '/console/portal', who: 'reseller' },
  { name: 'health', path: '/ops', who: 'operator' },
  { name: 'agents', path: '/ops/agents', who: 'operator' },
  { name: 'tenants', path: '/ops/tenants', who: 'operator' },
]
const inDark = 5
const maxBytes = 150_000

const folderOf = (args: readonly string[]) => {
  const at = args.indexOf('--all')
  return at === -1 ? undefined : (args[at + 1] ?? '.')
}
const all = folderOf(process.argv)
const folder = all ?? join(import.meta.dirname, '..', '..', 'docs', 'pictures')

interface Down {
  monitor: string
  check: string
}

/** As agents would have left it: all is up but one site, which has been down for twelve minutes. */
async function bring({ platform }: Installation, tenantId: string): Promise<Down> {
  await platform.query(`update checks set verdict = 'up', verdict_since = now() - interval '5 days', coverage = 'full'`)
  await platform.query(
    `update monitors set status = 'up', status_changed_at = now() - interval '5 days', coverage = 'full',
       regions = '{ap-south,eu-west,us-east}'`,
  )
  const { rows } = await platform.query<Down>(
    `select m.id as monitor, c.id as check from monitors m join checks c on c.monitor_id = m.id
     where m.tenant_id = $1 and m.name = 'shop'`,
    [tenantId],
  )
  const [down] = rows
  if (!down) throw new Error('The demo has no shop.')
  const reason = 'The site answered with status 503.'
  await platform.query(
    `update checks set verdict = 'down', verdict_since = now() - interval '12 minutes', verdict_reason = $2,
       failing_regions = '{ap-south,eu-west,us-east}' where id = $1`,
    [down.check, reason],
  )
  await platform.query(
    `update monitors set status = 'down', status_changed_at = now() - interval '12 minutes', status_reason = $2
     where id = $1`,
    [down.monitor, reason],
  )
  await platform.query(
    `insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
     values ($1, $2, $3, now() - interval '12 minutes', 'down')`,
    [tenantId, down.monitor, down.check],
  )
  return down
}

async function take(page: Page, name: string): Promise<void> {
  if (all !== undefined) {
    await page.screenshot({ path: join(folder, `${name}.png`) })
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
  await demo({
    DATABASE_PLATFORM_URL: stores.platformUrl,
    CLICKHOUSE_URL: stores.clickhouseUrl,
    BASE_URL: 'https://demo.example',
  })
  const tenantOf = async (slug: string) => {
    const { rows } = await platform.query<{ id: string }>('select id from tenants where slug = $1', [slug])
    return rows[0]?.id ?? ''
  }
  const [team, reseller] = [await tenantOf('demo-bakery'), await tenantOf('northwind')]
  const down = await bring(installation, team)
  const surroundings = { locale: 'en-GB', viewport: { width: 1280, height: 800 } }
  const windowOf = async (of: Parameters<typeof installation.person>[0]) =>
    installation.window(await installation.person(of), surroundings)
  const windows = {
    team: await windowOf({ tenantId: team, name: 'Blanca Blume' }),
    reseller: await windowOf({ tenantId: reseller, name: 'Rae North' }),
    operator: await windowOf({ tenantId: reseller, name: 'Ola Operator', isOperator: true }),
  }
  if (all === undefined) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    const shown = screens.filter(({ isKept }) => isKept || all !== undefined)
    for (const { name, path, who, prepare } of colorScheme === 'light' ? shown : shown.slice(0, inDark)) {
      const page = await windows[who].newPage()
      await page.emulateMedia({ colorScheme })
      const settled = settling(page)
      await page.goto(path.replace('MONITOR', down.monitor).replace('CHECK', down.check))
      await page.getByRole('heading', { level: 1 }).waitFor()
      await prepare?.(page)
      await settled()
      await take(page, colorScheme === 'light' ? name : `${name}-dark`)
      await page.close()
      console.log(`${name} in ${colorScheme}`)
    }
  }
})
