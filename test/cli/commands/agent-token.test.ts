import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Databases, openDatabases } from '#test/support/databases.ts'
import { program } from '#test/support/program.ts'

let stores: Databases
let platform: pg.Pool
beforeAll(async () => {
  stores = await openDatabases('agent_token')
  platform = new pg.Pool({ connectionString: stores.platformUrl, max: 1 })
  await platform.query(`insert into regions (name) values ('eu-west'), ('us-east')`)
})
afterAll(() => platform?.end())

const create = (...args: string[]) => agentToken('create', ...args)

async function agentToken(...args: string[]) {
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: stores.appUrl, DATABASE_PLATFORM_URL: stores.platformUrl }
  const child = spawn(process.execPath, program('agent-token', ...args), {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, said, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>(resolve => child.once('exit', resolve)),
  ])
  return { out, said, code }
}
const regions = async () =>
  (await platform.query<{ name: string }>('select name from regions where retired_at is null order by name')).rows.map(
    ({ name }) => name,
  )

test('a token for a region that is known is made', { timeout: 60_000 }, async () => {
  const { out, code, said } = await create('--region', 'eu-west')
  expect([code, said]).toEqual([0, expect.stringContaining('Good for one agent in eu-west')])
  expect(out.trim()).toMatch(/^ag-[\w-]{43}[0-9a-z]{7}$/)
})

test('an unknown region is refused with a list of known ones, and created with --new', {
  timeout: 60_000,
}, async () => {
  const refused = await create('--region', 'eu-wset')
  expect([refused.code, refused.out]).toEqual([2, ''])
  for (const words of [
    'there is no region "eu-wset"',
    'The regions are eu-west, us-east.',
    'vedette agent-token create --region eu-wset --new',
  ])
    expect(refused.said).toContain(words)
  expect(await regions()).toEqual(['eu-west', 'us-east'])
  expect((await platform.query(`select from agent_enrolments where region = 'eu-wset'`)).rowCount).toBe(0)

  expect((await create('--region', 'berlin', '--new')).code).toBe(0)
  expect(await regions()).toEqual(['berlin', 'eu-west', 'us-east'])
})

test('a region that was retired is made again with --new alone', { timeout: 60_000 }, async () => {
  await platform.query(`update regions set retired_at = now() where name = 'us-east'`)
  expect((await create('--region', 'us-east')).code).toBe(2)
  expect((await create('--region', 'us-east', '--new')).code).toBe(0)
  expect(await regions()).toContain('us-east')
})

test('a token for any region needs no word of a new one', { timeout: 60_000 }, async () => {
  expect((await create()).code).toBe(0)
})

test('a reusable token names its region, and all tokens of a region are revoked together', {
  timeout: 60_000,
}, async () => {
  const refused = await create('--reusable')
  expect([refused.code, refused.said]).toEqual([2, expect.stringContaining('a reusable token is for one region')])
  const made = await create('--region', 'eu-pods', '--new', '--reusable', '--days', '90')
  expect([made.code, made.said]).toEqual([0, expect.stringContaining('Good for all agents in eu-pods')])
  const { rows } = await platform.query(
    `select is_reusable, round(extract(epoch from expires_at - now()) / 86400)::int as days from agent_enrolments
     where region = 'eu-pods'`,
  )
  expect(rows).toEqual([{ is_reusable: true, days: 90 }])
  const revoked = await agentToken('revoke', '--region', 'eu-pods')
  expect([revoked.code, revoked.out]).toEqual([0, expect.stringContaining('1 tokens of eu-pods revoked')])
})
