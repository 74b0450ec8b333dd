import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ControlPlane, startControlPlane } from '#cli/serve/serve.ts'
import { app, type CallerUnderTest, given, type TeamUnderTest } from '#test/support/app.ts'
import { configOn } from '#test/support/config.ts'
import { Browser, formOf } from './opened.ts'

const { platform } = app.services
/** Of 50 uses each. */
const rounds = Number(process.env.SSO_ROUNDS ?? 4)
const uses = 50

let reseller: CallerUnderTest
let team: TeamUnderTest
let second: ControlPlane
const start = () =>
  startControlPlane(configOn(app.stores, { trustedProxies: 1 }), ['api'], { log: pino({ level: 'silent' }) })
beforeAll(async () => {
  second = await start()
  reseller = await given.reseller()
  team = await given.team(reseller, { overrides: { team_members: null } })
}, 60_000)
afterAll(() => second?.close())

async function aLink(): Promise<{ link: string; email: string }> {
  const email = `${randomUUID()}@customer.example`
  const { body } = await reseller.post(`${team.path}/sso-link`, { user_email: email })
  return { link: body.data.sso_url, email }
}
const sessionsOf = async (email: string) =>
  (await platform.query('select 1 from tokens k join users u on u.id = k.user_id where u.email = $1', [email])).rowCount

test(
  `of ${uses} uses of one link at the same moment, on two API processes, one opens a session`,
  async () => {
    for (let round = 0; round < rounds; round++) {
      const { link, email } = await aLink()
      const browsers = Array.from(
        { length: uses },
        (_, at) => new Browser(given.stranger().ip, at % 2 === 0 ? app.baseUrl : second.baseUrl),
      )
      const forms = await Promise.all(browsers.map(async browser => formOf((await browser.show(link)).html)))
      const answers = await Promise.all(browsers.map((browser, at) => browser.call('POST', '/sso/partner', forms[at])))
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter(status => status === 303)).toHaveLength(1)
      expect(statuses.filter(status => status === 403)).toHaveLength(uses - 1)
      expect(await sessionsOf(email)).toBe(1)
    }
  },
  20_000 * rounds,
)

test('links for one new address at the same moment make one account', async () => {
  const email = `${randomUUID()}@customer.example`
  const opened = Array.from({ length: 10 }, async (_, at) => {
    const { body } = await reseller.post(`${team.path}/sso-link`, { user_email: email })
    return new Browser(given.stranger().ip, at % 2 === 0 ? app.baseUrl : second.baseUrl).open(body.data.sso_url)
  })
  for (const { status } of await Promise.all(opened)) expect(status).toBe(303)
  const { rowCount } = await platform.query('select 1 from users where email = $1', [email])
  expect(rowCount).toBe(1)
})

test('a link that was used stays used after a restart', async () => {
  const { link, email } = await aLink()
  expect((await new Browser(given.stranger().ip, second.baseUrl).open(link)).status).toBe(303)
  await second.close()
  second = await start()
  const again = await new Browser(given.stranger().ip, second.baseUrl).open(link)
  expect(again.status).toBe(403)
  expect(again.html).toContain('This link was used already')
  expect(await sessionsOf(email)).toBe(1)
}, 60_000)
