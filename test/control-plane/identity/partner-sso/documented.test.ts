import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'
import { Browser } from './opened.ts'

const { platform, config } = app.services
const page = readFileSync('docs/partner-sso.md', 'utf8')
/** The lines of a language as they stand in the documentation. */
const linesOf = (fence: string): string => new RegExp(`\`\`\`${fence}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? ''

const languages = [
  { name: 'PHP', fence: 'php', command: 'php', asked: (code: string) => ['-r', code] },
  { name: 'Python', fence: 'python', command: 'python3', asked: (code: string) => ['-c', code] },
  {
    name: 'Node',
    fence: 'js',
    command: process.execPath,
    asked: (code: string) => ['--input-type=module', '-e', code],
  },
]

describe.each(languages)('the lines of the documentation in $name', ({ name, fence, command, asked }) => {
  const isInstalled = spawnSync(command, ['--version']).status === 0

  test('are about ten', () => {
    const count = linesOf(fence).trim().split('\n').length
    expect(count).toBeGreaterThan(5)
    expect(count).toBeLessThanOrEqual(11)
  })

  test('make a link that signs a customer in, where the language is installed', async () => {
    if (!isInstalled) return console.warn(`The lines in ${name} were not run: ${command} is not installed.`)
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await reseller.patch(`${team.path}/partner-sso`, { enabled: true, auto_register: true })
    const { body } = await reseller.post(`${team.path}/partner-sso/rotate-secret`)
    const { rows } = await platform.query('select slug from tenants where id = $1', [team.tenantId])
    const email = `${randomUUID()}@customer.example`
    const program = spawn(command, asked(linesOf(fence)), {
      env: {
        PATH: process.env.PATH,
        SSO_SECRET: body.shared_secret,
        SSO_ORIGIN: config.baseUrl,
        SSO_TENANT_ID: team.tenantId,
        SSO_SLUG: rows[0].slug,
        SSO_EMAIL: email,
      },
    })
    const [link, complaint] = await Promise.all([text(program.stdout), text(program.stderr), once(program, 'close')])
    expect(complaint).toBe('')
    const browser = new Browser(given.stranger().ip)
    const opened = await browser.open(link.trim())
    expect(opened.status).toBe(303)
    expect(opened.headers.location).toBe('/account')
    expect((await browser.api('GET', '/user')).body).toMatchObject({ email, name: 'Pat Smith' })
    expect((await new Browser(given.stranger().ip).open(link.trim())).status).toBe(403)
  })
})
