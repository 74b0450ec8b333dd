import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPort, until } from '#cli/local/loopback.ts'
import { store } from '#test/support/stores.ts'
import { at } from '#test/support/template.ts'

/**
 * An installation on stores of its operator's: a database owned by a role that is no superuser, and a ClickHouse
 * database.
 */
interface Installation {
  env: Record<string, string>
  database: string
}

const mark = randomBytes(4).toString('hex')
const password = 'seven unrelated purple kettles'
let folder = ''
let passwordFile = ''
let superuser: pg.Client
let serve: ChildProcess | undefined

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-own-'))
  passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, `${password}\n`)
  superuser = new pg.Client({ connectionString: (await store('postgres')).ownerUrl })
  await superuser.connect()
}, 120_000)
afterAll(async () => {
  if (serve && serve.exitCode === null && serve.kill('SIGTERM')) await once(serve, 'exit')
  await superuser?.end()
  rmSync(folder, { recursive: true, force: true })
})

const roleUrl = async (role: string, secret: string, database: string) => {
  const url = new URL(at((await store('postgres')).ownerUrl, database))
  url.username = role
  url.password = secret
  return url.href
}

async function prepare(name: string, { roles = name, mayMakeRoles = true, secret = 'x' } = {}): Promise<Installation> {
  const database = `${name}_${mark}`
  const owner = `${database}_owner`
  await superuser.query(
    `create role ${owner} login ${mayMakeRoles ? 'createrole' : 'nocreaterole'} password 'owner-secret'`,
  )
  await superuser.query(`create database ${database} owner ${owner}`)
  const { url } = await store('clickhouse')
  const clickhouse = createClient({ url })
  await clickhouse.command({ query: `CREATE DATABASE ${database}` })
  await clickhouse.close()
  const env = {
    DATABASE_OWNER_URL: await roleUrl(owner, 'owner-secret', database),
    DATABASE_URL: await roleUrl(`${roles}_${mark}_app`, `app-${secret}`, database),
    DATABASE_PLATFORM_URL: await roleUrl(`${roles}_${mark}_platform`, `platform-${secret}`, database),
    CLICKHOUSE_URL: at(url, database),
    SECRET_KEY: randomBytes(48).toString('base64url'),
    HOST: '127.0.0.1',
    METRICS_PORT: '0',
    LOG_LEVEL: 'warn',
  }
  return { env, database }
}

async function vedette(
  args: string[],
  env: Record<string, string>,
  input = '',
): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, ['cli/vedette.js', ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', chunk => (out += chunk))
  child.stderr.on('data', chunk => (err += chunk))
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { code, out, err }
}

describe('an installation on its own stores', { timeout: 180_000 }, () => {
  let first: Installation
  let base = ''

  const call = async (method: string, path: string, body?: unknown, token?: string) => {
    const response = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : undefined }
  }
  const signIn = async (email: string, secret = password) =>
    call('POST', '/auth/token', { email, password: secret, device_name: 'test' })
  const create = (args: string[], input = '') =>
    vedette(['account', 'create', ...args], { ...first.env, BASE_URL: base }, input)

  test('begins with migrate, serve and the account of an operator', async () => {
    first = await prepare('first')
    const migrated = await vedette(['migrate'], first.env)
    expect(migrated.code, migrated.err).toBe(0)
    expect(migrated.out).toContain('applied 0001-baseline')
    expect((await vedette(['migrate'], first.env)).out).toContain('nothing to apply')

    const port = await findPort(0)
    base = `http://127.0.0.1:${port}`
    serve = spawn(process.execPath, ['cli/vedette.js', 'serve'], {
      env: { ...process.env, ...first.env, PORT: String(port), BASE_URL: base },
      stdio: 'ignore',
    })
    const isReady = () =>
      fetch(`${base}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    expect(await until(isReady, { withinMs: 60_000 })).toBe(true)

    const email = `operator-${mark}@example.com`
    const made = await create(['--operator', email, '--password-file', passwordFile])
    expect(made.code, made.err).toBe(0)
    expect(`${made.out}${made.err}`).not.toContain(password)
    const { token } = (await signIn(email)).body
    const listed = await call('GET', '/tenants', undefined, token)
    expect(listed.body.data).toMatchObject([{ name: 'Operators', owners: [{ email }] }])
  })

  test('makes a reseller with a token, and a team of theirs whose owner sets the password by a link', async () => {
    const reseller = await create(
      ['--reseller', 'Nörd Hosting', '--email', `rae-${mark}@example.com`, '--password-file', '-'],
      password,
    )
    expect(reseller.code, reseller.err).toBe(0)
    expect(reseller.out).toContain('(nord-hosting, ')
    const token = await vedette(['token', 'create', '--reseller', 'nord-hosting'], first.env)
    expect(token.out).toMatch(/^rk-/)

    const email = `ada-${mark}@example.com`
    const team = await create([
      '--team',
      'Acme',
      '--email',
      email,
      '--under',
      'nord-hosting',
      '--plan',
      'starter',
      '--link',
    ])
    expect(team.code, team.err).toBe(0)
    const [, link = ''] = /(http\S+#\S+)/.exec(team.out) ?? []
    expect((await signIn(email)).status).toBe(401)
    const reset = await call('POST', '/auth/password/reset', { token: link.split('#')[1], password })
    expect(reset.status).toBe(204)
    const session = (await signIn(email)).body.token
    expect((await call('POST', '/monitors', { name: 'Site', url: 'https://example.com/' }, session)).status).toBe(201)
    const managed = await call('GET', '/reseller/managed-teams', undefined, token.out.trim())
    expect(managed.body.data).toMatchObject([{ name: 'Acme', slug: 'acme', plan: 'starter' }])
  })

  test('gives a team no plan unless one is named, and another by its slug', async () => {
    const email = `solo-${mark}@example.com`
    const made = await create(['--team', 'Solo', '--email', email, '--password-file', passwordFile])
    expect(made.code, made.err).toBe(0)
    const session = (await signIn(email)).body.token
    const monitors = async () => (await call('GET', '/plan', undefined, session)).body.data.limits.monitors
    expect(await monitors()).toBe(null)
    for (const [plan, limit] of [
      ['hobby', 20],
      ['unlimited', null],
    ] as const) {
      const { code, out, err } = await vedette(['account', 'plan', 'solo', plan], first.env)
      expect([code, out.trim()], err).toEqual([0, `Solo  ${plan}`])
      await until(async () => (await monitors()) === limit, { withinMs: 10_000 })
      expect(await monitors()).toBe(limit)
    }
  })

  test.each([
    [['acme', 'unlimited'], 'the plan of "Acme" stays', /A reseller manages/],
    [['unknown', 'pro'], 'there is no tenant "unknown"', /slug or its id/],
    [['solo', 'gold'], 'there is no plan "gold"', /free, hobby, starter, pro/],
  ])('account plan %j is refused with code 2, the reason and what to type', async (args, what, more) => {
    const { code, out, err } = await vedette(['account', 'plan', ...args], first.env)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(what)
    expect(err).toMatch(more)
  })

  test.each([
    [[], 'say what to create', /--operator EMAIL/],
    [['--operator', 'a@example.com', '--team', 'x'], 'say what to create', /One of/],
    [['--operator', 'unknown'], '"unknown" is no e-mail address', /--operator/],
    [['--team', 'x'], 'whose account it is to be is not said', /--email/],
    [['--team', 'x', '--email', 'a@example.com', '--plan', 'gold'], 'there is no plan "gold"', /free, hobby/],
    [['--team', 'x', '--email', 'a@example.com', '--slug', 'Not A Slug'], 'cannot be a slug', /lower-case/],
    [['--team', 'x', '--email', 'a@example.com'], 'there is no password', /--password-file/],
    [['--team', 'x', '--email', 'a@example.com', '--password-file', '/nowhere'], 'cannot be read', /standard input/],
    [
      ['--team', 'x', '--email', 'a@example.com', '--under', 'nord-hosting', '--plan', 'unlimited', '--link'],
      'a team of a reseller has a plan',
      /no reseller manages/,
    ],
    [
      ['--team', 'x', '--email', 'a@example.com', '--under', 'unknown', '--link'],
      'there is no reseller "unknown"',
      /slug or its id/,
    ],
    [['--team', 'Acme', '--email', 'b@example.com', '--link'], 'the slug "acme" is taken', /acme-2/],
    [['--team', 'Else', '--email', `ada-${mark}@example.com`, '--link'], 'has an account', /forgot/],
  ])('account create %j is refused with code 2, the reason and what to type', async (args, what, more) => {
    const { code, out, err } = await create(args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(what)
    expect(err).toMatch(/\n {2}why {5}\S[\s\S]*\n {2}type {4}\S/)
    expect(err).toMatch(more)
  })

  test('a weak password is refused with the reason', async () => {
    const { code, err } = await create(['--operator', 'c@example.com', '--password-file', '-'], 'password1234')
    expect([code, err]).toEqual([2, expect.stringMatching(/this password will not do[\s\S]*easy to guess/)])
  })

  test('another installation on the server that names the same roles is refused, and the first runs on', async () => {
    const second = await prepare('second', { roles: 'first', secret: 'other' })
    const { code, err } = await vedette(['migrate'], second.env)
    expect(code).toBe(4)
    expect(err).toContain(`the role "first_${mark}_app" belongs to another installation`)
    expect(err).toContain(`The database "${first.database}" on this server uses it too`)
    expect(err).toContain(`DATABASE_URL=postgres://second_${mark}_app:`)
    const client = new pg.Client({ connectionString: first.env.DATABASE_URL ?? '' })
    await client.connect()
    await client.end()
  })

  test('another installation with roles of its own reads nothing of the first', async () => {
    const third = await prepare('third')
    const migrated = await vedette(['migrate'], third.env)
    expect(migrated.code, migrated.err).toBe(0)
    for (const url of [third.env.DATABASE_URL, third.env.DATABASE_PLATFORM_URL]) {
      const client = new pg.Client({ connectionString: at(url ?? '', first.database) })
      await client.connect()
      await expect(client.query('select 1 from tenants')).rejects.toMatchObject({ code: '42501' })
      await client.end()
    }
  })

  test('an owner without CREATEROLE gets the statements for an administrator, and they work', async () => {
    const plain = await prepare('plain', { mayMakeRoles: false })
    for (const use of ['app', 'platform']) {
      const { code, err } = await vedette(['migrate'], plain.env)
      expect([code, err]).toEqual([4, expect.stringContaining(`create role plain_${mark}_${use} login password '…';`)])
      expect(err).not.toContain(`${use}-x`)
      await superuser.query(`create role plain_${mark}_${use} login password '${use}-x'`)
    }
    const migrated = await vedette(['migrate'], plain.env)
    expect(migrated.code, migrated.err).toBe(0)
    const moved = { ...plain.env, DATABASE_URL: await roleUrl(`first_${mark}_app`, 'app-x', plain.database) }
    const { code, err } = await vedette(['migrate'], moved)
    expect([code, err]).toEqual([4, expect.stringContaining('name these in DATABASE_URL')])
  })

  test('a role that may see past row security is refused', async () => {
    const strong = await prepare('strong')
    await superuser.query(`create role strong_${mark}_app login bypassrls password 'app-x'`)
    const { code, err } = await vedette(['migrate'], strong.env)
    expect([code, err]).toEqual([4, expect.stringContaining(`alter role strong_${mark}_app nosuperuser nobypassrls;`)])
  })

  test('commands that need a migrated database say so', async () => {
    const bare = await prepare('bare')
    await superuser.query(`create role bare_${mark}_platform login password 'platform-x'`)
    const { code, err } = await vedette(['account', 'create', '--operator', 'a@example.com', '--link'], bare.env)
    expect([code, err]).toEqual([4, expect.stringMatching(/the database is not up to date[\s\S]*vedette migrate/)])
  })
})
